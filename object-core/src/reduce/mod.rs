//! Smaller values with the same property: delta debugging over the graph of any language.
//!
//! A [`Reducer`] has a value, a test that holds for it, and a predicate that says which values are valid. Its operations
//! propose candidates, and take a candidate for which the test holds as the new value:
//!
//! - [`remove_parts`](Reducer::remove_parts) removes as many parts of a list as possible: the half of the parts, then the
//!   half of these, and so on to single parts, until no single part can go (Zeller and Hildebrandt, "Simplifying and
//!   isolating failure-inducing input", 2002, without its tests of the complements). The caller says what the parts are.
//! - [`reduce`](Reducer::reduce) takes the parts from the reflection of the types, level by level from the root (Misherghi
//!   and Su, "HDD: Hierarchical Delta Debugging", 2006): the elements of arrays, the entries of maps, the values of optional
//!   fields, and objects in favour of an object of the same type below them.
//!
//! The test never runs twice on structurally equal values, and never on a value that is not valid. A test can be a
//! process that takes seconds, so the number of tests is the cost that counts: a list of n parts of which k stay needs at
//! most about 2k log2(n) + k² tests.

mod parts;
mod reducer;

pub use reducer::Reducer;
