# A pattern reaches over two bindings. A value that something else uses stays, and so does the dataflow block.
@I.ir_module
class Module:
    @R.function(private=True)
    def pattern(a: R.Tensor(dtype="float32"), b: R.Tensor(dtype="float32")):
        return R.nn.relu(R.subtract(a, b))

    @R.function(private=True)
    def replacement(a: R.Tensor(dtype="float32"), b: R.Tensor(dtype="float32")):
        larger = R.maximum(a, b)
        return R.subtract(larger, b)

    @R.function
    def main(x: R.Tensor((4,), "float32"), y: R.Tensor((4,), "float32")):
        with R.dataflow():
            s = R.subtract(x, y)
            t = R.nn.relu(s)
            u = R.negative(s)
            v = R.subtract(t, u)
            w = R.nn.relu(v)
            R.output(w)
        return w
# After the rule:
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), dtype="float32"), y: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        with R.dataflow():
            s: R.Tensor((4,), dtype="float32") = R.subtract(x, y)
            larger: R.Tensor((4,), dtype="float32") = R.maximum(x, y)
            t: R.Tensor((4,), dtype="float32") = R.subtract(larger, y)
            u: R.Tensor((4,), dtype="float32") = R.negative(s)
            larger_1: R.Tensor((4,), dtype="float32") = R.maximum(t, u)
            w: R.Tensor((4,), dtype="float32") = R.subtract(larger_1, u)
            R.output(w)
        return w
