// dialect: cpp
// generated: RegisterReflection SEqual SHash ThingNode _type_key
// fields: value other
 public:
  ThingNode() = default;
  static constexpr const char* _type_key = "demo.Thing";
  int64_t value{3}, more;
  void RegisterReflection(Visitor* v) {
    v->Visit("value", &value);
    v->Visit("other", &other);
  }
  template <typename SEqual>
  std::vector<SHash> Values(SEqual other) const;
  bool operator==(const ThingNode& other) const { return true; }
