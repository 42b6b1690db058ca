"""Writes ops.txt and target_kinds.txt beside this script: the operators and target kinds of apache-tvm 0.25.0.

    python make_ops.py

Needs a Python with apache-tvm 0.25.0. Both files hold one entry per line, sorted by name, with tabs between columns.
Empty columns at the end of a line are left out, and lines that begin with `#` are comments.

ops.txt: name, number of inputs (-1 for any), support level, purity of calls in Relax (`pure`, `impure`, `-` for none),
    type key of the attributes (`-` for none), description, and then one column per argument, each
    `name|type|description`.
target_kinds.txt: name, DLPack device type that the code runs on, default keys with commas between them.
"""

from pathlib import Path

import tvm
import tvm_ffi

HERE = Path(__file__).resolve().parent
VERSION = "0.25.0"


def plain(text):
    """The text as it stands in a column: on one line, without the characters that separate columns."""
    if "|" in text:
        raise ValueError(f"{text!r} holds a separator")
    return " ".join(text.split())


def purity(op):
    """Whether a call of the operator in Relax has no visible side effect."""
    pure = op.get_attr("FPurity")
    return "-" if pure is None else "pure" if pure else "impure"


def op_line(name):
    """The line of one operator."""
    op = tvm.ir.Op.get(name)
    if op.op_type is not None:
        raise ValueError(f"{name} has a type, which ops.txt has no column for")
    numbers = [str(op.num_inputs), str(op.support_level)]
    columns = [name, *numbers, purity(op), op.attrs_type_key or "-", plain(op.description)]
    arguments = ["|".join(map(plain, (arg.name, arg.type_info, arg.description))) for arg in op.arguments]
    return "\t".join(columns + arguments)


def kinds():
    """One target kind per registered name."""
    for name in tvm_ffi.get_global_func("target.ListTargetKinds")():
        text = '{"root_index":0,"nodes":[{"type":"target.TargetKind","data":"%s"}]}' % name
        yield tvm.ir.load_json(text)


def kind_line(kind):
    """The line of one target kind."""
    return "\t".join([kind.name, str(kind.default_device_type), ",".join(kind.default_keys)])


def write(file, what, lines):
    """Writes a table."""
    lines = sorted(lines)
    head = f"# {what} of apache-tvm {VERSION}, written by make_ops.py.\n"
    (HERE / file).write_text(head + "".join(line.rstrip("\t") + "\n" for line in lines), encoding="utf-8")
    print(f"{file}: {len(lines)} entries")


def main():
    """Writes both tables."""
    if tvm.__version__ != VERSION:
        raise SystemExit(f"wants apache-tvm {VERSION}, found {tvm.__version__}")
    write("ops.txt", "Operators", map(op_line, tvm.ir.Op.list_op_names()))
    write("target_kinds.txt", "Target kinds", map(kind_line, kinds()))


if __name__ == "__main__":
    main()
