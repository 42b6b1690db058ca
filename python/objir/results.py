"""The results of operations, whose fields the native library fills."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Mapping, Optional, Sequence

import tvm_ffi

from . import _library as _library


@tvm_ffi.register_object("objir.Limits")
class Limits(tvm_ffi.Object):
    """The limits of memory and work of one operation. The defaults are for files from strangers."""

    #: The memory of all programs, texts and tensors, in bytes.
    max_memory: int
    #: The largest number of bytes of a text, unpacked.
    max_bytes: int
    #: The largest number of objects of a program.
    max_nodes: int
    #: The largest number of objects on a path from the root of a program.
    max_depth: int
    #: The largest number of steps of an operation or a run.
    max_steps: int

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            max_memory: int = ...,
            max_bytes: int = ...,
            max_nodes: int = ...,
            max_depth: int = ...,
            max_steps: int = ...,
        ) -> None: ...


@tvm_ffi.register_object("objir.CheckOptions")
class CheckOptions(tvm_ffi.Object):
    """The rules of a check."""

    #: The rules of this phase and of earlier phases apply: `ast`, `normal` or `typed`.
    phase: str
    #: The implementation whose rules apply, such as `tvm-0.25`; nothing for the rules of the specification.
    profile: Optional[str]
    #: The rules whose violations are not reported, are warnings, and are errors.
    allow: Sequence[str]
    warn: Sequence[str]
    deny: Sequence[str]
    #: The largest number of violations with a description.
    limit: int

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            phase: str = ...,
            profile: Optional[str] = ...,
            allow: Sequence[str] = ...,
            warn: Sequence[str] = ...,
            deny: Sequence[str] = ...,
            limit: int = ...,
        ) -> None: ...


@tvm_ffi.register_object("objir.RelatedPlace")
class RelatedPlace(tvm_ffi.Object):
    """Another place that explains a violation."""

    path: str
    message: str
    place: Any


@tvm_ffi.register_object("objir.Violation")
class Violation(tvm_ffi.Object):
    """One violation of a rule."""

    #: The name of the rule.
    rule: str
    #: `error` or `warning`.
    severity: str
    #: The path of the place.
    path: str
    message: str
    #: What to do about it, where there is an obvious change.
    help: Optional[str]
    #: The object at the place.
    place: Any
    related: Sequence[RelatedPlace]


@tvm_ffi.register_object("objir.Report")
class CheckResult(tvm_ffi.Object):
    """The violations that a check found, in the order of the program."""

    is_well_formed: bool
    violations: Sequence[Violation]
    errors: int
    warnings: int
    is_complete: bool


@tvm_ffi.register_object("objir.TypeCount")
class TypeCount(tvm_ffi.Object):
    """The objects of one type in a program."""

    type_key: str
    nodes: int
    references: int


@tvm_ffi.register_object("objir.Statistics")
class Statistics(tvm_ffi.Object):
    """The size of a program."""

    #: The objects, and the references between them.
    nodes: int
    edges: int
    #: The objects with two or more references.
    shared: int
    #: The number of objects on the longest path from the root.
    depth: int
    #: The number of objects if nothing were shared.
    tree_nodes: int
    #: The counts of each type, the most frequent first.
    types: Sequence[TypeCount]


@tvm_ffi.register_object("objir.DeclarationViolation")
class DeclarationViolation(tvm_ffi.Object):
    """A value that breaks a check of its declaration."""

    type_key: str
    #: The word of the declaration, or the name that the verifier gives.
    rule: str
    path: str
    message: str


@tvm_ffi.register_object("objir.Difference")
class Difference(tvm_ffi.Object):
    """A place at which two programs differ."""

    lhs_path: str
    rhs_path: str
    #: The value on the left; `None` if the left side has no value there.
    lhs: Any
    rhs: Any
    message: str

    if TYPE_CHECKING:

        def __init__(self, lhs_path: str, rhs_path: str, lhs: Any, rhs: Any, message: str) -> None: ...


@tvm_ffi.register_object("objir.CompareOptions")
class CompareOptions(tvm_ffi.Object):
    """The arguments and the tolerance of a comparison of runs."""

    #: The seed of random arguments.
    seed: int
    #: The number of seeds: `seed` and the numbers after it.
    seeds: int
    #: The sizes of symbolic dimensions by name. Each seed runs with each of them.
    sizes: Mapping[str, Sequence[int]]
    #: The relative and the absolute tolerance of floating-point numbers; by default they depend on the data type.
    rtol: Optional[float]
    atol: Optional[float]

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            seed: int = ...,
            seeds: int = ...,
            sizes: Mapping[str, Sequence[int]] = ...,
            rtol: Optional[float] = ...,
            atol: Optional[float] = ...,
        ) -> None: ...


@tvm_ffi.register_object("objir.RunComparison")
class Comparison(tvm_ffi.Object):
    """The result of a comparison of runs. It is true if the results are the same."""

    #: `same`, `different`, `inconclusive` or `failed`.
    verdict: str
    #: The name of the first variable whose values differ.
    variable: Optional[str]
    #: The first difference of the results in words.
    difference: Optional[str]
    #: The result in words, with the arguments that show it.
    text: str

    def __bool__(self) -> bool:
        return self.verdict == "same"

    def __str__(self) -> str:
        return self.text


@tvm_ffi.register_object("objir.Finding")
class Finding(tvm_ffi.Object):
    """A fact about a program that is not an error."""

    kind: str
    path: str
    message: str


@tvm_ffi.register_object("objir.Inferred")
class Inferred(tvm_ffi.Object):
    """A program with structural information in all parts."""

    result: Any
    findings: Sequence[Finding]
