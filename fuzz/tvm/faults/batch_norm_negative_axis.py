# TVM 0.27.0.post1: LegalizeOps: exception: list.remove(x): x not in list
# Passes: LegalizeOps
# A negative axis of `batch_norm` has no legalization.
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 2, 2), dtype="float32"), x_1: R.Tensor((2,), dtype="float32"), x_2: R.Tensor((2,), dtype="float32"), x_3: R.Tensor((2,), dtype="float32"), x_4: R.Tensor((2,), dtype="float32")) -> R.Tuple(R.Tensor((1, 2, 2), dtype="float32"), R.Tensor((2,), dtype="float32"), R.Tensor((2,), dtype="float32")):
        result: R.Tuple(R.Tensor((1, 2, 2), dtype="float32"), R.Tensor((2,), dtype="float32"), R.Tensor((2,), dtype="float32")) = R.nn.batch_norm(x, x_1, x_2, x_3, x_4, axis=-2, epsilon=0.001, center=True, scale=True, momentum=0.10000000000000001, training=True)
        return result
