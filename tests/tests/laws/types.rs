//! The annotated types of the law tests: every kind, flag, container, hook and nesting. `fixtures/peer_laws.py`
//! declares the same types.

#![allow(missing_docs, unreachable_pub, reason = "the types of a test explain themselves")]

use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "laws.Expr", base)]
#[structural_eq(tree)]
pub struct ExprNode {}

#[derive(Object)]
#[object(type_key = "laws.Imm", parent = ExprNode)]
#[structural_eq(tree)]
pub struct ImmNode {
    pub base: ExprNode,
    pub value: i64,
}

#[derive(Object)]
#[object(type_key = "laws.Add", parent = ExprNode)]
#[structural_eq(tree)]
pub struct AddNode {
    pub base: ExprNode,
    pub a: Expr,
    #[field(ignore)]
    pub note: Any,
    pub b: Expr,
}

/// One field for each kind of storage.
#[derive(Object)]
#[object(type_key = "laws.Fields", parent = ExprNode)]
#[structural_eq(tree)]
pub struct FieldsNode {
    pub base: ExprNode,
    pub int: i64,
    pub float: f64,
    pub truth: bool,
    pub dtype: DataType,
    pub text: Str,
    pub any: Any,
    pub option: Option<Expr>,
    #[field(ignore)]
    pub span: Option<Expr>,
}

#[derive(Object)]
#[object(type_key = "laws.Tuple", parent = ExprNode)]
#[structural_eq(tree)]
pub struct TupleNode {
    pub base: ExprNode,
    pub items: Array<Any>,
}

#[derive(Object)]
#[object(type_key = "laws.Box", parent = ExprNode)]
#[structural_eq(tree)]
pub struct BoxNode {
    pub base: ExprNode,
    pub any: Any,
}

/// An open type that also has direct objects, and a type that extends it.
#[derive(Object)]
#[object(type_key = "laws.Shaped", parent = ExprNode, base)]
#[structural_eq(tree)]
pub struct ShapedNode {
    pub base: ExprNode,
    pub tag: i64,
}

#[derive(Object)]
#[object(type_key = "laws.Sized", parent = ShapedNode, base_args(tag: i64))]
#[structural_eq(tree)]
pub struct SizedNode {
    pub base: ShapedNode,
    pub size: Any,
}

/// A field of a base type.
#[derive(Object)]
#[object(type_key = "laws.Slot", parent = ExprNode)]
#[structural_eq(tree)]
pub struct SlotNode {
    pub base: ExprNode,
    pub shaped: Shaped,
}

/// A constant over plain content.
#[derive(Object)]
#[object(type_key = "laws.Const", parent = ExprNode)]
#[structural_eq(const_tree)]
pub struct ConstNode {
    pub base: ExprNode,
    pub extents: Array<i64>,
    pub inner: Array<Const>,
}

/// The documented misuse: a constant with any content.
#[derive(Object)]
#[object(type_key = "laws.BadConst", parent = ExprNode)]
#[structural_eq(const_tree)]
pub struct BadConstNode {
    pub base: ExprNode,
    #[field(may_contain())]
    pub any: Any,
}

#[derive(Object)]
#[object(type_key = "laws.Var", parent = ExprNode, label = "%{name}")]
#[structural_eq(var)]
pub struct VarNode {
    pub base: ExprNode,
    #[field(ignore)]
    pub name: Str,
}

#[derive(Object)]
#[object(type_key = "laws.TypedVar", parent = ExprNode)]
#[structural_eq(var)]
pub struct TypedVarNode {
    pub base: ExprNode,
    #[field(ignore)]
    pub name: Str,
    pub ty: Option<Expr>,
}

/// A variable that binds variables in its own fields.
#[derive(Object)]
#[object(type_key = "laws.BindVar", parent = ExprNode)]
#[structural_eq(var)]
pub struct BindVarNode {
    pub base: ExprNode,
    #[field(def)]
    pub bound: Any,
    pub ty: Any,
}

#[derive(Object)]
#[object(type_key = "laws.Op", parent = ExprNode)]
#[structural_eq(singleton, key = name)]
pub struct OpNode {
    pub base: ExprNode,
    pub name: Str,
}

