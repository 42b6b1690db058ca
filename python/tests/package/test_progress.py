"""The progress of long calls."""

import io
import subprocess
import sys
import threading
import types

import numpy
import pytest
import tvm_ffi

import objir
from objir import _progress

SCRIPT = """
@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor((2,), dtype="float32")) -> R.Object:
        y = R.call_packed("test.objir.until_shown", x, sinfo_args=R.Object)
        return y
"""


class Bar:
    """The bar of a tqdm that counts its pictures."""

    def __init__(self, shown, options):
        self.shown, self.options, self.start_t, self.is_open = shown, options, 10, True

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.is_open = False

    def refresh(self):
        self.shown.set()


@pytest.fixture
def bars(monkeypatch):
    """The bars of a call that ends when a bar is shown."""
    bars, shown = [], threading.Event()
    monkeypatch.setattr(_progress, "_PATIENCE", 0)
    monkeypatch.setitem(sys.modules, "tqdm.auto", types.SimpleNamespace(tqdm=lambda **options: bars.append(Bar(shown, options)) or bars[-1]))

    @tvm_ffi.register_global_func("test.objir.until_shown", override=True)
    def until_shown(value):
        assert shown.wait(60)
        return value

    return bars


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_long_call_shows_its_time(bars, monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    objir.load(SCRIPT).run("main", numpy.ones(2, "float32"))
    (bar,) = [bar for bar in bars if bar.options["desc"] == "objir.run"]
    assert not bar.is_open and "{elapsed}" in bar.options["bar_format"]


def test_a_file_gets_no_progress(bars, monkeypatch, module):
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    module.hash()
    assert not bars


def test_a_short_call_shows_nothing(module):
    program = "import sys, objir; objir._progress._PATIENCE = 3600; sys.stderr.isatty = lambda: True; objir.load(b'I.Range(0, 4)').hash(); assert 'tqdm' not in sys.modules"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (result.returncode, result.stderr) == (0, "")
