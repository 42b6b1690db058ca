//! Writes binary graphs.

use std::io::Write;

use super::column::{ColumnEntry, Holds, SLACK, encode};
use super::container::NewHeader;
use super::directory::{Directory, GroupEntry};
use super::groups::{Groups, NewColumn};
use crate::error::{Error, ErrorKind, Result};
use crate::json::{Metadata, order_nodes};
use crate::object::AsAnyView;

/// The graph below `root` as a binary graph: see [`to_writer`].
///
/// # Errors
/// As [`to_writer`].
pub fn to_vec(root: &impl AsAnyView, metadata: Option<&Metadata>) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    to_writer(&mut out, root, metadata)?;
    Ok(out)
}

/// Writes the graph below `root`, with the metadata of its JSON form, as a binary graph. The same graph has the same bytes in every
/// process.
///
/// # Errors
/// [`NotSerializable`](ErrorKind::NotSerializable), with the path, for functions and other values that exist in memory only, and for
/// objects of types that the program does not know; [`Io`](ErrorKind::Io) for errors of `out`.
pub fn to_writer(mut out: impl Write, root: &impl AsAnyView, metadata: Option<&Metadata>) -> Result<()> {
    let groups = Groups::of(&order_nodes(root.as_any_view())?)?;
    let mut section = Vec::new();
    let mut entries = Vec::with_capacity(groups.all.len());
    for group in &groups.all {
        let columns = group.columns.iter().map(|column| column.encode(&mut section)).collect();
        entries.push(GroupEntry {
            type_key: group.type_key.to_owned(),
            declaration: group.declaration.clone(),
            rows: group.rows,
            columns,
        });
    }
    let order = encode("order", Holds::Int, 0, &groups.order, &mut section);
    section.extend([0; SLACK]);
    let directory = Directory { root: groups.root as u32, groups: entries, order };
    let directory =
        serde_json::to_string(&directory).map_err(|error| Error::new(ErrorKind::NotSerializable, error.to_string()))?;
    let mut header = NewHeader::new(&directory, metadata.map(Metadata::as_str), section.len());
    groups.tensors.iter().for_each(|tensor| header.add_tensor(tensor));
    let (header, gaps) = header.finish();
    out.write_all(&header)?;
    let parts = std::iter::once(&section[..]).chain(groups.tensors.iter().map(|tensor| &*tensor.data));
    for (part, gap) in parts.zip(gaps) {
        out.write_all(part)?;
        out.write_all(&[0; 64][..gap])?;
    }
    Ok(())
}

impl NewColumn {
    /// Appends the numbers to the section.
    fn encode(&self, section: &mut Vec<u8>) -> ColumnEntry {
        if self.holds != Holds::Byte {
            return encode(self.name, self.holds, self.least_width, &self.numbers, section);
        }
        section.extend_from_slice(&self.bytes);
        ColumnEntry(self.name.to_owned(), self.holds, 1, 0, self.bytes.len() as u64)
    }
}
