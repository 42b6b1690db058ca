// dialect: rfc
// by-hand: visit equal hash
// fields: value
  // bool SEqualReduce(...) in a comment does not count, nor in a text:
  const char* help = "void SHashReduce(SHashReducer) {}";
  int Twice() const { return VisitAttrs(nullptr), 2 * value; }
