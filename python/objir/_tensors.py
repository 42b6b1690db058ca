"""Arrays of NumPy and of other libraries as tensors, and back."""

from __future__ import annotations

from typing import Any

import numpy
import tvm_ffi

from ._library import call

#: The names of element types that NumPy has only by the package `ml_dtypes`, by their size in bytes.
_BY_SIZE = {1: "uint8", 2: "uint16"}


def to_tensor(value: Any) -> Any:
    """The value as an argument of a function of a program. Arrays are tensors, without a copy where the library of the array
    shares its memory."""
    if isinstance(value, (tuple, list)):
        return [to_tensor(item) for item in value]
    if isinstance(value, (numpy.ndarray, numpy.generic)):
        return _of_array(numpy.asarray(value))
    if hasattr(value, "__dlpack__"):
        return tvm_ffi.from_dlpack(value)
    return value


def _of_array(array: numpy.ndarray[Any, Any]) -> Any:
    if array.dtype.kind != "V":
        array = numpy.require(array, requirements="C")
        return tvm_ffi.from_dlpack(array if array.flags.writeable else array.copy())
    # `ml_dtypes` registers its types with NumPy, which has no DLPack for them.
    plain = numpy.ascontiguousarray(array).view(_BY_SIZE[array.dtype.itemsize])
    return call("reinterpret", tvm_ffi.from_dlpack(plain), array.dtype.name)


def from_tensor(value: Any) -> Any:
    """The result of a function of a program: tensors are arrays of NumPy, and arrays of results are tuples."""
    if isinstance(value, (tvm_ffi.Array, list, tuple)):
        return tuple(from_tensor(item) for item in value)
    if not isinstance(value, tvm_ffi.Tensor):
        return value
    try:
        return numpy.from_dlpack(value)
    except (BufferError, RuntimeError, TypeError):
        import ml_dtypes

        dtype = numpy.dtype(getattr(ml_dtypes, str(value.dtype)))
        return numpy.from_dlpack(call("reinterpret", value, _BY_SIZE[dtype.itemsize])).view(dtype)
