"""The types of the package: the sample program passes checkers of types, and runs."""

import importlib.util
import pathlib
import subprocess
import sys

import pytest

from sample_program import facts

PROGRAM = pathlib.Path(__file__).with_name("sample_program.py")


def test_the_sample_program_runs(module, changed, tmp_path):
    module.save(tmp_path / "m.json")
    found = facts(tmp_path / "m.json", changed.json().encode())
    assert found["names"] == ["relax.add", "relax.multiply"] and found["verdict"] == "different" and found["sum"] == 12
    assert found["well_formed"] and found["help"] is None and len(found["places"]) == 1


@pytest.mark.parametrize("checker", [["mypy", "--strict"], ["pyright", "--pythonpath", sys.executable]])
def test_the_sample_program_has_types(checker, tmp_path):
    if importlib.util.find_spec(checker[0]) is None:
        pytest.skip(f"this Python has no {checker[0]}")
    command = [sys.executable, "-m", *checker, str(PROGRAM)]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
