// dialect: rfc
// by-hand: equal hash
// generated: VisitAttrs
// inherited: span checked_type_
// fields: name_hint
  bool SEqualReduce(const GlobalVarNode* other, SEqualReducer equal) const {
    return equal(name_hint, other->name_hint) && equal.FreeVarEqualImpl(this, other);
  }
  void SHashReduce(SHashReducer hash_reduce) const {
    hash_reduce(name_hint);
    hash_reduce.FreeVarHashImpl(this);
  }
