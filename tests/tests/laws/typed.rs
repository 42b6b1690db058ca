//! More types of the law tests: one for each sequence of fields for which comparison has special code.

#![allow(missing_docs, unreachable_pub, reason = "the types of a test explain themselves")]

use object_core::prelude::*;

use crate::types::{Expr, ExprNode};

#[derive(Object)]
#[object(type_key = "laws.Type", parent = ExprNode)]
#[structural_eq(tree)]
pub struct TypeNode {
    pub base: ExprNode,
    pub dtype: DataType,
}

#[derive(Object)]
#[object(type_key = "laws.TypeInt", parent = ExprNode)]
#[structural_eq(tree)]
pub struct TypeIntNode {
    pub base: ExprNode,
    pub dtype: DataType,
    pub value: i64,
}

#[derive(Object)]
#[object(type_key = "laws.TypeOne", parent = ExprNode)]
#[structural_eq(tree)]
pub struct TypeOneNode {
    pub base: ExprNode,
    pub dtype: DataType,
    pub a: Expr,
}

#[derive(Object)]
#[object(type_key = "laws.TypeTwo", parent = ExprNode)]
#[structural_eq(tree)]
pub struct TypeTwoNode {
    pub base: ExprNode,
    pub dtype: DataType,
    pub a: Expr,
    pub b: Option<Expr>,
}

#[derive(Object)]
#[object(type_key = "laws.TypeThree", parent = ExprNode)]
#[structural_eq(tree)]
pub struct TypeThreeNode {
    pub base: ExprNode,
    pub dtype: DataType,
    pub a: Expr,
    pub b: Expr,
    pub c: Expr,
}

#[derive(Object)]
#[object(type_key = "laws.OneInt", parent = ExprNode)]
#[structural_eq(tree)]
pub struct OneIntNode {
    pub base: ExprNode,
    pub a: Option<Expr>,
    pub value: i64,
}

#[derive(Object)]
#[object(type_key = "laws.OneTypeOneInt", parent = ExprNode)]
#[structural_eq(tree)]
pub struct OneTypeOneIntNode {
    pub base: ExprNode,
    pub a: Option<Expr>,
    pub dtype: DataType,
    pub b: Option<Expr>,
    pub value: i64,
}

#[derive(Object)]
#[object(type_key = "laws.Three", parent = ExprNode)]
#[structural_eq(tree)]
pub struct ThreeNode {
    pub base: ExprNode,
    pub a: Expr,
    pub b: Option<Expr>,
    pub c: Expr,
}

#[derive(Object)]
#[object(type_key = "laws.Four", parent = ExprNode)]
#[structural_eq(tree)]
pub struct FourNode {
    pub base: ExprNode,
    pub a: Expr,
    pub b: Expr,
    pub c: Option<Expr>,
    pub d: Expr,
}

/// A node over the given expressions; one of them may occur twice. `n` selects it, and sets the plain values.
pub(crate) fn typed(n: u8, subs: &[Expr]) -> Any {
    let (dtype, value) = (DataType::int(8 << (n / 2 % 2)), i64::from(n / 2));
    let given = |sub: &Expr| (n != 4).then(|| sub.clone());
    let of = |index: usize| subs[index].clone();
    match (subs, n % 3) {
        ([], 0) => Type::new(dtype).into(),
        ([], _) => TypeInt::new(dtype, value).into(),
        ([a], 0) => OneInt::new(given(a), value).into(),
        ([_], _) => TypeOne::new(dtype, of(0)).into(),
        ([a, b], 0) => OneTypeOneInt::new(given(a), dtype, given(b), value).into(),
        ([_, b], _) => TypeTwo::new(dtype, of(0), given(b)).into(),
        ([_, b, ..], 0) => Three::new(of(0), given(b), of(2)).into(),
        ([..], 1) => TypeThree::new(dtype, of(0), of(1), of(2)).into(),
        ([a, ..], _) => Four::new(of(2), of(1), given(a), of(0)).into(),
    }
}
