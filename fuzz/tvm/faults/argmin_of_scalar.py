# TVM 0.27.0.post1: LegalizeOps: exception: Check failed: ndim != N (N vs. N) : Cannot reduce a N dim Tensor
# Passes: LegalizeOps
# `argmin` of a tensor without dimensions has a type and no legalization.
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((), dtype="float32")) -> R.Tensor((), dtype="int64"):
        result: R.Tensor((), dtype="int64") = R.argmin(x, axis=None, keepdims=True)
        return result
