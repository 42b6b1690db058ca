"""Compares the conversion of modules of a live TVM with JSON, in one process, in turns.

Usage: python3 measure/live_modules.py LIBRARY FILE...

A turn of a way is as many calls as take 10 milliseconds, because a single call of a small module mostly measures empty caches.
LIBRARY is `libobjir.so` of a release build, each FILE a module that `tvm.ir.save_json` wrote. The Python needs TVM. A line has the
nodes of a module and the median of the times of a call in milliseconds: of `objir.from_tvm`, of `tvm.ir.save_json` with `objir.from_json`,
and of `objir.to_tvm` and `tvm.ir.load_json` with `objir.to_json`.
"""

import gzip
import statistics
import sys
import time

import tvm
import tvm_ffi

RUNS, TURN = 7, 10

tvm_ffi.load_module(sys.argv[1])
from_tvm, to_tvm, from_json, to_json, stats = (
    tvm_ffi.get_global_func("objir." + name) for name in ["from_tvm", "to_tvm", "from_json", "to_json", "stats"]
)


def elapsed(work, calls):
    start = time.perf_counter()
    for _ in range(calls):
        work()
    return (time.perf_counter() - start) * 1e3 / calls


print(f"{'nodes':>8} {'from_tvm':>9} {'by JSON':>9} {'ratio':>6} {'to_tvm':>9} {'by JSON':>9} {'ratio':>6}")
for path in sys.argv[2:]:
    with (gzip.open if path.endswith(".gz") else open)(path, "rt") as file:
        live = tvm.ir.load_json(file.read())
    ours = from_tvm(live)
    ways = [
        lambda: from_tvm(live),
        lambda: from_json(tvm.ir.save_json(live), None),
        lambda: to_tvm(ours),
        lambda: tvm.ir.load_json(to_json(ours)),
    ]
    calls = [1 + int(TURN / elapsed(way, 1)) for way in ways]
    turns = [[elapsed(way, count) for way, count in zip(ways, calls)] for _ in range(RUNS)]
    a, b, c, d = (statistics.median(times) for times in zip(*turns))
    print(f"{stats(ours).nodes:8} {a:9.3f} {b:9.3f} {b / a:6.1f} {c:9.3f} {d:9.3f} {d / c:6.1f}  {path}")
