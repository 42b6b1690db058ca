from enum import IntEnum


class Mode(IntEnum):
    Fast = 0
    Slow = 1


@declare
class NodeNode(Object):
    """A node of the left dialect."""

    type_key = "left.Node"
    mode: Mode = Mode.Slow
    name: ty.String
