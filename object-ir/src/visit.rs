//! [`ExprVisitor`]: the one list of the nodes of Relax. A new node adds its line here.

use crate::distributed::DTensorStructInfo;
use crate::ir::{
    BindingBlock, Call, Constant, DataTypeImm, DataflowBlock, DataflowVar, ExternFunc, FuncStructInfo, Function,
    GlobalVar, IRModule, If, MatchCast, ObjectStructInfo, Op, PrimExpr, PrimStructInfo, PrimValue, SeqExpr, ShapeExpr,
    ShapeStructInfo, StringImm, TensorStructInfo, Tuple, TupleGetItem, TupleStructInfo, Var, VarBinding,
};

object_core::visitor! {
    /// A visitor with a method for each node of Relax and each kind of structural information. All scalar expressions
    /// share `enter_prim_expr`. An implementation overrides the methods that it needs; `super_enter_x` continues with
    /// the children.
    ///
    /// ```
    /// use object_core::visit::Visit;
    /// use object_ir::ir::Call;
    /// use object_ir::visit::ExprVisitor;
    ///
    /// /// Counts calls.
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
    use object_core::TypeInfo;
    use object_core::registry::types;

    use super::*;

    /// The types without a method, each with the reason: a type with all types that extend it, or a namespace.
    const WITHOUT_METHOD: &[(&str, &str)] = &[
        ("ir.Attrs", "attributes of calls and functions"),
        ("ir.Type", "types; a visitor of Relax reads structural information"),
        ("ir.Span", "a place in source text"),
        ("ir.SourceName", "a place in source text"),
        ("ir.Source", "source text of a module"),
        ("ir.SourceMap", "source text of a module"),
        ("ir.GlobalInfo", "facts about a module"),
        ("ir.EnvFunc", "names a function of the compiler"),
        ("ir.ArgumentInfo", "documentation of an operator"),
        ("ir.Range", "part of a loop program"),
        ("relax.Id", "part of a variable"),
        ("relax.distributed.Placement", "part of DTensorStructInfo"),
        ("relax.distributed.PlacementSpec", "part of DTensorStructInfo"),
        ("tirx.", "loop programs are not Relax; their scalar expressions go to `enter_prim_expr`"),
        ("te.", "tensor expressions are not Relax"),
        ("target.", "descriptions of hardware"),
        ("arith.", "results of analyses"),
        ("s_tir.", "data of the scheduler"),
        ("objir.", "arguments and results of the operations by name"),
        ("trace.", "records of passes"),
    ];

    fn covers(entry: &str, info: &TypeInfo) -> bool {
        let is_named = |info: &TypeInfo| {
            if entry.ends_with('.') { info.type_key().starts_with(entry) } else { info.type_key() == entry }
        };
        std::iter::successors(Some(info), |info| info.parent()).any(is_named)
    }

    #[test]
    fn every_type_has_a_method_or_a_reason_for_none() {
        struct Nothing;
        impl ExprVisitor for Nothing {}
        let listed = Nothing::node_types();
        let mut types = types().expect("every type key is registered once");
        types.retain(|info| !info.type_key().starts_with("ffi."));

        // The base of a listed type needs no method itself: its objects belong to the listed types.
        let has_method = |info: &TypeInfo| listed.iter().any(|it| info.is_or_extends(it) || it.is_or_extends(info));
        let without: Vec<_> = types.into_iter().filter(|info| !info.is_abstract() && !has_method(info)).collect();
        for info in &without {
            let has_reason = WITHOUT_METHOD.iter().any(|(entry, _)| covers(entry, info));
            assert!(has_reason, "`{}` needs a line in `ExprVisitor` or in `WITHOUT_METHOD`", info.type_key());
        }
        for (entry, _) in WITHOUT_METHOD {
            assert!(without.iter().any(|info| covers(entry, info)), "`{entry}` covers no type without a method");
        }
    }
}
