"""The plugin of pytest, in runs of pytest of their own."""

TEST = """
import objir

SCRIPT = '''@R.function
def main(x: R.Tensor((2,), dtype="float32")):
    return R.{operator}(x, x)
'''

def test_equal():
    assert objir.load(SCRIPT.format(operator="add")) == objir.load(SCRIPT.format(operator="multiply"))

def test_snapshot(objir_snapshot):
    objir_snapshot(objir.load(SCRIPT.format(operator="OPERATOR")), "main.py")
"""


def test_an_assertion_shows_the_difference(pytester):
    pytester.makepyfile(TEST)
    result = pytester.runpytest("-k", "test_equal")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines([
        "E*different: left and right, in 1 place",
        "*Differences of programs*",
        "*R.add(x, x)",
        "*^^^^^",
        "*R.multiply(x, x)",
    ])


def test_a_file_is_written_and_compared(pytester):
    pytester.makepyfile(TEST.replace("OPERATOR", "add"))
    missing = pytester.runpytest("-k", "test_snapshot")
    missing.assert_outcomes(failed=1)
    missing.stdout.fnmatch_lines(["*there is no snapshot*--objir-bless*"])
    pytester.runpytest("-k", "test_snapshot", "--objir-bless").assert_outcomes(passed=1)
    pytester.runpytest("-k", "test_snapshot").assert_outcomes(passed=1)
    pytester.makepyfile(TEST.replace("OPERATOR", "multiply"))
    changed = pytester.runpytest("-k", "test_snapshot")
    changed.assert_outcomes(failed=1)
    changed.stdout.fnmatch_lines(["*differs from*main.py*", "*R.add(x, x)", "*R.multiply(x, x)"])
