# Functions, annotations, symbolic shapes and bindings.

# case: identity
@R.function
def main(x: R.Tensor((2, 3), "float32")) -> R.Tensor((2, 3), "float32"):
    return x

# case: no annotation of the result
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.exp(x)
    return y

# case: nested calls
@R.function
def main(x: R.Tensor((2, 3), "float32"), y: R.Tensor((2, 3), "float32")):
    return R.add(R.multiply(x, y), R.negative(x))

# case: deep nested calls in bindings
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.exp(R.exp(R.exp(R.add(x, R.exp(x)))))
    return y

# case: operators of Python
@R.function
def main(x: R.Tensor((2, 3), "float32"), y: R.Tensor((2, 3), "float32")):
    z = x + y * x - y / x
    w = -z ** y
    v = z // y % x
    b = w < v
    c = w >= z
    d = R.logical_and(b, c)
    return d

# case: string dimensions
@R.function
def main(x: R.Tensor(("n", "m"), "float32"), y: R.Tensor(("m", "k"), "float32")) -> R.Tensor(("n", "k"), "float32"):
    z = R.matmul(x, y)
    return z

# case: expressions in string dimensions
@R.function
def main(x: R.Tensor(("n", "m"), "float32"), y: R.Tensor(("n * m",), "float32")) -> R.Tensor(("m * n + 1",), "float32"):
    n, m = T.int64(), T.int64()
    z: R.Tensor((m * n + 1,), "float32") = R.call_dps_packed("f", (x, y), out_sinfo=R.Tensor((m * n + 1,), "float32"))
    return z

# case: declared symbolic variables
@R.function
def main(x: R.Tensor(("n", 4), "float32")) -> R.Tensor(None, "float32", ndim=1):
    n = T.int64()
    y = R.reshape(x, (n * 4,))
    return y

# case: shape parameters
@R.function
def main(s: R.Shape(["n", 4]), t: R.Shape(ndim=2), u: R.Shape) -> R.Shape(["n", 4]):
    return s

# case: scalar parameters
@R.function
def main(n: R.Prim("int64"), m: R.Prim(value="k"), x: R.Tensor(("k",), "float32")) -> R.Prim("int64"):
    return n

# case: kinds of annotations
@R.function
def main(a: R.Object, b: R.Tensor, c: R.Tensor("float32"), d: R.Tensor(ndim=2), e: R.Tensor((2, 3)), f: R.Tuple(R.Tensor, R.Object), g: R.Callable, h: R.Callable((R.Tensor, R.Object), R.Tensor), i: R.Tuple) -> R.Object:
    return a

# case: nested tuples
@R.function
def main(x: R.Tensor((2,), "float32"), y: R.Tensor((3,), "float32")):
    t = (x, (y, x))
    u = t[1]
    v = u[0]
    return (v, t)

# case: unpacking a tuple
@R.function
def main(t: R.Tuple(R.Tensor((2,), "float32"), R.Tensor((3,), "float32"))):
    a, b = t
    c = (b, a)
    return c

# case: a tuple of one
@R.function
def main(x: R.Tensor((2,), "float32")):
    t = (x,)
    return t

# case: dataflow
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    with R.dataflow():
        a = R.exp(x)
        b = R.log(a)
        R.output(b)
    return b

# case: dataflow with two outputs
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    with R.dataflow():
        a = R.exp(x)
        b = R.log(a)
        c = R.add(a, b)
        R.output(a, c)
    d = R.multiply(a, c)
    return d

# case: two dataflow blocks
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    with R.dataflow():
        a = R.exp(x)
        R.output(a)
    b = R.negative(a)
    with R.dataflow():
        c = R.exp(b)
        d = R.exp(c)
        R.output(d)
    return d

# case: neighbouring dataflow blocks
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    with R.dataflow():
        a = R.exp(x)
        R.output(a)
    with R.dataflow():
        b = R.exp(a)
        R.output(b)
    return b

