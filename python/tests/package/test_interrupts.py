"""Ctrl-C ends long work, and other threads of Python run during it."""

import signal
import subprocess
import sys
import threading

import numpy
import pytest

import objir

#: The runs take many minutes. The signal comes when the module itself says that it runs.
PROGRAM = """
import signal, sys, numpy, objir, tvm_ffi
from objir._library import call

# A shell starts programs in the background with SIGINT ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)

SCRIPT = '''
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def loop(x: T.Buffer((1,), "int64"), y: T.Buffer((1,), "int64")):
        for i, j in T.grid(1000000, 1000000):
            y[0] = y[0] * T.int64(3) + x[0]

    @R.function(pure=False)
    def main(x: R.Tensor((1,), dtype="int64")) -> R.Tensor((1,), dtype="int64"):
        cls = Module
        y: R.Tensor((1,), dtype="int64") = R.call_packed("test.objir.ready", x, sinfo_args=R.Tensor((1,), dtype="int64"))
        z = R.call_tir(cls.loop, (y,), out_sinfo=R.Tensor((1,), dtype="int64"))
        return z
'''

@tvm_ffi.register_global_func("test.objir.ready")
def ready(value):
    print("ready", flush=True)
    return value

def run():
    objir.load(SCRIPT).run("main", numpy.ones(1, "int64"), limits=objir.Limits(max_steps=1 << 60))

def scan():
    print("ready", flush=True)
    call("scan", [sys.argv[1]] * 1_000_000, ["stats"])

def compare():
    a, b = tvm_ffi.Array([1]), tvm_ffi.Array([1])
    for _ in range(60):
        a, b = tvm_ffi.Array([a, a]), tvm_ffi.Array([b, b])
    print("ready", flush=True)
    objir.assert_equal(a, b)

try:
    WORK()
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.parametrize("work", ["run", "scan", "compare"])
def test_ctrl_c_ends_long_work(module, tmp_path, work):
    module.save(tmp_path / "m.json")
    text = PROGRAM.replace("WORK", work)
    program = subprocess.Popen([sys.executable, "-c", text, str(tmp_path / "m.json")], stdout=subprocess.PIPE, text=True)
    try:
        assert program.stdout.readline() == "ready\n"
        program.send_signal(signal.SIGINT)
        assert program.communicate(timeout=60)[0] == "interrupted\n"
    finally:
        program.kill()


def test_ctrl_c_in_a_function_of_python_ends_the_run():
    import tvm_ffi

    @tvm_ffi.register_global_func("test.objir.interrupted", override=True)
    def interrupted(value):
        raise KeyboardInterrupt

    text = """
@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor((1,), dtype="int64")) -> R.Tensor((1,), dtype="int64"):
        y: R.Tensor((1,), dtype="int64") = R.call_packed("test.objir.interrupted", x, sinfo_args=R.Tensor((1,), dtype="int64"))
        return y
"""
    with pytest.raises(KeyboardInterrupt):
        objir.load(text).run("main", numpy.ones(1, "int64"))


def test_other_threads_run_during_work(module):
    """A run waits for a function of another thread: with the lock of Python, it would wait forever."""
    import tvm_ffi

    is_running, may_end = threading.Event(), threading.Event()

    @tvm_ffi.register_global_func("test.objir.wait", override=True)
    def wait(value):
        is_running.set()
        assert may_end.wait(60)
        return value

    text = """
@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor((2,), dtype="float32")) -> R.Object:
        y = R.call_packed("test.objir.wait", x, sinfo_args=R.Object)
        return y
"""
    waiting = objir.load(text)
    thread = threading.Thread(target=lambda: waiting.run("main", numpy.ones(2, "float32")))
    thread.start()
    assert is_running.wait(60)
    assert module.check() and module.run("main", numpy.ones((2, 3), "float32"), numpy.ones((2, 1), "float32")).shape == (2, 3)
    may_end.set()
    thread.join(60)
    assert not thread.is_alive()
