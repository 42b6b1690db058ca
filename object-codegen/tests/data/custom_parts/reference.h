// dialect: cpp
// class: ref
// by-hand: equal hash
// generated: Thing
// fields: value
  TVM_DLL Thing(int64_t value);
  static Thing FromName(String name) { return Thing(name.size()); }
