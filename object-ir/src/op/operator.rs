//! [`Operator`]: the declaration of an operator, and the macro that families declare their operators with.

use object_core::prelude::*;

use super::op_call::OpCall;
use super::sharding::Sharding;
use super::signature::Signature;
use crate::ir::expr::StructInfo;

/// The function that infers the structural information of a call.
pub(crate) type Infer = fn(&OpCall<'_>) -> Result<StructInfo, Error>;

/// The declaration of an operator. The family of the operator has one row for it, which is the only place that lists
/// the facts in it.
#[derive(Clone, Copy, Debug)]
pub struct Operator {
    /// The name, the parameters and the purity.
    pub signature: Signature,
    /// Infers the structural information of a call; `None` if the operator does not define it.
    pub(crate) infer: Option<Infer>,
    /// Distributes the result of a call on distributed tensors; `None` if the operator takes none.
    pub(crate) sharding: Option<Sharding>,
    /// Computes the result of a call; `None` if the evaluator runs the operator itself or cannot run it.
    #[cfg(feature = "eval")]
    pub(crate) evaluate: Option<super::evaluation::Evaluate>,
}

impl Operator {
    /// Whether the operator defines the structural information of its calls.
    #[must_use]
    pub fn has_inference(&self) -> bool {
        self.infer.is_some()
    }

    /// Whether the operator has a function that computes the result of a call. `data/eval_exceptions.txt` has the reason
    /// for each operator without one.
    #[cfg(feature = "eval")]
    #[must_use]
    pub fn has_evaluation(&self) -> bool {
        self.evaluate.is_some()
    }
}

/// Declares the operators of a family. A row is
///
/// ```text
/// /// Documentation of the operator and of its constructor function.
/// fn constructor = "full.name"(parameter: Kind, ...), Purity, inference;
/// fn constructor = "full.name"(parameter: Kind, ...), Purity, inference, sharding rule;
/// fn constructor = "full.name"(parameter: Kind, ...), Purity, inference, eval family::function;
/// ```
///
/// A `Kind` is one of `super::parameter`, and `inference` is a function of the family, as `Infer` describes; `none` for an
/// operator without inference, whose reason stands in `data/op_exceptions.txt`. The rule is a function of
/// `super::sharding`, for operators that take distributed tensors. The function after `eval` is in `super::evaluate` and
/// computes the result of a call; an operator without one is in `data/eval_exceptions.txt`. The macro makes the public constructor
/// function and the table `OPERATORS`.
macro_rules! operators {
    ($(
        $(#[doc = $doc:literal])+
        fn $name:ident = $full:literal($($parameter:ident: $kind:ty),* $(,)?), $purity:ident, $infer:ident
            $(, sharding $sharding:ident)? $(, eval $family:ident::$evaluate:ident)?;
    )*) => {
        $(
            $(#[doc = $doc])+
            #[must_use]
            #[allow(clippy::too_many_arguments, reason = "TVM defines the parameters of operators")]
            pub fn $name($($parameter: impl $crate::op::parameter::IntoParameter<$kind>),*) -> $crate::ir::Call {
                #[allow(unused_mut, reason = "an operator may have no parameters")]
                let mut call = $crate::op::parameter::CallParts::default();
                $($crate::op::parameter::IntoParameter::<$kind>::add_to($parameter, &mut call);)*
                call.call($full)
            }
        )*

        /// The operators of this family.
        pub(in $crate::op) static OPERATORS: &[$crate::op::Operator] = &[$(
            $crate::op::Operator {
                signature: $crate::op::Signature::new(
                    $full,
                    concat!($($doc, "\n"),+),
                    &[$(
                        $crate::op::Parameter {
                            name: stringify!($parameter),
                            role: <$kind as $crate::op::parameter::ParameterKind>::ROLE,
                        }
                    ),*],
                    $crate::op::Purity::$purity,
                ),
                infer: $crate::op::operator::operators!(@infer $infer),
                sharding: $crate::op::operator::operators!(@sharding $($sharding)?),
                #[cfg(feature = "eval")]
                evaluate: $crate::op::operator::operators!(@evaluate $($family::$evaluate)?),
            }
        ),*];
    };
    (@sharding) => { None };
    (@sharding $sharding:ident) => { Some($crate::op::sharding::$sharding) };
    (@evaluate) => { None };
    (@evaluate $family:ident::$evaluate:ident) => { Some($crate::op::evaluate::$family::$evaluate) };
    (@infer none) => { None };
    (@infer $infer:ident) => { Some($infer) };
}

pub(crate) use operators;
