# The shape variables of parameters are holes too: in attributes and shapes of the pattern, and in the replacement.
@I.ir_module
class Module:
    @R.function(private=True)
    def pattern(x: R.Tensor(("n", "m"), "float32")):
        n, m = T.int64(), T.int64()
        return R.reshape(R.permute_dims(x, axes=[1, 0]), R.shape([n * m]))

    @R.function(private=True)
    def replacement(x: R.Tensor(("n", "m"), "float32")):
        n, m = T.int64(), T.int64()
        return R.reshape(R.permute_dims(R.reshape(x, R.shape([n, m, 1])), axes=[1, 0, 2]), R.shape([n * m]))

    @R.function
    def main(x: R.Tensor((2, 3), "float32"), y: R.Tensor((2, 3, 1), "float32")):
        a = R.permute_dims(x, axes=[1, 0])
        b = R.reshape(a, R.shape([6]))
        c = R.permute_dims(y, axes=[1, 0, 2])
        d = R.reshape(c, R.shape([6]))
        return (b, d)

    @R.function
    def symbolic(x: R.Tensor(("k", 3), "float32"), y: R.Tensor(("k", 3), "float32")):
        k = T.int64()
        a = R.permute_dims(x, axes=[1, 0])
        b = R.reshape(a, R.shape([k * 3]))
        return b
# After the rule:
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def symbolic(x: R.Tensor(("k", 3), dtype="float32"), y: R.Tensor(("k", 3), dtype="float32")) -> R.Tensor(("k * 3",), dtype="float32"):
        k = T.int64()
        a: R.Tensor((3, k), dtype="float32") = R.permute_dims(x, axes=[1, 0])
        gv: R.Tensor((k, 3, 1), dtype="float32") = R.reshape(x, R.shape([k, 3, 1]))
        gv1: R.Tensor((3, k, 1), dtype="float32") = R.permute_dims(gv, axes=[1, 0, 2])
        b: R.Tensor((k * 3,), dtype="float32") = R.reshape(gv1, R.shape([k * 3]))
        return b

    @R.function
    def main(x: R.Tensor((2, 3), dtype="float32"), y: R.Tensor((2, 3, 1), dtype="float32")) -> R.Tuple(R.Tensor((6,), dtype="float32"), R.Tensor((6,), dtype="float32")):
        a: R.Tensor((3, 2), dtype="float32") = R.permute_dims(x, axes=[1, 0])
        gv: R.Tensor((2, 3, 1), dtype="float32") = R.reshape(x, R.shape([2, 3, 1]))
        gv1: R.Tensor((3, 2, 1), dtype="float32") = R.permute_dims(gv, axes=[1, 0, 2])
        b: R.Tensor((6,), dtype="float32") = R.reshape(gv1, R.shape([6]))
        c: R.Tensor((3, 2, 1), dtype="float32") = R.permute_dims(y, axes=[1, 0, 2])
        d: R.Tensor((6,), dtype="float32") = R.reshape(c, R.shape([6]))
        return (b, d)
