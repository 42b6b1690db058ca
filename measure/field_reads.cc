// The classes of `measure/field_reads.py`, as `objir codegen --target cpp` writes classes.
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/string.h>

namespace refl = tvm::ffi::reflection;

class NodeObj : public tvm::ffi::Object {
 public:
  int64_t value = 0;
  tvm::ffi::String name;
  tvm::ffi::Any child;
  tvm::ffi::Array<tvm::ffi::Any> items;

  NodeObj() = default;
  explicit NodeObj(int64_t value, tvm::ffi::String name, tvm::ffi::Any child, tvm::ffi::Array<tvm::ffi::Any> items)
      : value(value), name(name), child(child), items(items) {}
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("cpp.Node", NodeObj, tvm::ffi::Object);
};

TVM_FFI_STATIC_INIT_BLOCK() {
  refl::ObjectDef<NodeObj>()
      .def(refl::init<int64_t, tvm::ffi::String, tvm::ffi::Any, tvm::ffi::Array<tvm::ffi::Any>>())
      .def_ro("value", &NodeObj::value)
      .def_ro("name", &NodeObj::name)
      .def_ro("child", &NodeObj::child)
      .def_ro("items", &NodeObj::items);
}
