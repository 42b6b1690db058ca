# dialect: python
# by-hand: equal hash
# fields: value
    def __s_equal__(self, other, eq):
        """The hash: def __s_hash__(self) is missing."""
        return eq(self.value, other.value, 0, "value")
