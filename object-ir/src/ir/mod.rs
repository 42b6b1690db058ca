//! The nodes of a module and of Relax, a file per family, simplest first.

pub mod span;
pub mod source;
pub mod expr;
pub mod ty;
pub mod struct_info;
pub mod env_func;
pub mod attrs;
pub mod op;
pub mod var;
pub mod constant;
pub mod tuple;
pub mod shape;
pub mod call;
pub mod if_;
pub mod seq;
pub mod binding;
pub mod function;
pub mod global_info;
pub mod module;

pub use self::attrs::{Attrs, AttrsNode, DictAttrs, DictAttrsNode};
pub use self::binding::{Binding, BindingNode, MatchCast, MatchCastNode, VarBinding, VarBindingNode};
pub use self::call::{Call, CallNode};
pub use self::constant::{
    Constant, ConstantNode, DataTypeImm, DataTypeImmNode, PrimValue, PrimValueNode, StringImm, StringImmNode,
};
pub use self::env_func::{EnvFunc, EnvFuncNode};
pub use self::expr::{
    BaseExpr, BaseExprNode, FloatImm, FloatImmNode, IntImm, IntImmNode, LeafExpr, LeafExprNode, PrimExpr,
    PrimExprConvertible, PrimExprConvertibleNode, PrimExprNode, Range, RangeNode, RelaxExpr, RelaxExprNode,
};
pub use self::function::{BaseFunc, BaseFuncNode, ExternFunc, ExternFuncNode, Function, FunctionNode};
pub use self::global_info::{DummyGlobalInfo, DummyGlobalInfoNode, GlobalInfo, GlobalInfoNode, VDevice, VDeviceNode};
pub use self::if_::{If, IfNode};
pub use self::module::{IRModule, IRModuleNode};
pub use self::op::{ArgumentInfo, ArgumentInfoNode, Op, OpNode};
pub use self::seq::{BindingBlock, BindingBlockNode, DataflowBlock, DataflowBlockNode, SeqExpr, SeqExprNode};
pub use self::shape::{ShapeExpr, ShapeExprNode};
pub use self::source::{Source, SourceMap, SourceMapNode, SourceNode};
pub use self::span::{SequentialSpan, SequentialSpanNode, SourceName, SourceNameNode, Span, SpanNode};
pub use self::struct_info::{
    FuncStructInfo, FuncStructInfoNode, ObjectStructInfo, ObjectStructInfoNode, PrimStructInfo, PrimStructInfoNode,
    ShapeStructInfo, ShapeStructInfoNode, StructInfo, StructInfoNode, TensorStructInfo, TensorStructInfoNode,
    TupleStructInfo, TupleStructInfoNode,
};
pub use self::tuple::{Tuple, TupleGetItem, TupleGetItemNode, TupleNode};
pub use self::ty::{
    DynTensorType, DynTensorTypeNode, FuncType, FuncTypeNode, ObjectType, ObjectTypeNode, PackedFuncType,
    PackedFuncTypeNode, PointerType, PointerTypeNode, PrimType, PrimTypeNode, ShapeType, ShapeTypeNode, TensorMapType,
    TensorMapTypeNode, TupleType, TupleTypeNode, Type, TypeNode,
};
pub use self::var::{DataflowVar, DataflowVarNode, GlobalVar, GlobalVarNode, Id, IdNode, Var, VarNode};
