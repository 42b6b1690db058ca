# A parameter accepts only the values that its structural information accepts.
@I.ir_module
class Module:
    @R.function(private=True)
    def pattern(x: R.Tensor(dtype="float32", ndim=2)):
        return R.negative(R.negative(x))

    @R.function(private=True)
    def replacement(x: R.Tensor(dtype="float32", ndim=2)):
        return x

    @R.function
    def main(x: R.Tensor((2, 3), "float32"), y: R.Tensor((4,), "float32"), z: R.Tensor((2, 3), "float16")):
        a = R.negative(R.negative(x))
        b = R.negative(R.negative(y))
        c = R.negative(R.negative(z))
        return (a, b, c)
# After the rule:
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3), dtype="float32"), y: R.Tensor((4,), dtype="float32"), z: R.Tensor((2, 3), dtype="float16")) -> R.Tuple(R.Tensor((2, 3), dtype="float32"), R.Tensor((4,), dtype="float32"), R.Tensor((2, 3), dtype="float16")):
        a: R.Tensor((2, 3), dtype="float32") = x
        gv1: R.Tensor((4,), dtype="float32") = R.negative(y)
        b: R.Tensor((4,), dtype="float32") = R.negative(gv1)
        gv2: R.Tensor((2, 3), dtype="float16") = R.negative(z)
        c: R.Tensor((2, 3), dtype="float16") = R.negative(gv2)
        return (a, b, c)
