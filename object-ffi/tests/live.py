"""Runs in a Python with tvm-ffi; the first argument is the library of `examples/lambda.rs`."""

import copy
import gc
import pickle
import random
import sys
import threading

import tvm_ffi

try:
    import tvm    # a dialect with keys of its own works beside TVM
except ImportError:
    pass
from tvm_ffi import Object, register_object
from tvm_ffi.dataclasses import c_class, py_class
from tvm_ffi.serialization import from_json_graph_str, to_json_graph_str

MODULE = tvm_ffi.load_module(sys.argv[1])
call = lambda name, *args: tvm_ffi.get_global_func("lambda." + name)(*args)
AT_START = call("live")


@register_object("lambda.Expr")
class Expr(Object):
    pass


@register_object("lambda.Var")
class Var(Expr):
    pass


@register_object("lambda.Int")
class Int(Expr):
    pass


@c_class("lambda.Add")
class Add(Expr):
    lhs: Expr
    rhs: Expr
    wraps: bool


@c_class("lambda.Lambda")
class Lambda(Expr):
    pass


@register_object("lambda.Remainder")
class Remainder(Object):
    pass


@register_object("lambda.Values")
class Values(Object):
    pass


def error_of(function, *args):
    try:
        function(*args)
    except Exception as error:
        return error
    raise AssertionError("expected an error")


def fields():
    x, y = Var("x"), Int(2)
    add = Add(x, y)
    assert add.lhs.same_as(x) and add.rhs.same_as(y) and add.lhs.same_as(add.lhs)
    assert (add.lhs.name, add.rhs.value, add.wraps) == ("x", 2, False)
    assert Add(x, y, wraps=True).wraps is True and Add(rhs=y, lhs=x).rhs.same_as(y)
    assert isinstance(add, Expr) and add.swapped().lhs.same_as(y)
    assert Add.__doc__ is None or "sum" in Add.__doc__
    assert "int" in str(error_of(Int, "text")) and isinstance(error_of(Int, "text"), TypeError)
    assert isinstance(error_of(Int), TypeError) and "value" in str(error_of(Int))
    assert isinstance(error_of(Add, y, x, False, 1), (TypeError, RuntimeError))
    assert isinstance(error_of(lambda: Add(x, y, wrap=True)), (TypeError, AttributeError))
    assert isinstance(error_of(Expr), (TypeError, RuntimeError))
    assert isinstance(error_of(Values, MODULE), TypeError)


def reflection():
    info = Add.__tvm_ffi_type_info__
    names = {field.name: field for field in info.fields}
    assert list(names) == ["lhs", "rhs", "wraps"], names
    assert names["lhs"].doc.strip() == "The first summand."
    assert {method.name for method in info.methods} >= {"swapped", "__ffi_init__"}


def attributes():
    index = Values.__tvm_ffi_type_info__.type_index
    assert tvm_ffi.core._lookup_type_attr(index, "dialect") == "lambda" == call("attribute", "lambda.Values", "dialect")
    assert call("equal", Values(1), Values(1)) and tvm_ffi.structural_equal(Values(1), Values(1))
    # What Python adds to a type of its own and to a type of Rust, and what C++ has added.
    own = py_class("attributes.Own")(type("Own", (Object,), {"__annotations__": {}}))
    for key, index in [("attributes.Own", own.__tvm_ffi_type_info__.type_index), ("lambda.Values", index)]:
        for name, value in [("unit", "bytes"), ("limit", 8), ("owners", ["a", "b"])]:
            assert call("attribute", key, name) is None
            tvm_ffi.core._register_type_attr(index, name, value)
            found = call("attribute", key, name)
            assert (list(found) if name == "owners" else found) == value, (found, value)
    assert isinstance(call("attribute", "ffi.reflection.AccessPath", "__ffi_repr__"), tvm_ffi.Function)
    assert isinstance(error_of(call, "attribute", "attributes.Missing", "unit"), KeyError)


