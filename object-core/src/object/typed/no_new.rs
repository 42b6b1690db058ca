//! The errors for `XNode::new(...)`, and for `X::new(...)` of a handle without this function.
//!
//! Without these items, the compiler would propose traits of other crates that have a function `new`. The prelude has the
//! traits under no name. A function `new` of the type itself takes precedence over the constants.

use crate::object::typed::handle::{Object, TypedHandle};

/// The type of [`NodeWithoutNew::new`], whose name the compiler shows in place of a function.
#[doc(hidden)]
pub struct CallNewOfTheHandle;

/// The type of [`HandleWithoutNew::new`], whose name the compiler shows in place of a function.
#[doc(hidden)]
pub struct NoNewForAbstractTypesAndSingletons;

/// Node structs have no function `new`.
#[doc(hidden)]
pub trait NodeWithoutNew {
    /// Not a function, so that a call is one error, whatever its arguments are.
    #[allow(non_upper_case_globals, reason = "the name that users call")]
    const new: CallNewOfTheHandle = CallNewOfTheHandle;
}

impl<N: Object> NodeWithoutNew for N {}

/// The handles of abstract types and of singletons have no function `new`, and other handles have their own.
#[doc(hidden)]
pub trait HandleWithoutNew {
    /// Not a function, so that a call is one error, whatever its arguments are.
    #[allow(non_upper_case_globals, reason = "the name that users call")]
    const new: NoNewForAbstractTypesAndSingletons = NoNewForAbstractTypesAndSingletons;
}

impl<H: TypedHandle> HandleWithoutNew for H {}
