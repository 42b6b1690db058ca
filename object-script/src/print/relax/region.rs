//! Sequences and blocks of bindings (TVM 0.25 src/relax/script/printer/region.cc), and statements in the place of
//! expressions.

use crate::print::doc::tree::{Doc, Node};
use crate::print::state::frame::{Dialect, FrameKind, RelaxFrame};
use crate::print::state::printer::Printer;
use object_core::print::Path;
use object_core::{AsAnyView, ObjectHandle};
use object_ir::ir::{
    Binding, BindingBlockNode, CallNode, DataflowBlockNode, DataflowVarNode, FunctionNode, SeqExprNode, VarBindingNode,
};

/// The statements of a sequence, and its result.
pub(crate) fn sequence(p: &mut Printer<'_>, seq: &SeqExprNode, path: Path) -> (Vec<Doc>, Doc) {
    let (result, mut statements) = p.in_frame(FrameKind::Relax(RelaxFrame::default()), None, |p| {
        blocks(p, seq, path);
        let result = p.field(path, "body", &seq.body);
        // The statements that the result needs come after the bindings.
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
pub(crate) fn seq_expr(p: &mut Printer<'_>, seq: &SeqExprNode, path: Path) -> Doc {
    let (mut statements, result) = sequence(p, seq, path);
    statements.push(p.tree.add(Node::Expr(result)));
    p.block(&statements)
}

/// Ends the text if the memory does not suffice for the annotations of the bindings of a block.
fn announce_annotations(p: &mut Printer<'_>, block: &BindingBlockNode) {
    // Otherwise, the text leaves out annotations.
    if p.options.show_all_struct_info {
        let always_annotated = |binding: &&Binding| {
            let value =
                binding.as_object().view().node::<VarBindingNode>().map(|binding| binding.value.as_object().view());
            value.is_some_and(|value| value.node::<CallNode>().is_none() && value.node::<FunctionNode>().is_none())
        };
        let bindings = block.bindings.as_slice().iter().filter(always_annotated);
        p.account.announce(bindings.filter_map(|binding| binding.var.struct_info.as_ref()));
    }
}

/// The statements of a block, and the names of its variables that are visible after it.
fn bindings(p: &mut Printer<'_>, block: &BindingBlockNode, path: Path, is_dataflow: bool) -> (Vec<Doc>, Vec<Doc>) {
    let path = p.paths.field(path, "bindings");
    announce_annotations(p, block);
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
pub(crate) fn binding_block(p: &mut Printer<'_>, block: &BindingBlockNode, path: Path) -> Doc {
    let (statements, _) = bindings(p, block, path, false);
    p.block(&statements)
}

/// A block without side effects.
pub(crate) fn dataflow_block(p: &mut Printer<'_>, block: &DataflowBlockNode, path: Path) -> Doc {
    let (mut statements, outputs) = bindings(p, &block.base, path, true);
    let output = p.dialect_call(Dialect::Relax, "output", &outputs, &[]);
    statements.push(p.tree.add(Node::Expr(output)));
    let body = p.tree.list(&statements);
    let context = p.dialect_call(Dialect::Relax, "dataflow", &[], &[]);
    p.tree.add(Node::With { context, target: None, body })
}
