//! Operators: their declarations against the table of TVM's operators, and the results of calls in tables.

#[path = "../common/mod.rs"]
mod common;
mod cases;
mod constructors;
mod context;
mod declarations;
mod goldens;
mod hostile;
mod limits;
mod print;
mod random_calls;
mod recorded_values;
mod sizes;
mod versions;
