# The declarations of the RFC, and the parents that its examples name.


@declare
class BaseExprNode(Object):
    """
    Base type of all the expression.

    See Also
    --------
    BaseExpr
    """

    type_key = "BaseExpr"
    default_visit_attrs = False
    default_sequal_reduce = False
    default_shash_reduce = False


@declare
class PrimExprNode(BaseExprNode):
    """
    Base node of all primitive expressions.

    See Also
    --------
    PrimExpr

    Attributes
    ----------
    dtype
        The runtime data type of the primitive expression.
    """

    type_key = "PrimExpr"
    dtype: ty.DataType


@declare
class IntImmNode(PrimExprNode):
    """
    Constant integer literals in the program.

    See Also
    --------
    IntImm

    Attributes
    ----------
    value
        The internal value.
    """

    type_key = "IntImm"
    value: ty.int64_t


@declare
class RelayExprNode(BaseExprNode):
    """
    Base node of all non-primitive expressions.

    See Also
    --------
    RelayExpr

    Attributes
    ----------
    span
        The place in the source.
    checked_type_
        The result of type inference.
    """

    type_key = "RelayExpr"
    span: ty.Optional[ty.ObjectRef] = field(default=None, structural_eq="ignore")
    checked_type_: ty.ObjectRef


@declare
class GlobalVarNode(RelayExprNode):
    """
    Global variable that lives in the top-level module.

    A GlobalVar only refers to function definitions.
    This is used to enable recursive calls between function.

    See Also
    --------
    GlobalVarNode

    Attributes
    ----------
    name_hint
        The name of the variable, this only acts as a hint.
    """

    type_key = "GlobalVar"
    default_sequal_reduce = False
    default_shash_reduce = False
    name_hint: ty.String
