"""`Module`: a program, with the operations on it as methods."""

from __future__ import annotations

import importlib
import os
from typing import TYPE_CHECKING, Any, BinaryIO, Iterable, Mapping, Optional, Sequence, TextIO, Union

import tvm_ffi

from . import ir, relax
from ._library import call, function
from ._notebook import frame
from ._tensors import from_tensor, to_tensor
from .checks import Report
from .differences import Diff, diff
from .errors import Error
from .results import CheckOptions, Inferred, Limits, Statistics

if TYPE_CHECKING:
    from .patterns import Pattern

#: A program: a file, its content, or objects of this package or of TVM in this process.
Source = Union["Module", str, "os.PathLike[str]", bytes, BinaryIO, TextIO, tvm_ffi.Object]


class Module:
    """A module, a function or another part of a program.

    `==` and `hash()` go by structure, up to the names of bound variables. The objects of the program are immutable, and the
    operations return new modules.

    >>> import objir
    >>> module = objir.load('''
    ... from tvm.script import ir as I, relax as R
    ...
    ... @I.ir_module
    ... class Module:
    ...     @R.function
    ...     def main(x: R.Tensor((2, 3), dtype="float32")) -> R.Tensor((2, 3), dtype="float32"):
    ...         y: R.Tensor((2, 3), dtype="float32") = R.add(x, x)
    ...         return y
    ... ''')
    >>> bool(module.check())
    True
    >>> [binding.var.vid.name_hint for binding in module.functions["main"].body.blocks[0].bindings]
    ['y']
    """

    __slots__ = ("root",)

    #: The object of the program, such as an `objir.ir.IRModule`.
    root: Any

    def __init__(self, root: Any) -> None:
        self.root = call("from_tvm", root)

    @property
    def functions(self) -> Mapping[str, Any]:
        """The functions by name: objects of `objir.relax.Function` and `objir.tirx.PrimFunc`."""
        if not isinstance(self.root, ir.IRModule):
            raise TypeError(f"expected a module, got `{type(self.root).__name__}`")
        return {var.name_hint: function for var, function in self.root.functions.items()}

    def script(self) -> str:
        """The program as TVMScript."""
        return str(call("print", self.root, None))

    def json(self) -> str:
        """The program in TVM's JSON graph format, with the types of TVM 0.25."""
        return str(call("to_json", self.root))

    def html(self) -> str:
        """A page with the script, without references to other files."""
        return str(call("page", self.root, None))

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes the program into a file: as a script if the name ends in `.py`, else as JSON, packed if it ends in `.gz`."""
        call("save", self.root, os.fspath(path))

    def hash(self) -> str:
        """The structural hash in hexadecimal digits, the same in every process and on every machine."""
        return str(call("hash", self.root))

    def stats(self) -> Statistics:
        """The size of the program, how much of it is shared, and its types."""
        statistics: Statistics = call("stats", self.root)
        return statistics

    def check(self, **options: Any) -> Report:
        """Whether the program is well-formed, with every violation.

        The options are the fields of `objir.CheckOptions`, such as `phase="normal"`.
        """
        return Report(self, CheckOptions(**options) if options else None)

    def normalize(self) -> Module:
        """The program in normal form."""
        return Module(call("normalize", self.root))

    def infer(self) -> Module:
        """The program with structural information in all parts."""
        inferred: Inferred = call("infer", self.root)
        return Module(inferred.result)

    def rewrite(self, rules: Iterable[Source], limits: Optional[Limits] = None) -> Module:
        """The program after rules, until none applies. Each rule is a module with the functions `pattern` and `replacement`,
        which have the same parameters."""
        return Module(call("rewrite", self.root, [load(rule).root for rule in rules], limits))

    def matches(self, pattern: Pattern, limits: Optional[Limits] = None) -> Sequence[relax.VarBinding]:
        """The bindings of the program, in normal form, whose values a pattern matches."""
        found: Sequence[relax.VarBinding] = call("matches", self.root, pattern.function, limits)
        return found

    def run(self, function: str = "main", /, *args: Any, limits: Optional[Limits] = None, **named: Any) -> Any:
        """The result of a function for these arguments, by position and by the names of parameters.

        Arguments are numbers, tuples, and arrays of NumPy or of a library with `__dlpack__`. Results are arrays of NumPy.
        """
        params = [param.vid.name_hint for param in self._function(function).params]
        values = dict(zip(params, args))
        for name, value in named.items():
            if name not in params or name in values:
                reason = "given twice" if name in values else f"unknown; the parameters are {', '.join(params)}"
                raise TypeError(f"the argument `{name}` of `{function}` is {reason}")
            values[name] = value
        missing = [name for name in params if name not in values]
        if missing or len(args) > len(params):
            given = len(args) + len(named)
            raise TypeError(f"`{function}` has {len(params)} parameters ({', '.join(params)}), and the call has {given} arguments")
        return from_tensor(call("run", self.root, function, [to_tensor(values[name]) for name in params], limits))

    def _function(self, name: str) -> Any:
        functions = self.functions
        if name not in functions:
            raise KeyError(f"the module has no function `{name}`; its functions are {', '.join(sorted(functions))}")
        return functions[name]

    def diff(self, other: Source, limit: Optional[int] = None) -> Diff:
        """The differences from another program."""
        return diff(self, other, limit)

    def to_tvm(self) -> Any:
        """The program as objects of the TVM of this Python, which the call imports."""
        importlib.import_module("tvm")
        try:
            # The functions of the library convert objects of TVM, so none of them can pass this result on.
            return function("to_tvm")(self.root)
        except (TypeError, ValueError, KeyError, RuntimeError) as error:
            raise Error(type(error).__name__, None, None, str(error)) from error

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Module) and bool(call("equal", self.root, other.root))

    def __hash__(self) -> int:
        return int(self.hash(), 16)

    def __repr__(self) -> str:
        return f"<objir.Module {self.hash()}>"

    def _repr_html_(self) -> str:
        return frame(self.html())

    def __reduce__(self) -> tuple[Any, ...]:
        return load, (self.json().encode(),)

    def __copy__(self) -> Module:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Module:
        return self


def load(source: Source, limits: Optional[Limits] = None) -> Module:
    """The program of a source.

    - A path: a file with JSON of any version of TVM or with a script, gzipped or not.
    - The content of such a file: `bytes`, a file that is open for reading, or a `str` with a line break or a `{` at its start.
    - A module, a function or another object of TVM in this process, or objects of this package.
    """
    if isinstance(source, Module):
        return source
    if isinstance(source, str) and "\n" not in source and not source.startswith("{"):
        return Module(call("load", source, limits))
    if isinstance(source, os.PathLike):
        return Module(call("load", os.fspath(source), limits))
    read = getattr(source, "read", None)
    content: Any = source if read is None else read()
    if isinstance(content, str):
        content = content.encode()
    if isinstance(content, (bytes, bytearray, memoryview)):
        return Module(call("read", bytes(content), limits))
    return Module(content)