#[derive(Object)]
#[object(type_key = "laws.Lambda", parent = ExprNode)]
#[structural_eq(tree)]
pub struct LambdaNode {
    pub base: ExprNode,
    #[field(def)]
    pub params: Array<Expr>,
    pub body: Any,
}

/// A scope: its bindings end with it under lexical scopes.
#[derive(Object)]
#[object(type_key = "laws.Scope", parent = ExprNode)]
#[structural_eq(tree, scope)]
pub struct ScopeNode {
    pub base: ExprNode,
    #[field(def)]
    pub params: Array<Expr>,
    pub body: Any,
}

/// A scope that binds variables for the last of its fields.
#[derive(Object)]
#[object(type_key = "laws.ScopeLet", parent = ExprNode)]
#[structural_eq(tree, scope)]
pub struct ScopeLetNode {
    pub base: ExprNode,
    #[field(outer)]
    pub value: Any,
    #[field(def_simple)]
    pub var: Expr,
    pub body: Any,
}

/// A scope that hides what its body binds, and exports its parameters, as a projection does with columns.
#[derive(Object)]
#[object(type_key = "laws.Project", parent = ExprNode)]
#[structural_eq(tree, scope)]
pub struct ProjectNode {
    pub base: ExprNode,
    #[field(outer)]
    pub body: Any,
    #[field(def, export)]
    pub params: Array<Expr>,
}

/// A scope that hides its variable and exports what its body binds. What follows the body can hide that again.
#[derive(Object)]
#[object(type_key = "laws.With", parent = ExprNode)]
#[structural_eq(tree, scope)]
pub struct WithNode {
    pub base: ExprNode,
    #[field(def_simple)]
    pub var: Expr,
    #[field(export)]
    pub body: Any,
    pub rest: Any,
}

/// A `dag` node that exports its parameters.
#[derive(Object)]
#[object(type_key = "laws.ProjectDag", parent = ExprNode)]
#[structural_eq(dag, scope)]
pub struct ProjectDagNode {
    pub base: ExprNode,
    #[field(def, export)]
    pub params: Array<Expr>,
    pub body: Any,
}

/// A scope with hooks.
#[derive(Object)]
#[object(type_key = "laws.ScopeHook", parent = ExprNode)]
#[structural_eq(tree, scope, custom)]
pub struct ScopeHookNode {
    pub base: ExprNode,
    pub body: Any,
    pub params: Array<Expr>,
}

impl StructuralHook for ScopeHookNode {
    fn structural_contents<'a>(&'a self, contents: &mut HookContents<'a>) {
        contents.add_in("params", &self.params, FieldRole::Def);
        contents.add("body", &self.body);
    }
}

/// A binder whose parameters come after its body.
#[derive(Object)]
#[object(type_key = "laws.Late", parent = ExprNode)]
#[structural_eq(tree)]
pub struct LateNode {
    pub base: ExprNode,
    #[field(outer)]
    pub body: Any,
    #[field(def)]
    pub params: Array<Expr>,
}

#[derive(Object)]
#[object(type_key = "laws.Let", parent = ExprNode)]
#[structural_eq(tree)]
pub struct LetNode {
    pub base: ExprNode,
    #[field(def_simple)]
    pub var: Expr,
    pub value: Any,
    pub body: Any,
}

#[derive(Object)]
#[object(type_key = "laws.Dag", parent = ExprNode)]
#[structural_eq(dag)]
pub struct DagNode {
    pub base: ExprNode,
    pub value: Any,
}

#[derive(Object)]
#[object(type_key = "laws.DagBind", parent = ExprNode)]
#[structural_eq(dag)]
pub struct DagBindNode {
    pub base: ExprNode,
    #[field(def)]
    pub var: Any,
    pub value: Any,
}

#[derive(Object)]
#[object(type_key = "laws.Table", parent = ExprNode)]
#[structural_eq(tree)]
pub struct TableNode {
    pub base: ExprNode,
    pub entries: Map<Any, Any>,
}

/// Binds the variables in a map.
#[derive(Object)]
#[object(type_key = "laws.DefTable", parent = ExprNode)]
#[structural_eq(tree)]
pub struct DefTableNode {
    pub base: ExprNode,
    #[field(def)]
    pub entries: Map<Any, Any>,
    pub body: Any,
}

