//! Types of fields that only the compiler judges, beside types that the macro reports.

use std::time::Duration;

use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X")]
#[structural_eq(tree)]
struct XNode {
    list: Vec<i64>,
    text: String,
    optional: Option<Duration>,
    table: Map<String, Vec<X>>,
    nested: Option<Option<String>>,
    #[field(unreadable)]
    perhaps_skipped: Duration,
}

#[derive(Object, Clone)]
enum Value {
    List(Vec<i64>),
    Text(String),
    Itself(Array<Self>),
}

fn main() {}
