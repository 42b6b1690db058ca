"""Faults of TVM that this project found, repeated."""

import importlib.util
import pathlib

import pytest

FOLDER = pathlib.Path(__file__).resolve().parents[3] / "fuzz" / "tvm"
FAULTS = sorted((FOLDER / "faults").glob("*.py"))


@pytest.fixture(scope="module")
def find_faults():
    spec = importlib.util.spec_from_file_location("find_faults", FOLDER / "find_faults.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("file", FAULTS, ids=lambda file: file.stem)
def test_a_fault_is_there_again(tvm, find_faults, file):
    head, passes, *_ = file.read_text(encoding="utf-8").splitlines()
    version, fault = head.removeprefix(find_faults.MARK).split(": ", 1)
    if version != tvm.__version__:
        pytest.skip(f"it is a fault of TVM {version}")
    name = passes.split(", ")[-1].removeprefix("# Passes: ")
    assert find_faults.in_own_process(name, str(file), "main") == fault


def test_a_sound_pass_has_no_fault(tvm, find_faults, fixtures):
    assert find_faults.in_own_process("CanonicalizeBindings", str(fixtures / "mlp.json.gz"), "main") is None
