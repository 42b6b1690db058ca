//! The table of printed types: type key and print function.

use std::sync::OnceLock;

use object_core::value::TensorNode;
use object_core::{Object, ObjectView, TypeInfo};
use object_ir::{distributed as dist, ir, target, tir};
use rustc_hash::FxHashMap;

use crate::print::doc::tree::Doc;
use crate::print::ir::{global, module, scalar, tensor, types};
use crate::print::relax::{binding, call, constant, distributed, function, operand, region, struct_info};
use crate::print::state::printer::{Printer, Syntax};
use crate::print::tir::{
    attr_stmt, block, buffer, call as tir_call, decl_buffer, exec, expr as tir_expr, layout, loops, prim_func, stmt,
    vars as tir_vars,
};
use object_core::print::Path;

/// Prints an object of one type.
pub(crate) type PrintFn = fn(&mut Printer<'_>, ObjectView<'_>, Path) -> Doc;

/// A row: the table of a type, and its function.
type Row = (&'static TypeInfo, PrintFn);

/// Makes a row: `row!(ir::TupleNode => constant::tuple)`.
macro_rules! row {
    ($node:ty => $print:path) => {
        (<$node as Object>::TYPE_INFO, |printer, object, path| match object.node::<$node>() {
            Some(node) => $print(printer, node, path),
            None => printer.metadata_item(object_core::AnyView::Object(object)),
        })
    };
}

/// As `row!`, for a function that takes the object and not its node.
macro_rules! object_row {
    ($node:ty => $print:path) => {
        (<$node as Object>::TYPE_INFO, |printer, object, path| $print(printer, object, path))
    };
}

/// The forms of all values.
pub(crate) static SYNTAX: Syntax = Syntax { object, spilled: operand::spilled_expr };

/// Prints any object that is not a text.
fn object(p: &mut Printer<'_>, object: ObjectView<'_>, path: Path) -> Doc {
    // The most frequent objects need no look-up.
    if let Some(imm) = object.node::<ir::IntImmNode>() {
        return scalar::int_imm(p, imm, path);
    }
    if object.node::<ir::VarNode>().is_some() {
        return constant::var(p, object, path);
    }
    if let Some(print) = print_fn(object.type_info()) {
        return print(p, object, path);
    }
    if let Some(items) = object.as_array() {
        return global::array(p, items, path);
    }
    if let Some(map) = object.as_map() {
        return global::map(p, map, path);
    }
    if let Some(extents) = object.as_shape() {
        return global::shape(p, extents, path);
    }
    if p.options.readable
        && let Some(tensor) = object.node::<TensorNode>()
    {
        return tensor::readable(p, tensor);
    }
    p.metadata_item(object_core::AnyView::Object(object))
}

fn rows() -> Vec<Row> {
    let mut rows = relax_rows();
    rows.extend(ir_rows());
    rows.extend(scalar_rows());
    rows.extend(expr_rows());
    rows.extend(stmt_rows());
    rows
}

fn ir_rows() -> Vec<Row> {
    vec![
        object_row!(ir::IRModuleNode => module::module),
        object_row!(ir::GlobalVarNode => global::global_var),
        object_row!(ir::VDeviceNode => global::vdevice),
        row!(ir::DictAttrsNode => global::dict_attrs),
        row!(ir::DummyGlobalInfoNode => global::dummy_global_info),
        row!(ir::OpNode => global::op),
        object_row!(target::TargetNode => global::target),
        row!(ir::RangeNode => scalar::range),
        row!(ir::PrimTypeNode => types::prim),
        row!(ir::PointerTypeNode => types::pointer),
        row!(ir::TensorMapTypeNode => types::tensor_map),
        row!(ir::TupleTypeNode => types::tuple),
        row!(ir::FuncTypeNode => types::func),
    ]
}

fn relax_rows() -> Vec<Row> {
    vec![
        row!(ir::FunctionNode => function::function),
        row!(ir::ExternFuncNode => call::extern_func),
        row!(ir::SeqExprNode => region::seq_expr),
        row!(ir::BindingBlockNode => region::binding_block),
        row!(ir::DataflowBlockNode => region::dataflow_block),
        row!(ir::VarBindingNode => binding::var_binding),
        row!(ir::MatchCastNode => binding::match_cast),
        row!(ir::IfNode => binding::if_alone),
        row!(ir::CallNode => call::call),
        object_row!(ir::VarNode => constant::var),
        object_row!(ir::DataflowVarNode => constant::var),
        object_row!(ir::ConstantNode => constant::constant),
        row!(ir::PrimValueNode => constant::prim_value),
        row!(ir::StringImmNode => constant::string_imm),
        row!(ir::DataTypeImmNode => constant::data_type_imm),
        row!(ir::TupleNode => constant::tuple),
        row!(ir::TupleGetItemNode => constant::tuple_get_item),
        row!(ir::ShapeExprNode => struct_info::shape_expr),
        row!(ir::ObjectStructInfoNode => struct_info::object),
        row!(ir::PrimStructInfoNode => struct_info::prim),
        row!(ir::ShapeStructInfoNode => struct_info::shape),
        row!(ir::TensorStructInfoNode => struct_info::tensor),
        row!(ir::TupleStructInfoNode => struct_info::tuple),
        row!(ir::FuncStructInfoNode => struct_info::func),
        row!(ir::DynTensorTypeNode => types::tensor),
        row!(ir::ShapeTypeNode => types::shape),
        row!(ir::ObjectTypeNode => types::object),
        row!(ir::PackedFuncTypeNode => types::packed_func),
        row!(dist::DTensorStructInfoNode => distributed::dtensor),
        row!(dist::PlacementNode => distributed::placement),
        object_row!(dist::DeviceMeshNode => distributed::device_mesh),
    ]
}

fn scalar_rows() -> Vec<Row> {
    vec![
        row!(ir::IntImmNode => scalar::int_imm),
        row!(ir::FloatImmNode => scalar::float_imm),
        object_row!(tir::VarNode => tir_vars::var),
        object_row!(tir::SizeVarNode => tir_vars::var),
        row!(tir::NotNode => scalar::not),
        object_row!(tir::AddNode => scalar::binary),
        object_row!(tir::SubNode => scalar::binary),
        object_row!(tir::MulNode => scalar::binary),
        object_row!(tir::DivNode => scalar::binary),
        object_row!(tir::ModNode => scalar::binary),
        object_row!(tir::FloorDivNode => scalar::binary),
        object_row!(tir::FloorModNode => scalar::binary),
        object_row!(tir::MinNode => scalar::binary),
        object_row!(tir::MaxNode => scalar::binary),
        object_row!(tir::EQNode => scalar::binary),
        object_row!(tir::NENode => scalar::binary),
        object_row!(tir::LTNode => scalar::binary),
        object_row!(tir::LENode => scalar::binary),
        object_row!(tir::GTNode => scalar::binary),
        object_row!(tir::GENode => scalar::binary),
        object_row!(tir::AndNode => scalar::binary),
        object_row!(tir::OrNode => scalar::binary),
    ]
}

fn expr_rows() -> Vec<Row> {
    vec![
        object_row!(tir::StringImmNode => tir_expr::string_imm),
        row!(tir::CastNode => tir_expr::cast),
        row!(tir::SelectNode => tir_expr::select),
        row!(tir::RampNode => tir_expr::ramp),
        row!(tir::BroadcastNode => tir_expr::broadcast),
        row!(tir::ShuffleNode => tir_expr::shuffle),
        row!(tir::LetNode => tir_expr::let_expr),
        row!(tir::CallNode => tir_call::call),
        row!(tir::IterVarNode => tir_expr::iter_var),
        row!(tir::ReduceNode => tir_expr::reduce),
        object_row!(tir::CommReducerNode => tir_expr::comm_reducer),
        object_row!(tir::IndexMapNode => tir_expr::index_map),
        object_row!(tir::PredicateNode => tir_expr::predicate),
        object_row!(tir::BufferNode => buffer::buffer),
        row!(tir::BufferRegionNode => buffer::region),
        row!(tir::BufferLoadNode => buffer::load),
        row!(tir::ProducerLoadNode => buffer::producer_load),
        row!(tir::AxisNode => layout::axis),
        row!(tir::IterNode => layout::iter),
        row!(tir::TileLayoutNode => layout::tile),
        row!(tir::SwizzleLayoutNode => layout::swizzle),
        row!(tir::ComposeLayoutNode => layout::compose),
        row!(tir::ExecScopeNode => exec::exec_scope),
        row!(tir::ScopeIdDefNode => exec::scope_id_def),
    ]
}

fn stmt_rows() -> Vec<Row> {
    vec![
        object_row!(tir::PrimFuncNode => prim_func::prim_func),
        row!(tir::BufferStoreNode => buffer::store),
        row!(tir::MatchBufferRegionNode => buffer::match_buffer_region),
        row!(tir::BindNode => stmt::bind),
        object_row!(tir::AttrStmtNode => attr_stmt::attr_stmt),
        row!(tir::AssertStmtNode => stmt::assert),
        row!(tir::EvaluateNode => stmt::evaluate),
        object_row!(tir::SeqStmtNode => stmt::seq_stmt),
        row!(tir::IfThenElseNode => stmt::if_then_else),
        object_row!(tir::ForNode => loops::for_loop),
        object_row!(tir::WhileNode => stmt::while_loop),
        row!(tir::BreakNode => stmt::break_loop),
        row!(tir::ContinueNode => stmt::continue_loop),
        row!(tir::AllocBufferNode => stmt::alloc_buffer),
        row!(tir::DeclBufferNode => decl_buffer::decl_buffer),
        row!(tir::SBlockRealizeNode => block::realize),
        object_row!(tir::SBlockNode => block::block_alone),
        row!(tir::ScopeIdDefStmtNode => exec::scope_id_def_stmt),
        object_row!(tir::TilePrimitiveCallNode => exec::tile_primitive),
    ]
}

/// The function that prints objects of the type `info`. `None` for types without syntax, and for types of a schema.
pub(crate) fn print_fn(info: &'static TypeInfo) -> Option<PrintFn> {
    static TABLE: OnceLock<FxHashMap<usize, PrintFn>> = OnceLock::new();
    let table = TABLE.get_or_init(|| rows().into_iter().map(|(info, print)| (address(info), print)).collect());
    table.get(&address(info)).copied()
}

fn address(info: &'static TypeInfo) -> usize {
    std::ptr::from_ref(info) as usize
}

#[cfg(test)]
mod tests {
    use object_core::registry::types;

    use super::print_fn;

    /// The types of Relax and TIR without form, with the reason. Objects of a base itself have no meaning. A name that ends with a dot is a namespace.
    const WITHOUT_FORM: &[(&str, &str)] = &[
        ("ir.ArgumentInfo", "part of an operator"),
        ("ir.Attrs", "a base"),
        ("ir.BaseExpr", "a base"),
        ("ir.BaseFunc", "a base"),
        ("ir.EnvFunc", "TVM has no form"),
        ("ir.PrimExpr", "a base"),
        ("ir.RelaxExpr", "a base"),
        ("ir.Source", "TVM has no form"),
        ("ir.SourceMap", "TVM has no form"),
        ("ir.SourceName", "TVM has no form"),
        ("ir.Span", "TVM has no form"),
        ("ir.StructInfo", "a base"),
        ("ir.Type", "a base"),
        ("ir.SequentialSpan", "TVM has no form"),
        ("relax.Id", "part of a variable"),
        ("relax.TEPlaceholderOp", "TVM has no form"),
        ("relax.attrs.", "parts of calls"),
        ("relax.expr.Binding", "a base"),
        ("relax.distributed.PlacementSpec", "part of a placement"),
        ("tirx.CopyPipeline", "TVM has no form"),
        ("tirx.Pipeline", "TVM has no form"),
        ("tirx.Stmt", "a base"),
    ];

    #[test]
    fn every_type_has_a_form_or_a_reason() {
        let mut wrong = Vec::new();
        let mut count = 0;
        for info in types().expect("every type key is registered once") {
            let key = info.type_key();
            if !["ir.", "relax.", "tirx."].iter().any(|prefix| key.starts_with(prefix)) || info.is_abstract() {
                continue;
            }
            count += 1;
            let reason =
                WITHOUT_FORM.iter().find(|(name, _)| key == *name || (name.ends_with('.') && key.starts_with(name)));
            if print_fn(info).is_some() == reason.is_some() {
                wrong.push(key);
            }
        }
        assert!(count > 100, "there are only {count} types");
        assert!(wrong.is_empty(), "neither a row nor a reason, or both: {wrong:?}");
    }
}
