# Classes of TVM that the examples of the RFC extend.
@declare
class BaseExprNode(Object):
    """Base type of all the expressions."""
    type_key = "BaseExpr"


@declare
class PrimExprNode(BaseExprNode):
    """Base node of all primitive expressions."""
    type_key = "PrimExpr"
    dtype: ty.DataType


@declare
class RelayExprNode(BaseExprNode):
    """Base node of all non-primitive expressions."""
    type_key = "RelayExpr"
    span: ty.ObjectRef
    checked_type_: ty.ObjectRef
