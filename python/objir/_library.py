"""The native library. Its load registers all types and functions."""

from __future__ import annotations

import pathlib
from typing import Any, Callable, Optional

import tvm_ffi

from ._progress import progress
from .errors import Error

# Otherwise Ctrl-C in a function of Python that Rust calls is a `RuntimeError`.
tvm_ffi.register_error("KeyboardInterrupt", KeyboardInterrupt)
tvm_ffi.load_module(str(pathlib.Path(__file__).with_name("libobjir.so")))


@tvm_ffi.register_object("objir.Failure")
class _Failure(tvm_ffi.Object):
    kind: str
    path: Optional[str]
    place: Optional[str]
    message: str


def function(name: str) -> Callable[..., Any]:
    """The function `objir.NAME`, whose errors are exceptions of tvm-ffi."""
    found: Callable[..., Any] = tvm_ffi.get_global_func("objir." + name)
    return found


_attempt = function("attempt")


def call(name: str, *args: Any) -> Any:
    """The result of the function `objir.NAME`, whose progress is shown if it takes long; raises `Error` if it fails."""
    with progress(name):
        return quiet_call(name, *args)


def quiet_call(name: str, *args: Any) -> Any:
    """As `call`, without progress."""
    result = _attempt("objir." + name, args)
    if isinstance(result, _Failure):
        if result.kind == "KeyboardInterrupt":
            raise KeyboardInterrupt(result.message)
        raise Error(result.kind, result.path, result.place, result.message)
    return result
