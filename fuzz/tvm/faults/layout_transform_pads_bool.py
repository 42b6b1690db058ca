# TVM 0.27.0.post1: LegalizeOps: exception: Error message: ScheduleError: Buffer te_layout_transform_with_pad has elements of type T.bool, but the transformation fills padding with T.index_map(lambda indi
# Passes: LegalizeOps
# A layout transform that pads booleans fills them with a number of another type.
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 6), dtype="bool")) -> R.Tensor((1, 2, 2, 3), dtype="bool"):
        result: R.Tensor((1, 2, 2, 3), dtype="bool") = R.layout_transform(x, index_map=T.index_map(lambda i, j: (i // 2, j // 3, i % 2, j % 3)), pad_value=None)
        return result
