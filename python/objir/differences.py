"""Differences of programs."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Iterator, Optional, Sequence, Union

import tvm_ffi

from ._library import call, function
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

    #: The differences, at most as many as the limit says.
    differences: Sequence[Difference]

    def __init__(self, a: Source, b: Source, limit: Optional[int], limits: Optional[Limits]) -> None:
        self._sources = (a, b)
        self._limits = (limit, limits)
        self._verdict: Optional[str] = None
        if not (_is_live(a) and _is_live(b)):
            self.differences = call("diff", self.lhs.root, self.rhs.root, limit, limits)
            return
        sides = _differing(a, b)
        self.differences = call("diff", *sides, limit, limits) if sides else []
        if sides and not self.differences:
            self.differences = [_of_tvm(a, b)]
            self._verdict = "different: left and right, in 1 place\n\n" + str(self.differences[0].message)

    @functools.cached_property
    def _sides(self) -> tuple[Module, Module]:
        return _load_both(*self._sources)

    @property
    def lhs(self) -> Module:
        """The left program. A live object is converted when this is read first."""
        return self._sides[0]

    @property
    def rhs(self) -> Module:
        """The right program, as the left one."""
        return self._sides[1]

    def __bool__(self) -> bool:
        return bool(self.differences)

    def __len__(self) -> int:
        return len(self.differences)

    def __iter__(self) -> Iterator[Difference]:
        return iter(self.differences)

    def __str__(self) -> str:
        return self._verdict or str(call("diff_text", self.lhs.root, self.rhs.root, *self._limits))

    def __repr__(self) -> str:
        return f"<objir.Diff: {len(self)} differences>"

    def html(self) -> str:
        """A page with both scripts side by side, without references to other files."""
        return str(call("diff_page", self.lhs.root, self.rhs.root, *self._limits))

    def _repr_html_(self) -> str:
        return frame(self.html())


def diff(a: Source, b: Source, limit: Optional[int] = None, limits: Optional[Limits] = None) -> Diff:
    """The differences of two programs, at most `limit` of them; without a limit, at most 20.

    Two live objects are compared in place, by the rules of the version of TVM that is loaded. Only if they differ, they are converted,
    without the functions that are equal in both. If this package finds no difference then, the one difference is the place that TVM
    names.
    """
    return Diff(a, b, limit, limits)


def assert_equal(a: Source, b: Source) -> None:
    """Raises an `AssertionError` with the underlined differences if two programs differ. Live objects are compared as by `diff`."""
    found = Diff(a, b, None, None)
    if found:
        raise AssertionError(str(found))


def _is_live(source: Source) -> bool:
    """Whether the source is an object of tvm-ffi that is not of this package."""
    info = getattr(type(source), "__tvm_ffi_type_info__", None)
    return isinstance(source, tvm_ffi.Object) and info is not None and not info.type_key.startswith("objir.")


_live_difference = function("live_difference")


def _differing(a: Source, b: Source) -> Sequence[tvm_ffi.Object]:
    """The objects of this package for two live objects, without the functions that are equal in both; none for equal objects."""
    found: Union[bool, Sequence[tvm_ffi.Object], None] = _live_difference(a, b, False)
    if found is None:  # the loaded TVM compares what this package cannot
        found = bool(tvm_ffi.structural_equal(a, b))
        if not found:
            sides: Sequence[tvm_ffi.Object] = call("from_tvm", [a, b])
            return sides
    return [] if isinstance(found, bool) else found


def _of_tvm(a: Source, b: Source) -> Difference:
    """The difference of live objects that the loaded version of TVM finds."""
    lhs, rhs = (str(path) for path in tvm_ffi.get_first_structural_mismatch(a, b) or ("<root>", "<root>"))
    message = f"the loaded version of TVM says that the programs differ at {lhs} and {rhs}, and this package finds no difference"
    return Difference(lhs, rhs, None, None, message)


def _load_both(a: Source, b: Source) -> tuple[Module, Module]:
    """The programs of two sources. Live objects are converted in one call, which keeps the objects that they share."""
    from .module import Module, load

    if _is_live(a) and _is_live(b):
        lhs, rhs = call("from_tvm", [a, b])
        return Module(lhs), Module(rhs)
    return load(a), load(b)
