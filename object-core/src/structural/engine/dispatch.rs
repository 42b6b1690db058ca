//! The variants of [`Dispatch`] as numbers, for tables of functions indexed by dispatch.

use crate::object::Dispatch;

// The dispatches that have a routine or are matched by number.
pub(crate) const TYPE: u8 = Dispatch::Type as u8;
pub(crate) const TYPE_INT: u8 = Dispatch::TypeInt as u8;
pub(crate) const PLAIN: u8 = Dispatch::Plain as u8;
pub(crate) const FIELDS: u8 = Dispatch::Fields as u8;
pub(crate) const ITEMS: u8 = Dispatch::Items as u8;
pub(crate) const LISTED: u8 = Dispatch::Listed as u8;
pub(crate) const IDENTITY: u8 = Dispatch::Identity as u8;
pub(crate) const COUNTERPART: u8 = Dispatch::Counterpart as u8;
pub(crate) const OTHER: u8 = Dispatch::Other as u8;

/// An array of functions with one element per dispatch: `$on::<N>()` returns the element for the dispatch with number
/// `N`.
macro_rules! by_dispatch {
    (Self::$on:ident) => {
        by_dispatch!(Self::$on, 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17)
    };
    (Self::$on:ident, $($number:literal)*) => {
        [$(Self::$on::<$number>()),*]
    };
}
pub(crate) use by_dispatch;
