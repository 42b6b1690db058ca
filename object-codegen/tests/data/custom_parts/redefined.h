// dialect: rfc
// generated: VisitAttrs SEqualReduce SHashReduce ThingNode _type_key
// fields: value other
 public:
  ThingNode() = default;
  static constexpr const char* _type_key = "demo.Thing";
  int64_t value{3}, more;
  void VisitAttrs(AttrVisitor* v) {
    v->Visit("value", &value);
    v->Visit("other", &other);
  }
  template <typename SEqualReduce>
  std::vector<SHashReduce> Values(SEqualReduce other) const;
  bool operator==(const ThingNode& other) const { return true; }
