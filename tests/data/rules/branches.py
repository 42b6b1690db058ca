# The bindings of branches and of inner functions change too, and see the bindings around them.
@I.ir_module
class Module:
    @R.function(private=True)
    def pattern(x: R.Tensor):
        return R.negative(R.negative(x))

    @R.function(private=True)
    def replacement(x: R.Tensor):
        return x

    @R.function
    def main(x: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")):
        a = R.negative(x)
        if c:
            b = R.negative(a)
            r = R.exp(b)
        else:
            d = R.exp(a)
            r = R.negative(d)

        @R.function
        def inner(y: R.Tensor((4,), "float32")):
            e = R.negative(a)
            return R.add(e, y)

        return inner(r)
# After the rule:
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), dtype="float32"), c: R.Tensor((), dtype="bool")) -> R.Tensor((4,), dtype="float32"):
        a: R.Tensor((4,), dtype="float32") = R.negative(x)
        if c:
            b: R.Tensor((4,), dtype="float32") = x
            r_then: R.Tensor((4,), dtype="float32") = R.exp(b)
            r: R.Tensor((4,), dtype="float32") = r_then
        else:
            d: R.Tensor((4,), dtype="float32") = R.exp(a)
            r_else: R.Tensor((4,), dtype="float32") = R.negative(d)
            r: R.Tensor((4,), dtype="float32") = r_else
        # from tvm.script import relax as R
        
        @R.function
        def inner(y: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
            e: R.Tensor((4,), dtype="float32") = x
            gv: R.Tensor((4,), dtype="float32") = R.add(e, y)
            return gv

        gv: R.Tensor((4,), dtype="float32") = inner(r)
        return gv
