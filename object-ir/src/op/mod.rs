//! The operators of Relax: for each one a constructor of calls, and the structural information of its calls.
//!
//! A constructor function has the name of its operator, such as [`add`] for `relax.add`; an operator with a longer name
//! is in a module, such as `op::nn::relu` for `relax.nn.relu`. A name that is a word of Rust ends with `_`. The function takes
//! the arguments and then the attributes:
//!
//! ```
//! use object_ir::attrs::StatisticalAttrs;
//! use object_ir::ir::{Id, Var};
//! use object_ir::op;
//!
//! let x = Var::new(Id::new("x"));
//! let call = op::multiply(&x, op::add(&x, 1));
//! assert_eq!(call.args.len(), 2);
//!
//! // `None` takes the default attributes: over all dimensions, which are removed.
//! let total = op::sum(call, None);
//! let rows = op::sum(x, StatisticalAttrs::new(Some([0].into()), true));
//! assert!(rows.attrs.is_some() && total.attrs.is_some());
//! ```
//!
//! [`infer`] computes the structural information of a call. [`operator`] finds the declaration of an operator by name.
//!
//! # Writing a family
//! A family is a file with the row of each of its operators in [`operators!`](operator), and the functions of inference
//! that the rows name. Nothing else lists the facts of an operator.
//!
//! 1. Write the rows. The kinds of parameters are in [`parameter`]; `OpCall` checks the number and the kinds of arguments
//!    and the type of attributes before it calls the inference, so use the strictest kind for which TVM's inference does
//!    not accept more. `Defaults<XAttrs>` needs `impl Default for XAttrs` beside the struct in `attrs`; `Attributes<XAttrs>`
//!    is for attributes without an obvious default.
//! 2. Write `fn name(call: &OpCall<'_>) -> Result<StructInfo, Error>` for each rule. Arguments come from `call.tensor(0)`,
//!    `call.shape(1)`, `call.tensors(0)`, `call.info(0)` and `call.arg(0)`, attributes from `call.attrs::<XAttrs>()`,
//!    proofs from `call.analyzer()`. `Dims::of(tensor)` is what is known of a shape; compute `Dims` and end with
//!    `dims::tensor(dims, dtype, vdevice)`, `dims::tuple` and so on. `broadcast`, `axes` and `unary` have the shared rules.
//! 3. Return errors from `call.argument_error`, `call.attribute_error` and `call.error`. They state the expected and the
//!    given value. Numbers in attributes may be hostile: use checked arithmetic, and do not allocate by them.
//! 4. Add `OPERATORS` to `table.rs`, the module and its names to this file. A namespace such as `nn` is `pub mod nn`.
//! 5. Add a few lines to `tests/data/op`, and run `cargo test -p object-tests --test op`, which also compares the rows with
//!    `data/ops.txt`, and the corpus: `cargo run -p object-tests --bin corpus -- DIR --kind normalize`.

pub mod parameter;
mod signature;
mod context;
pub(crate) mod describe;
mod dims;
pub(crate) mod leaf;
mod op_call;
mod sharding;
mod operator;
mod axes;
mod broadcast;
mod unary;
mod binary;
mod ternary;
mod statistical;
mod search;
mod sorting;
mod sampling;
mod set;
mod datatype;
mod create;
mod quantize;
mod call;
mod runtime;
mod allocation;
pub mod builtin;
pub mod memory;
pub mod vm;
pub mod inspect;
pub mod grad;
pub mod ccl;
pub mod dist;
mod checks;
mod layout;
mod window;
mod einsum;
mod linear_algebra;
mod manipulate;
pub mod image;
pub mod nn;
pub mod vision;
mod table;
mod infer;

pub use context::InferContext;
pub use infer::infer;
pub use operator::Operator;
pub use signature::{ArgumentKind, Parameter, ParameterRole, Presence, Purity, Signature};
pub use table::{operator, operators};

pub use self::{
    binary::*, call::*, create::*, datatype::*, linear_algebra::*, manipulate::*, quantize::*, runtime::*, sampling::*,
    search::*, set::*, sorting::*, statistical::*, ternary::*, unary::*,
};