# case: a name twice in a dataflow block
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    with R.dataflow():
        a = R.exp(x)
        a = R.log(a)
        a = R.sin(a)
        R.output(a)
    return a

# case: shadowing
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.exp(x)
    y = R.log(y)
    x = R.add(x, y)
    return x

# case: shadowing with another shape
@R.function
def main(x: R.Tensor(("n", "m"), "float32")):
    n, m = T.int64(), T.int64()
    y = R.reshape(x, (n * m,))
    y = R.expand_dims(y, 0)
    return y

# case: match_cast
@R.function
def main(x: R.Tensor(None, "float32", ndim=2)):
    n, m = T.int64(), T.int64()
    y = R.match_cast(x, R.Tensor((n, m), "float32"))
    z = R.reshape(y, (n * m,))
    return z

# case: match_cast with annotation
@R.function
def main(x: R.Tensor(None, "float32", ndim=1)) -> R.Tensor(None, "float32", ndim=1):
    n = T.int64()
    y: R.Tensor((n,), "float32") = R.match_cast(x, R.Tensor((n,), "float32"))
    return y

# case: match_cast of an operand
@R.function
def main(x: R.Tensor):
    n = T.int64()
    y = R.match_cast(R.add(x, x), R.Tensor((n, 2), "float32"))
    return y

# case: match_cast in a dataflow block
@R.function
def main(x: R.Tensor):
    n = T.int64()
    with R.dataflow():
        y = R.match_cast(x, R.Tensor((n, 2), "float32"))
        z = R.exp(y)
        R.output(z)
    return z

# case: match_cast of a shape
@R.function
def main(s: R.Shape(ndim=2)):
    n, m = T.int64(), T.int64()
    t = R.match_cast(s, R.Shape([n, m]))
    x = R.zeros(t, "float32")
    return x

# case: if
@R.function
def main(c: R.Tensor((), "bool"), x: R.Tensor((2, 3), "float32")):
    if c:
        y = R.exp(x)
    else:
        y = R.log(x)
    return y

# case: if with several statements
@R.function
def main(c: R.Tensor((), "bool"), x: R.Tensor((2, 3), "float32")) -> R.Tensor((2, 3), "float32"):
    if c:
        a = R.exp(x)
        b = R.add(a, a)
        y = R.multiply(a, b)
    else:
        a = R.log(x)
        y = R.negative(a)
    z = R.add(y, y)
    return z

# case: if with leaves
@R.function
def main(c: R.Tensor((), "bool"), x: R.Tensor((2, 3), "float32"), w: R.Tensor((2, 3), "float32")):
    if c:
        y = x
    else:
        y = w
    return y

# case: if in if
@R.function
def main(c: R.Tensor((), "bool"), d: R.Tensor((), "bool"), x: R.Tensor((2, 3), "float32")):
    if c:
        if d:
            y = R.exp(x)
        else:
            y = R.log(x)
        z = R.add(y, x)
    else:
        z = x
    return z

# case: if with an operand as condition
@R.function
def main(c: R.Tensor((), "bool"), x: R.Tensor((2, 3), "float32")):
    if R.logical_not(c):
        y = R.exp(x)
    else:
        y = R.log(x)
    return y

# case: if with different shapes
@R.function
def main(c: R.Tensor((), "bool"), x: R.Tensor((2, 3), "float32"), w: R.Tensor((3, 2), "float32")):
    if c:
        y = x
    else:
        y = w
    return y

# case: nested function
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    @R.function
    def inner(y: R.Tensor((2, 3), "float32")) -> R.Tensor((2, 3), "float32"):
        z = R.exp(y)
        return z
    w = inner(x)
    return w

# case: nested function with a variable from outside
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    a = R.exp(x)
    @R.function
    def inner(y: R.Tensor((2, 3), "float32")) -> R.Tensor((2, 3), "float32"):
        z = R.add(y, a)
        return z
    w = inner(x)
    return w

