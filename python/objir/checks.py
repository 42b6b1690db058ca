"""Reports of checks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator, Optional, Sequence

from ._library import call
from ._notebook import frame
from .results import CheckOptions, CheckResult, Violation

if TYPE_CHECKING:
    from .module import Module


class Report:
    """The violations that a check found, in the order of the program. It is true if the program is well-formed.

    Its text underlines the places in the script of the program.
    """

    def __init__(self, module: Module, options: Optional[CheckOptions]) -> None:
        self.module = module
        self._options = options
        self._result: CheckResult = call("check", module.root, options)

    @property
    def violations(self) -> Sequence[Violation]:
        """The violations, at most as many as the option `limit` says."""
        return self._result.violations

    @property
    def errors(self) -> int:
        """The number of errors."""
        return self._result.errors

    @property
    def warnings(self) -> int:
        """The number of warnings."""
        return self._result.warnings

    @property
    def is_complete(self) -> bool:
        """Whether the check visited the whole program."""
        return self._result.is_complete

    def __bool__(self) -> bool:
        return self._result.is_well_formed

    def __len__(self) -> int:
        return len(self.violations)

    def __iter__(self) -> Iterator[Violation]:
        return iter(self.violations)

    def __str__(self) -> str:
        return str(call("check_text", self.module.root, self._options))

    def __repr__(self) -> str:
        return f"<objir.Report: {self.errors} errors, {self.warnings} warnings>"

    def html(self) -> str:
        """A page with the script and the underlined violations, without references to other files."""
        return str(call("check_page", self.module.root, self._options))

    def _repr_html_(self) -> str:
        return frame(self.html())
