//! Access to the fields of objects: reading, comparing in pairs, and building objects.

pub(crate) mod builder;
pub(crate) mod fields;
pub(crate) mod hooked;
pub(crate) mod instances;
pub(crate) mod plain;
pub(crate) mod region;
pub(crate) mod pairs;
pub(crate) mod unrolled;
