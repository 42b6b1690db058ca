//! [`Source`]: the formats from which the general reader reads.

/// The format from which the general reader reads a graph.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    /// JSON text after the filter of [`odd_numbers`](super::odd_numbers).
    JsonText,
    /// Any format of serde that describes itself.
    #[cfg_attr(
        not(feature = "serde"),
        allow(dead_code, reason = "the feature `serde` has the readers of other formats")
    )]
    AnyFormat,
}