# case: recursive nested function
@R.function
def main(x: R.Tensor((2, 3), "float32"), c: R.Tensor((), "bool")):
    @R.function
    def loop(y: R.Tensor((2, 3), "float32"), d: R.Tensor((), "bool")) -> R.Tensor((2, 3), "float32"):
        if d:
            r = loop(y, d)
        else:
            r = y
        return r
    w = loop(x, c)
    return w

# case: two levels of functions
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    @R.function
    def outer(y: R.Tensor((2, 3), "float32")) -> R.Tensor((2, 3), "float32"):
        @R.function
        def inner(z: R.Tensor((2, 3), "float32")) -> R.Tensor((2, 3), "float32"):
            w = R.add(z, y)
            return w
        v = inner(y)
        return v
    u = outer(x)
    return u

# case: function as parameter
@R.function
def main(f: R.Callable((R.Tensor((2, 3), "float32"),), R.Tensor((2, 3), "float32")), x: R.Tensor((2, 3), "float32")):
    y = f(x)
    return y

# case: function attributes
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    R.func_attr({"Primitive": 1, "Codegen": "cutlass", "list": [1, 2], "flag": True, "scale": 0.5})
    y = R.exp(x)
    return y

# case: private function
@R.function(private=True)
def main(x: R.Tensor((2, 3), "float32")):
    return x

# case: impure function
@R.function(pure=False)
def main(x: R.Tensor((2, 3), "float32")):
    R.print(x, format="x = {}")
    y = R.exp(x)
    return y

# case: print without format
@R.function(pure=False)
def main(x: R.Tensor((2, 3), "float32"), y: R.Tensor((2, 3), "float32")):
    u = R.print(x, y)
    return x

# case: assert
@R.function(pure=False)
def main(c: R.Tensor((), "bool"), x: R.Tensor((2, 3), "float32")):
    R.assert_op(c, x, format="failed: {}")
    return x

# case: constants
@R.function
def main(x: R.Tensor((), "float32")):
    a = R.const(1)
    b = R.const(2.5)
    c = R.const(True)
    d = R.const(1, "int64")
    e = R.const(1.5, "float16")
    f = R.const([1, 2, 3], "int32")
    g = R.const([[1.0, 2.0], [3.0, 4.0]], "float32")
    return (a, b, c, d, e, f, g)

# case: numbers as values
@R.function
def main(x: R.Tensor((), "float32")):
    a = 1
    b = 2.5
    return (a, b)

# case: scalars, texts and types
@R.function
def main(x: R.Tensor(("n",), "float32")):
    n = T.int64()
    a = R.prim_value(3)
    b = R.prim_value(n + 1)
    c = R.str("a \"text\"")
    d = R.dtype("float16")
    e = R.shape([n, 2, n * 3])
    f = R.tuple(a, c)
    return (a, b, c, d, e, f)

# case: void values
@R.function
def main(x: R.Tensor((), "float32")):
    a = R.tuple()
    return a

# case: annotation on a call
@R.function
def main(x: R.Tensor(("n",), "float32")) -> R.Object:
    n = T.int64()
    y: R.Tensor((n + 1,), "float16") = R.exp(x)
    return y

# case: annotation on a variable
@R.function
def main(x: R.Tensor((2, 3), "float32")) -> R.Object:
    y: R.Object = x
    return y

# case: wide annotation of the result
@R.function
def main(x: R.Tensor((2, 3), "float32")) -> R.Tensor:
    y = R.exp(x)
    return y

