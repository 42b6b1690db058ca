//! [`Definition`]: a member that a hand-written part defines.

/// A member of a class that a hand-written part defines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Definition {
    /// The name.
    pub(super) name: String,
    /// The line in the file, from 1.
    pub(super) line: u32,
    /// The column, from 1.
    pub(super) column: u32,
}

/// The members of a part, and the first fault of its form, if there is one.
#[derive(Debug, Default)]
pub(super) struct PartContents {
    /// The members.
    pub(super) definitions: Vec<Definition>,
    /// A fault with its line and column in the file.
    pub(super) fault: Option<(u32, u32, String)>,
}
