//! Calls of TIR (TVM 0.25 src/tirx/script/printer/expr.cc).

use object_core::{DataType, ObjectHandle};
use object_ir::ir::OpNode;
use object_ir::tir::{CallNode, StringImmNode, large_uint_value};

use crate::intrinsics::{self, DtypePlace, printed_name};
use crate::llvm_intrinsics;
use crate::print::doc::operator::Operator;
use crate::print::doc::tree::{Doc, Node, Text};
use crate::print::state::frame::Dialect;
use crate::print::state::printer::Printer;
use object_core::print::Path;

/// Prints a call.
pub(crate) fn call(p: &mut Printer<'_>, call: &CallNode, path: Path) -> Doc {
    let op = call.op.as_object().view().node::<OpNode>();
    let args_path = p.paths.field(path, "args");
    if let Some(attrs) = &call.attrs {
        let args = p.items(call.args.as_slice(), args_path);
        let op = match op {
            Some(op) => p.string_field(path, "op", &op.name),
            None => p.field(path, "op", &call.op),
        };
        let args = [p.dtype_field(path, "dtype", call.dtype), op, p.list(&args)];
        let attrs = p.field(path, "attrs", attrs);
        return p.dialect_call(Dialect::Tir, "Call", &args, &[("attrs".into(), attrs)]);
    }
    let Some(op) = op else {
        let callee = p.field(path, "op", &call.op);
        let args = p.items(call.args.as_slice(), args_path);
        return p.call(callee, &args, &[]);
    };
    if let Some(value) = large_uint_value(call).filter(|_| p.words.has_large_integers) {
        let text = p.tree.store(&value.to_string());
        let literal = p.tree.add(Node::Literal(text));
        p.tree.mark(literal, path);
        return p.dialect_call(Dialect::Tir, "uint64", &[literal], &[]);
    }
    if let Some(operator) = bit_operator(p, call, &op.name) {
        let operands = p.items(call.args.as_slice(), args_path);
        return p.operation(operator, &operands);
    }
    let name = p.tree.store(printed_name(&op.name));
    let callee = p.dialect_name(Dialect::Tir, name);
    if matches!(&*op.name, "tirx.cuda_func_call" | "tirx.cuda.func_call")
        && let Some(doc) = source_call(p, call, callee, path)
    {
        return doc;
    }
    let place = intrinsics::dtype_place(&op.name);
    let dtype = (place != DtypePlace::Nowhere).then(|| result_type(p, call, path));
    let mut args: Vec<Doc> = dtype.filter(|_| place == DtypePlace::First).into_iter().collect();
    let first = args.len();
    args.extend(p.items(call.args.as_slice(), args_path));
    if llvm_intrinsics::is_caller(&op.name)
        && let Some(name) = call.args.as_slice().first().and_then(llvm_intrinsics::name_of)
    {
        args[first] = p.string(&name);
        let path = p.paths.item(args_path, 0);
        p.tree.mark(args[first], path);
    }
    args.extend(dtype.filter(|_| place == DtypePlace::Last));
    p.call(callee, &args, &[])
}

/// The operator for the operation `name` on bits.
fn bit_operator(p: &Printer<'_>, call: &CallNode, name: &str) -> Option<Operator> {
    let operator = match name.strip_prefix("tirx.").filter(|_| p.words.has_bit_operators)? {
        "bitwise_and" => Operator::BitAnd,
        "bitwise_or" => Operator::BitOr,
        "bitwise_xor" => Operator::BitXor,
        "bitwise_not" => Operator::Invert,
        "shift_left" => Operator::ShiftLeft,
        "shift_right" => Operator::ShiftRight,
        _ => return None,
    };
    (call.args.len() == if operator == Operator::Invert { 1 } else { 2 }).then_some(operator)
}

/// The type of the result of a call, as an argument.
fn result_type(p: &mut Printer<'_>, call: &CallNode, path: Path) -> Doc {
    if !p.words.has_address_types || call.dtype != DataType::handle() {
        return p.dtype_field(path, "dtype", call.dtype);
    }
    let handle = p.dialect_call(Dialect::Tir, "handle", &[], &[]);
    let ty = p.member(handle, "ty");
    let path = p.paths.field(path, "dtype");
    p.tree.mark(ty, path);
    ty
}

/// A call of CUDA source text, which is the last argument and prints as a keyword, on one line.
fn source_call(p: &mut Printer<'_>, call: &CallNode, callee: Doc, path: Path) -> Option<Doc> {
    let (source, args) = call.args.as_slice().split_last()?;
    let source = source.as_object().view().node::<StringImmNode>()?;
    let args_path = p.paths.field(path, "args");
    let docs = p.items(args, args_path);
    let source_path = p.paths.item(args_path, args.len());
    let source = p.string_field(source_path, "value", &source.value);
    let mut keywords: Vec<(Text, Doc)> = vec![("source_code".into(), source)];
    if !call.dtype.is_void() {
        keywords.push(("return_type".into(), p.dtype_field(path, "dtype", call.dtype)));
    }
    Some(p.call(callee, &docs, &keywords))
}
