from enum import IntEnum


class Mode(IntEnum):
    FAST = 0
    SLOW = 1


@declare
class NodeNode(Object):
    """A node of the left dialect."""

    type_key = "left.Node"
    mode: Mode = Mode.SLOW
    name: ty.String
