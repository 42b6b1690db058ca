# The result of a rule matches again: each step of a chain becomes the name of the step before.
@I.ir_module
class Module:
    @R.function(private=True)
    def pattern(x: R.Tensor):
        return R.nn.relu(R.nn.relu(x))

    @R.function(private=True)
    def replacement(x: R.Tensor):
        return R.nn.relu(x)

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        a = R.nn.relu(x)
        b = R.nn.relu(a)
        c = R.nn.relu(b)
        d = R.nn.relu(c)
        return d
# After the rule:
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        d: R.Tensor((4,), dtype="float32") = R.nn.relu(x)
        return d
