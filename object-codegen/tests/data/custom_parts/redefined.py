# dialect: python
# generated: __init__ label
# fields: value
    def __init__(self, value):
        self.value = value

    value: int = 3
    label = 4

    def other(self):
        def label():
            return 3

        return label()
