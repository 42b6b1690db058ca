//! Objects, containers, functions, and the code of users that their operations run.

#![allow(missing_docs, reason = "the types of a test explain themselves")]

#[path = "../demo/mod.rs"]
mod demo;

#[cfg(feature = "inventory")]
mod attacks;
mod container_edits;
mod containers;
mod data;
mod dlpack;
mod functions;
mod identity;
mod inference;
mod nested;
#[cfg(feature = "inventory")]
mod numbers;
mod objects;
#[cfg(feature = "inventory")]
mod reflection;
mod release;
mod setters;
#[cfg(feature = "inventory")]
mod singletons;
#[cfg(feature = "inventory")]
mod skip;
mod values;
