// dialect: cpp
// by-hand: equal hash
// generated: RegisterReflection
// inherited: span checked_type_
// fields: name_hint
  bool SEqual(const GlobalVarNode* other,
              ffi::TypedFunction<bool(ffi::AnyView, ffi::AnyView, int32_t, ffi::AnyView)> equal) const {
    return equal(name_hint, other->name_hint, 0, "name_hint");
  }
  int64_t SHash(int64_t init_hash, ffi::TypedFunction<int64_t(ffi::AnyView, int64_t, int32_t)> hash) const {
    return hash(name_hint, init_hash, 0);
  }
