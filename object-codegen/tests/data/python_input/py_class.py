"""py_class declarations as tvm-ffi 0.1.12 and 0.1.15 have them."""

from __future__ import annotations

from typing import Any, Callable, ClassVar, Optional, Union

import tvm_ffi
from tvm_ffi import Array, Dict, List, Map, Object, Tensor, dtype, method
from tvm_ffi.dataclasses import KW_ONLY, c_class, field, init_property, py_class

COUNT = 3


@py_class("py.Expr", structural_eq="tree", frozen=True)
class Expr(Object):
    """Base of expressions.

    Attributes
    ----------
    span : Any
        The place.
    """

    version: ClassVar[int] = 1
    span: Any = field(default=None, structural_eq="ignore", kw_only=True)


@py_class(type_key="py.Var", structural_eq="var")
class Var(Expr):
    name: str = field(structural_eq="ignore", doc="Only a hint.")
    ty: Expr | None = None


@py_class("py.Lambda", structural_eq="dag")
class Lambda(Expr):
    params: Array[Var] = field(structural_eq="def-pattern")
    old_params: Array[Var] = field(structural_eq="def-recursive", default_factory=Array)
    var: Optional["Var"] = field(default=None, structural_eq="def-non-recursive")
    body: Expr | Var
    _: KW_ONLY
    count: int = 3
    ratio: float = 1.5
    flag: bool = True
    data: bytes = b"ab"
    dt: dtype = field(default=dtype("float32"))
    device: tvm_ffi.Device = field(default_factory=lambda: tvm_ffi.device("cpu", 0))
    m: Map[str, Any] = field(default_factory=lambda: Map({"a": 1}))
    d: Dict[str, int] = field(default_factory=dict)
    items: list[int] = field(default_factory=lambda: [1, 2])
    either: Union[int, str, None] = None
    row: tuple[int, ...] = field(default_factory=tuple)
    call: Callable[[int], str] | None = field(default=None, repr=False, compare=False)
    tensor: Optional[Tensor] = None

    @init_property
    def size(self) -> int:
        return 1

    @method
    def label(self, prefix: str, rest) -> str:
        """A text for people."""
        return prefix

    @staticmethod
    @method
    def make(count: int) -> Lambda:
        return None

    def not_registered(self):
        pass

    if COUNT > 2:
        pass


@py_class("py.Hooked", structural_eq="tree")
class Hooked(Expr):
    value: Any

    def __s_equal__(self, other, eq):
        return eq(self.value, other.value, 0, "value")

    def __s_hash__(self, init, hash_of):
        return hash_of(self.value, init, 0)


@tvm_ffi.dataclasses.py_class("py.Op", structural_eq="singleton")
class Operator(Expr):
    name: str


@py_class("py.Plain", structural_eq=None)
class Plain(Object):
    pass


@c_class("py.Native")
class Native(Object):
    value: int


@py_class("py.Default")
class Default(Native):
    pair: tuple[int, str]
