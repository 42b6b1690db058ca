# dialect: python
# generated: helper
# fields: value
def helper():
    return 3
