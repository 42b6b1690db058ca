"""Programs of a live TVM."""

import gc
import subprocess
import sys

import objir
from objir._library import call


def test_a_live_module_crosses_both_ways(tvm, model):
    ours = objir.load(model)
    live = ours.to_tvm()
    assert isinstance(live, tvm.IRModule)
    tvm.ir.assert_structural_equal(live, model)
    assert objir.load(live) == ours == objir.load(tvm.ir.save_json(model))
    assert ours.check() and "R.nn.relu" in ours.script()
    function = next(iter(model.functions.values()))
    assert objir.load(function).hash() == objir.load(ours.functions["forward"]).hash()


def test_differences_of_live_modules(tvm, model):
    legalized = tvm.relax.transform.LegalizeOps()(model)
    found = objir.diff(model, legalized)
    assert found and "R.call_tir" in str(found)
    objir.assert_equal(model, tvm.ir.load_json(tvm.ir.save_json(model)))
    assert objir.compare(model, legalized, "forward", seeds=1)


def test_objects_are_released(tvm, module):
    live = module.to_tvm()
    gc.collect()
    at_start = call("live_objects")
    for _ in range(10_000):
        objir.load(live).to_tvm()
    gc.collect()
    assert call("live_objects") == at_start


def test_no_tvm_is_an_import_error(module):
    program = "import sys; sys.modules['tvm'] = None; import objir\ntry:\n    objir.load(b'I.Range(0, 4)').to_tvm()\nexcept ImportError:\n    print('none')"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout == "none\n"
