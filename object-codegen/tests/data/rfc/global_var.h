// tschema: GlobalVarNode
// tschema: checksum 070490fccfdcfd6f
/*!
 * \brief Global variable that lives in the top-level module.
 * A GlobalVar only refers to function definitions.
 * This is used to enable recursive calls between function.
 * \sa GlobalVar
 */
class GlobalVarNode : public RelayExprNode {
 public:
  /*! \brief The name of the variable, this only acts as a hint. */
  ffi::String name_hint{};

  /*! \brief Makes an object whose fields the caller sets. */
  explicit GlobalVarNode(ffi::UnsafeInit tag) : RelayExprNode(tag) {}
  /*! \brief Describes the class to the registry. Call it once, in a source file. */
  static void RegisterReflection() {
    namespace refl = ::tvm::ffi::reflection;
    refl::ObjectDef<GlobalVarNode>()
        .def_ro("name_hint", &GlobalVarNode::name_hint);
    refl::TypeAttrDef<GlobalVarNode>()
        .def("__s_equal__", &GlobalVarNode::SEqual)
        .def("__s_hash__", &GlobalVarNode::SHash);
  }

  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("GlobalVar", GlobalVarNode, RelayExprNode);
// tschema: custom-begin
bool SEqual(const GlobalVarNode* other,
            ffi::TypedFunction<bool(ffi::AnyView, ffi::AnyView, int32_t, ffi::AnyView)> equal) const {
  return equal(name_hint, other->name_hint, 0, "name_hint") && this == other;
}

int64_t SHash(int64_t init_hash, ffi::TypedFunction<int64_t(ffi::AnyView, int64_t, int32_t)> hash) const {
  return hash(name_hint, init_hash, 0);
}
// tschema: custom-end
};
// tschema: end
