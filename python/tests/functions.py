"""Runs in a Python with tvm-ffi: calls every function of the library. The arguments are the library and the folder of fixtures."""

import gzip
import os
import sys
import tempfile

import numpy
import tvm_ffi

library, fixtures = sys.argv[1:]
MODULE = tvm_ffi.load_module(library)
called = set()


def call(name, *args):
    called.add("objir." + name)
    return tvm_ffi.get_global_func("objir." + name)(*args)


def error_of(name, *args):
    try:
        call(name, *args)
    except Exception as error:
        return error
    raise AssertionError(f"expected an error of {name}")


def fields(key):
    """A class for the type of this key."""
    return tvm_ffi.register_object(key)(type(key.split(".")[-1], (tvm_ffi.Object,), {}))


Limits, CheckOptions = fields("objir.Limits"), fields("objir.CheckOptions")
for key in ["Report", "Violation", "RelatedPlace", "Difference", "Statistics", "TypeCount", "Inferred", "Finding", "Failure", "DeclarationViolation"]:
    fields("objir." + key)

SCRIPT = '''
from tvm.script import ir as I, relax as R, tir as T

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, "n"), dtype="float32"), w: R.Tensor((2,), dtype="float32")) -> R.Tensor((2, "n"), dtype="float32"):
        n = T.int64()
        with R.dataflow():
            a: R.Tensor((2, n), dtype="float32") = R.add(x, x)
            unused: R.Tensor((2, n), dtype="float32") = R.exp(x)
            b: R.Tensor((2, n), dtype="float32") = a
            c: R.Tensor((2, n), dtype="float32") = R.multiply(b, x)
            R.output(c)
        return c

    @R.function(private=True)
    def dead(x: R.Tensor((2,), dtype="float32")) -> R.Tensor((2,), dtype="float32"):
        y: R.Tensor((2,), dtype="float32") = R.exp(x)
        return y

    @T.prim_func(private=True, s_tir=True)
    def reshape(a: T.Buffer((2, 3), "float32"), b: T.Buffer((6,), "float32")):
        for i in range(6):
            with T.sblock("b"):
                v = T.axis.spatial(6, i)
                b[v] = a[v // 3, v % 3]
'''
RULE = '''
from tvm.script import ir as I, relax as R

@I.ir_module
class Rule:
    @R.function
    def pattern(x: R.Tensor((2, "n"), dtype="float32")):
        return R.add(x, x)

    @R.function
    def replacement(x: R.Tensor((2, "n"), dtype="float32")):
        return R.multiply(x, R.const(2, "float32"))
'''

module = call("parse", SCRIPT)
get = lambda name: next(function for var, function in module.functions.items() if var.name_hint == name)
main = get("main")

# Texts and files.
text = call("print", module, None)
assert "R.multiply" in text and call("equal", call("parse", text), module)
assert call("equal", call("parse", call("format", SCRIPT, None)), module)
assert call("equal", call("from_json", call("to_json", module), None), module)
with tempfile.TemporaryDirectory() as folder:
    for name in ["m.json", "m.json.gz", "m.py"]:
        path = os.path.join(folder, name)
        call("save", module, path)
        assert call("equal", call("load", path, None), module), name
    assert "no_such.json" in str(error_of("load", os.path.join(folder, "no_such.json"), None))
    for content in [SCRIPT.encode(), call("to_json", module).encode(), gzip.compress(SCRIPT.encode())]:
        assert call("equal", call("read", content, None), module)
assert "<html" in call("page", module, None)

# Comparisons.
changed = call("parse", SCRIPT.replace("R.multiply(b, x)", "R.subtract(b, x)"))
assert len(call("hash", module)) == 16 and call("hash", module) != call("hash", changed)
(difference,) = call("diff", module, changed, None, None)
assert difference.lhs_path == difference.rhs_path and difference.lhs_path.endswith(".op"), difference
assert difference.lhs.name == "relax.multiply" and difference.rhs.name == "relax.subtract" and difference.message
assert len(call("diff", module, module, 5, Limits())) == 0
text = call("diff_text", module, changed, None, None)
assert text.startswith("different: left and right, in 1 place") and "^^^^^^^^^^" in text and "R.subtract" in text, text
assert call("diff_text", module, module, None, None) == "equal: left and right"
renamed = call("parse", SCRIPT.replace("def dead", "def other").replace("R.multiply(b, x)", "R.subtract(b, x)"))
text = call("diff_text", module, renamed, 1, None)
assert "in 2 places\n" in text and text.endswith("... and 1 more; a higher limit shows them"), text
assert 'id="a1"' in call("diff_page", module, changed, None, None)
stats = call("stats", module)
assert stats.nodes > 50 and stats.types[0].nodes >= stats.types[1].nodes and stats.tree_nodes > stats.nodes
assert len(call("verify", module, None)) == 0 and "1 steps" in str(error_of("verify", module, Limits(max_steps=1)))

