"""Writes `global_functions.txt`: the names of the global functions of TVM 0.25, 0.26 and 0.27.

    python object-ir/data/make_global_functions.py PYTHON...

Each PYTHON has a version of apache-tvm. The names are those of `tvm_ffi.registry.list_global_func_names()` after the imports below.
"""

import subprocess
import sys
from pathlib import Path

NAMES = """
import tvm, tvm.relax, tvm.tirx, tvm.s_tir, tvm_ffi
print("\\n".join(tvm_ffi.registry.list_global_func_names()))
"""


def names(python):
    """The names in a Python."""
    output = subprocess.run([python, "-W", "ignore", "-c", NAMES], capture_output=True, check=True, text=True).stdout
    return {line for line in output.splitlines() if line}


def main():
    """Writes the names of all versions."""
    found = sorted(set().union(*map(names, sys.argv[1:])))
    head = "# The global functions of TVM 0.25, 0.26 and 0.27, written by make_global_functions.py.\n"
    Path(__file__).with_name("global_functions.txt").write_text(head + "".join(f"{name}\n" for name in found))
    print(f"{len(found)} names")


if __name__ == "__main__":
    main()
