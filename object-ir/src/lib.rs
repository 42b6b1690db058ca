//! TVM 0.25's IR as annotated structs: modules, Relax, and TIR, the loop programs below Relax.
//!
//! Every node type has the type key, field names, field order and flags that it has in TVM. So this crate and TVM read
//! each other's JSON, and their structural equality gives the same verdicts. `data/schema_exceptions.txt` lists where
//! a Rust field type accepts less than TVM's, and which types this crate leaves out.
//!
//! The last segment of a type key names the handle; the struct with its data adds `Node`: `relax.expr.Call` is
//! [`ir::Call`] and [`ir::CallNode`]. Each type has one public path. Names may repeat in different modules:
//! [`tir::Var`] and [`tir::Call`] are not [`ir::Var`] and [`ir::Call`].
//!
//! In reading order: [`ir`] nodes of modules, functions and Relax, and the table of operators; [`attrs`] attributes of
//! operator calls; [`tir`] loop programs; [`te`] tensor expressions; [`target`] descriptions of hardware;
//! [`distributed`] tensors on several devices; [`arith`] facts about integer expressions; [`s_tir`] data of the
//! scheduler; [`kind`] the kinds of the nodes of Relax; [`visit`] a visitor with a method for each node of Relax; [`tvm`] the versions of TVM whose files this crate
//! reads; [`results`] arguments and results of functions by name, which `functions.rs` declares; [`table`] the tables of names
//! in `data/`.
//!
//! The meaning of these nodes is in the crates `object-relax`, `object-eval` and `object-script`.

#![forbid(unsafe_code)]

pub mod ir;
pub mod attrs;
pub mod tir;
pub mod te;
pub mod target;
pub mod distributed;
pub mod arith;
pub mod s_tir;
pub mod kind;
pub mod visit;
pub mod tvm;
pub mod table;
pub mod results;

// Nobody calls functions of a module of WebAssembly by name, and their table would keep all of them in it.
#[cfg(not(target_family = "wasm"))]
mod functions;
