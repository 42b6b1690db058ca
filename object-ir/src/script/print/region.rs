//! Sequences and blocks of bindings (TVM 0.25 src/relax/script/printer/region.cc), and statements in the place of
//! expressions.

use object_core::{AnyView, AsAnyView, ObjectHandle};

use super::binding::{annotation_of, if_statement, local_function};
use super::doc::{Doc, Node};
use super::frame::{Dialect, FrameKind, RelaxFrame};
use super::path::Path;
use super::printer::Printer;
use crate::ir::{BindingBlockNode, DataflowBlockNode, DataflowVarNode, FunctionNode, IfNode, RelaxExpr, SeqExprNode};

/// The statements of a sequence, and its result.
pub(super) fn sequence(p: &mut Printer<'_>, seq: &SeqExprNode, path: Path) -> (Vec<Doc>, Doc) {
    let (result, mut statements) = p.in_frame(FrameKind::Relax(RelaxFrame::default()), None, |p| {
        blocks(p, seq, path);
        let result = p.field(path, "body", &seq.body);
        // What the result needs comes after the bindings.
        let nothing = p.block(&[]);
        p.push(nothing);
        result
    });
    // A result that prints as a sequence would be lost in an assignment.
    statements.shrink_to_fit();
    (statements, result)
}

/// Adds the statements of all blocks to the innermost frame.
fn blocks(p: &mut Printer<'_>, seq: &SeqExprNode, path: Path) {
    let blocks_path = p.paths.field(path, "blocks");
    for (index, block) in seq.blocks.as_slice().iter().enumerate() {
        let block_path = p.paths.item(blocks_path, index);
        let doc = p.any(block.as_any_view(), block_path);
        p.push(doc);
    }
}

/// A sequence alone.
pub(super) fn seq_expr(p: &mut Printer<'_>, seq: &SeqExprNode, path: Path) -> Doc {
    let (mut statements, result) = sequence(p, seq, path);
    statements.push(p.tree.add(Node::Expr(result)));
    p.block(&statements)
}

/// The statements of a block, and the names of its variables that are visible after it.
fn bindings(p: &mut Printer<'_>, block: &BindingBlockNode, path: Path, is_dataflow: bool) -> (Vec<Doc>, Vec<Doc>) {
    let path = p.paths.field(path, "bindings");
    let (mut statements, mut outputs) = (Vec::new(), Vec::new());
    for (index, binding) in block.bindings.as_slice().iter().enumerate() {
        let binding_path = p.paths.item(path, index);
        let doc = p.any(binding.as_any_view(), binding_path);
        p.push_statement(&mut statements, doc);
        if is_dataflow && binding.var.as_object().view().node::<DataflowVarNode>().is_none() {
            outputs.push(p.field(binding_path, "var", &binding.var));
        }
    }
    (statements, outputs)
}

/// A block of bindings.
pub(super) fn binding_block(p: &mut Printer<'_>, block: &BindingBlockNode, path: Path) -> Doc {
    let (statements, _) = bindings(p, block, path, false);
    p.block(&statements)
}

/// A block without side effects.
pub(super) fn dataflow_block(p: &mut Printer<'_>, block: &DataflowBlockNode, path: Path) -> Doc {
    let (mut statements, outputs) = bindings(p, &block.base, path, true);
    let output = p.dialect_call(Dialect::Relax, "output", &outputs, &[]);
    statements.push(p.tree.add(Node::Expr(output)));
    let body = p.tree.list(&statements);
    let context = p.dialect_call(Dialect::Relax, "dataflow", &[], &[]);
    p.tree.add(Node::With { context, target: None, body })
}

/// Prints a branch, a sequence or a function in the place of an expression, which TVM cannot print: its statements come
/// before the statement at hand, and the expression is the name that they define, or the result of the sequence. `None`
/// for other values.
pub(super) fn spilled_expr(p: &mut Printer<'_>, value: AnyView<'_>, path: Path) -> Option<Doc> {
    let object = value.as_object()?;
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
                let doc = p.any(block.as_any_view(), block_path);
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
