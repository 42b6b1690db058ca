"""Patterns of expressions in programs."""

from __future__ import annotations

import dataclasses
from typing import Any

from . import relax
from .module import Module, Source, load


@dataclasses.dataclass(frozen=True)
class Pattern:
    """A function whose result is looked for. Its parameters stand for any values that fit their types."""

    module: Module
    #: The name of the column of a scan.
    name: str

    @property
    def function(self) -> Any:
        """The object of the function, an `objir.relax.Function`."""
        return self.module.root


def pattern(source: Source, name: str = "pattern") -> Pattern:
    """The pattern of a function, or of the function `pattern` of a module, such as a rule of `Module.rewrite`.

    >>> import objir
    >>> twice = objir.pattern('''
    ... @R.function
    ... def pattern(x: R.Tensor(("n",), "float32")):
    ...     return R.add(x, x)
    ... ''')
    >>> program = objir.load('''
    ... @R.function
    ... def main(x: R.Tensor((3,), "float32")):
    ...     y = R.exp(x)
    ...     z = R.add(y, y)
    ...     return z
    ... ''')
    >>> [binding.var.vid.name_hint for binding in program.matches(twice)]
    ['z']
    """
    module = load(source)
    if not isinstance(module.root, relax.Function):
        module = Module(module._function("pattern"))
    found = Pattern(module, name)
    module.matches(found)  # reports a function that is no pattern
    return found
