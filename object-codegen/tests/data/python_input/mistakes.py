@declare
class A(Objct):
    type_key = "bad.A"


@declare
class BNode(Object):
    type_ky = "bad.B"
    x: ty.int46_t
    y: ty.int
    z: int
    w: ty.Array[ty.int32_t]
    v: ty.Map[ty.int64_t]
    u: ty.Unknwon
    t: ty.bool[3]
    s: Cnode
    x: ty.bool


@declare
class CNode(Object):
    """C.

    Attributes
    ----------
    valeu
        Misspelt.
    """

    type_key = "bad.C"
    default_sequal_reduce = "no"
    structural_eq = "tre"
    value: ty.int8_t = 300
    truth: ty.bool = 1
    text: ty.String = None
    made: ty.int64_t = make()
    bound: ty.int64_t = field(structural_eq="def")
    role: ty.Any = field(structural_eq="bind")
    word: ty.Any = field(structural_equal="def")
    both: ty.Any = field(default=1, default_factory=list)
    type_key = "bad.D"

    def method(self):
        pass

    for i in range(3):
        pass


@declare(1)
class DNode(CNode):
    type_key = "bad.C"
    value: ty.int64_t


@declar
class ENode(Object):
    type_key = "bad.E"


@py_class("bad.F", structural_eq="map", structural_equal="tree", kw_only=True)
@declare
class F(Object):
    pass


@py_class("bad.G", structural_eq="map", struct_eq="tree")
class G(Object):
    x: int64_t
    y: None
    z: set[int]
    w: "Array[int"
    v: 3

    def __s_equal__(self, other, eq):
        return True

    @method
    @classmethod
    def m(cls, *rest):
        pass


@py_class(structural_eq="singleton")
class H(A, B):
    count: int


@declare
class INode(JNode):
    type_key = "bad.I"


@declare
class JNode(INode):
    type_key = "bad.J J"


@declare
class KNode(Object):
    type_key = "bad.K"
    default_shash_reduce = False
    x: ty.Any