def containers():
    x = Var("x")
    function = Lambda([x], Add(x, Int(1)))
    assert function.params.same_as(function.params) and function.params[0].same_as(x)
    assert len(function.params) == 1 and len(function.notes) == 0
    assert call("same", function.params, function.params)
    noted = Lambda([x], x, notes={"a": [1, 2.5, x], "b": {"c": None}})
    assert noted.notes["a"][2].same_as(x) and noted.notes["a"][1] == 2.5 and noted.notes["b"]["c"] is None
    assert Values(tvm_ffi.List([1, 2])).value[1] == 2 and Values(tvm_ffi.Dict({"a": 1})).value["a"] == 1
    nan = float("nan")
    assert tvm_ffi.structural_equal(Values({nan: 1}), Values({-nan: 1})) and call("equal", Values({nan: 1}), Values({-nan: 1}))
    assert len(Values([]).value) == 0 and len(Values({}).value) == 0


def values():
    for value in [None, True, False, 0, -(2**63), 2**63 - 1, 1.5, "", "short", "longer than seven bytes", b"", b"12345678"]:
        back = call("echo", value)
        assert back == value and (isinstance(value, (str, bytes)) or type(back) is type(value)), (value, back)
        kept = Values(value).value
        assert kept == value, (value, kept)
    for value in [tvm_ffi.dtype("float32x4"), tvm_ffi.dtype("int8"), tvm_ffi.device("cpu:0"), tvm_ffi.device("cuda:3")]:
        assert call("echo", value) == value, value
    assert tuple(call("echo", tvm_ffi.Shape((2, 3)))) == (2, 3) and tuple(call("echo", tvm_ffi.Shape(()))) == ()
    assert Values(1, None).maybe is None and Values(1, Int(2)).maybe.value == 2


def structural():
    x, y, z = Var("x"), Var("y"), Var("z")
    a, b, c = Lambda([x], Add(x, Int(1))), Lambda([y], Add(y, Int(1))), Lambda([y], Add(z, Int(1)))
    for left, right in [(a, a), (a, b), (a, c), (b, c), (c, c), (a, x), (x, y), (Int(1), Int(1)), (Int(1), Int(2))]:
        ours = call("equal", left, right)
        assert tvm_ffi.structural_equal(left, right) == ours
        mismatch = tvm_ffi.get_first_structural_mismatch(left, right)
        assert (mismatch is None) == ours and (call("first_mismatch", left, right) is None) == ours
        if ours:
            assert tvm_ffi.structural_hash(left) == tvm_ffi.structural_hash(right)
            assert call("hash", left) == call("hash", right)
    assert call("equal", a, b) and not call("equal", a, c)
    one, eleven = Remainder(1), Remainder(11)
    two = Remainder(2)
    assert call("equal", one, eleven) and tvm_ffi.structural_equal(one, eleven)
    assert tvm_ffi.structural_hash(one) == tvm_ffi.structural_hash(eleven) != tvm_ffi.structural_hash(two)
    assert not tvm_ffi.structural_equal(one, two)
    assert ".remainder" in str(tvm_ffi.get_first_structural_mismatch(one, two)[0])
    assert repr(a).startswith("lambda.Lambda(params=(lambda.Var(name=") and "lambda.Lambda" in call("repr", a)


def random_expr(rng, variables, depth):
    kind = rng.randrange(4) if depth else rng.randrange(2)
    if kind == 0:
        return rng.choice(variables)
    if kind == 1:
        return Int(rng.randrange(2))
    if kind == 2:
        parts = [random_expr(rng, variables, depth - 1) for _ in range(2)]
        return Add(parts[0], rng.choice(parts), wraps=rng.random() < 0.2)
    params = [Var("p") for _ in range(rng.randrange(3))]
    return Lambda(params, random_expr(rng, variables + params, depth - 1))


