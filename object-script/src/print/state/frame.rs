//! [`Frame`]: a region of the text that holds statements and the names that they define.

use object_core::ObjectRef;
use rustc_hash::FxHashSet;

use crate::print::doc::tree::{Doc, Text};

/// The language of the text at a place. Some nodes print differently in each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    Ir,
    Tir,
    Relax,
}

/// The kind of region that a frame is.
#[derive(Debug)]
pub(crate) enum FrameKind {
    /// A module, or text that belongs to no function.
    Ir,
    /// A function, a branch or a sequence of Relax.
    Relax(RelaxFrame),
    /// A statement or a function of TIR.
    Tir {
        /// The printed object, whose uses of variables the frame can declare; none around a single expression.
        object: Option<ObjectRef>,
        /// Whether the statement that comes next is the last one of the region.
        is_last: bool,
    },
}

/// A region of Relax.
#[derive(Debug, Default)]
pub(crate) struct RelaxFrame {
    pub(crate) is_function: bool,
    pub(crate) has_module_alias: bool,
    /// While the text is in the signature of a function: the addresses of the variables defined there.
    pub(crate) signature_vars: Option<FxHashSet<usize>>,
}

/// A region of the text.
#[derive(Debug)]
pub(crate) struct Frame {
    pub(crate) kind: FrameKind,
    pub(crate) statements: Vec<Doc>,
    /// The addresses of the objects whose names end with the frame.
    pub(crate) defined: Vec<usize>,
    /// Whether the frame began a dialect.
    pub(crate) has_dialect: bool,
}

/// How the text refers to an object that it has defined.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Reference {
    /// By name.
    Name(Text),
    /// As a function of the module.
    ModuleMember(Text),
    /// As a part of the buffer with this address: `A.data`, or `A.buffer.data` of a scalar.
    BufferPart { buffer: usize, is_scalar: bool, part: BufferPart },
}

/// The part of a buffer that defines a variable.
#[derive(Clone, Copy, Debug)]
pub(crate) enum BufferPart {
    Data,
    Stride(usize),
    ElemOffset,
}
