//! [`RelaxExprKind`], [`BindingKind`], [`StructInfoKind`], [`StmtKind`]: the kinds of the nodes of Relax and of statements, for
//! exhaustive matching.

use crate::distributed::DTensorStructInfo;
use crate::ir::{
    Binding, Call, Constant, DataTypeImm, ExternFunc, FuncStructInfo, Function, GlobalVar, If, MatchCast,
    ObjectStructInfo, Op, PrimStructInfo, PrimValue, RelaxExpr, SeqExpr, ShapeExpr, ShapeStructInfo, StringImm,
    StructInfo, TensorStructInfo, Tuple, TupleGetItem, TupleStructInfo, Var, VarBinding,
};
use crate::tir::{
    AllocBuffer, AssertStmt, AttrStmt, Bind, Break, BufferStore, Continue, DeclBuffer, Evaluate, For, IfThenElse,
    PrimFunc, SBlock, SBlockRealize, ScopeIdDefStmt, SeqStmt, Stmt, TilePrimitiveCall, While,
};

object_core::variants_of! {
    /// The kinds of expressions. A `DataflowVar` is a `Var`. Code that decides about expressions matches this enum without a
    /// wildcard, so the compiler reports each such place when a kind joins the list.
    ///
    /// ```
    /// use object_ir::ir::{RelaxExpr, Tuple, Var};
    /// use object_ir::kind::RelaxExprKind;
    ///
    /// let pair: RelaxExpr = Tuple::new([Var::named("x").into(), Var::named("y").into()]).into();
    /// assert!(matches!(RelaxExprKind::of(&pair), RelaxExprKind::Tuple(tuple) if tuple.fields.len() == 2));
    /// ```
    pub enum RelaxExprKind of RelaxExpr {
        Var, Call, Tuple, TupleGetItem, If, SeqExpr, Function, Constant, ShapeExpr, PrimValue, GlobalVar, Op, ExternFunc,
        StringImm, DataTypeImm, PrimFunc,
    }
}

object_core::variants_of! {
    /// The kinds of bindings.
    pub enum BindingKind of Binding { VarBinding, MatchCast }
}

object_core::variants_of! {
    /// The kinds of structural information.
    pub enum StructInfoKind of StructInfo {
        TensorStructInfo, TupleStructInfo, ShapeStructInfo, PrimStructInfo, FuncStructInfo, ObjectStructInfo,
        DTensorStructInfo,
    }
}

object_core::variants_of! {
    /// The kinds of statements of loop programs.
    pub enum StmtKind of Stmt {
        SeqStmt, For, SBlockRealize, SBlock, BufferStore, Bind, AllocBuffer, DeclBuffer, IfThenElse, While, AttrStmt,
        AssertStmt, Evaluate, Break, Continue, ScopeIdDefStmt, TilePrimitiveCall,
    }
}

#[cfg(test)]
mod tests {
    use object_core::Object;
    use object_core::TypeInfo;
    use object_core::registry::types;

    use crate::ir::{BindingNode, RelaxExprNode, StructInfoNode};
    use crate::tir::StmtNode;

    /// The last segments of the keys of the types that extend a base and that objects have, in order.
    fn names(base: &TypeInfo) -> String {
        let types = types().expect("every type key is registered once");
        let types = types.into_iter().filter(|it| it.is_or_extends(base) && !std::ptr::eq(*it, base));
        let keys = types.filter(|it| !it.is_abstract()).map(TypeInfo::type_key);
        let mut names: Vec<_> = keys.filter_map(|key| key.rsplit('.').next()).collect();
        names.sort_unstable();
        names.join(" ")
    }

    /// A type that is new here needs a kind. A `BaseFunc` of no other type is `Other`.
    #[test]
    fn every_type_has_a_kind() {
        assert_eq!(
            names(RelaxExprNode::TYPE_INFO),
            "BaseFunc Call Constant DataTypeImm DataflowVar ExternFunc Function GlobalVar If Op PrimFunc PrimValue SeqExpr \
             ShapeExpr StringImm Tuple TupleGetItem Var"
        );
        assert_eq!(names(BindingNode::TYPE_INFO), "MatchCast VarBinding");
        assert_eq!(
            names(StructInfoNode::TYPE_INFO),
            "DTensorStructInfo FuncStructInfo ObjectStructInfo PrimStructInfo ShapeStructInfo TensorStructInfo TupleStructInfo"
        );
        assert_eq!(
            names(StmtNode::TYPE_INFO),
            "AllocBuffer AssertStmt AttrStmt Bind Break BufferStore Continue DeclBuffer Evaluate For IfThenElse SBlock \
             SBlockRealize ScopeIdDefStmt SeqStmt TilePrimitiveCall While"
        );
    }
}
