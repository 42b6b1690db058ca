# Patterns of tuples and their members.
@I.ir_module
class Module:
    @R.function(private=True)
    def pattern(x: R.Tensor):
        parts = R.split(x, 2, axis=0)
        return R.concat((parts[0], parts[1]), axis=0)

    @R.function(private=True)
    def replacement(x: R.Tensor):
        return x

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        s = R.split(x, 2, axis=0)
        a = s[0]
        b = s[1]
        t = (a, b)
        same = R.concat(t, axis=0)
        swapped = R.concat((b, a), axis=0)
        return (same, swapped)
# After the rule:
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), dtype="float32")) -> R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")):
        s: R.Tuple(R.Tensor((2,), dtype="float32"), R.Tensor((2,), dtype="float32")) = R.split(x, indices_or_sections=2, axis=0)
        a: R.Tensor((2,), dtype="float32") = s[0]
        b: R.Tensor((2,), dtype="float32") = s[1]
        same: R.Tensor((4,), dtype="float32") = x
        swapped: R.Tensor((4,), dtype="float32") = R.concat((b, a), axis=0)
        return (same, swapped)
