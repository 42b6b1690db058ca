//! Functions: typed and packed closures, errors, panics, names, methods, threads.

mod calls;
mod laws;
mod methods;
mod names;

use object_core::prelude::*;
use object_core::{Function, TypedFunction, registry};

/// Base of all expressions.
#[derive(Object)]
#[object(type_key = "functions.Expr", base)]
#[structural_eq(tree)]
pub struct ExprNode {
    #[field(ignore)]
    pub span: Option<Str>,
}

#[derive(Object)]
#[object(type_key = "functions.Int", parent = ExprNode)]
#[structural_eq(tree)]
pub struct IntNode {
    pub base: ExprNode,
    pub value: i64,
}

#[derive(Object)]
#[object(type_key = "functions.Add", parent = ExprNode)]
#[structural_eq(tree)]
pub struct AddNode {
    pub base: ExprNode,
    pub lhs: Expr,
    pub rhs: Expr,
}

#[derive(Object)]
#[object(type_key = "functions.Neg", parent = ExprNode)]
#[structural_eq(tree)]
pub struct NegNode {
    pub base: ExprNode,
    pub value: Expr,
}

/// A predicate on expressions.
type Check = TypedFunction<fn(Expr) -> bool>;

/// A node with functions in it.
#[derive(Object)]
#[object(type_key = "functions.Pass")]
#[structural_eq(none)]
pub struct PassNode {
    pub run: Function,
    pub check: Option<Check>,
}

#[object_methods]
impl Expr {
    /// The span, or `other` if there is none.
    pub fn span_or(&self, other: &str) -> Str {
        self.span.clone().unwrap_or_else(|| other.into())
    }

    /// The kind of the expression.
    pub fn kind(&self) -> &str {
        "expression"
    }

    /// The same expression.
    pub fn itself(self) -> Self {
        self
    }
}

#[object_methods]
impl Add {
    /// The left side.
    ///
    /// Of two.
    pub fn lhs(&self) -> &Expr {
        &self.lhs
    }

    pub fn kind(&self) -> &str {
        "sum"
    }

    /// A sum of integers.
    pub fn make(lhs: i64, rhs: i64) -> Self {
        Add::new(Int::new(lhs), Int::new(rhs))
    }

    #[method(rename = "sum")]
    pub fn evaluate(&self) -> Result<i64, Error> {
        let side = |it: &Expr| it.downcast_ref::<Int>().map(|it| it.value).ok_or_else(|| no_value("a side"));
        side(&self.lhs)?.checked_add(side(&self.rhs)?).ok_or_else(|| no_value("the sum"))
    }

    #[method(skip)]
    pub fn generic<T: ObjectHandle>(&self) -> bool {
        self.lhs.is::<T>()
    }

    fn _private(&self) {}

    #[cfg(any())]
    pub fn never(&self) -> NoSuchType {}
}

/// Registers the types of this file, because without the feature `inventory` nothing collects them.
fn register_types() {
    let types = [ExprNode::TYPE_INFO, IntNode::TYPE_INFO, AddNode::TYPE_INFO, NegNode::TYPE_INFO, PassNode::TYPE_INFO];
    registry::register(&types).expect("all keys differ");
}

fn no_value(what: &str) -> Error {
    Error::new(ErrorKind::OutOfRange, format!("{what} has no value"))
}

fn sum(lhs: i64, rhs: i64) -> i64 {
    lhs + rhs
}

fn int(value: i64) -> Any {
    Int::new(value).into()
}

/// The message of a call that fails.
fn message(function: &Function, args: &[Any]) -> String {
    call(function, args).expect_err("it has to fail").message().to_owned()
}

fn call(function: &Function, args: &[Any]) -> Result<Any, Error> {
    let views: Vec<AnyView<'_>> = args.iter().map(Any::view).collect();
    function.call(&views)
}
