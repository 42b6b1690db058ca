//! Statements of TIR (TVM 0.25 src/tirx/script/printer/stmt.cc and utils.h).

use object_core::{AsAnyView, ObjectHandle, ObjectView};
use object_ir::ir::{OpNode, PrimExpr, TupleTypeNode};
use object_ir::tir::{
    AllocBufferNode, AssertStmtNode, BindNode, BreakNode, Buffer, BufferLoadNode, BufferStoreNode, CallNode,
    ContinueNode, EvaluateNode, IfThenElseNode, SeqStmtNode, Stmt, WhileNode,
};

use crate::print::doc::tree::{Doc, Node};
use crate::print::state::frame::{BufferPart, Dialect, FrameKind, Reference};
use crate::print::state::printer::Printer;
use crate::print::state::walk::any_object;
use crate::print::tir::buffer::define_buffer;
use crate::print::tir::buffer_attrs::{VarDefinitions, declaration};
use crate::print::tir::buffer_facts::is_scalar;
use crate::print::tir::expr::is_int;
use crate::print::tir::vars::define_var;
use object_core::print::Path;

/// Prints the statements of `stmt` into the innermost frame.
pub(crate) fn body(p: &mut Printer<'_>, stmt: &Stmt, path: Path) {
    let seq = stmt.as_object().view().node::<SeqStmtNode>();
    set_last(p, seq.is_none());
    let Some(seq) = seq else {
        let doc = p.any(stmt.as_any_view(), path);
        return p.push(doc);
    };
    statements(p, seq.seq.as_slice(), path);
}

/// Prints consecutive statements, which are the field `seq` of the object at `path`.
fn statements(p: &mut Printer<'_>, seq: &[Stmt], path: Path) {
    let seq_path = p.paths.field(path, "seq");
    let mut index = 0;
    while let Some(stmt) = seq.get(index) {
        let item_path = p.paths.item(seq_path, index);
        let next = seq.get(index + 1);
        let doc = match next.and_then(|next| scalar_with_value(p, stmt, next)) {
            Some(value) => {
                let declaration = p.any(stmt.as_any_view(), item_path);
                let value_path = p.paths.item(seq_path, index + 1);
                let value = p.field(value_path, "value", &value);
                index += 1;
                match *p.tree.node(declaration) {
                    Node::Assign { target, annotation, value: None } => p.assign(target, annotation, Some(value)),
                    _ => declaration,
                }
            }
            None => p.any(stmt.as_any_view(), item_path),
        };
        p.tree.mark(doc, path);
        p.push(doc);
        index += 1;
    }
    set_last(p, true);
}

/// Says whether the statement that comes next is the last one of its region.
fn set_last(p: &mut Printer<'_>, value: bool) {
    if let Some(FrameKind::Tir { is_last, .. }) = p.frames.last_mut().map(|frame| &mut frame.kind) {
        *is_last = value;
    }
}

/// The first value of a scalar, if `stmt` allocates the scalar and `next` stores a value in it that does not use it.
fn scalar_with_value(p: &Printer<'_>, stmt: &Stmt, next: &Stmt) -> Option<PrimExpr> {
    let alloc = stmt.as_object().view().node::<AllocBufferNode>()?;
    let store = next.as_object().view().node::<BufferStoreNode>()?;
    let is_same = |buffer: &Buffer| buffer.as_object().ptr_eq(alloc.buffer.as_object());
    let uses_itself = |object: ObjectView<'_>| {
        any_object(object, |object| object.node::<BufferLoadNode>().is_some_and(|load| is_same(&load.buffer)))
    };
    let is_first = matches!(store.indices.as_slice(), [index] if is_int(index, 0));
    (p.options.syntax_sugar
        && is_scalar(&alloc.buffer, true)
        && is_same(&store.buffer)
        && store.predicate.is_none()
        && is_first
        && !uses_itself(store.value.as_object().view()))
    .then(|| store.value.clone())
}

/// The statements of a region of its own.
pub(crate) fn region(p: &mut Printer<'_>, stmt: &Stmt, path: Path) -> Vec<Doc> {
    let kind = Printer::tir_frame(Some(stmt.as_object().clone()));
    p.in_frame(kind, None, |p| body(p, stmt, path)).1
}

/// Consecutive statements alone.
pub(crate) fn seq_stmt(p: &mut Printer<'_>, object: ObjectView<'_>, path: Path) -> Doc {
    let statements = match object.to_handle::<Stmt>() {
        Some(stmt) => region(p, &stmt, path),
        None => Vec::new(),
    };
    p.block(&statements)
}

/// An expression for its effect. `tirx.ret` returns from the function.
pub(crate) fn evaluate(p: &mut Printer<'_>, evaluate: &EvaluateNode, path: Path) -> Doc {
    let call = evaluate.value.as_object().view().node::<CallNode>();
    if let Some(call) = call
        && p.options.syntax_sugar
        && call.op.as_object().view().node::<OpNode>().is_some_and(|op| &*op.name == "tirx.ret")
        && let [value] = call.args.as_slice()
    {
        let value_path = p.paths.field(path, "value");
        let args_path = p.paths.field(value_path, "args");
        let value_path = p.paths.item(args_path, 0);
        let value = p.expr(value, value_path);
        return p.tree.add(Node::Return(value));
    }
    let mut value = p.field(path, "value", &evaluate.value);
    if call.is_none() {
        value = p.dialect_call(Dialect::Tir, "evaluate", &[value], &[]);
    }
    p.tree.add(Node::Expr(value))
}