# case: scalar arithmetic in shapes
@R.function
def main(x: R.Tensor(("n", "m"), "float32"), s: R.Shape(["n + m", "n - 1", "n * 2", "n // 2", "n % 2"])):
    n, m = T.int64(), T.int64()
    a = R.shape([n + m, n - m - 1, n - (m - 1), (n + 1) * 2, n // 2, n % 2, 2 * n, n * m + 3, n + 0, n * 1, 1 + 2])
    return a

# case: packed function
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.call_packed("my.function", x, x, sinfo_args=R.Tensor((2, 3), "float32"))
    return x

# case: packed function with attributes
@R.function(pure=False)
def main(x: R.Tensor((2, 3), "float32")):
    y = R.call_packed("my.function", x, sinfo_args=[R.Tensor(ndim=2)], axis=1, name="a")
    return y

# case: pure packed function
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.call_pure_packed("my.function", x, (x, x), sinfo_args=(R.Tensor((2, 3), "float32"),))
    return y

# case: in-place packed function
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.call_inplace_packed("my.function", x, inplace_indices=0, sinfo_args=R.Tensor((2, 3), "float32"))
    return y

# case: destination passing
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.call_dps_packed("my.function", x, out_sinfo=R.Tensor((2, 3), "float32"))
    z = R.call_dps_packed("my.function", (x, y), out_sinfo=[R.Tensor((2, 3), "float32"), R.Tensor((4,), "int32")])
    return z

# case: builtin with context
@R.function(pure=False)
def main(x: R.Tensor((2, 3), "float32")):
    y = R.call_builtin_with_ctx("vm.builtin.f", (x,), sinfo_args=R.Object)
    return y

# case: closures
@R.function(pure=False)
def main(c: R.Object, x: R.Tensor((2, 3), "float32")):
    y = R.invoke_closure(c, (x,), sinfo_args=R.Tensor((2, 3), "float32"))
    return y

# case: a function of the registry as value
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    f = R.ExternFunc("my.function")
    return f

# case: long chain of bindings
@R.function
def main(x: R.Tensor((4,), "float32")):
    a = R.exp(x)
    b = R.log(a)
    c = R.sin(b)
    d = R.cos(c)
    e = R.tanh(d)
    f = R.add(e, R.add(d, R.add(c, R.add(b, a))))
    return f

# case: lists of Python
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    parts = [x, x]
    y = R.concat(parts, axis=0)
    return y

# case: lines in brackets
@R.function
def main(
    x: R.Tensor((2, 3), "float32"),  # a comment
    y: R.Tensor((2, 3), dtype="float32"),
) -> R.Tensor((2, 3), "float32"):
    # another comment
    z = R.add(
        x,
        y,
    )
    return z

# case: return in a dataflow block
@R.function
def main(A: R.Tensor([16], "float16")):
    with R.dataflow():
        B = R.add(A, A)
        C = R.multiply(B, B)
        return C

# case: return of several variables in a dataflow block
@R.function
def main(A: R.Tensor([16], "float16")):
    with R.dataflow():
        B = R.add(A, A)
        C = R.multiply(B, B)
        return (C, B)

# case: branches without a value
@R.function(pure=False)
def main(x: R.Tensor((), "int32"), condition: R.Tensor((), "bool")) -> R.Tensor((), "int32"):
    if condition:
        y = R.print(x, format="True condition: {}")
    else:
        y = R.print(x, format="False condition: {}")
    return x

# case: structural information of a variable
@R.function
def main(x: R.Tensor(["N"], "float32")):
    N = T.int64()
    out = R.call_pure_packed("f", x, sinfo_args=[x.struct_info])
    return out

# case: TupleGetItem
@R.function
def main(x: R.Tensor((2, 3), "float32"), y: R.Tensor((2, 3), "float32")):
    t = (x, y)
    b = R.TupleGetItem(t, 1)
    return b

# case: members of structural information
@R.function
def main(x: R.Tensor((2, 3), "float16")):
    y = R.zeros(x.struct_info.shape, x.struct_info.dtype)
    return y

# case: a gradient without a mode
@R.function
def main(x: R.Tensor((3, 4), "float32"), i: R.Tensor((2,), "int64"), g: R.Tensor((2, 4), "float32")):
    y = R.grad.take_backward(g, x, i, axis=0)
    return y
