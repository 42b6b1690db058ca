// dialect: rfc
// by-hand: visit
// inherited: span
// fields: value type_
  void VisitAttrs(tvm::AttrVisitor* v) final {
    BaseNode::VisitAttrs(v);
    v->Visit("value", &value);
  }
