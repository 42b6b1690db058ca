from enum import IntEnum


class Mode(IntEnum):
    PLAIN = 0
    INLINE = 7


@declare
class NodeNode(left.Node):
    """A node of the right dialect, which extends the one of the left dialect."""

    type_key = "right.Node"
    mode_here: Mode = Mode.INLINE
    mode_there: left.Mode = left.Mode.SLOW
    inner: ty.Optional[left.Node] = None
    parts: ty.Array[left.Node]
