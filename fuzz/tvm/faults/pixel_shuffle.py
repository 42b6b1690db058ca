# TVM 0.27.0.post1: LegalizeOps: exception: module 'tvm.topi.nn' has no attribute 'pixel_shuffle'
# Passes: LegalizeOps
# The legalization of `pixel_shuffle` calls a function that does not exist.
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((16, 1, 2), dtype="float64")) -> R.Tensor((1, 4, 8), dtype="float64"):
        result: R.Tensor((1, 4, 8), dtype="float64") = R.nn.pixel_shuffle(x, upscale_factor=4)
        return result
