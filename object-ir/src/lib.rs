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
//! scheduler; [`ty`] the lattice of types; [`struct_info`] structural information; [`op`] operators of Relax and the
//! results of their calls; [`derivation`] the structural information of whole programs; [`normal_form`] programs without
//! nested expressions; [`block_builder`] a builder of such programs; [`visit`] a visitor with a method for each node of
//! Relax; [`script`] modules as TVMScript; [`well_formed`] the checker; `eval` the evaluator; [`tvm`] the versions of TVM
//! whose files this crate reads.
//!
//! # Features
//!
//! - `eval` (default) adds the evaluator with its arrays, and the functions that compute the results of operators.
//! - `npy` lets the evaluator read and write files of NumPy.
//! - `script` (default) adds the parser of scripts, which contains a parser of Python. The printer needs no feature.

#![forbid(unsafe_code)]

pub mod ir;
pub mod attrs;
pub mod tir;
pub mod te;
pub mod target;
pub mod distributed;
pub mod arith;
pub mod s_tir;
pub mod ty;
pub mod struct_info;
pub mod op;
pub mod derivation;
pub mod normal_form;
pub mod block_builder;
pub mod visit;
pub mod script;
pub mod analysis;
pub mod transform;
pub mod well_formed;
#[cfg(feature = "eval")]
pub mod eval;
pub mod tvm;

mod addresses;
mod recursive_rule;
mod table;
