# TVM 0.27.0.post1: StaticPlanBlockMemory: ill-formed: var-not-in-scope
# Passes: LegalizeOps, ToNonDataflow, RemovePurityChecking, CallTIRRewrite, StaticPlanBlockMemory
# A branch uses storage that only the other branch allocates. The compiled program ends with a segmentation fault.
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(c: R.Tensor((), dtype="bool"), t32: R.Tensor((2,), dtype="float32"), s37: R.Tensor((), dtype="bool"), s40: R.Tensor((), dtype="bool")) -> R.Tensor((), dtype="bool"):
        if c:
            t34: R.Tensor((2,), dtype="float32") = R.flip(t32, axis=0)
            t41: R.Tensor((), dtype="bool") = s37
        else:
            t39: R.Tensor((1,), dtype="float32") = R.mean(t32, axis=[0], keepdims=True)
            t41: R.Tensor((), dtype="bool") = s40
        return t41
