"""Writes script_calls.txt beside this script: the parameters of the functions of apache-tvm 0.25.0 that scripts call by
the prefix `R`.

    python make_script_calls.py

Needs a Python with apache-tvm 0.25.0, or with 0.27.0.post1 for script_calls_0_27.txt. The file holds one function per line, sorted by name, with tabs between columns:
the name without the prefix, and then each parameter, with its default value after `=`. Functions that do not make a
call of an operator are left out. Lines that begin with `#` are comments.
"""

import inspect
from pathlib import Path

import tvm
from tvm.script import relax as R

VERSION = tvm.__version__
FILE = {"0.25.0": "script_calls.txt", "0.27.0.post1": "script_calls_0_27.txt"}[VERSION]


def functions(prefix, module):
    """The functions of a module and of the modules in it, by name."""
    for name in sorted(dir(module)):
        value = getattr(module, name)
        if name.startswith("_"):
            continue
        if inspect.isfunction(value) and value.__module__.startswith("tvm.relax"):
            yield prefix + name, value
        elif inspect.ismodule(value) and value.__name__ == f"tvm.relax.op.{name}":
            yield from functions(f"{prefix}{name}.", value)


def parameter(it):
    """A parameter with its default value. An expression as a default value is a scalar, whose value is enough."""
    if it.default is inspect.Parameter.empty:
        return str(it).split(":")[0]
    default = getattr(it.default, "value", it.default)
    default = getattr(default, "value", default)
    return f"{it.name}={default!r}"


def lines():
    """One line for each function that makes a call of the operator with its name."""
    operators = set(tvm.ir.Op.list_op_names())
    for name, function in functions("", R):
        if f"relax.{name}" in operators:
            parameters = inspect.signature(function).parameters.values()
            yield "\t".join([name, *map(parameter, parameters)]) + "\n"


def main():
    """Writes the table."""
    table = list(lines())
    head = f"# Functions of the prefix R of apache-tvm {VERSION}, written by make_script_calls.py.\n"
    Path(__file__).with_name(FILE).write_text(head + "".join(table), encoding="utf-8")
    print(f"{FILE}: {len(table)} entries")


if __name__ == "__main__":
    main()
