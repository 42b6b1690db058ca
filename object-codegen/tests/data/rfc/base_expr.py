@declare
class BaseExprNode(Object):
    """
    Base type of all the expressions.

    See Also
    --------
    BaseExpr
    """
    type_key = "BaseExpr"
    default_visit_attrs = False
    default_sequal_reduce = False
    default_shash_reduce = False
