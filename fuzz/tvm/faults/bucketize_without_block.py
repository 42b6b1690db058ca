# TVM 0.27.0.post1: SplitLayoutRewritePreproc: exception: Check failed: (current_subtree_ == -N) is false: There should be a compute block if there is only one subtree under the root.
# Passes: LegalizeOps, SplitLayoutRewritePreproc
# The pass expects a compute block in each program, and the one of `bucketize` is a call of a packed function.
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2,), dtype="float16"), x_1: R.Tensor((2,), dtype="float16")) -> R.Tensor((2,), dtype="int64"):
        result: R.Tensor((2,), dtype="int64") = R.bucketize(x, x_1, out_int32=False, right=True)
        return result
