# TVM 0.27.0.post1: LegalizeOps: exception: Cannot convert from type `ir.IntImm` to `Array<ir.Expr>`
# Passes: LegalizeOps
# `adaptive_avg_pool1d` without an output size has no legalization, although its type is inferred.
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 2, 2), dtype="float16")) -> R.Tensor((2, 2, 2), dtype="float16"):
        result: R.Tensor((2, 2, 2), dtype="float16") = R.nn.adaptive_avg_pool1d(x, output_size=None, layout="NCW", out_layout="NCW")
        return result
