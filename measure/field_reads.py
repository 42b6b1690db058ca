"""Compares reads of fields of a class of Rust with reads of a class of C++, in one process, in turns.

Usage: python3 measure/field_reads.py LIBRARY

LIBRARY is `liblambda.so` of a release build of object-ffi. The Python needs tvm-ffi, and g++ compiles `field_reads.cc`. A line has
the kind of a field and the median of the times of a read in nanoseconds, less the time of an empty loop.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import timeit

import tvm_ffi

RUNS, READS = 15, 100_000

folder = tempfile.mkdtemp()
source = os.path.join(os.path.dirname(__file__), "field_reads.cc")
flags = subprocess.check_output([sys.executable, "-m", "tvm_ffi.config", "--cxxflags", "--ldflags", "--libs"], text=True)
built = os.path.join(folder, "fields.so")
subprocess.check_call(["g++", "-O2", "-shared", "-fPIC", source, *flags.split(), "-o", built])
LIBRARIES = [tvm_ffi.load_module(path) for path in [sys.argv[1], built]]


def fields(key):
    return tvm_ffi.register_object(key)(type(key.split(".")[-1], (tvm_ffi.Object,), {}))


Expr, Var, Int, Add, Lambda, Node = (
    fields(key) for key in ["lambda.Expr", "lambda.Var", "lambda.Int", "lambda.Add", "lambda.Lambda", "cpp.Node"]
)
x, long_name = Var("x"), "a name of more than seven bytes"
leaf = Node(1, "x", None, [])
node, long_node = Node(7, "x", leaf, [leaf]), Node(7, long_name, leaf, [leaf])
KINDS = {
    "int": ((Int(7), "value"), (node, "value")),
    "short text": ((x, "name"), (node, "name")),
    "text": ((Var(long_name), "name"), (long_node, "name")),
    "object": ((Add(x, Int(1)), "lhs"), (node, "child")),
    "array": ((Lambda([x], x), "params"), (node, "items")),
}


def read(value, name):
    return timeit.timeit(f"value.{name}", number=READS, globals={"value": value}) / READS * 1e9


empty = min(timeit.timeit("value", number=READS, globals={"value": x}) for _ in range(RUNS)) / READS * 1e9
print(f"{'field':12} {'Rust':>7} {'C++':>7} {'ratio':>6}")
for kind, pair in KINDS.items():
    times = [[read(*one) - empty for one in pair] for _ in range(RUNS)]
    rust, cpp = (statistics.median(column) for column in zip(*times))
    print(f"{kind:12} {rust:7.0f} {cpp:7.0f} {rust / cpp:6.2f}")
