// dialect: cpp
// fields: value
  int Twice() const { return 2 * value; }
  }
  int Thrice() const { if (value) { return 3 * value;
