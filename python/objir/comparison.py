"""Comparisons of the results of programs."""

from __future__ import annotations

from typing import Any, Optional

from ._library import call
from .module import Source, load
from .results import CompareOptions, Comparison, Limits


def compare(a: Source, b: Source, function: str = "main", limits: Optional[Limits] = None, **options: Any) -> Comparison:
    """Whether a function of two modules has the same results for random arguments, with the first variable that differs.

    The options are the fields of `objir.CompareOptions`, such as `seeds=3` and `sizes={"n": [1, 7]}`.
    """
    result: Comparison = call("compare", load(a).root, load(b).root, function, CompareOptions(**options), limits)
    return result
