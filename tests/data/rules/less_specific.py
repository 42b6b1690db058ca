# A rule does not apply where its replacement says less about the value than the variable does.
@I.ir_module
class Module:
    @R.function(private=True)
    def pattern(x: R.Tensor(dtype="float32")):
        return R.exp(x)

    @R.function(private=True)
    def replacement(x: R.Tensor(dtype="float32")):
        return R.call_pure_packed("exp", x, sinfo_args=R.Tensor(dtype="float32"))

    @R.function
    def main(x: R.Tensor((4,), "float32"), y: R.Tensor(dtype="float32")):
        a = R.exp(x)
        b = R.exp(y)
        return (a, b)
# After the rule:
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), dtype="float32"), y: R.Tensor(dtype="float32")) -> R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor(dtype="float32")):
        a: R.Tensor((4,), dtype="float32") = R.exp(x)
        b: R.Tensor(dtype="float32") = R.call_pure_packed("exp", y, sinfo_args=(R.Tensor(dtype="float32"),))
        return (a, b)
