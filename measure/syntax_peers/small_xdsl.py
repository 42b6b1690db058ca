"""The dialect `small` in xDSL: a constant, a sum, a comparison, a function and its return.

Reads each file of the arguments, and prints the text of its module, or the first line of the error.
"""

import sys

# [declaration]
from xdsl.dialects.builtin import Builtin, IntegerAttr, StringAttr, i1, i64
from xdsl.irdl import (
    IRDLOperation,
    attr_def,
    irdl_op_definition,
    operand_def,
    region_def,
    result_def,
    traits_def,
)
from xdsl.ir import Dialect
from xdsl.traits import IsTerminator


@irdl_op_definition
class Constant(IRDLOperation):
    name = "small.const"
    value = attr_def(IntegerAttr)
    result = result_def(i64)
    assembly_format = "$value attr-dict"


@irdl_op_definition
class Add(IRDLOperation):
    name = "small.add"
    lhs = operand_def(i64)
    rhs = operand_def(i64)
    result = result_def(i64)
    assembly_format = "$lhs `,` $rhs attr-dict"


@irdl_op_definition
class Less(IRDLOperation):
    name = "small.less"
    lhs = operand_def(i64)
    rhs = operand_def(i64)
    result = result_def(i1)
    assembly_format = "$lhs `<` $rhs attr-dict"


@irdl_op_definition
class Return(IRDLOperation):
    name = "small.return"
    value = operand_def(i1)
    traits = traits_def(IsTerminator())
    assembly_format = "$value attr-dict"


@irdl_op_definition
class Function(IRDLOperation):
    name = "small.func"
    sym_name = attr_def(StringAttr)
    body = region_def("single_block")
    assembly_format = "$sym_name $body attr-dict"


Small = Dialect("small", [Constant, Add, Less, Return, Function], [])
# [end]

if __name__ == "__main__":
    from xdsl.context import Context
    from xdsl.parser import Parser

    for path in sys.argv[1:]:
        context = Context()
        context.load_dialect(Builtin)
        context.load_dialect(Small)
        try:
            with open(path) as file:
                module = Parser(context, file.read(), path).parse_module()
        except Exception as error:
            print(f"parse: {type(error).__name__}: {error}")
            continue
        try:
            module.verify()
            print(f"ok:\n{module}")
        except Exception as error:
            print(f"verify: {type(error).__name__}: {error}")
