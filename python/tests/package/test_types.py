"""The types of the package: the sample program passes checkers of types, and runs."""

import importlib.util
import pathlib
import re
import subprocess
import sys

import pytest

import objir
from sample_program import facts

PROGRAM = pathlib.Path(__file__).with_name("sample_program.py")
PACKAGE = pathlib.Path(objir.__file__).parent


def test_the_sample_program_runs(module, changed, tmp_path):
    module.save(tmp_path / "m.json")
    found = facts(tmp_path / "m.json", changed.json().encode())
    assert found["names"] == ["relax.add", "relax.multiply"] and found["verdict"] == "different" and found["sum"] == 12
    assert found["well_formed"] and found["help"] is None and len(found["places"]) == 1


CHECKERS = pytest.mark.parametrize("checker", [["mypy", "--strict"], ["pyright", "--pythonpath", sys.executable]])

#: Calls of constructors, and whether their types are right.
CALLS = [
    ('objir.ir.IntImm("int64", 3)', True),
    ("objir.ir.IntImm(dtype='int64', value=3, span=None)", True),
    ("objir.relax.ShapeExpr(None, [objir.ir.IntImm('int64', 3)])", True),
    ('objir.ir.DictAttrs({"num_input": 1})', True),
    ('objir.ir.IntImm("int64", "3")', False),
    ('objir.ir.IntImm("int64")', False),
    ('objir.ir.IntImm("int64", 3, size=3)', False),
    ("objir.relax.ShapeExpr(None, [objir.relax.StringImm(None, '3')])", False),
]


def run_checker(checker, files, folder):
    """The result of a checker of types for files and folders."""
    if importlib.util.find_spec(checker[0]) is None:
        pytest.skip(f"this Python has no {checker[0]}")
    command = [sys.executable, "-m", *checker, *map(str, files)]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


@CHECKERS
def test_the_package_and_the_sample_program_have_types(checker, tmp_path):
    result = run_checker(checker, [PROGRAM, PACKAGE], tmp_path)
    assert result.returncode == 0, result.stdout + result.stderr


@CHECKERS
def test_constructors_have_types(checker, tmp_path):
    file = tmp_path / "constructors.py"
    file.write_text("\n".join(["import objir", *(call for call, _ in CALLS)]))
    shown = run_checker(checker, [file], tmp_path).stdout
    wrong = {int(line) for line in re.findall(r"constructors\.py:(\d+):.*error", shown)}
    assert wrong == {line for line, (_, is_right) in enumerate(CALLS, 2) if not is_right}, shown