# Checks, and programs in other forms.
report = call("check", module, None)
assert report.is_well_formed, report
broken = main.body.blocks[0].bindings[0].value    # uses `x`, which nothing binds
report = call("check", broken, None)
assert not report.is_well_formed and report.errors == len(report.violations) >= 1
violation = report.violations[0]
assert violation.rule and violation.severity == "error" and violation.message and violation.path.startswith("<root>")
assert violation.place is not None and all(it.message for it in violation.related)
trace = call("record", [["outer", module, 0, None], ["inner", module, 0, None], [None, changed, 5, None], [None, changed, 9, "late"]], "TVM 0.25.0")
table = call("trace_text", trace, None)
assert "2 passes, 2 stages" in table and "failed: late" in table, table
assert '"inner"' in call("trace_page", trace, None)
assert "expected a name" in str(error_of("record", [[None]], "x"))

text = call("check_text", broken, None)
assert text.startswith(f"error[{violation.rule}]: {violation.message}") and "\nill-formed: 2 errors" in text, text
page = call("check_page", broken, None)
assert 'id="a1"' in page and violation.message in page and "ill-formed: 2 errors" in page
assert call("check", broken, CheckOptions(allow=[it.rule for it in report.violations])).errors == 0
assert "phases are" in str(error_of("check", module, CheckOptions(phase="none")))
assert call("equal", call("normalize", module), module)
assert call("equal", call("infer", module).result, module) and len(call("infer", module).findings) == 0
rewritten = call("rewrite", module, [call("parse", RULE)], None)
assert "R.add" not in call("print", rewritten, None)
assert isinstance(error_of("rewrite", module, [call("parse", RULE)], Limits(max_steps=1)), RuntimeError)
assert isinstance(error_of("normalize", 1), TypeError)

# Analyses.
analysis = lambda name, *args: call("analysis." + name, *args)
names = lambda variables: [it.vid.name_hint for it in variables]
body, info = main.body, main.params[0].struct_info_
block = body.blocks[0]
assert names(analysis("free_vars", body)) == ["x"] and analysis("free_vars", body)[0].same_as(main.params[0])
assert names(analysis("bound_vars", body)) == ["a", "unused", "b", "c"]
assert set(names(analysis("all_vars", main))) == {"x", "w", "a", "unused", "b", "c"}
assert names(analysis("used_vars", body)) == ["x", "a", "b", "c"]
assert len(analysis("all_global_vars", body)) == 0
for name in ["shape_vars", "definable_shape_vars"]:
    assert [it.name for it in analysis(name, info)] == ["n"], name
assert [it.name for it in analysis("defined_shape_vars", main)] == ["n"] and len(analysis("free_shape_vars", main)) == 0
assert [it.name for it in analysis("non_negative_exprs", info)] == ["n"]
values = {var.vid.name_hint: value for var, value in analysis("var_values", main).items()}
assert set(values) == {"a", "unused", "b", "c"} and values["a"].op.name == "relax.add"
assert sorted(analysis("bindings_by_name", main).keys()) == ["a", "b", "c", "unused"]
assert names(analysis("unused_vars", main)) == ["w", "unused"] and names(analysis("dataflow_outputs", main, block)) == ["c"]
assert analysis("contains_impure_call", main, None) is False
assert len(analysis("computable_at_compile_time", main)) == 0
assert analysis("has_reshape_pattern", get("reshape")) is True
assert len(analysis("recursive_groups", module)) == 0

# Transforms.
transform = lambda name, *args: call("transform." + name, *args)
assert "unused" not in call("print", transform("remove_all_unused", module), None)
assert len(transform("remove_unused_functions", module, []).functions) == 1
assert len(transform("remove_unused_functions", module, ["dead"]).functions) == 2
assert len(transform("eliminate_dead_code", module, []).functions) == 1
assert "b: R" not in call("print", transform("canonicalize_bindings", module), None)
assert "b: R" in call("print", transform("eliminate_common_subexpressions", module), None)
assert '"n"' not in call("print", transform("bind_symbolic_vars", module, {"n": 3}), None)
for name in ["inline_private_functions", "remove_unused_params"]:
    assert len(transform(name, module).functions) <= len(module.functions)
assert len(transform("lift_transform_params", module, None).functions) == len(module.functions)
assert len(transform("fold_constants", module, None).functions) == len(module.functions)
for order in ["depth-first", "breadth-first"]:
    for direction in ["from-inputs", "from-outputs"]:
        assert len(transform("topological_sort", module, order, direction).functions) == len(module.functions)
