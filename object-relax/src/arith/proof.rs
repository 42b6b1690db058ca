//! [`Proof`]: the answer of the prover.

/// Whether a statement about shape expressions is true.
///
/// An answer covers all assignments that satisfy the facts of the [`Analyzer`](super::Analyzer) and for which both
/// sides have a value: no divisor is 0, and no operation on `int32` or `int64` overflows. If there are no such
/// assignments, for example because facts contradict each other, any answer covers all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Proof {
    /// The statement is true for every assignment.
    True,
    /// The statement is false for every assignment.
    False,
    /// The prover found neither a proof nor a refutation. The statement may also be true for some assignments only.
    Unknown,
}

impl Proof {
    /// Whether the statement is true for every assignment.
    #[must_use]
    pub fn is_true(self) -> bool {
        self == Proof::True
    }

    /// Whether the statement is false for every assignment.
    #[must_use]
    pub fn is_false(self) -> bool {
        self == Proof::False
    }

    /// Whether the prover found no answer.
    #[must_use]
    pub fn is_unknown(self) -> bool {
        self == Proof::Unknown
    }
}

/// The proof of the opposite statement.
impl std::ops::Not for Proof {
    type Output = Proof;

    fn not(self) -> Proof {
        match self {
            Proof::True => Proof::False,
            Proof::False => Proof::True,
            Proof::Unknown => Proof::Unknown,
        }
    }
}

impl From<bool> for Proof {
    fn from(known: bool) -> Proof {
        if known { Proof::True } else { Proof::False }
    }
}
