"""Writes script_names.txt beside this script: how TVMScript of apache-tvm 0.25.0 prints calls of operators of TIR.

    python make_script_names.py

Needs a Python with apache-tvm 0.25.0, or with 0.27.0.post1 for script_names_0_27.txt. The file holds one operator per line, sorted by name, with tabs between columns:
name, printed name, place of the data type among the arguments (`first`, `last`, `-` for none). An operator without a
line prints as its name without `tirx.` or `prim.`, and without the data type. Lines that begin with `#` are comments.
"""

from pathlib import Path

import tvm

VERSION = tvm.__version__
FILE = {"0.25.0": "script_names.txt", "0.27.0.post1": "script_names_0_27.txt"}[VERSION]
PREFIXES = ("tirx.", "prim.")
PLACES = {None: "-", 0: "-", 1: "first", 2: "last"}


def lines():
    """One line for each operator that does not follow the rule."""
    for name in sorted(tvm.ir.Op.list_op_names()):
        if not name.startswith(PREFIXES):
            continue
        op = tvm.ir.Op.get(name)
        # An operator without a printed name prints with its full name.
        printed = op.get_attr("TScriptPrinterName") or name
        place = PLACES[op.get_attr("TScriptDtypePrintLocation")]
        if printed != name[len(PREFIXES[0]):] or place != "-":
            yield f"{name}\t{printed}\t{place}\n"


def main():
    """Writes the table."""
    table = "".join(lines())
    head = f"# Printed operators of apache-tvm {VERSION}, written by make_script_names.py.\n"
    Path(__file__).with_name(FILE).write_text(head + table, encoding="utf-8")
    print(f"{FILE}: {table.count(chr(10))} entries")


if __name__ == "__main__":
    main()
