//! [`TirFrames`]: the state of the loop program at hand (TVM 0.25 src/tirx/script/builder/frame.h).

use object_core::value::Str;
use object_core::{Any, DataType, Map, ObjectHandle};
use object_ir::ir::{PrimExpr, Range};
use object_ir::tir::{Buffer, BufferRegion, ExecScope, IterVar, MatchBufferRegion, Stmt, Var};
use rustc_hash::FxHashMap;

/// The state of the loop program at hand.
#[derive(Debug, Default)]
pub(crate) struct TirFrames {
    /// The regions around the statement at hand, the innermost one last.
    pub(crate) regions: Vec<Region>,
    /// The variables of the loops around the statement at hand, with their ranges.
    pub(crate) loops: Vec<(Var, Range)>,
    /// The names that the statement at hand gives to its value. Functions that make variables and buffers take them.
    pub(crate) targets: Vec<String>,
    /// The context that the last call has made, for the `with` statement or the expression statement around it.
    pub(crate) context: Option<Context>,
    /// The loops that the last call has made, for the `for` statement around it.
    pub(crate) nest: Option<Nest>,
    /// The axes of `T.env_thread`, by the address of their variables.
    pub(crate) threads: FxHashMap<usize, IterVar>,
    /// The variables of the extents of parameters.
    pub(crate) matched: MatchedVars,
    /// Whether the function is in the language of the scheduler.
    pub(crate) is_s_tir: bool,
    /// Whether blocks have a root block around them.
    pub(crate) has_root: bool,
    /// Blocks without a block around them whose access regions are detected, by the address of the realization; the
    /// value has no detected regions.
    pub(crate) undetected: FxHashMap<usize, Stmt>,
}

/// The variables that extents of parameters in strings define: `A: T.Buffer(("n",), "float32")`.
#[derive(Debug, Default)]
pub(crate) struct MatchedVars {
    /// Whether the text at hand is a signature, where strings are extents.
    pub(crate) is_open: bool,
    /// The data types of the scalar parameters. A variable without one has the type `int32`.
    pub(crate) scalars: Vec<(String, DataType)>,
    pub(crate) vars: Vec<Var>,
}

impl MatchedVars {
    /// The variable with this name and data type.
    pub(crate) fn find(&self, name: &str, dtype: DataType) -> Option<&Var> {
        self.vars.iter().find(|var| &*var.name == name && var.dtype == dtype)
    }
}

/// A sequence of statements at hand.
#[derive(Debug)]
pub(crate) struct Region {
    pub(crate) kind: RegionKind,
    pub(crate) stmts: Vec<Stmt>,
    /// Contexts that hold until the end of the region, with the numbers of the statements before them.
    pub(crate) open: Vec<(usize, Context)>,
}

/// The kind of a region, with the facts that its statements state about it.
#[derive(Debug)]
pub(crate) enum RegionKind {
    Function(FunctionFacts),
    Block(Box<BlockFacts>),
    Other,
}

/// The facts about a function in its body.
#[derive(Debug, Default)]
pub(crate) struct FunctionFacts {
    pub(crate) params: Vec<Var>,
    pub(crate) buffers: Vec<(Var, Buffer)>,
    pub(crate) attrs: Vec<(String, Any)>,
    /// The buffers that the root block allocates.
    pub(crate) allocations: Vec<Buffer>,
}

/// The facts about a block in its body.
#[derive(Clone, Debug, Default)]
pub(crate) struct BlockFacts {
    pub(crate) name: Str,
    pub(crate) has_realize: bool,
    pub(crate) axes: Vec<(IterVar, PrimExpr)>,
    pub(crate) predicate: Option<PrimExpr>,
    pub(crate) reads: Option<Vec<BufferRegion>>,
    pub(crate) writes: Option<Vec<BufferRegion>>,
    pub(crate) annotations: Vec<(Str, Any)>,
    pub(crate) allocations: Vec<Buffer>,
    pub(crate) matches: Vec<MatchBufferRegion>,
    pub(crate) init: Option<Stmt>,
}

/// A context of `with`, which makes one statement of the statements inside.
#[derive(Clone, Debug)]
pub(crate) enum Context {
    /// A fact about an object.
    Attr { node: Any, key: Str, value: PrimExpr },
    /// Several contexts, the outermost first.
    Nested(Vec<Context>),
    /// A block.
    Block { name: Str, has_realize: bool },
    /// The initial statements of the block around.
    Init,
    /// A group of tile primitives.
    Group { workspace: Map<Str, Buffer>, config: Map<Str, Any>, dispatch: Option<Str>, scope: ExecScope },
}

/// Loops inside of each other.
#[derive(Clone, Debug)]
pub(crate) struct Nest {
    /// One of [`for_kind`](object_ir::tir::for_kind).
    pub(crate) kind: i64,
    /// The variables with the first values and the extents, the outermost first.
    pub(crate) loops: Vec<(Var, PrimExpr, PrimExpr)>,
    pub(crate) annotations: Map<Str, Any>,
    pub(crate) step: Option<PrimExpr>,
    pub(crate) thread: Option<Str>,
}

impl TirFrames {
    /// The name for the value `index` of the statement at hand; empty if the statement does not give one.
    pub(crate) fn target(&self, index: usize) -> &str {
        self.targets.get(index).map_or("", String::as_str)
    }

    /// Adds a statement to the innermost region.
    pub(crate) fn push(&mut self, stmt: impl Into<Stmt>) {
        if let Some(region) = self.regions.last_mut() {
            region.stmts.push(stmt.into());
        }
    }

    /// The innermost block around the statement at hand.
    pub(crate) fn block(&mut self) -> Option<&mut BlockFacts> {
        self.regions.iter_mut().rev().find_map(|region| match &mut region.kind {
            RegionKind::Block(block) => Some(&mut **block),
            _ => None,
        })
    }

    /// The function at hand.
    pub(crate) fn function(&mut self) -> Option<&mut FunctionFacts> {
        match &mut self.regions.first_mut()?.kind {
            RegionKind::Function(function) => Some(function),
            _ => None,
        }
    }

    /// The range of the loop over the variable.
    pub(crate) fn range_of(&self, var: &Var) -> Option<&Range> {
        self.loops.iter().find(|(known, _)| known.as_object().ptr_eq(var.as_object())).map(|(_, range)| range)
    }
}