def verdicts():
    equal = 0
    for seed in range(3000):
        x, y = Var("x"), Var("y")
        # Half of the pairs come from one sequence of choices, so that many pairs are equal up to the names of variables.
        other = seed if seed % 2 else seed + 1_000_000
        a = random_expr(random.Random(seed), [x, y], 4)
        b = random_expr(random.Random(other), [x, y], 4)
        a, b = Lambda([x, y], a), Lambda([x, y] if seed % 3 else [y, x], b)
        ours = call("equal", a, b)
        assert tvm_ffi.structural_equal(a, b) == ours, (a, b)
        assert (tvm_ffi.get_first_structural_mismatch(a, b) is None) == ours
        if ours:
            equal += 1
            assert tvm_ffi.structural_hash(a) == tvm_ffi.structural_hash(b) and call("hash", a) == call("hash", b)
    assert 500 < equal < 2500, equal


def json_and_copies():
    x = Var("x")
    function = Lambda([x], Add(x, Int(1)), notes={"flag": True, "list": [1, 2.5, None, "text"]})
    for read in [from_json_graph_str, lambda text: call("from_json", text)]:
        for write in [to_json_graph_str, lambda value: call("to_json", value)]:
            back = read(write(function))
            assert call("equal", function, back) and not back.same_as(function) and back.body.lhs.same_as(back.params[0])
    deep = copy.deepcopy(function)
    assert call("equal", deep, function) and not deep.body.same_as(function.body) and deep.body.lhs.same_as(deep.params[0])
    shallow = copy.copy(function)
    assert shallow.body.same_as(function.body) and not shallow.same_as(function) and call("echo", shallow).same_as(shallow)
    assert call("equal", pickle.loads(pickle.dumps(function)), function)
    assert isinstance(error_of(from_json_graph_str, to_json_graph_str(Int(1)).replace('"value"', '"valve"')), TypeError)


def tensors():
    try:
        import numpy
    except ImportError:
        return
    data = numpy.arange(6, dtype="float32").reshape(2, 3)
    for array in [data, data.T, data[:, ::2], data[:0]]:
        result = call("double", tvm_ffi.from_dlpack(array))
        assert numpy.array_equal(numpy.from_dlpack(result), 2 * array)
    kept = Values(tvm_ffi.from_dlpack(data))
    assert numpy.array_equal(numpy.from_dlpack(kept.value), data)


