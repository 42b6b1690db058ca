"""Programs of a live TVM."""

import gc
import subprocess
import sys

import pytest

import objir
import objir.differences
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


def test_equal_live_modules_are_not_converted(tvm, model):
    found = objir.diff(model, tvm.ir.load_json(tvm.ir.save_json(model)))
    assert not found and len(found) == 0 and "_sides" not in vars(found)
    assert found.lhs == objir.load(model) and str(found) == "equal: left and right" and "R.nn.relu" in found.html()


def test_equal_functions_of_live_modules_are_not_converted(tvm):
    text = """
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def loop(x: T.Buffer((4,), "float32"), y: T.Buffer((4,), "float32")):
        for i in range(4):
            y[i] = x[i] + T.float32(1)

    @R.function
    def other(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.loop, (x,), out_sinfo=R.Tensor((4,), dtype="float32"))
        return y

    @R.function
    def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        cls = Module
        y: R.Tensor((4,), dtype="float32") = cls.other(x)
        z = R.call_tir(cls.loop, (y,), out_sinfo=R.Tensor((4,), dtype="float32"))
        w: R.Tensor((4,), dtype="float32") = R.add(z, y)
        return w
"""
    a, b = objir.load(text), objir.load(text.replace("R.add", "R.multiply"))
    live = a.to_tvm(), b.to_tvm()
    left, right = objir.differences._differing(*live)
    assert [[var.name_hint for var in side.functions] for side in (left, right)] == [["main"], ["main"]]
    found, expected = objir.diff(*live), objir.diff(a, b)
    assert [(it.lhs_path, it.rhs_path, it.message) for it in found] == [(it.lhs_path, it.rhs_path, it.message) for it in expected]
    assert str(found) == str(expected) and found.lhs == a and found.rhs == b
    changed = objir.load(text.replace("T.float32(1)", "T.float32(2)")).to_tvm()
    left, right = objir.differences._differing(live[0], changed)
    assert [[var.name_hint for var in side.functions] for side in (left, right)] == [["loop"], ["loop"]]


def test_a_function_with_two_names_is_left_out_by_name(tvm):
    text = """
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def NAME(x: T.Buffer((4,), "float32")):
        x[0] = T.float32(1)
"""
    function, other = (next(iter(objir.load(it).to_tvm().functions.values())) for it in (text, text.replace("(1)", "(2)")))
    names = [tvm.ir.GlobalVar(name) for name in "fg"]
    a, b = tvm.IRModule(dict(zip(names, [function, function]))), tvm.IRModule(dict(zip(names, [function, other])))
    assert [[var.name_hint for var in side.functions] for side in objir.differences._differing(a, b)] == [["g"], ["g"]]


def test_deep_live_objects_are_compared(tvm):
    a, b = ([tvm.relax.Tuple([])] for _ in "ab")
    for side in (a, b):
        for _ in range(20_000):
            side.append(tvm.relax.Tuple([side[-1]]))
    objir.assert_equal(a[-1], b[-1])
    assert objir.differences._live_difference(a[1000], b[999], False) is not True
    while a:  # an object at a time, because the release of a chain by TVM recurses
        a.pop(), b.pop()


def test_an_integer_that_a_field_of_tvm_cuts_is_an_error(tvm):
    item = """{"root_index":3,"nodes":[{"type":"None"},{"type":"ffi.Array","data":[]},
        {"type":"relax.expr.Tuple","data":{"span":0,"struct_info_":0,"fields":1}},
        {"type":"relax.expr.TupleGetItem","data":{"span":0,"struct_info_":0,"tuple_value":2,"index":INDEX}}]}"""
    assert objir.load(item.replace("INDEX", "2147483647").encode()).to_tvm().index == 2147483647
    with pytest.raises(Exception, match="field `index` of .*expected an integer of 4 bytes, got 2147483648"):
        objir.load(item.replace("INDEX", "2147483648").encode()).to_tvm()


def test_live_objects_keep_what_they_share(tvm):
    x, y = (tvm.relax.Var(name, objir.load(b"R.Tensor((2,), dtype='float32')").to_tvm()) for name in "xy")
    objir.assert_equal(tvm.relax.op.add(x, x), tvm.relax.op.add(x, x))
    found = objir.diff(tvm.relax.op.add(x, x), tvm.relax.op.add(x, y))
    assert [it.lhs_path for it in found] == ["<root>.args[1]"]


def test_a_difference_that_only_tvm_sees_is_reported(tvm, model, monkeypatch):
    twin = tvm.ir.load_json(tvm.ir.save_json(model))
    monkeypatch.setattr(objir.differences, "_live_difference", lambda a, b, map_free_vars: None)
    objir.assert_equal(model, twin)
    monkeypatch.setattr(objir.differences.tvm_ffi, "structural_equal", lambda a, b: False)
    monkeypatch.setattr(objir.differences.tvm_ffi, "get_first_structural_mismatch", lambda a, b: ("<root>.attrs", "<root>.attrs"))
    (difference,) = objir.diff(model, twin)
    assert difference.lhs_path == "<root>.attrs"
    with pytest.raises(AssertionError, match="TVM says that the programs differ at <root>.attrs and"):
        objir.assert_equal(model, twin)


def test_objects_are_released(tvm, module):
    live = module.to_tvm()
    gc.collect()
    at_start = call("live_objects")
    for _ in range(1_000):
        objir.load(live).to_tvm()
    gc.collect()
    assert call("live_objects") == at_start


def test_no_tvm_is_an_import_error(module):
    program = "import sys; sys.modules['tvm'] = None; import objir\ntry:\n    objir.load(b'I.Range(0, 4)').to_tvm()\nexcept ImportError:\n    print('none')"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout == "none\n"