assert "depth-first" in str(error_of("transform.topological_sort", module, "sorted", "from-inputs"))
assert "no function `none`" in str(error_of("transform.bind_params", module, "none", {}))
assert len(transform("normalize_global_vars", module).functions) == len(module.functions)
assert "no function `none`" in str(error_of("transform.eliminate_dead_code", module, ["none"]))

# Runs.
x = numpy.arange(6, dtype="float32").reshape(2, 3)
result = call("run", module, "main", [tvm_ffi.from_dlpack(x), tvm_ffi.from_dlpack(x[:, 0].copy())], None)
assert numpy.array_equal(numpy.from_dlpack(result), 2 * x * x)
random = call("random_arguments", module, "main", 7, {"n": 5})
assert [tuple(it.shape) for it in random] == [(2, 5), (2,)]
again = call("run", module, "main", random, Limits())
assert tuple(again.shape) == (2, 5)
assert "budget" in str(error_of("run", module, "main", random, Limits(max_steps=1)))
assert isinstance(error_of("run", module, "nothing", [], None), KeyError)

bits = call("reinterpret", tvm_ffi.from_dlpack(numpy.array([0x3F80, 0x4000], dtype="uint16")), "bfloat16")
assert str(bits.dtype) == "bfloat16" and tuple(bits.shape) == (2,)
assert "bytes" in str(error_of("reinterpret", bits, "float32"))

# Failures as values, which have the kind and the path.
assert call("attempt", "objir.hash", [module]) == call("hash", module)
error = call("attempt", "objir.parse", ["I.Range(0, x)"])
assert error.place == "line 1, column 12" and error.message.startswith("the script has 1 error\n\nerror: "), error.message
failure = call("attempt", "objir.run", [module, "nothing", [], None])
assert failure.kind == "UnknownFunction" and failure.path is None and "nothing" in failure.message, failure
assert call("attempt", "objir.no", []).kind == "UnknownFunction"

# Operations on many files.
fields("objir.ScannedFile")
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "m.json")
    call("save", module, path)
    row, missing = call("scan", [path, path + "x"], ["hash", "operators"])
    assert list(row.results) == [call("hash", module), call("operators", module)] and row.failure is None
    assert list(row.results[1]) == ["relax.add", "relax.exp", "relax.multiply"]
    assert missing.failure.kind == "Io" and path + "x" in missing.failure.message and len(missing.results) == 0
twice = call("parse", "@R.function\ndef pattern(x: R.Tensor((2, 'n'), dtype='float32')):\n    return R.add(x, x)")
assert [it.var.vid.name_hint for it in call("matches", module, twice, None)] == ["a"]
with tempfile.TemporaryDirectory() as folder:
    call("save", module, os.path.join(folder, "m.json"))
    row = call("scan", [os.path.join(folder, "m.json")], [["matches", twice, Limits()]])[0]
    assert len(row.results[0]) == 1
assert "the operations are check, hash" in str(error_of("scan", [], ["none"]))

# The classes of Python for the types.
wrappers = call("wrappers")
assert set(wrappers) == {"arith", "ir", "relax", "s_tir", "target", "te", "tirx"}
assert '@tvm_ffi.register_object("objir.ir.IRModule")' in wrappers["ir"]

# Comparisons of runs.
RunOptions = fields("objir.CompareOptions")
fields("objir.RunComparison")
comparison = call("compare", module, changed, "main", None, None)
assert (comparison.verdict, comparison.variable) == ("different", "main.c") and "main.c" in comparison.text
assert call("compare", module, module, "main", RunOptions(seeds=1, sizes={"n": [3]}), Limits()).verdict == "same"

# A file of another version.
mlp = call("load", os.path.join(fixtures, "mlp.json.gz"), None)
with gzip.open(os.path.join(fixtures, "mlp.json.gz"), "rt") as file:
    assert call("hash", call("from_json", file.read(), None)) == call("hash", mlp)

# The printer of tvm-ffi knows an object by its address, so the parts of an object live as long as the object.
assert "objir.tirx.IterVar(" in repr(get("reshape")), repr(get("reshape"))

# Without TVM in the process, a module of this library is the only form of a module.
assert call("from_tvm", module).same_as(module)
assert call("live_difference", module, module, False) is True
if "tvm" not in sys.modules:
    assert isinstance(error_of("to_tvm", module), KeyError)

del module, main, changed, broken, body, info, block, values, violation, report, difference, rewritten, mlp, stats, random, renamed, failure, error, bits, comparison, row, missing, page, twice
assert call("live_objects") > 0
registered = {name for name in tvm_ffi.registry.list_global_func_names() if name.startswith("objir.")}
assert registered == called, registered ^ called
