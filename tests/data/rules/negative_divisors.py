# A quotient by a negative divisor is rounded down: the shape of the replacement has 6 elements, not 17.
@I.ir_module
class Module:
    @R.function(private=True)
    def pattern(x: R.Tensor(("n",), "float32")):
        return R.add(R.sum(R.subtract(x, x)), R.const(6.0, "float32"))

    @R.function(private=True)
    def replacement(x: R.Tensor(("n",), "float32")):
        n = T.int64()
        return R.sum(R.ones(R.shape([n * 7 // (n * -2) + 10]), dtype="float32"))

    @R.function
    def main(x: R.Tensor(("m",), "float32")):
        return R.add(R.sum(R.subtract(x, x)), R.const(6.0, "float32"))
# After the rule:
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("m",), dtype="float32")) -> R.Tensor((), dtype="float32"):
        m = T.int64()
        gv: R.Tensor((m,), dtype="float32") = R.subtract(x, x)
        gv1: R.Tensor((), dtype="float32") = R.sum(gv, axis=None, keepdims=False)
        gv_1: R.Tensor((6,), dtype="float32") = R.ones(R.shape([6]), dtype="float32")
        gv2: R.Tensor((), dtype="float32") = R.sum(gv_1, axis=None, keepdims=False)
        return gv2
