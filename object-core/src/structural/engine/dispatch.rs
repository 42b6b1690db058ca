//! The numbers by which [`Dispatch`] leads to the code for a type, and the tables of that code.

use crate::object::Dispatch;

// The dispatches with code of their own, and those that code tells apart from others, by number.
pub(crate) const TYPE: u8 = Dispatch::Type as u8;
pub(crate) const TYPE_INT: u8 = Dispatch::TypeInt as u8;
pub(crate) const PLAIN: u8 = Dispatch::Plain as u8;
pub(crate) const FIELDS: u8 = Dispatch::Fields as u8;
pub(crate) const ITEMS: u8 = Dispatch::Items as u8;
pub(crate) const LISTED: u8 = Dispatch::Listed as u8;
pub(crate) const IDENTITY: u8 = Dispatch::Identity as u8;
pub(crate) const COUNTERPART: u8 = Dispatch::Counterpart as u8;
pub(crate) const OTHER: u8 = Dispatch::Other as u8;

/// The table of the code for each dispatch, which the function gives by the number of the dispatch.
macro_rules! by_dispatch {
    (Self::$on:ident) => {
        by_dispatch!(Self::$on, 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17)
    };
    (Self::$on:ident, $($number:literal)*) => {
        [$(Self::$on::<$number>()),*]
    };
}
pub(crate) use by_dispatch;
