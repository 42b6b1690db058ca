//! Operators: their declarations against the table of TVM's operators, and the results of calls in tables.

#[path = "../common/mod.rs"]
mod common;
#[path = "../arith/text.rs"]
#[allow(dead_code, reason = "the tables of arithmetic use the other parts")]
mod scalar_text;

mod attribute_text;
mod call_text;
mod cases;
mod constructors;
mod context;
mod declarations;
mod device_text;
mod goldens;
mod hostile;
mod limits;
mod print;
mod sizes;
mod tokens;
