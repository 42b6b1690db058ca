//! [`Register`] and [`Place`]: where a run has its values; and the operations of one integer.

use super::kind::IntKind;

/// The number of a register, in the list of its kind.
pub(super) type Register = u32;

/// A value in registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Int(Register),
    Float(Register),
    /// An address: a memory.
    Pointer(u32),
}

/// An operation of one integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IntFunction {
    Not,
    Abs,
    PopCount,
    LeadingZeros,
    /// Whether the number is 0.
    IsZero,
    /// Whether the number is not 0.
    Truth,
}

impl IntFunction {
    /// The result for a number of the type `kind`.
    #[inline]
    pub(super) fn apply(self, kind: IntKind, value: i64) -> i64 {
        let mask = if kind.bits >= 64 { u64::MAX } else { (1 << kind.bits) - 1 };
        match self {
            IntFunction::Not => kind.wrap(!value),
            IntFunction::Abs => kind.wrap(if kind.is_signed { value.wrapping_abs() } else { value }),
            IntFunction::PopCount => i64::from((value as u64 & mask).count_ones()),
            IntFunction::LeadingZeros => i64::from((value as u64 & mask).leading_zeros()) - (64 - i64::from(kind.bits)),
            IntFunction::IsZero => i64::from(value == 0),
            IntFunction::Truth => i64::from(value != 0),
        }
    }
}
