"""Differences of programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator, Optional, Sequence

import tvm_ffi

from ._library import call
from ._notebook import frame
from .results import Difference, Limits

if TYPE_CHECKING:
    from .module import Module, Source


class Diff:
    """The differences of two programs, in the order of the left one. It is true if there is a difference.

    Its text underlines the places in both scripts.

    >>> import objir
    >>> a, b = objir.load(b"I.Range(0, 4)"), objir.load(b"I.Range(0, 5)")
    >>> [(it.lhs_path, it.lhs, it.rhs) for it in objir.diff(a, b)]
    [('<root>.extent.value', 4, 5)]
    """

    def __init__(self, lhs: Module, rhs: Module, limit: Optional[int], limits: Optional[Limits]) -> None:
        self.lhs = lhs
        self.rhs = rhs
        self._limits = (limit, limits)
        self.differences: Sequence[Difference] = call("diff", lhs.root, rhs.root, limit, limits)

    def __bool__(self) -> bool:
        return bool(self.differences)

    def __len__(self) -> int:
        return len(self.differences)

    def __iter__(self) -> Iterator[Difference]:
        return iter(self.differences)

    def __str__(self) -> str:
        return str(call("diff_text", self.lhs.root, self.rhs.root, *self._limits))

    def __repr__(self) -> str:
        return f"<objir.Diff: {len(self)} differences>"

    def html(self) -> str:
        """A page with both scripts side by side, without references to other files."""
        return str(call("diff_page", self.lhs.root, self.rhs.root, *self._limits))

    def _repr_html_(self) -> str:
        return frame(self.html())


def diff(a: Source, b: Source, limit: Optional[int] = None, limits: Optional[Limits] = None) -> Diff:
    """The differences of two programs, at most `limit` of them; without a limit, at most 20."""
    return Diff(*_load_both(a, b), limit, limits)


def assert_equal(a: Source, b: Source) -> None:
    """Raises an `AssertionError` with the underlined differences if two programs differ."""
    lhs, rhs = _load_both(a, b)
    if lhs != rhs:
        raise AssertionError(str(Diff(lhs, rhs, None, None)))


def _load_both(a: Source, b: Source) -> tuple[Module, Module]:
    """The programs of two sources. An object that is both of them is converted once."""
    from .module import load

    lhs = load(a)
    is_same = isinstance(a, tvm_ffi.Object) and isinstance(b, tvm_ffi.Object) and a.same_as(b)
    return lhs, lhs if is_same else load(b)
