# Constants of the pattern match equal constants, also by way of a variable.
@I.ir_module
class Module:
    @R.function(private=True)
    def pattern(x: R.Tensor(dtype="float32")):
        return R.multiply(x, R.const(2.0, "float32"))

    @R.function(private=True)
    def replacement(x: R.Tensor(dtype="float32")):
        return R.add(x, x)

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        two = R.const(2.0, "float32")
        a = R.multiply(x, two)
        b = R.multiply(a, R.const(2.0, "float32"))
        c = R.multiply(b, R.const(3.0, "float32"))
        return c
# After the rule:
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        a: R.Tensor((4,), dtype="float32") = R.add(x, x)
        b: R.Tensor((4,), dtype="float32") = R.add(a, a)
        c: R.Tensor((4,), dtype="float32") = R.multiply(b, R.const(3.0, "float32"))
        return c
