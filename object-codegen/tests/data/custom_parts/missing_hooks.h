// dialect: cpp
// by-hand: equal hash
// fields: value
  // bool SEqual(...) in a comment does not count, nor in a text:
  const char* help = "void SHash(Hash) {}";
  int Twice() const { return RegisterReflection(nullptr), 2 * value; }
