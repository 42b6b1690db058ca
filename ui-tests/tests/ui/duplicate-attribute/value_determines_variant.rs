use object_core::prelude::*;
use ui_tests::*;

#[derive(Object, Clone)]
enum Term {
    Any(Expr),
    Variable(Var),
}

#[derive(Object, Clone)]
enum Number {
    Short(u8),
    Long(i64),
    Single(f32),
    Double(f64),
}

#[derive(Object, Clone)]
enum Many {
    Variables(Array<Var>),
    Expressions(Array<Expr>),
    Variable(Option<Var>),
    Constant(Option<Const>),
    Number(Number),
    Level(i8),
    Other(Any),
    Object(ObjectRef),
}

fn main() {}