/// Compares its fields in another order than the declaration.
#[derive(Object)]
#[object(type_key = "laws.Hook", parent = ExprNode)]
#[structural_eq(tree, custom)]
pub struct HookNode {
    pub base: ExprNode,
    pub body: Any,
    pub params: Array<Expr>,
    pub comment: Any,
}

impl StructuralHook for HookNode {
    fn structural_contents<'a>(&'a self, contents: &mut HookContents<'a>) {
        contents.add_in("params", &self.params, FieldRole::Def);
        contents.add("body", &self.body);
    }
}

/// A hook with a simple region.
#[derive(Object)]
#[object(type_key = "laws.HookLet", parent = ExprNode)]
#[structural_eq(tree, custom)]
pub struct HookLetNode {
    pub base: ExprNode,
    pub var: Any,
    pub body: Any,
}

impl StructuralHook for HookLetNode {
    fn structural_contents<'a>(&'a self, contents: &mut HookContents<'a>) {
        contents.add_in("var", &self.var, FieldRole::DefSimple);
        contents.add("body", &self.body);
    }
}

#[derive(Object)]
#[object(type_key = "laws.HookDag", parent = ExprNode)]
#[structural_eq(dag, custom)]
pub struct HookDagNode {
    pub base: ExprNode,
    pub value: Any,
    pub comment: Any,
}

impl StructuralHook for HookDagNode {
    fn structural_contents<'a>(&'a self, contents: &mut HookContents<'a>) {
        contents.add("value", &self.value);
    }
}

#[derive(Object)]
#[object(type_key = "laws.HookVar", parent = ExprNode)]
#[structural_eq(var, custom)]
pub struct HookVarNode {
    pub base: ExprNode,
    pub comment: Any,
    pub ty: Any,
}

impl StructuralHook for HookVarNode {
    fn structural_contents<'a>(&'a self, contents: &mut HookContents<'a>) {
        contents.add("ty", &self.ty);
    }
}

/// A `dag` node that ends the bindings in it.
#[derive(Object)]
#[object(type_key = "laws.ScopeDag", parent = ExprNode)]
#[structural_eq(dag, scope)]
pub struct ScopeDagNode {
    pub base: ExprNode,
    #[field(def)]
    pub params: Array<Expr>,
    pub body: Any,
}

/// A `dag` node in a `dag` node.
#[derive(Object)]
#[object(type_key = "laws.Holder", parent = ExprNode)]
#[structural_eq(dag)]
pub struct HolderNode {
    pub base: ExprNode,
    pub inner: Dag,
}

/// A `dag` node that lists a field and, unless another value takes its place, the content of this field.
#[derive(Object)]
#[object(type_key = "laws.HookDeep", parent = ExprNode)]
#[structural_eq(dag, custom)]
pub struct HookDeepNode {
    pub base: ExprNode,
    pub child: Holder,
    pub instead: Any,
}

impl StructuralHook for HookDeepNode {
    fn structural_contents<'a>(&'a self, contents: &mut HookContents<'a>) {
        contents.add("child", &self.child);
        match &self.instead {
            Any::None => contents.add("grandchild", &self.child.inner),
            instead => contents.add("grandchild", instead),
        }
    }
}

/// A tree that lists a field and a field of this field, which so counts twice.
#[derive(Object)]
#[object(type_key = "laws.HookChain", parent = ExprNode)]
#[structural_eq(tree, custom)]
pub struct HookChainNode {
    pub base: ExprNode,
    pub value: Expr,
    pub below: Option<HookChain>,
}

impl StructuralHook for HookChainNode {
    fn structural_contents<'a>(&'a self, contents: &mut HookContents<'a>) {
        contents.add("value", &self.value);
        if let Some(below) = &self.below {
            contents.add("below", &self.below);
            contents.add("further below", &below.below);
        }
    }
}

/// An ignored value.
#[derive(Object)]
#[object(type_key = "laws.Opaque", parent = ExprNode)]
#[structural_eq(none)]
pub struct OpaqueNode {
    pub base: ExprNode,
    pub value: i64,
}
