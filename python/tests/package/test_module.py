"""`load` and the methods of `Module`."""

import copy
import gzip
import io
import pathlib
import pickle

import numpy
import pytest

import objir


@pytest.mark.parametrize("name", ["m.json", "m.json.gz", "m.py"])
def test_a_saved_module_is_read_from_every_source(module, tmp_path, name):
    path = tmp_path / name
    module.save(path)
    content = path.read_bytes()
    sources = [path, str(path), content, io.BytesIO(content)]
    if not name.endswith(".gz"):
        sources += [content.decode(), io.StringIO(content.decode()), gzip.compress(content)]
    assert [objir.load(source) == module for source in sources] == [True] * len(sources)


def test_equality_goes_by_structure(module, changed, script):
    same = objir.load(script.replace("a: R", "other: R").replace("(a, w)", "(other, w)"))
    assert same == module and hash(same) == hash(module) and same.hash() == module.hash()
    assert changed != module and changed.hash() != module.hash() and module != "module"
    assert len({module, same, changed}) == 2
    for twin in [copy.copy(module), copy.deepcopy(module), pickle.loads(pickle.dumps(module))]:
        assert twin == module


def test_objects_are_navigable(module):
    main = module.functions["main"]
    assert isinstance(main, objir.relax.Function) and "function over tensors" in main.__doc__
    assert [param.vid.name_hint for param in main.params] == ["x", "w"]
    binding = main.body.blocks[0].bindings[1]
    assert isinstance(binding, objir.relax.VarBinding) and isinstance(binding.value, objir.relax.Call)
    assert binding.value.op.name == "relax.multiply" and binding.value.args[0].vid.name_hint == "a"
    assert objir.load(binding.value).script() == "R.multiply(a, w)"


def test_objects_are_made_by_their_classes():
    number = lambda value: objir.ir.IntImm(span=None, dtype="int64", value=value)
    made = [objir.ir.Range(span=None, min=number(0), extent=number(extent)) for extent in [4, 5]]
    assert objir.load(made[0]) == objir.load(b"I.Range(T.int64(0), T.int64(4))") != objir.load(made[1])
    with pytest.raises(TypeError, match="`extent`"):
        objir.ir.Range(span=None, min=number(0))


def test_operations_return_modules(module, script):
    rule = """
from tvm.script import ir as I, relax as R

@I.ir_module
class Rule:
    @R.function
    def pattern(x: R.Tensor((2, "n"), dtype="float32")):
        return R.add(x, x)

    @R.function
    def replacement(x: R.Tensor((2, "n"), dtype="float32")):
        return R.multiply(x, R.const(2, "float32"))
"""
    assert module.normalize() == module and module.infer() == module
    rewritten = module.rewrite([rule])
    assert "R.add" not in rewritten.script() and "R.add" in module.script()
    assert module.stats().nodes > 50 and module.stats().types[0].nodes >= module.stats().types[1].nodes
    assert objir.load(module.script()) == module and objir.load(module.json()) == module


def test_a_function_runs_with_arrays(module):
    x, w = numpy.ones((2, 3), "float32"), numpy.full((2, 1), 3, "float32")
    for result in [module.run("main", x, w), module.run(x=x, w=w), module.run("main", x, w=w)]:
        assert isinstance(result, numpy.ndarray) and result.tolist() == [[6, 6, 6], [6, 6, 6]]
    assert module.run("main", x[:, ::2], w[::1]).shape == (2, 2)
    frozen = x.copy()
    frozen.flags.writeable = False
    assert module.run("main", frozen, w).shape == (2, 3)


@pytest.mark.parametrize("dtype", ["bfloat16", "float8_e4m3fn", "float16", "int8", "bool"])
def test_every_element_type_crosses(dtype):
    pytest.importorskip("ml_dtypes")
    text = f"""
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2,), dtype="{dtype}")) -> R.Tensor((2,), dtype="{dtype}"):
        return x
"""
    same = objir.load(text)
    given = numpy.array([0, 1]).astype(same_dtype(dtype))
    result = same.run("main", given)
    assert result.dtype == given.dtype and (result == given).all()


def same_dtype(name):
    import ml_dtypes

    return numpy.dtype(getattr(ml_dtypes, name, name))


@pytest.mark.parametrize("args, named, message", [
    ((), {}, "2 parameters (x, w), and the call has 0 arguments"),
    ((1, 2, 3), {}, "the call has 3 arguments"),
    ((1,), {"x": 1}, "given twice"),
    ((1,), {"y": 1}, "unknown; the parameters are x, w"),
])
def test_wrong_arguments_are_named(module, args, named, message):
    with pytest.raises(TypeError) as raised:
        module.run("main", *args, **named)
    assert message in str(raised.value)


def test_a_part_of_a_program_has_no_functions(module):
    with pytest.raises(TypeError, match="expected a module, got `Function`"):
        objir.load(module.functions["main"]).run()


def test_an_unknown_function_is_named(module):
    with pytest.raises(KeyError, match="its functions are main"):
        module.run("other")


def test_errors_have_fields(module, script, tmp_path):
    with pytest.raises(objir.Error) as raised:
        objir.load(tmp_path / "no_such.json")
    assert raised.value.kind == "Io" and "no_such.json: No such file" in str(raised.value)
    with pytest.raises(objir.Error) as raised:
        objir.load(script.replace("multiply", "multipli"))
    error = raised.value
    assert (error.kind, error.place) == ("Malformed", "line 11, column 52") and "did you mean `R.multiply`?" in str(error)
    with pytest.raises(objir.Error) as raised:
        module.run("main", numpy.ones((2, 3), "float32"), numpy.ones((3, 1), "float32"))
    assert raised.value.kind == "ShapeMismatch" and raised.value.place == "in `main`"
    with pytest.raises(objir.Error) as raised:
        objir.load(module.json(), limits=objir.Limits(max_nodes=3))
    assert raised.value.kind == "LimitExceeded" and "objir.Limits" in raised.value.help and raised.value.help in str(raised.value)
    twin = pickle.loads(pickle.dumps(raised.value))
    assert (twin.kind, str(twin)) == (raised.value.kind, str(raised.value))
    cast = script.replace("R.multiply(a, w)", "R.match_cast(a, R.Tensor((2, 7), dtype='float32'))").replace("b: R.Tensor((2, n)", "b: R.Tensor((2, 7)")
    with pytest.raises(objir.Error) as raised:
        objir.load(cast).run("main", numpy.ones((2, 3), "float32"), numpy.ones((2, 1), "float32"))
    assert raised.value.path == '<root>.functions[I.GlobalVar("main")].body.blocks[0].bindings[1]'
    assert raised.value.place == "in `main` at `b`" and str(raised.value).endswith(f"(at {raised.value.path})")


def test_a_path_of_the_system_is_no_content(tmp_path):
    path = pathlib.Path(tmp_path, "a (1).json")
    objir.load(b"I.Range(0, 4)").save(path)
    assert objir.load(str(path)) == objir.load(b"I.Range(0, 4)")
