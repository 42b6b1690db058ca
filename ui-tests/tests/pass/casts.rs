//! Casts across crates: to every ancestor by `From`, to descendants by `TryFrom`.
use object_core::prelude::*;
use ui_tests::{Const, Expr, ExprNode, Var, VarNode};

#[derive(Object)]
#[object(type_key = "casts.TypedVar", parent = VarNode, base, base_args(name: Str))]
#[structural_eq(var)]
struct TypedVarNode {
    base: VarNode,
    dtype: DataType,
    #[field(ignore)]
    note: Option<Str>,
}

#[derive(Object)]
#[object(type_key = "casts.SizeVar", parent = TypedVarNode, base_args(name: Str, dtype: DataType))]
#[structural_eq(var)]
struct SizeVarNode {
    base: TypedVarNode,
    upper: Option<Expr>,
}

fn take(expr: impl Into<Expr>) -> Expr {
    expr.into()
}

pub(super) fn main() {
    let size = SizeVar::new("n", DataType::int(64), None);
    assert_eq!((&*size.base.base.name, size.base.note.is_none()), ("n", true));
    let typed: TypedVar = size.clone().into();
    let var: Var = size.clone().into();
    let expr: Expr = take(size.clone());
    let (object, any): (ObjectRef, Any) = (size.clone().into(), size.clone().into());
    assert!(typed.ptr_eq(&var) && var.ptr_eq(&expr) && expr.ptr_eq(&object));
    assert_eq!(typed.dtype, DataType::int(64));

    assert!(Var::try_from(&expr).is_ok_and(|var| var.ptr_eq(&expr)));
    assert!(Var::try_from(expr.clone()).is_ok_and(|var| &*var.name == "n"));
    assert!(TypedVar::try_from(var).is_ok() && SizeVar::try_from(typed).is_ok());
    assert!(SizeVar::try_from(object).is_ok() && SizeVar::try_from(any).is_ok());
    assert!(expr.clone().downcast::<SizeVar>().is_ok() && expr.downcast::<Const>().is_err());
    let error = Var::try_from(take(Const::new(1))).unwrap_err();
    assert_eq!(error.message(), "expected `upstream.Var`, got `upstream.Const`");
    assert!(Const::try_from(Any::Int(1)).is_err());

    let names = SizeVarNode::TYPE_INFO.fields().iter().map(|field| field.name());
    assert_eq!(names.collect::<Vec<_>>(), ["span", "name", "dtype", "note", "upper"]);
    let mut changed = size.clone();
    changed.make_mut().base.base.base.span = Some("here".into());
    assert!(size.base.base.base.span.is_none() && changed.base.base.base.span.is_some());
    let _ = ExprNode::new_base();
    let unchanged = SizeVar::from(SizeVarNode { base: TypedVarNode::new_base("m", DataType::int(32)), upper: None });
    assert_eq!(format!("{unchanged}"), format!("{unchanged:?}"));
}
