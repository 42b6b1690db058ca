"""The examples in docstrings, and the program of the guide."""

import doctest
import importlib
import pathlib
import pkgutil
import runpy

import pytest

import objir

MODULES = [it.name for it in pkgutil.iter_modules(objir.__path__) if it.name != "libobjir"]


@pytest.mark.parametrize("name", MODULES)
def test_examples_hold(name):
    assert doctest.testmod(importlib.import_module(f"objir.{name}")).failed == 0


def test_some_examples_exist():
    found = [doctest.DocTestFinder().find(importlib.import_module(f"objir.{name}")) for name in MODULES]
    assert sum(len(it.examples) for tests in found for it in tests) >= 5


def test_the_program_of_the_guide_runs(capsys, monkeypatch):
    root = pathlib.Path(__file__).parents[3]
    monkeypatch.setattr("sys.argv", ["tvm_day.py", str(root / "fixtures")])
    runpy.run_path(str(root / "examples" / "tvm_day.py"))
    assert "R.nn.gelu" in capsys.readouterr().out
