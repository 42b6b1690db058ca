//! Statements in the place of expressions.

use object_core::ObjectView;
use object_ir::ir::{FunctionNode, IfNode, RelaxExpr, SeqExprNode};

use crate::print::doc::tree::Doc;
use crate::print::relax::binding::{annotation_of, if_statement, local_function};
use crate::print::state::printer::Printer;
use object_core::print::Path;

/// Prints a branch, a sequence or a function in the place of an expression, which TVM cannot print: its statements come
/// before the statement at hand, and the expression is the name that they define, or the result of the sequence. `None`
/// for other values.
pub(crate) fn spilled_expr(p: &mut Printer<'_>, object: ObjectView<'_>, path: Path) -> Option<Doc> {
    if let Some(branch) = object.node::<IfNode>() {
        if let Some(name) = p.reference(object) {
            return Some(name);
        }
        let value = object.as_handle::<RelaxExpr>()?;
        let annotation = annotation_of(p, value, path);
        let target = p.define(object, p.innermost(), "v");
        let statement = p.nested(|p| if_statement(p, branch, path, Some((target, annotation))))?;
        p.tree.mark(statement, path);
        p.spill(statement);
        return p.reference(object);
    }
    if let Some(seq) = object.node::<SeqExprNode>() {
        return p.nested(|p| {
            let blocks_path = p.paths.field(path, "blocks");
            for (index, block) in seq.blocks.as_slice().iter().enumerate() {
                let block_path = p.paths.item(blocks_path, index);
                let doc = p.any(object_core::AsAnyView::as_any_view(block), block_path);
                p.spill(doc);
            }
            p.field(path, "body", &seq.body)
        });
    }
    if object.node::<FunctionNode>().is_some() {
        if let Some(name) = p.reference(object) {
            return Some(name);
        }
        let name = p.define(object, p.innermost(), "f");
        let spilled = std::mem::take(&mut p.spilled);
        let statement = local_function(p, name, object.as_handle::<RelaxExpr>()?, path);
        p.spilled = spilled;
        p.spill(statement);
        return p.reference(object);
    }
    None
}
