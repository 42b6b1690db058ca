"""Runs in a Python with tvm-ffi: modules of TVM as arguments and results. The arguments are the library, the folder of fixtures,
and `first` or `last`: whether the library is loaded before TVM."""

import gc
import importlib.util
import os
import sys
import tempfile
import threading

import tvm_ffi

library, fixtures, order = sys.argv[1:]
if importlib.util.find_spec("tvm") is None:
    print("skipped: this Python has no TVM")
    sys.exit()
if order == "first":
    tvm_ffi.load_module(library)
import tvm
from tvm import relax

if order == "last":
    tvm_ffi.load_module(library)

call = lambda name, *args: tvm_ffi.get_global_func("objir." + name)(*args)
AT_START = call("live_objects")
WRITES_JSON = tvm.__version__.startswith("0.25")  # `objir.to_json` writes JSON of TVM 0.25


def error_of(name, *args):
    try:
        call(name, *args)
    except Exception as error:
        return error
    raise AssertionError(f"expected an error of {name}")


def model(width=8):
    from tvm.relax.frontend import nn

    class Model(nn.Module):
        def __init__(self):
            self.layers = nn.ModuleList([nn.Linear(width, width) for _ in range(3)])

        def forward(self, x):
            for layer in self.layers:
                x = nn.op.relu(layer(x)) + x
            return x

    module, _ = Model().export_tvm(spec={"forward": {"x": nn.spec.Tensor(["n", width], "float32")}})
    return module


def check_module(module):
    """The module of TVM, its JSON and its copy are the same for both sides."""
    ours = call("from_json", tvm.ir.save_json(module), None)
    assert call("hash", module) == call("hash", ours), call("diff", module, ours, None, None)
    assert call("check", module, None).is_well_formed == call("check", ours, None).is_well_formed
    for copy in [call("to_tvm", ours), call("to_tvm", module)]:
        assert isinstance(copy, tvm.IRModule) and tvm_ffi.structural_equal(copy, module, map_free_vars=True)
        # One type of scalars is many objects in TVM 0.27.
        assert not WRITES_JSON or tvm.ir.save_json(copy) == tvm.ir.save_json(module)


def modules():
    module = model()
    check_module(module)
    check_module(relax.transform.LegalizeOps()(module))
    assert "R.nn.relu" in call("print", module, None)
    normalized = call("normalize", module)
    assert call("equal", normalized, module)
    assert tvm_ffi.structural_equal(call("to_tvm", normalized), module)
    for name in ["constants", "decoder_small", "decoder_small_legalized", "mlp", "mlp_changed", "mlp_renamed"]:
        ours = call("load", os.path.join(fixtures, name + ".json.gz"), None)
        live = call("to_tvm", ours)
        # Types of TVM 0.27 do not have the values of scalars, which `constants` returns.
        assert call("hash", live) == call("hash", ours) or (name == "constants" and not WRITES_JSON), name
        if WRITES_JSON:
            text = call("to_json", ours)
            assert tvm_ffi.structural_equal(tvm.ir.load_json(text), live, map_free_vars=True), name


def parts():
    """Functions, variables and lists are arguments too, and one call converts an object once."""
    module = relax.transform.LegalizeOps()(model())
    relaxed = next(it for it in module.functions.values() if isinstance(it, relax.Function))
    loops = next(it for it in module.functions.values() if not isinstance(it, relax.Function))
    assert call("analysis.free_shape_vars", relaxed) is not None and "T.prim_func" in call("print", loops, None)
    assert call("analysis.has_reshape_pattern", loops) is False
    x, y = relaxed.params[:2]
    assert call("equal", x, x) and not call("equal", x, y)
    single = tvm.tirx.Var("n", "int64")    # the two arguments share one reference
    assert call("equal", single, single) and not call("equal", single, tvm.tirx.Var("n", "int64"))
    assert call("equal", [x, relaxed], tvm_ffi.Array([x, relaxed]))
    (first, again), pair = call("from_tvm", [[x, x], {"x": x}])
    assert first.same_as(again) and first.same_as(pair["x"])
    live = call("to_tvm", [first, again])
    assert live[0].same_as(live[1]) and isinstance(live[0], type(x))


def sharing_and_depth():
    tir = tvm.tirx
    x = tir.Var("x", "int64")
    shared = x
    for _ in range(60):
        shared = tir.Add(shared, shared)
    ours = call("from_tvm", shared)
    assert call("stats", ours).nodes < 200 and call("hash", shared) == call("hash", ours)
    deep = x
    for _ in range(20_000):
        deep = tir.Add(deep, x)
    # TVM releases objects by recursion, so the main thread with its large stack does it.
    failures, kept = [], []

    def run():
        try:
            ours = call("from_tvm", deep)
            assert call("stats", ours).depth > 20_000
            kept.append(call("to_tvm", ours))
            assert call("stats", call("from_tvm", kept[0])).depth > 20_000
        except BaseException as error:
            failures.append(error)

    threading.stack_size(256 * 1024)
    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert not failures, failures


def own_objects():
    """Objects of this library in a module of TVM stay what they are."""
    Limits = tvm_ffi.register_object("objir.Limits")(type("Limits", (tvm_ffi.Object,), {}))
    limits = Limits(max_steps=7)
    module = model().with_attr("limits", limits)
    ours = call("from_tvm", module)
    assert call("analysis.recursive_groups", module) is not None
    assert "objir.Limits" in call("to_json", ours)
    assert call("to_tvm", ours).attrs["limits"].same_as(limits)


def errors():
    for value in [tvm.transform.PassContext(), [tvm.transform.PassContext()]]:
        error = error_of("hash", value)
        assert isinstance(error, TypeError) and "transform.PassContext" in str(error), error
    error = error_of("hash", {"key": [1, tvm.transform.PassContext()]})
    assert '["key"][1]' in str(error), error
    assert isinstance(error_of("analysis.shape_vars", model()), TypeError)
    cycle = tvm_ffi.List([1])
    cycle.append(cycle)
    assert "cycles" in str(error_of("hash", cycle))
    cycle.clear()


def files():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "module.json")
        module = model()
        call("save", module, path)
        with open(path) as file:
            assert not WRITES_JSON or tvm_ffi.structural_equal(tvm.ir.load_json(file.read()), module)


for test in [modules, parts, sharing_and_depth, own_objects, errors, files]:
    test()
    gc.collect()
    assert call("live_objects") == AT_START, (test, call("live_objects"), AT_START)
