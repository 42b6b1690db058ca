"""Runs in a Python with tvm-ffi: the listings of TVM's notes about packed functions. The arguments are the libraries of
`examples/lambda.rs` and of `notes.cc`."""

import sys

import tvm_ffi
import tvm_ffi as tvm    # the names of the listings are in this package

tvm_ffi.load_module(sys.argv[1])
tvm_ffi.load_module(sys.argv[2])

printed = []
print = lambda *values: printed.append(values)

# The listings, over functions of C++.
myadd = tvm.get_global_func("myadd")
print(myadd(1, 2))


def callback(msg):
    print(msg)


f = tvm.convert(callback)
callhello = tvm.get_global_func("callhello")
callhello(f)

# The listings, over functions of Rust.
callhello = tvm.get_global_func("lambda.callhello")
callhello(f)
print(tvm.get_global_func("lambda.myadd")(1, 2))

# C++ calls Rust, and Rust calls C++.
print(tvm.get_global_func("notes.call_rust")())
tvm.get_global_func("lambda.callhello")(f)
tvm.get_global_func("notes.lend_tensor")()

hello = ("hello world",)
assert printed == [(3,), hello, hello, (3,), hello, hello], printed
