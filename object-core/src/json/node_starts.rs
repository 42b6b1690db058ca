//! [`node_starts`]: where the nodes of a JSON graph begin in its text.

use memchr::memmem;

/// The start of a node in text without white space.
const NODE: &[u8] = b"{\"type\":\"";
/// The end of a node and the start of the next one. A JSON string does not contain this text, because it has a backslash before
/// a quote.
const BETWEEN: &[u8] = b"},{\"type\":\"";

/// The offsets in `text` at which nodes begin, if `text` begins with a node and has no white space between nodes; else, and for
/// text of 4 GiB and more, an empty list.
///
/// Offsets of other values are among them if such values look like nodes, which only metadata do in practice. So a reader has to
/// check that each node ends where the next one begins.
pub(super) fn node_starts(text: &[u8]) -> Vec<u32> {
    let mut starts = Vec::new();
    if text.starts_with(NODE) && u32::try_from(text.len()).is_ok() {
        starts.push(0);
        starts.extend(memmem::find_iter(text, BETWEEN).map(|end| end as u32 + 2));
    }
    starts
}

#[cfg(test)]
mod tests {
    use super::node_starts;

    #[test]
    fn nodes_without_white_space_are_found() {
        let text = br#"{"type":"None"},{"type":"ffi.String","data":"},{\"type\":\""},{"type":"int","data":1}]}"#;
        assert_eq!(node_starts(text), [0, 16, 62]);
    }

    #[test]
    fn white_space_before_the_first_type_leaves_the_order_to_the_reader() {
        assert!(node_starts(br#"{"type": "None"},{"type":"None"}"#).is_empty());
        assert!(node_starts(br#" {"type":"None"}"#).is_empty());
    }
}
