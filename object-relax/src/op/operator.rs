//! [`Operator`]: the declaration of an operator, and the macro that families declare their operators with.

use object_core::prelude::*;
use object_ir::ir::StructInfo;

use super::completion::Completion;
use super::op_call::OpCall;
use super::sharding::Sharding;
use super::signature::Signature;

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
    /// How the function of Python completes the parameters of a call.
    pub completions: &'static [Completion],
}

impl Operator {
    /// Whether the operator defines the structural information of its calls.
    #[must_use]
    pub fn has_inference(&self) -> bool {
        self.infer.is_some()
    }
}

/// Declares the operators of a family. A row is
///
/// ```text
/// /// Documentation of the operator and of its constructor function.
/// fn constructor = "full.name"(parameter: Kind, ...), Purity, inference;
/// fn constructor = "full.name"(parameter: Kind, ...), Purity, inference, sharding rule, completed completions;
/// ```
///
/// A `Kind` is one of `super::parameter`, and `inference` is a function of the family, as `Infer` describes; `none` for an
/// operator without inference, whose reason stands in `data/op_exceptions.txt`. The rule is a function of
/// `super::sharding`, for operators that take distributed tensors, and `completions` is a list of [`Completion`]s. The rule
/// and the completions may be left out. The macro makes the public constructor function and the table `OPERATORS`.
macro_rules! operators {
    ($(
        $(#[doc = $doc:literal])+
        fn $name:ident = $full:literal($($parameter:ident: $kind:ty),* $(,)?), $purity:ident, $infer:ident $(::<$Attrs:ident>)?
            $(, sharding $sharding:ident)? $(, completed $completions:expr)?;
    )*) => {
        $(
            $(#[doc = $doc])+
            #[must_use]
            #[allow(clippy::too_many_arguments, reason = "TVM defines the parameters of operators")]
            pub fn $name($($parameter: impl $crate::op::parameter::IntoParameter<$kind>),*) -> ::object_ir::ir::Call {
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
                infer: $crate::op::operator::operators!(@infer $infer $($Attrs)?),
                sharding: $crate::op::operator::operators!(@sharding $($sharding)?),
                completions: $crate::op::operator::operators!(@completions $($completions)?),
            }
        ),*];
    };
    (@sharding) => { None };
    (@sharding $sharding:ident) => { Some($crate::op::sharding::$sharding) };
    (@completions) => { &[] };
    (@completions $completions:expr) => { $completions };
    (@infer none) => { None };
    (@infer $infer:ident $($Attrs:ident)?) => { Some($infer $(::<$Attrs>)?) };
}

pub(crate) use operators;