def views():
    try:
        import numpy
    except ImportError:
        return
    base = numpy.arange(24, dtype="float32").reshape(4, 6)
    owners = sys.getrefcount(base)
    for array in [base, base.T, base[1:, ::2], base[::-1, 3], base[:0]]:
        tensor = tvm_ffi.from_dlpack(array)
        address, shape, strides, dtype, device, read_only = call("view_parts", tensor)
        assert address == array.ctypes.data and tuple(shape) == array.shape and not read_only
        assert array.size == 0 or tuple(strides) == tuple(stride // 4 for stride in array.strides)
        assert dtype == "float32" and device == tvm_ffi.device("cpu:0")
        assert call("echo_view", tensor).same_as(tensor)
        back = numpy.from_dlpack(call("echo_view", array))
        assert numpy.array_equal(back, array) and (array.size == 0 or back.ctypes.data == address)
        elements = call("keep_view", tensor)
        del tensor, back
        assert numpy.array_equal(numpy.from_dlpack(elements()), array)
        call("drop_elsewhere", array)
        assert call("views_agree", array, array, array) and call("views_agree", tvm_ffi.from_dlpack(array), array, array)
    # The array of NumPy lives as long as the view in Rust.
    array = numpy.arange(4, dtype="float32") + 3
    elements = call("keep_view", array)
    del array
    numpy.zeros(4, dtype="float32")
    assert list(numpy.from_dlpack(elements())) == [3, 4, 5, 6]
    del elements
    call("increment", base[::-1, 2])
    assert list(base[:, 2]) == [3, 9, 15, 21] and list(base[:, 1]) == [1, 7, 13, 19]
    pair = [tvm_ffi.from_dlpack(base), tvm_ffi.from_dlpack(base[1])]
    swapped = call("reversed_views", pair)
    assert swapped[0].same_as(pair[1]) and swapped[1].same_as(pair[0])
    own = call("own_view", base)
    numpy.from_dlpack(own)[0, 0] = 7
    assert call("view_parts", own)[0] == numpy.from_dlpack(own).ctypes.data != base.ctypes.data
    assert numpy.from_dlpack(call("echo_view", own))[0, 0] == 7 and base[0, 0] == 0
    workers = [threading.Thread(target=lambda: [call("echo_view", base) for _ in range(500)]) for _ in range(4)]
    [worker.start() for worker in workers]
    [worker.join() for worker in workers]
    assert isinstance(error_of(call, "echo_view", 1), TypeError)
    del pair, swapped, own
    gc.collect()
    assert sys.getrefcount(base) == owners, "a view is released"


def functions():
    seen = []
    call("callhello", seen.append)
    assert seen == ["hello world"]
    assert call("callhello", lambda text: text.upper()) == "HELLO WORLD"
    assert call("myadd", 1, 2) == 3
    composed = call("compose", lambda x: x * 10, lambda x: x + 1)
    assert composed(4) == 50 and call("echo", composed)(4) == 50
    own = tvm_ffi.convert(lambda: 7)
    assert call("echo", own).same_as(own) and call("echo", composed).same_as(composed)
    x = Var("x")
    assert call("compose", lambda f: f, lambda f: f)(x).same_as(x)
    moved = Add(x, Int(1))
    assert call("echo", moved._move()).lhs.same_as(x)
    assert call("nest", lambda a, b: a + b, 100)(1, 2) == 3
    assert "int" in str(error_of(call, "myadd", 1, None)) and isinstance(error_of(call, "myadd", 1, None), TypeError)


def errors():
    def fail(_):
        raise KeyError("the key")

    def fail_otherwise(_):
        raise AssertionError("not so")

    for f, kind in [(fail, KeyError), (fail_otherwise, AssertionError)]:
        for error in [error_of(call, "callhello", f), error_of(call("compose", f, lambda x: x), 1)]:
            assert type(error) is kind and ("the key" in str(error) or "not so" in str(error)), error
    assert call("error_of", lambda: [][0]) == 'Custom("IndexError") IndexError: list index out of range'
    assert call("error_of", lambda: 1 / 0) == 'Custom("RuntimeError") RuntimeError: division by zero'
    error = error_of(call, "fail", "panic")
    assert isinstance(error, RuntimeError) and "it panicked" in str(error)
    assert isinstance(error_of(call, "fail", "key"), KeyError)
    assert isinstance(error_of(call, "fail", "range"), ValueError)


def pinned():
    add = Add(Int(1), Int(2))
    changed = call("wrapping", add)
    assert changed.wraps and not add.wraps and not changed.same_as(add) and changed.lhs.same_as(add.lhs)


def depth():
    chain = call("chain", 1_000_000)
    assert call("equal", chain, chain) and chain.lhs.rhs.value == 1
    del chain
    nested = call("nest", lambda x: x, 20_000)
    del nested
    array = Values([])
    for _ in range(20_000):
        array = Values([array])
    del array
    items = call("echo", [1])
    for _ in range(20_000):
        items = call("echo", [items])
    del items
    chained = lambda x: x
    for _ in range(5_000):
        chained = call("compose", lambda x, f=chained: f(x), call("echo", abs))
    del chained


def threads():
    x = Var("x")
    function = Lambda([x], Add(x, Int(1)))
    failures = []

    def read():
        for _ in range(2000):
            if not function.params.same_as(function.params) or not function.body.lhs.same_as(x):
                failures.append("identity")
            function.body.rhs

    workers = [threading.Thread(target=read) for _ in range(4)]
    [worker.start() for worker in workers]
    [worker.join() for worker in workers]
    assert not failures
    assert call("elsewhere", lambda value: value.lhs.same_as(x), function.body)
    assert isinstance(error_of(call, "elsewhere", lambda value: {}[value], 1), KeyError)


def main():
    for test in [fields, reflection, attributes, containers, values, structural, verdicts, json_and_copies, functions, tensors, views, errors, pinned, depth, threads]:
        test()
        gc.collect()
        live = call("live") - AT_START
        assert live == 0, f"{test.__name__}: {live} objects are alive"
        print("passed", test.__name__, flush=True)


main()
