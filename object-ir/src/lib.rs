//! The IR of a whole compiler as annotated structs: TVM 0.25's modules, Relax, and the loop programs below it.
//!
//! Every node type carries its type key, field names, field order and flags from TVM, so that JSON written by one is
//! read by the other and structural equality gives the same verdicts. Where a Rust field type is narrower than TVM's,
//! and which types are left out, stands in `data/schema_exceptions.txt`.
//!
//! Handles are named by the last segment of the type key (`relax.expr.Call` is [`Call`]) and their data is `CallNode`.
//! The types of [`ir`] are also here at the root; [`tir`] has names of its own that would clash, such as
//! [`tir::Var`] and [`tir::Call`].
//!
//! In reading order: [`ir`] the nodes of modules and functions; [`attrs`] what goes with operator calls; [`op`] the
//! table of operators; [`tir`] loop programs; [`te`] tensor expressions; [`target`] what to compile for;
//! [`distributed`] tensors on several devices; [`arith`] what is known about integer expressions; [`s_tir`] data of
//! the scheduler; [`visit`] a visitor with a method for each node of Relax.

#![forbid(unsafe_code)]

pub mod ir;
pub mod attrs;
pub mod op;
pub mod tir;
pub mod te;
pub mod target;
pub mod distributed;
pub mod arith;
pub mod s_tir;
pub mod visit;

mod table;

pub use ir::{
    ArgumentInfo, ArgumentInfoNode, Attrs, AttrsNode, BaseExpr, BaseExprNode, BaseFunc, BaseFuncNode, Binding,
    BindingBlock, BindingBlockNode, BindingNode, Call, CallNode, Constant, ConstantNode, DataTypeImm, DataTypeImmNode,
    DataflowBlock, DataflowBlockNode, DataflowVar, DataflowVarNode, DictAttrs, DictAttrsNode, DummyGlobalInfo,
    DummyGlobalInfoNode, DynTensorType, DynTensorTypeNode, EnvFunc, EnvFuncNode, ExternFunc, ExternFuncNode, FloatImm,
    FloatImmNode, FuncStructInfo, FuncStructInfoNode, FuncType, FuncTypeNode, Function, FunctionNode, GlobalInfo,
    GlobalInfoNode, GlobalVar, GlobalVarNode, IRModule, IRModuleNode, Id, IdNode, If, IfNode, IntImm, IntImmNode,
    LeafExpr, LeafExprNode, MatchCast, MatchCastNode, ObjectStructInfo, ObjectStructInfoNode, ObjectType,
    ObjectTypeNode, Op, OpNode, PackedFuncType, PackedFuncTypeNode, PointerType, PointerTypeNode, PrimExpr,
    PrimExprConvertible, PrimExprConvertibleNode, PrimExprNode, PrimStructInfo, PrimStructInfoNode, PrimType,
    PrimTypeNode, PrimValue, PrimValueNode, Range, RangeNode, RelaxExpr, RelaxExprNode, SeqExpr, SeqExprNode,
    SequentialSpan, SequentialSpanNode, ShapeExpr, ShapeExprNode, ShapeStructInfo, ShapeStructInfoNode, ShapeType,
    ShapeTypeNode, Source, SourceMap, SourceMapNode, SourceName, SourceNameNode, SourceNode, Span, SpanNode, StringImm,
    StringImmNode, StructInfo, StructInfoNode, TensorMapType, TensorMapTypeNode, TensorStructInfo,
    TensorStructInfoNode, Tuple, TupleGetItem, TupleGetItemNode, TupleNode, TupleStructInfo, TupleStructInfoNode,
    TupleType, TupleTypeNode, Type, TypeNode, VDevice, VDeviceNode, Var, VarBinding, VarBindingNode, VarNode,
};
