"""Types with every kind, role, container, width and default, for the comparison with live tvm-ffi."""

from enum import IntEnum


class Mode(IntEnum):
    """The precision of a constant."""

    FAST = 0
    EXACT = 3


@declare
class ExprNode(Object):
    """Base of expressions."""

    type_key = "live.Expr"
    note: ty.Optional[ty.String] = field(default=None, structural_eq="ignore", doc="Not compared.")


@declare
class TypeNode(Object):
    """Base of types."""

    type_key = "live.Type"


@declare
class VarNode(ExprNode):
    """A variable, whose type may contain variables."""

    type_key = "live.Var"
    structural_eq = "var"
    name: ty.String = field(structural_eq="ignore")
    ty: ty.Optional[Type] = None


@declare
class ShapeTypeNode(TypeNode):
    type_key = "live.ShapeType"
    dims: ty.Array[Var]
    dtype: ty.DataType = dtype("float32")


@declare
class LambdaNode(ExprNode):
    """A function: its parameters bind, also in their types."""

    type_key = "live.Lambda"
    params: ty.Array[Var] = field(structural_eq="def")
    body: Expr


@declare
class LetNode(ExprNode):
    """A binding of one variable."""

    type_key = "live.Let"
    var: Var = field(structural_eq="def-simple")
    value: Expr
    body: Expr


@declare
class AddNode(ExprNode):
    type_key = "live.Add"
    a: Expr
    b: Expr


@declare
class SharedNode(ExprNode):
    """An expression whose sharing counts."""

    type_key = "live.Shared"
    structural_eq = "dag"
    value: Expr


@declare
class OpNode(ExprNode):
    """An operator: one object for each name."""

    type_key = "live.Op"
    structural_eq = "singleton"
    name: ty.String


@declare
class CallNode(ExprNode):
    type_key = "live.Call"
    op: Op
    args: ty.Array[Expr]
    attrs: ty.Map[ty.String, ty.Any] = {}


@declare
class OpaqueNode(ExprNode):
    """An expression that no operation compares."""

    type_key = "live.Opaque"
    structural_eq = None
    value: ty.int64_t


@declare
class ConstNode(ExprNode):
    """A constant, with every width and every default of a scalar."""

    type_key = "live.Const"
    structural_eq = "const-tree"
    truth: ty.bool = True
    i8: ty.int8_t = -128
    i16: ty.int16_t = 32767
    i32: ty.int32_t = -2147483648
    i64: ty.int64_t = 9223372036854775807
    u8: ty.uint8_t = 255
    u16: ty.uint16_t = 65535
    u32: ty.uint32_t = 4294967295
    u64: ty.uint64_t = 7
    f32: ty.float = 0.5
    f64: ty.double = -0.1
    mode: Mode = 3
    text: ty.String = "a \"quoted\"\n\\text"
    data: ty.Bytes = b"\x00\xff'\""
    dtype: ty.DataType = dtype("int8x4")
    device: ty.Device = device("cpu", 2)
    shape: ty.Shape = (2, 3)
    parts: ty.Array[ty.int64_t] = []


@declare
class BagNode(ExprNode):
    """Every container, and every type that is not one class."""

    type_key = "live.Bag"
    any: ty.Any = None
    either: ty.Variant[ty.int64_t, ty.String] = "one"
    count: ty.Optional[ty.int64_t] = None
    expr: ty.Optional[Expr] = None
    object: ty.Optional[ty.ObjectRef] = None
    anything: ty.Array = []
    numbers: ty.Array[ty.int64_t] = [1, 2]
    names: ty.List[ty.String] = ["a"]
    rows: ty.Map[ty.String, ty.Array[ty.Any]] = {"a": [1, None, 2.5, "b"]}
    codes: ty.Map[ty.int64_t, Expr] = {}
    scores: ty.Dict[ty.String, ty.double] = {"a": 0.25}
    tensor: ty.Optional[ty.Tensor] = None
    function: ty.Optional[ty.Function] = None


@declare
class TreeNode(ExprNode):
    """An expression that contains itself in every container."""

    type_key = "live.Tree"
    items: ty.Array[Tree]
    up: ty.Optional[Tree] = None
    named: ty.Map[ty.String, Tree] = {}
    mixed: ty.Variant[ty.int64_t, Tree, Ping] = 1


@declare
class PingNode(ExprNode):
    """Each of two expressions contains the other one."""

    type_key = "live.Ping"
    pongs: ty.Array[Pong]


@declare
class PongNode(ExprNode):
    type_key = "live.Pong"
    pings: ty.List[Ping] = []
    last: ty.Optional[Ping] = None
