"""Writes llvm_intrinsics.txt.gz beside this script: the numbers that modules of apache-tvm 0.25.0 hold for functions of LLVM.

    python make_llvm_intrinsics.py

Needs a Python with apache-tvm 0.25.0. The packed text holds one function per line, sorted by number from 1, without the prefix
`llvm.`. A function whose name goes on after a dot, such as `llvm.sqrt.f32`, has `*` in a second column, after a tab. Lines
that begin with `#` are comments. Another version of LLVM has other numbers.
"""

import gzip
from pathlib import Path

import tvm

VERSION = "0.25.0"


def lines():
    """One line for each function."""
    name_of = tvm.get_global_func("target.llvm_get_intrinsic_name")
    number_of = tvm.get_global_func("target.llvm_lookup_intrinsic_id")
    number = 1
    while name := name_of(number):
        # No function of LLVM has a name that ends so.
        has_suffixes = number_of(f"{name}.any_suffix") == number
        yield name.removeprefix("llvm.") + ("\t*" if has_suffixes else "") + "\n"
        number += 1


def main():
    """Writes the table."""
    table = "".join(lines())
    version = tvm.get_global_func("target.llvm_version_major")()
    head = f"# Functions of LLVM {version} in apache-tvm {VERSION}, written by make_llvm_intrinsics.py.\n"
    packed = gzip.compress((head + table).encode(), mtime=0)
    Path(__file__).with_name("llvm_intrinsics.txt.gz").write_bytes(packed)
    print(f"llvm_intrinsics.txt.gz: {table.count(chr(10))} entries")


if __name__ == "__main__":
    main()
