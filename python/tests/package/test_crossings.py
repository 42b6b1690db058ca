"""Laws about programs that cross between this package and a live TVM.

`LIVE_GRAPHS` is the number of random functions, `PIPELINES` the number of modules of the corpus of TVM's pipelines, which is beside
the repository.
"""

import json
import os
import pathlib
import tarfile

import pytest
import tvm_ffi

import objir
from random_graphs import RandomFunction

CORPUS = pathlib.Path(__file__).resolve().parents[4] / "shared" / "corpus" / "pipelines_dev.tar.xz"

STEPS = 12

#: The mutants of a module, and the fields that have a number in them.
MUTANTS = 4
NUMBERS = {"ir.IntImm": "value", "relax.TensorStructInfo": "ndim", "relax.TensorType": "ndim"}


@pytest.mark.parametrize("seed", range(int(os.environ.get("LIVE_GRAPHS", 40))))
def test_random_functions_cross_both_ways(tvm, seed):
    ours = objir.load(RandomFunction(seed).make(STEPS))
    live = ours.to_tvm()
    back = objir.load(live)
    assert back == ours and back.hash() == ours.hash(), str(objir.diff(back, ours))
    if tvm.__version__.startswith("0.25"):  # a conversion between versions makes some objects anew
        assert [back.stats().nodes, back.stats().edges] == [ours.stats().nodes, ours.stats().edges]
    assert tvm_ffi.structural_equal(back.to_tvm(), live)
    assert objir.load(tvm.ir.save_json(live)) == ours


@pytest.mark.parametrize("seed", range(int(os.environ.get("LIVE_GRAPHS", 40))))
def test_verdicts_are_the_verdicts_of_tvm(tvm, seed):
    made = RandomFunction(seed)
    ours = objir.load(made.make(STEPS))
    changed = objir.load(RandomFunction(seed, made.random.randrange(made.numbers)).make(STEPS))
    live = [ours.to_tvm(), changed.to_tvm()]
    assert tvm_ffi.structural_equal(*live) == (ours == changed) == (not objir.diff(*live)) == (ours.hash() == changed.hash())


def sample(version, count):
    """Modules of the corpus that this version of TVM made, at equal distances."""
    with tarfile.open(CORPUS) as archive:
        files = [it for it in archive if it.name.startswith(f"{version}/") and it.name.endswith(".json")]
        for file in files[:: max(1, len(files) // count)][:count]:
            yield file.name, archive.extractfile(file).read().decode()


def mutants(tvm, text):
    """Live modules with one number of the text changed, in a few places."""
    graph = json.loads(text)
    numbers = []
    for node in graph["nodes"]:
        holder, key = (node, "data") if node["type"] == "int" else (node.get("data"), NUMBERS.get(node["type"]))
        # TVM 0.27 has the values of constants as nodes of their own.
        if key and not (node["type"] == "ir.IntImm" and "ty" in holder):
            numbers.append((holder, key))
    for holder, key in numbers[:: max(1, len(numbers) // MUTANTS)][:MUTANTS]:
        holder[key] += 1
        yield tvm.ir.load_json(json.dumps(graph))
        holder[key] -= 1


def wrong_verdicts(tvm, text, live):
    """Where the comparison in memory and TVM have different verdicts about a module, its twin and its mutants."""
    for index, other in enumerate([live, tvm.ir.load_json(text), *mutants(tvm, text)]):
        for map_free_vars in (False, True):
            verdict = objir.differences._live_difference(live, other, map_free_vars)
            expected = tvm_ffi.structural_equal(live, other, map_free_vars=map_free_vars)
            if verdict is not None and (verdict is True) != expected:
                yield f"{verdict} for mutant {index}, where TVM says {expected}"


def test_modules_of_pipelines_cross_both_ways(tvm):
    if not CORPUS.exists():
        pytest.skip(f"{CORPUS} has the modules of this test")
    modules = list(sample(tvm.__version__[:4], int(os.environ.get("PIPELINES", 20))))
    if not modules:
        pytest.skip(f"{CORPUS} has no modules of TVM {tvm.__version__}")
    failures, count = [], 0
    for name, text in modules:
        ours, live = objir.load(text), tvm.ir.load_json(text)
        if not isinstance(live, tvm.IRModule):
            continue  # traces of schedules have no structural equality
        count += 1
        if objir.load(live).hash() != ours.hash():
            failures.append(f"{name}: the live module has another hash")
        failures.extend(f"{name}: {it}" for it in wrong_verdicts(tvm, text, live))
        # Two loads of a module have different free variables.
        if not tvm_ffi.structural_equal(ours.to_tvm(), live, map_free_vars=True):
            failures.append(f"{name}: the module that crossed differs from the one that TVM read")
    print(f"{count} modules")
    assert count and not failures
