//! The operators of Relax: for each one a constructor of calls, and the structural information of its calls.
//!
//! A constructor function has the name of its operator, such as [`add`] for `relax.add`; an operator with a longer name
//! is in a module, such as [`nn::relu`] for `relax.nn.relu`. A name that is a word of Rust ends with `_`. The function
//! takes the arguments and then the attributes. Lists, numbers and texts stand for shapes, tuples and constants, and
//! `None` for default attributes and for optional arguments ([`parameter`]).
//!
//! ```
//! use object_relax::arith::Analyzer;
//! use object_ir::attrs::StatisticalAttrs;
//! use object_ir::ir::{TensorStructInfo, Var};
//! use object_relax::op::{self, InferContext};
//! use object_ir::tir;
//!
//! let (n, m) = (tir::Var::dim("n"), tir::Var::dim("m"));
//! let x = Var::of("x", TensorStructInfo::of([&n, &m], "float32")?);
//! let y = Var::of("y", TensorStructInfo::of([m], "float32")?);
//!
//! let analyzer = Analyzer::for_shapes();
//! let context = InferContext::new(&analyzer);
//! let result = op::infer(&op::add(&x, &y), &context)?;
//! assert!(object_core::structural_equal(&result, x.struct_info.as_ref().unwrap()));
//!
//! // `None` takes the default attributes: the sum over all dimensions, which are removed.
//! let total = op::infer(&op::sum(&x, None), &context)?;
//! assert!(object_core::structural_equal(&total, &TensorStructInfo::of((), "float32")?));
//!
//! // The sum over one dimension, which is kept.
//! let rows = StatisticalAttrs::new(Some([1].into()), true);
//! let rows = op::infer(&op::sum(&x, rows), &context)?;
//! assert!(object_core::structural_equal(&rows, &TensorStructInfo::of((n, 1), "float32")?));
//!
//! let error = op::infer(&op::add(x, op::null_value()), &context).unwrap_err();
//! assert_eq!(error.path().unwrap().to_string(), "<root>.args[1]");
//! # Ok::<(), object_core::Error>(())
//! ```
//!
//! [`infer`] computes the structural information of a call. [`operator`] finds the declaration of an operator by name.
//! `CONTRIBUTING.md` explains how to add an operator.

pub mod parameter;
mod signature;
pub mod describe;
pub mod dims;
mod direct_mapped;
mod kept_calls;
mod shared_results;
mod context;
mod new_shape;
mod leaf;
mod op_call;
mod sharding;
mod completion;
mod operator;
mod rules;
pub mod axes;
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
pub mod einsum;
mod linear_algebra;
mod manipulate;
pub mod image;
pub mod nn;
pub mod vision;
mod table;
mod infer;

pub use completion::Completion;
pub use context::{InferContext, Values};
pub use infer::{infer, infer_with_args};
pub use leaf::struct_info_of;
pub use new_shape::new_shape;
pub use operator::Operator;
pub(crate) use shared_results::SharedResults;
pub use signature::{ArgumentKind, Parameter, ParameterRole, Presence, Purity, Signature};
pub(crate) use table::declaration;
pub use table::{operator, operators};

pub use self::binary::*;
pub use self::call::*;
pub use self::create::*;
pub use self::datatype::*;
pub use self::linear_algebra::*;
pub use self::manipulate::*;
pub use self::quantize::*;
pub use self::runtime::*;
pub use self::sampling::*;
pub use self::search::*;
pub use self::set::*;
pub use self::sorting::*;
pub use self::statistical::*;
pub use self::ternary::*;
pub use self::unary::*;
