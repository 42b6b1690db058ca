"""Runs in a Python with tvm-ffi: modules that run call functions of Python by name. The arguments are the library and the folder
of fixtures."""

import gc
import sys

import numpy
import tvm_ffi

tvm_ffi.load_module(sys.argv[1])
call = lambda name, *args: tvm_ffi.get_global_func("objir." + name)(*args)
tensor = lambda *elements: tvm_ffi.from_dlpack(numpy.array(elements, dtype="float32"))
array = lambda value: numpy.from_dlpack(value)
AT_START = call("live_objects")


def module(body, result="R.Object", params='x: R.Tensor(("n",), dtype="float32")'):
    lines = "".join(f"        {line.strip()}\n" for line in body.strip().splitlines())
    return call(
        "parse",
        f"""
from tvm.script import ir as I, relax as R, tirx as T

@I.ir_module
class Module:
    @R.function(pure=False)
    def main({params}) -> {result}:
        n = T.int64()
{lines}""",
    )


def run(body, *args, **options):
    return call("run", module(body, **options), "main", list(args), None)


def error_of(body, *args, **options):
    try:
        run(body, *args, **options)
    except Exception as error:
        return error
    raise AssertionError("expected an error")


seen = []


@tvm_ffi.register_global_func("test.packed.note")
def note(*values):
    seen.append(values)


@tvm_ffi.register_global_func("test.packed.twice")
def twice(x):
    return tvm_ffi.from_dlpack(2 * array(x))


@tvm_ffi.register_global_func("test.packed.add_into")
def add_into(*tensors):
    *inputs, out = map(array, tensors)
    out[...] = sum(inputs)


@tvm_ffi.register_global_func("test.packed.clear")
def clear(x):
    array(x)[...] = 0
    return x


@tvm_ffi.register_global_func("test.packed.pair")
def pair(x):
    return [x, tvm_ffi.Shape((3, 4)), 7, tvm_ffi.from_dlpack(array(x) + 1)]


@tvm_ffi.register_global_func("test.packed.fail")
def fail(kind):
    raise {"key": KeyError, "assert": AssertionError, "own": type("OwnError", (Exception,), {})}[kind]("not so")


@tvm_ffi.register_global_func("test.packed.apply")
def apply(function, x):
    return function(function(x))


def arguments():
    """Tensors, shapes, tuples, scalars, texts and data types arrive as what they are."""
    run(
        """
        done = R.call_packed("test.packed.note", x, R.shape([n, 2]), (x, R.prim_value(5)), R.prim_value(2.5), R.str("text"), R.dtype("int8"), sinfo_args=R.Object)
        return done
        """,
        tensor(1, 2),
    )
    (x, shape, (again, five), number, text, dtype) = seen.pop()
    assert array(x).tolist() == [1, 2] and again.same_as(x)
    assert tuple(shape) == (2, 2) and (five, number, text, str(dtype)) == (5, 2.5, "text", "int8")


def results():
    doubled = run(
        """
        y: R.Tensor((n,), dtype="float32") = R.call_packed("test.packed.twice", x, sinfo_args=R.Tensor((n,), dtype="float32"))
        z: R.Tensor((n,), dtype="float32") = R.add(y, x)
        return z
        """,
        tensor(1, 2),
    )
    assert array(doubled).tolist() == [3, 6]
    (x, shape, seven, more) = run(
        """
        p = R.call_packed("test.packed.pair", x, sinfo_args=R.Object)
        return p
        """,
        tensor(1, 2),
    )
    assert array(x).tolist() == [1, 2] and tuple(shape) == (3, 4) and seven == 7 and array(more).tolist() == [2, 3]
    error = error_of(
        """
        y: R.Tensor((n,), dtype="int32") = R.call_packed("test.packed.twice", x, sinfo_args=R.Tensor((n,), dtype="int32"))
        z: R.Tensor((n,), dtype="int32") = R.match_cast(y, R.Tensor((n,), dtype="int32"))
        return z
        """,
        tensor(1, 2),
    )
    assert "int32" in str(error) and "float32" in str(error), error


def destinations():
    """A function writes into the tensors that the caller makes, and into its arguments."""
    total = run(
        """
        y: R.Tensor((n,), dtype="float32") = R.call_dps_packed("test.packed.add_into", (x, x), out_sinfo=R.Tensor((n,), dtype="float32"))
        z: R.Tensor((n,), dtype="float32") = R.add(y, x)
        return z
        """,
        tensor(1, 2, 3),
    )
    assert array(total).tolist() == [3, 6, 9]
    (first, second) = run(
        """
        y: R.Tensor((n,), dtype="float32") = R.exp(x)
        z: R.Tensor((n,), dtype="float32") = R.call_packed("test.packed.clear", y, sinfo_args=R.Tensor((n,), dtype="float32"))
        u = R.call_packed("test.packed.add_into", x, z, sinfo_args=R.Object)
        return (y, z)
        """,
        tensor(1, 2),
    )
    assert array(first).tolist() == [1, 2] and array(second).tolist() == [1, 2], "the result is the argument"
    given = tensor(1, 2)
    run('done = R.call_packed("test.packed.clear", x, sinfo_args=R.Object)\nreturn done', given)
    assert array(given).tolist() == [1, 2], "the run has copies of its arguments"


def closures():
    text = '''
from tvm.script import ir as I, relax as R, tirx as T

@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor((2,), dtype="float32")) -> R.Object:
        @R.function
        def add(y: R.Tensor((2,), dtype="float32")) -> R.Tensor((2,), dtype="float32"):
            z: R.Tensor((2,), dtype="float32") = R.add(y, x)
            return z
        r = R.call_packed("test.packed.apply", add, x, sinfo_args=R.Object)
        return r
'''
    result = call("run", call("parse", text), "main", [tensor(1, 2)], None)
    assert array(result).tolist() == [3, 6]


def errors():
    """An error has the class and the message of the exception, and the place in the module."""
    for kind, expected in [("key", KeyError), ("assert", AssertionError), ("own", RuntimeError)]:
        error = error_of(f'y = R.call_packed("test.packed.fail", R.str("{kind}"), sinfo_args=R.Object)\nreturn y', tensor(1))
        assert isinstance(error, expected) or kind == "own", (kind, type(error))
        text = str(error)
        assert "not so" in text and "test.packed.fail" in text and "in `main` at `y`" in text, text
        assert '<root>.functions[I.GlobalVar("main")].body.blocks[0].bindings[0]' in text, text
    error = error_of('y = R.call_packed("test.packed.unknown", x, sinfo_args=R.Object)\nreturn y', tensor(1))
    assert isinstance(error, KeyError) and "test.packed.unknown" in str(error), error


def functions_of_rust():
    """Functions of the library by name."""
    same = run('y = R.call_packed("objir.equal", R.shape([n]), R.shape([2]), sinfo_args=R.Object)\nreturn y', tensor(1, 2))
    assert same is True


for test in [arguments, results, destinations, closures, errors, functions_of_rust]:
    test()
    gc.collect()
    assert call("live_objects") == AT_START, (test, call("live_objects"), AT_START)
