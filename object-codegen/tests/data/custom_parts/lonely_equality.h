// dialect: rfc
// by-hand: equal
// generated: VisitAttrs SHashReduce
// fields: value
  bool SEqualReduce(const ThingNode* other, SEqualReducer equal) const { return equal(value, other->value); }
