//! [`ExprVisitor`]: the nodes of Relax, listed once.

use crate::distributed::DTensorStructInfo;
use crate::{
    BindingBlock, Call, Constant, DataTypeImm, DataflowBlock, DataflowVar, ExternFunc, FuncStructInfo, Function,
    GlobalVar, IRModule, If, MatchCast, ObjectStructInfo, Op, PrimExpr, PrimStructInfo, PrimValue, SeqExpr, ShapeExpr,
    ShapeStructInfo, StringImm, TensorStructInfo, Tuple, TupleGetItem, TupleStructInfo, Var, VarBinding,
};

object_core::visitor! {
    /// A method for each node of Relax and each kind of structural information, to be overridden; all scalar expressions
    /// have one in common. `super_enter_x` goes on to the children.
    ///
    /// ```
    /// use object_core::visit::Visit;
    /// use object_ir::visit::ExprVisitor;
    /// use object_ir::Call;
    ///
    /// /// How many calls there are.
    /// struct Calls(usize);
    ///
    /// impl ExprVisitor for Calls {
    ///     fn enter_call(&mut self, call: &Call, visit: &mut Visit<'_>) {
    ///         self.0 += 1;
    ///         self.super_enter_call(call, visit);
    ///     }
    /// }
    /// ```
    pub trait ExprVisitor {
        module: IRModule,
        function: Function,
        extern_func: ExternFunc,
        seq_expr: SeqExpr,
        binding_block: BindingBlock,
        dataflow_block: DataflowBlock,
        var_binding: VarBinding,
        match_cast: MatchCast,
        call: Call,
        if_: If,
        tuple: Tuple,
        tuple_get_item: TupleGetItem,
        shape_expr: ShapeExpr,
        constant: Constant,
        prim_value: PrimValue,
        string_imm: StringImm,
        data_type_imm: DataTypeImm,
        op: Op,
        var: Var,
        dataflow_var: DataflowVar,
        global_var: GlobalVar,
        prim_expr: PrimExpr,
        object_struct_info: ObjectStructInfo,
        prim_struct_info: PrimStructInfo,
        shape_struct_info: ShapeStructInfo,
        tensor_struct_info: TensorStructInfo,
        tuple_struct_info: TupleStructInfo,
        func_struct_info: FuncStructInfo,
        dtensor_struct_info: DTensorStructInfo,
    }
}

#[cfg(test)]
mod tests {
    use object_core::Object;
    use object_core::registry::types;

    use super::*;
    use crate::{BindingNode, RelaxExprNode, StructInfoNode};

    #[test]
    fn every_node_of_relax_has_a_method() {
        struct Nothing;
        impl ExprVisitor for Nothing {}
        let listed = Nothing::node_types();
        let bases = [RelaxExprNode::TYPE_INFO, StructInfoNode::TYPE_INFO, BindingNode::TYPE_INFO];
        let mut checked = 0;
        for info in types().expect("the registry is sound") {
            let belongs = info.type_key.starts_with("relax.") && bases.iter().any(|base| info.is_or_extends(base));
            if belongs && !info.is_base {
                assert!(listed.iter().any(|known| std::ptr::eq(*known, info)), "no method for `{}`", info.type_key);
                checked += 1;
            }
        }
        assert!(checked > 20, "{checked}");
    }
}
