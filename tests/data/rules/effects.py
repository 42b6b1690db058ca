# A pattern does not look through a call with side effects, nor through a value that the variables of another dataflow
# block compute.
@I.ir_module
class Module:
    @R.function(private=True)
    def pattern(x: R.Tensor((4,), "float32")):
        return R.negative(R.negative(x))

    @R.function(private=True)
    def replacement(x: R.Tensor((4,), "float32")):
        return x

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        with R.dataflow():
            local = R.exp(x)
            a = R.negative(local)
            b = R.negative(x)
            R.output(a, b)
        c = R.negative(a)
        d = R.negative(b)
        return (c, d)
# After the rule:
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), dtype="float32")) -> R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")):
        with R.dataflow():
            local: R.Tensor((4,), dtype="float32") = R.exp(x)
            a: R.Tensor((4,), dtype="float32") = R.negative(local)
            R.output(a)
        c: R.Tensor((4,), dtype="float32") = R.negative(a)
        d: R.Tensor((4,), dtype="float32") = x
        return (c, d)
