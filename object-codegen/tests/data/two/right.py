from enum import IntEnum


class Mode(IntEnum):
    Plain = 0
    Inline = 7


@declare
class NodeNode(left.Node):
    """A node of the right dialect, which extends the one of the left dialect."""

    type_key = "right.Node"
    mode_here: Mode = Mode.Inline
    mode_there: left.Mode = left.Mode.Slow
    inner: ty.Optional[left.Node] = None
    parts: ty.Array[left.Node]
