// dialect: cpp
// by-hand: equal
// generated: RegisterReflection SHash
// fields: value
  bool SEqual(const ThingNode* other, Equal equal) const { return equal(value, other->value); }
