# Scripts with an error.

# case: unknown operator
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.no_such_operator(x)
    return y

# case: unknown name
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.exp(z)
    return y

# case: no return
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.exp(x)

# case: two returns
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    return x
    return x

# case: no annotation of a parameter
@R.function
def main(x):
    return x

# case: an unknown dimension in the result
@R.function
def main(x: R.Tensor(("n",), "float32")) -> R.Tensor(("m",), "float32"):
    return x

# case: a dimension that is an expression alone
@R.function
def main(x: R.Tensor(("n + 1",), "float32")):
    return x

# case: different names in branches
@R.function
def main(c: R.Tensor((), "bool"), x: R.Tensor((2, 3), "float32")):
    if c:
        y = R.exp(x)
    else:
        z = R.log(x)
    return x

# case: a value as a statement
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    R.exp(x)
    return x

# case: a contradicting annotation
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y: R.Tensor((2, 3), "int32") = x
    return y

# case: a cast that fails
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.match_cast(x, R.Shape(ndim=2))
    return y

# case: different annotations of a cast
@R.function
def main(x: R.Tensor):
    y: R.Tensor((2, 3), "float32") = R.match_cast(x, R.Tensor((3, 2), "float32"))
    return y

# case: different element types
@R.function
def main(x: R.Tensor((2, 3), "float32"), y: R.Tensor((2, 3), "int32")):
    z = R.add(x, y)
    return z

# case: shapes that do not fit
@R.function
def main(x: R.Tensor((2, 3), "float32"), y: R.Tensor((4, 5), "float32")):
    z = R.matmul(x, y)
    return z

# case: a branch in a dataflow block
@R.function
def main(c: R.Tensor((), "bool"), x: R.Tensor((2, 3), "float32")):
    with R.dataflow():
        if c:
            y = R.exp(x)
        else:
            y = R.log(x)
        R.output(y)
    return y

# case: a local variable of a dataflow block outside
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    with R.dataflow():
        a = R.exp(x)
        b = R.exp(a)
        R.output(b)
    return a

# case: a binding after the output
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    with R.dataflow():
        a = R.exp(x)
        R.output(a)
        b = R.exp(a)
    return a

# case: an output that is not of the block
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    with R.dataflow():
        a = R.exp(x)
        R.output(x)
    return x

# case: an output outside of a block
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    R.output(x)
    return x

# case: an unknown function of the module
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3), "float32")):
        y = Module.helper(x)
        return y

# case: wrong number of arguments
@I.ir_module
class Module:
    @R.function
    def helper(x: R.Tensor((2, 3), "float32")):
        return x

    @R.function
    def main(x: R.Tensor((2, 3), "float32")):
        y = Module.helper(x, x)
        return y

# case: an unknown device
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3), "float32", "llvm:3")):
        return x

# case: an unknown keyword
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.sum(x, axes=1)
    return y

# case: too many arguments
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.exp(x, x)
    return y

# case: a missing argument
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.add(x)
    return y

# case: a loop
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    for i in range(3):
        x = R.exp(x)
    return x

# case: an attribute twice
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    R.func_attr({"a": 1})
    R.func_attr({"a": 2})
    return x

# case: an open bracket
@R.function
def main(x: R.Tensor((2, 3), "float32"):
    return x

# case: a number as operand
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = x + 1
    return y

# case: two targets at once
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    a = b = R.exp(x)
    return a

# case: a number of dimensions that contradicts the shape
@R.function
def main(x: R.Tensor((2, 3), "float32", ndim=3)):
    return x
