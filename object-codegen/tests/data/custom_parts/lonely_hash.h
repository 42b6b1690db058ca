// dialect: cpp
// by-hand: equal hash
// fields: value
  int64_t SHash(int64_t init, ffi::TypedFunction<int64_t(AnyView, int64_t, int32_t)> hash) const { return init; }
