//! Loop programs over buffers: the language of `PrimFunc`, and of the scalars in shapes.

pub mod expr;
pub mod arith;
pub mod compare;
pub mod buffer;
pub mod reduce;
pub mod stmt;
pub mod block;
pub mod function;
pub mod layout;
pub mod exec;

pub use self::arith::{
    Add, AddNode, Div, DivNode, FloorDiv, FloorDivNode, FloorMod, FloorModNode, Max, MaxNode, Min, MinNode, Mod,
    ModNode, Mul, MulNode, Sub, SubNode,
};
pub use self::block::{SBlock, SBlockNode, SBlockRealize, SBlockRealizeNode};
pub use self::buffer::{
    Buffer, BufferLoad, BufferLoadNode, BufferNode, BufferRegion, BufferRegionNode, BufferStore, BufferStoreNode,
    DataProducer, DataProducerNode, MatchBufferRegion, MatchBufferRegionNode,
};
pub use self::compare::{
    And, AndNode, EQ, EQNode, GE, GENode, GT, GTNode, LE, LENode, LT, LTNode, NE, NENode, Not, NotNode, Or, OrNode,
};
pub use self::exec::{
    CopyPipeline, CopyPipelineNode, ExecScope, ExecScopeNode, Pipeline, PipelineNode, Predicate, PredicateNode,
    ScopeIdDef, ScopeIdDefNode, ScopeIdDefStmt, ScopeIdDefStmtNode, TilePrimitiveCall, TilePrimitiveCallNode,
};
pub use self::expr::{
    Broadcast, BroadcastNode, Call, CallNode, Cast, CastNode, Let, LetNode, Ramp, RampNode, Select, SelectNode,
    Shuffle, ShuffleNode, SizeVar, SizeVarNode, StringImm, StringImmNode, Var, VarNode,
};
pub use self::function::{IndexMap, IndexMapNode, PrimFunc, PrimFuncNode};
pub use self::layout::{
    Axis, AxisNode, ComposeLayout, ComposeLayoutNode, Iter, IterNode, Layout, LayoutNode, SwizzleLayout,
    SwizzleLayoutNode, TileLayout, TileLayoutNode,
};
pub use self::reduce::{
    CommReducer, CommReducerNode, IterVar, IterVarNode, ProducerLoad, ProducerLoadNode, Reduce, ReduceNode,
};
pub use self::stmt::{
    AllocBuffer, AllocBufferNode, AssertStmt, AssertStmtNode, AttrStmt, AttrStmtNode, Bind, BindNode, Break, BreakNode,
    Continue, ContinueNode, DeclBuffer, DeclBufferNode, Evaluate, EvaluateNode, For, ForNode, IfThenElse,
    IfThenElseNode, SeqStmt, SeqStmtNode, Stmt, StmtNode, While, WhileNode,
};
