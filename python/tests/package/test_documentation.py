"""The examples in docstrings."""

import doctest
import importlib
import pkgutil

import pytest

import objir

MODULES = [it.name for it in pkgutil.iter_modules(objir.__path__) if it.name != "libobjir"]


@pytest.mark.parametrize("name", MODULES)
def test_examples_hold(name):
    assert doctest.testmod(importlib.import_module(f"objir.{name}")).failed == 0


def test_some_examples_exist():
    found = [doctest.DocTestFinder().find(importlib.import_module(f"objir.{name}")) for name in MODULES]
    assert sum(len(it.examples) for tests in found for it in tests) >= 5
