"""Programs of TVM Relax: loaded, checked, compared, transformed and run, by the library `libobjir` in this process."""

from . import _library as _library
from . import arith, ir, relax, s_tir, target, te, tirx
from .checks import Report
from .comparison import compare
from .differences import Diff, assert_equal, diff
from .errors import Error
from .module import Module, Source, load
from .patterns import Pattern, pattern
from .results import CheckOptions, CompareOptions, Comparison, Difference, Limits, Statistics, Violation
from .trace import Pass, Trace

__all__ = [
    "CheckOptions",
    "CompareOptions",
    "Comparison",
    "Diff",
    "Difference",
    "Error",
    "Limits",
    "Module",
    "Pass",
    "Pattern",
    "Report",
    "Source",
    "Statistics",
    "Trace",
    "Violation",
    "arith",
    "assert_equal",
    "compare",
    "diff",
    "ir",
    "load",
    "pattern",
    "relax",
    "s_tir",
    "target",
    "te",
    "tirx",
]
