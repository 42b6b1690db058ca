"""Compares the conversion of modules of a live TVM with JSON, in one process, in turns.

Usage: python3 measure/live_modules.py LIBRARY FILE...

A turn of a way is as many calls as take 10 milliseconds, because a single call of a small module mostly measures empty caches.
LIBRARY is `libobjir.so` of a release build, each FILE a module that `tvm.ir.save_json` wrote. The Python needs TVM. A line has the
nodes of a module and the medians of the times of a call in milliseconds, in pairs:

- `objir.from_tvm`, and `tvm.ir.save_json` with `objir.from_json`;
- `objir.to_tvm`, and `tvm.ir.load_json` with `objir.to_json`, which writes TVM 0.25 alone and is left out with other versions;
- the comparison with a twin by `objir.live_difference`, and by TVM;
- the differences from a module with another number in the middle, with `objir.diff`, and the reading of both modules by JSON.
"""

import gzip
import json
import statistics
import sys
import time

import tvm
import tvm_ffi

RUNS, TURN = 7, 10

tvm_ffi.load_module(sys.argv[1])
NAMES = ["from_tvm", "to_tvm", "from_json", "to_json", "stats", "live_difference", "diff"]
from_tvm, to_tvm, from_json, to_json, stats, live_difference, diff = (tvm_ffi.get_global_func("objir." + name) for name in NAMES)


def elapsed(work, calls):
    start = time.perf_counter()
    for _ in range(calls):
        work()
    return (time.perf_counter() - start) * 1e3 / calls


def changed(text, live):
    """The module with another number in the middle of the text."""
    graph = json.loads(text)
    nodes = graph["nodes"]
    numbers = [node["data"] for node in nodes if node["type"] == "ir.IntImm"]
    for data in numbers[len(numbers) // 2 :]:
        value = data["value"]
        if tvm.__version__ >= "0.27":  # a node of its own
            nodes.append({"type": "int", "data": nodes[value]["data"] + 1})
            data["value"] = len(nodes) - 1
        else:
            data["value"] = value + 1
        found = tvm.ir.load_json(json.dumps(graph))
        if not tvm_ffi.structural_equal(found, live):
            return found
        data["value"] = value
    raise ValueError("no number counts in the comparison")


def difference(a, b):
    return diff(*live_difference(a, b, False), None, None)


titles = ["from_tvm", "by JSON", "ratio", "to_tvm", "by JSON", "ratio", "equal", "by TVM", "ratio", "diff", "by JSON", "ratio"]
print(f"{'nodes':>8}" + "".join(f"{title:>7}" if title == "ratio" else f"{title:>10}" for title in titles))
for path in sys.argv[2:]:
    with (gzip.open if path.endswith(".gz") else open)(path, "rt") as file:
        text = file.read()
    live, twin = tvm.ir.load_json(text), tvm.ir.load_json(text)
    other = changed(text, live)
    ours = from_tvm(live)
    ways = [
        lambda: from_tvm(live),
        lambda: from_json(tvm.ir.save_json(live), None),
        lambda: to_tvm(ours),
        lambda: tvm.ir.load_json(to_json(ours) if tvm.__version__.startswith("0.25") else text),
        lambda: live_difference(live, twin, False),
        lambda: tvm.ir.assert_structural_equal(live, twin),
        lambda: difference(live, other),
        lambda: [from_json(tvm.ir.save_json(side), None) for side in (live, other)],
    ]
    calls = [1 + int(TURN / elapsed(way, 1)) for way in ways]
    turns = [[elapsed(way, count) for way, count in zip(ways, calls)] for _ in range(RUNS)]
    times = [statistics.median(times) for times in zip(*turns)]
    pairs = "".join(f"{a:10.3f}{b:10.3f}{b / a:7.1f}" for a, b in zip(times[::2], times[1::2]))
    print(f"{stats(ours).nodes:8}{pairs}  {path}")
