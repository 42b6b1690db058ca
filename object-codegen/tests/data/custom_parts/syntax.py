# dialect: python
# fields: value
    def other(self:
        return 3
