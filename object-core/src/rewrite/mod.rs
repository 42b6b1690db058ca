//! Changing a graph: [`mutate()`], [`Mutate`] and [`Mutator`] replace objects by type.

mod mutate;

pub use mutate::{Mutate, Mutation, Mutator, mutate, mutate_with};
