//! The arguments and the results of functions by name: limits, differences, violations, statistics.

use object_core::meter::Meter;
use object_core::prelude::*;
use object_core::structural::Mismatch;
use object_core::verify::Violation;

/// The limits of memory and work of one call. The defaults are for files from strangers.
#[derive(Object)]
#[object(type_key = "objir.Limits")]
#[structural_eq(tree)]
pub struct LimitsNode {
    /// The memory of all graphs, texts and tensors of the call, in bytes.
    #[field(default = 1i64 << 32)]
    pub max_memory: i64,
    /// The largest number of bytes of a text, unpacked.
    #[field(default = 1i64 << 31)]
    pub max_bytes: i64,
    /// The largest number of nodes of a graph, with the elements of its lists.
    #[field(default = 40_000_000)]
    pub max_nodes: i64,
    /// The largest number of objects on a path from the root of a graph.
    #[field(default = 40_000_000)]
    pub max_depth: i64,
    /// The largest number of steps: of objects and references that an operation visits, and of instructions of a run.
    #[field(default = 1_000_000_000)]
    pub max_steps: i64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits::new()
    }
}

impl Limits {
    /// The limits of operations.
    ///
    /// # Errors
    /// [`OutOfRange`](ErrorKind::OutOfRange) for a negative limit.
    pub fn to_limits(&self) -> Result<object_core::Limits, Error> {
        Ok(object_core::Limits::untrusted()
            .max_bytes(count("max_bytes", self.max_bytes)?)
            .max_nodes(count("max_nodes", self.max_nodes)?)
            .max_depth(count("max_depth", self.max_depth)?)
            .max_steps(count("max_steps", self.max_steps)?))
    }

    /// A new account of the memory of a call.
    ///
    /// # Errors
    /// [`OutOfRange`](ErrorKind::OutOfRange) for a negative limit.
    pub fn meter(&self) -> Result<Meter, Error> {
        count("max_memory", self.max_memory).map(Meter::with_limit)
    }
}

/// The number in the field `name` of an argument.
///
/// # Errors
/// [`OutOfRange`](ErrorKind::OutOfRange) for a number that `N` does not have, such as a negative one.
pub fn count<N: TryFrom<i64>>(name: &str, value: i64) -> Result<N, Error> {
    N::try_from(value).map_err(|_| {
        let message = format!("`{name}`: expected a number that is not negative, got {value}");
        Error::new(ErrorKind::OutOfRange, message)
    })
}

/// A place at which two graphs differ.
#[derive(Object)]
#[object(type_key = "objir.Difference")]
#[structural_eq(tree)]
pub struct DifferenceNode {
    /// The path of the place on the left.
    pub lhs_path: Str,
    /// The path of the place on the right.
    pub rhs_path: Str,
    /// The value on the left; nothing if the left side has no value there.
    pub lhs: Any,
    /// The value on the right; nothing if the right side has no value there.
    pub rhs: Any,
    /// The difference in words.
    pub message: Str,
}

impl Difference {
    /// The difference as an object.
    #[must_use]
    pub fn of(mismatch: &Mismatch) -> Self {
        let (lhs, rhs) = (mismatch.lhs_value.clone(), mismatch.rhs_value.clone());
        let paths = (mismatch.lhs.to_string(), mismatch.rhs.to_string());
        Difference::new(paths.0, paths.1, lhs.unwrap_or_default(), rhs.unwrap_or_default(), mismatch.to_string())
    }
}

/// A value that breaks a check of its declaration.
#[derive(Object)]
#[object(type_key = "objir.DeclarationViolation")]
#[structural_eq(tree)]
pub struct DeclarationViolationNode {
    /// The key of the type of the object.
    pub type_key: Str,
    /// The word of the declaration, or the name that the verifier gives.
    pub rule: Str,
    /// The path of the place.
    pub path: Str,
    /// The expected and the given value.
    pub message: Str,
}

impl DeclarationViolation {
    /// The violation as an object.
    #[must_use]
    pub fn of(violation: &Violation) -> Self {
        let path = violation.path().to_string();
        DeclarationViolation::new(violation.type_info().type_key(), violation.rule(), path, violation.message())
    }
}

/// The size of a graph.
#[derive(Object)]
#[object(type_key = "objir.Statistics")]
#[structural_eq(tree)]
pub struct StatisticsNode {
    /// The nodes.
    pub nodes: i64,
    /// The references between nodes.
    pub edges: i64,
    /// The objects with two or more references, without texts and plain values.
    pub shared: i64,
    /// The number of nodes on the longest path from the root.
    pub depth: i64,
    /// The number of nodes if nothing were shared, at most `i64::MAX`.
    pub tree_nodes: i64,
    /// The counts of each type, the most frequent first.
    pub types: Array<TypeCount>,
}

/// The objects of one type in a graph.
#[derive(Object)]
#[object(type_key = "objir.TypeCount")]
#[structural_eq(tree)]
pub struct TypeCountNode {
    /// The type key, or the name of a plain kind.
    pub type_key: Str,
    /// The nodes of exactly this type.
    pub nodes: i64,
    /// The references to them.
    pub references: i64,
}
