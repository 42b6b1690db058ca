//! [`Directory`]: the types, the rows and the columns of a file.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::column::{ColumnEntry, malformed};
use crate::error::Result;

/// The directory, which is JSON in the header of the file.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Directory {
    /// The number of the root node.
    pub(super) root: u32,
    /// The groups, in the order of their nodes: the nodes of a group have the numbers after the ones of the group before.
    pub(super) groups: Vec<GroupEntry>,
    /// The column with the index of the group of each node that is not a plain value, after the nodes to which it refers.
    pub(super) order: ColumnEntry,
}

impl Directory {
    /// The directory in a text.
    ///
    /// # Errors
    /// [`Malformed`](crate::ErrorKind::Malformed) for another text.
    pub(super) fn parse(text: &str) -> Result<Self> {
        serde_json::from_str(text).map_err(|error| malformed(format!("the directory: {error}")))
    }
}

/// All nodes of one type.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct GroupEntry {
    /// The key of the type, or the name of a kind of plain values.
    #[serde(rename = "type")]
    pub(super) type_key: String,
    /// The declaration of the type, unless it is in the form of TVM.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) declaration: Option<Value>,
    /// The number of nodes.
    pub(super) rows: u32,
    /// The columns.
    pub(super) columns: Vec<ColumnEntry>,
}
