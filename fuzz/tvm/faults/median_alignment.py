# TVM 0.27.0.post1: SpecializePrimFuncBasedOnCallSite: exception: Check failed: specific_buf->data_alignment == buf_to_specialize->data_alignment (N vs. N) : The buffer data_alignment mismatchedN vs. N.
# Passes: LegalizeOps, SpecializePrimFuncBasedOnCallSite
# The program that `median` becomes has buffers whose alignment differs from that of its call.
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 1, 2), dtype="float32")) -> R.Tuple(R.Tensor((2, 2), dtype="float32"), R.Tensor((2, 2), dtype="int64")):
        result: R.Tuple(R.Tensor((2, 2), dtype="float32"), R.Tensor((2, 2), dtype="int64")) = R.median(x, axis=[1], keepdims=False)
        return result
