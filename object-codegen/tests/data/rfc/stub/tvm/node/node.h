// The part of TVM 0.7's object system that generated classes use, without behaviour: it checks that they compile.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

struct Object {
  static constexpr const uint32_t _type_child_slots = 0;
};
template <typename T>
struct ObjectPtr {
  T* get() const { return nullptr; }
};
struct ObjectRef {
  ObjectRef() = default;
  explicit ObjectRef(ObjectPtr<Object> data) : data_(data) {}
  const Object* get() const { return data_.get(); }
  ObjectPtr<Object> data_;
};
struct String : ObjectRef {};
struct DataType {};
// The containers of TVM also ask whether their elements are references, which needs complete classes.
template <typename T>
using IfReference = typename std::enable_if<std::is_base_of<ObjectRef, T>::value>::type;
template <typename T, typename = IfReference<T>>
struct Optional : ObjectRef {};
template <typename T, typename = IfReference<T>>
struct Array : ObjectRef {};
template <typename K, typename V, typename = IfReference<K>, typename = IfReference<V>>
struct Map : ObjectRef {};

struct AttrVisitor {
  template <typename T>
  void Visit(const char*, T*) {}
};
struct SEqualReducer {
  template <typename T>
  bool operator()(const T&, const T&) const { return true; }
  template <typename T>
  bool DefEqual(const T&, const T&) const { return true; }
  bool FreeVarEqualImpl(const Object*, const Object*) const { return true; }
  const SEqualReducer* operator->() const { return this; }
  void MarkGraphNode() const {}
};
struct SHashReducer {
  template <typename T>
  void operator()(const T&) const {}
  template <typename T>
  void DefHash(const T&) const {}
  void FreeVarHashImpl(const Object*) const {}
  const SHashReducer* operator->() const { return this; }
  void MarkGraphNode() const {}
};

#define TVM_DECLARE_BASE_OBJECT_INFO(TypeName, ParentType)                                              \
  static_assert(TypeName::_type_child_slots == 0 || ParentType::_type_child_slots == 0 ||               \
                    TypeName::_type_child_slots < ParentType::_type_child_slots,                        \
                "a class has fewer slots than its parent");                                             \
  static const char* TypeKey() { return TypeName::_type_key; }
#define TVM_DEFINE_OBJECT_REF_METHODS(TypeName, ParentType, ObjectName) \
  TypeName() = default;                                                 \
  explicit TypeName(ObjectPtr<Object> n) : ParentType(n) {}             \
  const ObjectName* operator->() const { return static_cast<const ObjectName*>(this->data_.get()); }
#define TVM_REGISTER_NODE_TYPE(TypeName) static const char* registered_##TypeName = TypeName::TypeKey()