/// The definition of a variable.
pub(crate) fn bind(p: &mut Printer<'_>, bind: &BindNode, path: Path) -> Doc {
    let var_path = p.paths.field(path, "var");
    let ty = p.field(var_path, "type_annotation", &bind.var.type_annotation);
    let value = p.field(path, "value", &bind.value);
    if p.is_defined(bind.var.as_object().view()) {
        let target = p.expr(&bind.var, var_path);
        return p.assign(target, None, Some(value));
    }
    let frame = p.innermost();
    let target = define_var(p, &bind.var, frame);
    p.tree.mark(target, var_path);
    let is_void = bind
        .var
        .type_annotation
        .as_object()
        .view()
        .node::<TupleTypeNode>()
        .is_some_and(|tuple| tuple.fields.is_empty());
    let word = p.dialect_name(Dialect::Tir, "let");
    let annotation = if is_void { word } else { p.index(word, &[ty]) };
    p.assign(target, Some(annotation), Some(value))
}

/// A check at run time.
pub(crate) fn assert(p: &mut Printer<'_>, stmt: &AssertStmtNode, path: Path) -> Doc {
    let condition = p.field(path, "condition", &stmt.condition);
    let parts_path = p.paths.field(path, "message_parts");
    let parts = p.items(stmt.message_parts.as_slice(), parts_path);
    let kind = p.field(path, "error_kind", &stmt.error_kind);
    let parts = p.list(&parts);
    let message = p.tuple(&[kind, parts]);
    p.tree.add(Node::Assert { condition, message })
}

/// A loop with a condition.
pub(crate) fn while_loop(p: &mut Printer<'_>, object: ObjectView<'_>, path: Path) -> Doc {
    let Some(stmt) = object.node::<WhileNode>() else { return p.metadata_item(object_core::AnyView::Object(object)) };
    let condition = p.field(path, "condition", &stmt.condition);
    let body_path = p.paths.field(path, "body");
    let kind = Printer::tir_frame(Some(object.to_object()));
    let ((), statements) = p.in_frame(kind, None, |p| body(p, &stmt.body, body_path));
    let body = p.tree.list(&statements);
    p.tree.add(Node::While { condition, body })
}

/// The end of a loop.
pub(crate) fn break_loop(p: &mut Printer<'_>, _: &BreakNode, _: Path) -> Doc {
    jump(p, "break", "Break")
}

/// The end of an iteration.
pub(crate) fn continue_loop(p: &mut Printer<'_>, _: &ContinueNode, _: Path) -> Doc {
    jump(p, "continue", "Continue")
}

/// A jump. TVM's parser reads the keyword as a call; the function `T.Break` makes the statement.
fn jump(p: &mut Printer<'_>, keyword: &'static str, function: &'static str) -> Doc {
    if !p.options.exact {
        return p.tree.add(Node::Keyword(keyword));
    }
    let call = p.dialect_call(Dialect::Tir, function, &[], &[]);
    p.tree.add(Node::Expr(call))
}

/// A branch.
pub(crate) fn if_then_else(p: &mut Printer<'_>, stmt: &IfThenElseNode, path: Path) -> Doc {
    let condition = p.field(path, "condition", &stmt.condition);
    let then_path = p.paths.field(path, "then_case");
    let then = region(p, &stmt.then_case, then_path);
    let otherwise_path = p.paths.field(path, "else_case");
    let otherwise = stmt.else_case.as_ref().map(|stmt| region(p, stmt, otherwise_path)).unwrap_or_default();
    let (then, otherwise) = (p.tree.list(&then), p.tree.list(&otherwise));
    p.tree.add(Node::If { condition, then, otherwise })
}

/// The allocation of a buffer. A scalar prints as the declaration of a variable.
pub(crate) fn alloc_buffer(p: &mut Printer<'_>, stmt: &AllocBufferNode, path: Path) -> Doc {
    let frame = p.innermost();
    let buffer_path = p.paths.field(path, "buffer");
    if p.options.syntax_sugar && is_scalar(&stmt.buffer, true) {
        let target = define_buffer(p, &stmt.buffer, frame);
        refer_to_data(p, &stmt.buffer, frame);
        let name = p.dtype_name(stmt.buffer.dtype);
        let annotation = p.dialect_name(Dialect::Tir, name);
        return p.assign(target, Some(annotation), None);
    }
    let mut value = declaration(p, &stmt.buffer, "alloc_buffer", &[], buffer_path, frame, VarDefinitions::Data);
    if !stmt.annotations.is_empty()
        && let Node::Call { callee, args, keywords } = *p.tree.node(value)
    {
        let annotations = p.field(path, "annotations", &stmt.annotations);
        let mut keywords = p.tree.keywords(keywords).to_vec();
        keywords.push(("annotations".into(), annotations));
        let keywords = p.tree.keyword_list(&keywords);
        value = p.tree.add(Node::Call { callee, args, keywords });
    }
    let target = define_buffer(p, &stmt.buffer, frame);
    p.assign(target, None, Some(value))
}

/// Lets a buffer define the variable of its address, if the text has not defined the variable.
pub(crate) fn refer_to_data(p: &mut Printer<'_>, buffer: &Buffer, frame: usize) {
    let data = buffer.data.as_object().view();
    if !p.is_defined(data) {
        let address = buffer.as_object().view().address();
        let part = BufferPart::Data;
        p.refer(data, frame, Reference::BufferPart { buffer: address, is_scalar: is_scalar(buffer, true), part });
    }
}
