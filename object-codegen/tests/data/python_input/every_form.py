"""Every form of a `@declare` class."""

from enum import IntEnum
from elsewhere import Known as Renamed


class Mode(IntEnum):
    """The modes."""

    FAST = 0
    EXACT = 7


@declare
class NodeNode(Object):
    """The base."""

    type_key = "every.Node"
    structural_eq = None
    note: ty.Any = field(default=None, structural_eq="ignore", doc="A note.", metadata={"unit": "rounds", "count": 3})


@declare
class Variable(NodeNode):
    """A variable.

    See Also
    --------
    Binder : binds it
    """

    type_key = "every.Var"
    structural_eq = "var"
    name: ty.String = field(structural_eq="ignore")


@declare
class BinderNode(NodeNode):
    type_key = "every.Binder"
    structural_eq = "dag"
    params: ty.Array[ty.Variable] = field(structural_eq="def")
    inner: "every.Var" = field(structural_eq="def-simple")
    body: ty.Optional[Node]
    again: ty.Optional[ty.NodeNode] = None


@declare
class OpNode(NodeNode):
    type_key = "every.Op"
    structural_eq = "singleton"
    name: ty.String


@declare
class ConstNode(NodeNode):
    type_key = "every.Const"
    structural_eq = "const-tree"
    truth: ty.bool = True
    i8: ty.int8_t = -128
    i16: ty.int16_t = 1
    i32: ty.int32_t = 1
    i64: ty.int64_t = -9223372036854775808
    u8: ty.uint8_t = 255
    u16: ty.uint16_t = 1
    u32: ty.uint32_t = 1
    u64: ty.uint64_t = 9223372036854775807
    f32: ty.float = 0.5
    f64: ty.double = 1
    nan: ty.double = math.nan
    low: ty.double = -math.inf
    mode: ty.Mode = 7
    text: ty.String = "a\n\"b\""
    data: ty.Bytes = b"\x00ab"
    dtype: ty.DataType = dtype("float16x4")
    dtype2: ty.DataType = "int8"
    device: ty.Device = device("cuda", 1)
    shape: ty.Shape = (1, 2)
    array: ty.Array[ty.int64_t] = [1, 2]
    list: ty.List[ty.String] = ["a"]
    map: ty.Map[ty.String, ty.Array[ty.Any]] = {"a": [1, None]}
    dict: ty.Dict[ty.int64_t, ty.double] = {1: 2.5}
    bare: ty.Array = []
    either: ty.Variant[ty.int64_t, ty.String] = "x"
    tensor: ty.Optional[ty.Tensor] = None
    function: ty.Optional[ty.Function] = None
    known: Renamed
