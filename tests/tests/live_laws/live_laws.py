"""Runs in a Python with tvm-ffi. The arguments are the library of `examples/live_laws.rs`, the number of pairs of each class of
graphs, and the seed. Prints the verdicts of each class, and fails for a difference without a known reason."""

import collections
import os
import sys

import tvm_ffi

sys.path.append(os.path.join(os.path.dirname(__file__), "../../../fixtures"))
from peer_paths import path_text

library, pairs, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
MODULE = tvm_ffi.load_module(library)
call = lambda name, *args: tvm_ffi.get_global_func("laws." + name)(*args)


def verdict(pair):
    """The paths of the first mismatch, none for equal values, or `None` for an error; and whether the hashes are equal."""
    try:
        mismatch = tvm_ffi.get_first_structural_mismatch(*pair)
        assert tvm_ffi.structural_equal(*pair) == (mismatch is None)
        hashes = [tvm_ffi.structural_hash(value, *pair[2:]) for value in pair[:2]]
    except AssertionError:
        raise
    except Exception:
        return None, True
    return [path_text(path) for path in mismatch or ()], hashes[0] == hashes[1]


unexplained = []
for number, name in enumerate(call("classes")):
    found, hashes_differ = collections.Counter(), 0
    for case in range(pairs):
        pair = call("pair", number, seed, case)
        paths, is_same_hash = verdict(list(pair))
        judged = call("judge", pair, paths)
        found["equal" if judged == "same" and paths == [] else judged.split(": ")[0] if "unexplained" in judged else judged] += 1
        hashes_differ += paths == [] and not is_same_hash
        if judged.startswith("unexplained"):
            unexplained.append(f"class {name}, case {case}: {judged}\n  a = {pair[0]}\n  b = {pair[1]}")
    print(f"{name:18} {hashes_differ:>4} with other hashes; {dict(found)}", flush=True)
print("\n".join(unexplained[:10]))
sys.exit(f"{len(unexplained)} differences are unexplained" if unexplained else 0)
