# A replacement that is a parameter gives the value a second name. A hole that occurs twice stands for equal values.
@I.ir_module
class Module:
    @R.function(private=True)
    def pattern(x: R.Tensor, y: R.Tensor):
        return R.add(R.subtract(x, y), y)

    @R.function(private=True)
    def replacement(x: R.Tensor, y: R.Tensor):
        return x

    @R.function
    def main(x: R.Tensor((4,), "float32"), y: R.Tensor((4,), "float32")):
        a = R.subtract(x, y)
        b = R.add(a, y)
        c = R.subtract(b, x)
        d = R.add(c, y)
        return (b, d)
# After the rule:
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), dtype="float32"), y: R.Tensor((4,), dtype="float32")) -> R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")):
        b: R.Tensor((4,), dtype="float32") = x
        c: R.Tensor((4,), dtype="float32") = R.subtract(b, x)
        d: R.Tensor((4,), dtype="float32") = R.add(c, y)
        return (b, d)
