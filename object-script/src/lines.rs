//! The lines of a text.

/// The offset of the first byte of the line that contains `offset`; of the last line if `offset` is after the text.
pub(crate) fn line_start(text: &str, offset: usize) -> usize {
    let before = &text.as_bytes()[..offset.min(text.len())];
    before.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1)
}
