# TVM 0.27.0.post1: LegalizeOps: exception: Index -N out of bounds N
# Passes: LegalizeOps
# A negative channel axis of `instance_norm` has no legalization.
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 2, 2, 2), dtype="float32"), x_1: R.Tensor((2,), dtype="float32"), x_2: R.Tensor((2,), dtype="float32")) -> R.Tensor((1, 2, 2, 2), dtype="float32"):
        result: R.Tensor((1, 2, 2, 2), dtype="float32") = R.nn.instance_norm(x, x_1, x_2, channel_axis=-3, axes=[2, 3], epsilon=0.10000000000000001, center=True, scale=False)
        return result
