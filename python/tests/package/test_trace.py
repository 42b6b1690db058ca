"""Records of the passes of a live TVM."""

import subprocess
import sys

import pytest

import objir


COMMAND = [sys.executable, "-c", "import sys; from objir_command import main; sys.exit(main())"]


def run(*args):
    return subprocess.run([*COMMAND, *map(str, args)], capture_output=True, text=True)


def names(trace):
    return [it.name for it in trace.passes]


def pipeline(tvm, *more):
    return tvm.transform.Sequential([tvm.relax.transform.LegalizeOps(), tvm.relax.transform.DeadCodeElimination(), *more])


def test_a_block_records_the_passes(tvm, model, tmp_path):
    path = tmp_path / "trace.json.gz"
    with objir.Trace(path) as trace:
        result = pipeline(tvm)(model)
    assert {"LegalizeOps", "DeadCodeElimination"} <= set(names(trace))
    legalize = next(it for it in trace.passes if it.name == "LegalizeOps")
    assert legalize.after == legalize.before + 1 and legalize.nanoseconds > 0 and legalize.failure is None
    assert trace.stages[0] == objir.load(model) and trace.stages[-1] == objir.load(result)
    assert "LegalizeOps" in str(trace) and "functions added" in str(trace)
    assert "LegalizeOps" in trace.html()
    record = objir.load(path).root
    assert [it.name for it in record.passes] == names(trace)
    assert record.producer == f"TVM {tvm.__version__}"


def test_a_pass_that_changes_its_argument_does_not_change_the_record(tvm, model):
    @tvm.transform.module_pass(opt_level=0, name="InPlace")
    def in_place(module, context):
        name = module.get_global_vars()[0]
        module.update_func(tvm.ir.GlobalVar("copy"), module[name].with_attr("global_symbol", "copy"))
        return module

    before = objir.load(model)
    with objir.Trace() as trace:
        pipeline(tvm, in_place)(model)
    step = next(it for it in trace.passes if it.name == "InPlace")
    stages = [set(trace.stages[it].functions) for it in (step.before, step.after)]
    assert stages[1] - stages[0] == {"copy"} and trace.stages[0] == before


def test_a_pass_that_fails_is_in_the_file(tvm, model, tmp_path):
    @tvm.transform.module_pass(opt_level=0, name="Broken")
    def broken(module, context):
        raise ValueError("no luck")

    path = tmp_path / "trace.json"
    with pytest.raises(ValueError, match="no luck"):
        with objir.Trace(path):
            pipeline(tvm, broken)(model)
    last = objir.load(path).root.passes[-1]
    assert last.name == "Broken" and "no luck" in last.failure and last.after == last.before


def test_the_command_reads_the_file(tvm, model, tmp_path):
    path = tmp_path / "trace.json.gz"
    with objir.Trace(path):
        tvm.relax.transform.LegalizeOps()(model)
    shown = run("trace", "show", path)
    assert shown.returncode == 0 and "LegalizeOps" in shown.stdout, shown.stderr
    found = run("bisect", path, "--compare", "--func", "forward")
    assert (found.returncode, found.stdout) == (0, "all stages have the results of the first one\n"), found.stderr


def wrong_pass(tvm, operator, replacement):
    """A pass that replaces the calls of an operator by calls with other results."""

    @tvm.relax.expr_functor.mutator
    class Wrong(tvm.relax.PyExprMutator):
        def visit_call_(self, call):
            call = self.visit_expr_post_order(call)
            return replacement(tvm.relax.op, call) if call.op == tvm.ir.Op.get(operator) else call

    @tvm.relax.transform.function_pass(opt_level=0, name="Wrong")
    class WrongPass:
        def transform_function(self, function, module, context):
            return Wrong(module).visit_expr(function)

    return WrongPass()


def bisected(tvm, passes, model, tmp_path):
    path = tmp_path / "trace.json.gz"
    with objir.Trace(path):
        tvm.transform.Sequential(passes)(model)
    found = run("bisect", path, "--compare", "--func", "forward")
    assert found.returncode == 1, found.stdout + found.stderr
    return found.stdout


@pytest.mark.parametrize(
    ("operator", "replacement"),
    [
        ("relax.nn.relu", lambda op, call: op.exp(call.args[0])),
        ("relax.add", lambda op, call: op.subtract(*call.args)),
        ("relax.matmul", lambda op, call: op.add(call, call)),
    ],
)
def test_bisect_names_a_pass_with_a_wrong_result(tvm, model, tmp_path, operator, replacement):
    transform = tvm.relax.transform
    passes = [transform.Normalize(), wrong_pass(tvm, operator, replacement), transform.LegalizeOps(), transform.DeadCodeElimination()]
    assert bisected(tvm, passes, model, tmp_path).startswith("Wrong, inside sequential: stage ")


def test_bisect_names_a_pass_of_tvm_with_a_wrong_rule(tvm, model, tmp_path):
    """LegalizeOps takes the rules of operators from its caller."""

    def wrong(builder, call):
        return builder.call_te(tvm.topi.exp, call.args[0])

    transform = tvm.relax.transform
    passes = [transform.Normalize(), transform.LegalizeOps({"relax.nn.relu": wrong}), transform.DeadCodeElimination()]
    assert bisected(tvm, passes, model, tmp_path).startswith("LegalizeOps, inside sequential: stage ")
