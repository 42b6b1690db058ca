// dialect: rfc
// by-hand: visit
// inherited: span
// fields: value type_
  void VisitAttrs(AttrVisitor* v) {
    v->Visit("value", &value);
    // v->Visit("type_", &type_);
  }
