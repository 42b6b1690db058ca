"""Runs in a Python with tvm-ffi: the ways to load `examples/lambda.rs` and `examples/sums.rs`, the arguments."""

import ctypes
import gc
import shutil
import sys
import tempfile

lambdas, sums = sys.argv[1:]

# Without tvm-ffi in the process, the load has no effect; `setup()` makes up for it.
ctypes.CDLL(sums)

import tvm_ffi

assert tvm_ffi.get_global_func("sums.replace", allow_missing=True) is None
tvm_ffi.load_module(sums).setup()
tvm_ffi.load_module(sums).setup()
assert tvm_ffi.get_global_func("sums.replace") is not None

# The load alone registers. A library stays in memory although nobody holds its module.
module = tvm_ffi.load_module(lambdas, keep_module_alive=False)
del module
gc.collect()
function = tvm_ffi.get_global_func("lambda.chain")
assert tvm_ffi.get_global_func("lambda.equal")(function(3), function(3))

# An object of one library is foreign to another one.
Var = tvm_ffi.register_object("sums.Var")(type("Var", (tvm_ffi.Object,), {}))
try:
    tvm_ffi.get_global_func("lambda.echo")(Var("x"))
    raise AssertionError("expected an error")
except TypeError as error:
    assert "a type of this library" in str(error), error

# A second library with the same keys and names is refused, and the first one stays as it is.
with tempfile.TemporaryDirectory() as folder:
    second = tvm_ffi.load_module(shutil.copy(lambdas, folder + "/libsecond.so"))
    try:
        second.setup()
        raise AssertionError("expected an error")
    except Exception as error:
        assert "`lambda." in str(error), error
assert tvm_ffi.get_global_func("lambda.equal")(function(3), function(3))
