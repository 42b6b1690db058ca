//! The container of a file: the one of safetensors, whose readers see the tensors of the graph.

use safetensors::tensor::{Dtype, Metadata as Entries};

use super::column::malformed;
use crate::error::Result;
use crate::scalar::{DataType, TypeCode};
use crate::value::Tensor;

/// The key of the version of the format in the metadata of the header. It is the first key, so that the start of a file tells
/// the format.
const FORMAT: &str = "object_graph";
/// The version of the format.
const VERSION: &str = "2";
/// The key of the directory in the metadata of the header.
const DIRECTORY: &str = "directory";
/// The key of the metadata of the graph in the metadata of the header.
const METADATA: &str = "metadata";
/// The entry of the columns.
const COLUMNS: &str = "columns";
/// The alignment of the data of each tensor in the file: the one that kernels expect.
const ALIGN: usize = 64;
/// The bytes of the length of the header.
const LENGTH: usize = 8;

/// The text after the length of the header, in each file of this format.
fn start() -> String {
    format!("{{\"__metadata__\":{{\"{FORMAT}\":\"")
}

/// The bytes at the start of a file that tell [`is_binary`] the format.
pub const START: usize = 48;

/// Whether `bytes` begin as a file of this format does.
#[must_use]
pub fn is_binary(bytes: &[u8]) -> bool {
    bytes.get(LENGTH..).is_some_and(|text| text.starts_with(start().as_bytes()))
}

/// The parts of a file except for the data of its tensors.
pub(super) struct Contents<'f> {
    pub(super) directory: &'f str,
    pub(super) metadata: Option<&'f str>,
    /// Where the columns begin and end.
    pub(super) columns: (usize, usize),
    /// Where the data of each tensor begins and ends.
    pub(super) tensors: Vec<(usize, usize)>,
}

/// The name of the entry of the tensor with this index.
fn name_of(tensor: usize) -> String {
    format!("tensor.{tensor}")
}

/// A header under construction.
pub(super) struct NewHeader {
    text: String,
    /// The end of the last entry, from the start of the data.
    end: usize,
    /// The number of bytes after each part of the data, up to the next one.
    gaps: Vec<usize>,
}

impl NewHeader {
    /// The header of a file with columns of `columns` bytes.
    pub(super) fn new(directory: &str, metadata: Option<&str>, columns: usize) -> Self {
        let quoted = |text: &str| serde_json::Value::from(text).to_string();
        let mut text = format!("{}{VERSION}\",\"{DIRECTORY}\":{}", start(), quoted(directory));
        if let Some(metadata) = metadata {
            text += &format!(",\"{METADATA}\":{}", quoted(metadata));
        }
        text.push('}');
        let mut header = NewHeader { text, end: 0, gaps: Vec::new() };
        header.add(COLUMNS, "U8", &[columns as i64], columns);
        header
    }

    /// Adds a tensor.
    pub(super) fn add_tensor(&mut self, tensor: &Tensor) {
        let (name, bytes) = (name_of(self.gaps.len() - 1), tensor.data.len());
        match dtype_name(tensor.dtype) {
            Some(dtype) => self.add(&name, dtype, &tensor.shape, bytes),
            None => self.add(&name, "U8", &[bytes as i64], bytes),
        }
    }

    /// Adds a part of the data, and a gap after it: the container has no bytes without an entry.
    fn add(&mut self, name: &str, dtype: &str, shape: &[i64], bytes: usize) {
        self.add_entry(name, dtype, shape, bytes);
        let gap = self.end.next_multiple_of(ALIGN) - self.end;
        if gap > 0 {
            self.add_entry(&format!("gap.{}", self.gaps.len()), "U8", &[gap as i64], gap);
        }
        self.gaps.push(gap);
    }

    fn add_entry(&mut self, name: &str, dtype: &str, shape: &[i64], bytes: usize) {
        let start = self.end;
        self.end += bytes;
        let end = self.end;
        self.text +=
            &format!(",\"{name}\":{{\"dtype\":\"{dtype}\",\"shape\":{shape:?},\"data_offsets\":[{start},{end}]}}");
    }

    /// The bytes of the header with its length, and of the gap after each part of the data.
    pub(super) fn finish(mut self) -> (Vec<u8>, Vec<usize>) {
        self.text.push('}');
        let length = (LENGTH + self.text.len()).next_multiple_of(ALIGN) - LENGTH;
        let mut header = (length as u64).to_le_bytes().to_vec();
        header.extend(self.text.bytes().chain(std::iter::repeat(b' ')).take(length));
        (header, self.gaps)
    }
}

/// The name that the container has for a type of elements. Tensors of other types are stored as bytes: the directory has their types.
fn dtype_name(dtype: DataType) -> Option<&'static str> {
    let code = |code: TypeCode, bits| dtype == DataType::scalar(code, bits);
    let names = [
        (TypeCode::BOOL, 8, "BOOL"),
        (TypeCode::UINT, 8, "U8"),
        (TypeCode::INT, 8, "I8"),
        (TypeCode::INT, 16, "I16"),
        (TypeCode::UINT, 16, "U16"),
        (TypeCode::FLOAT, 16, "F16"),
        (TypeCode::BFLOAT, 16, "BF16"),
        (TypeCode::INT, 32, "I32"),
        (TypeCode::UINT, 32, "U32"),
        (TypeCode::FLOAT, 32, "F32"),
        (TypeCode::FLOAT, 64, "F64"),
        (TypeCode::INT, 64, "I64"),
        (TypeCode::UINT, 64, "U64"),
    ];
    names.into_iter().find(|(kind, bits, _)| code(*kind, *bits)).map(|(.., name)| name)
}

/// The parts of a file of this format, whose header `entries` describe after `start` bytes.
pub(super) struct Header {
    entries: Entries,
    /// The bytes before the data of the first entry.
    data: usize,
}

impl Header {
    /// The header of a file.
    ///
    /// # Errors
    /// [`Malformed`](crate::ErrorKind::Malformed) for a file of another format or another version, and a damaged header.
    pub(super) fn read(bytes: &[u8]) -> Result<Self> {
        if !is_binary(bytes) {
            return Err(malformed("the bytes do not begin as a binary graph does"));
        }
        let read = safetensors::SafeTensors::read_metadata(bytes);
        let (length, entries) = read.map_err(|error| malformed(format!("the header of the container: {error}")))?;
        Ok(Header { entries, data: LENGTH + length })
    }

    /// The text of the metadata of the header with this key.
    fn text(&self, key: &str) -> Option<&str> {
        self.entries.metadata().as_ref()?.get(key).map(String::as_str)
    }

    /// Where the entry `name` begins and ends in the file.
    fn entry(&self, name: &str) -> Option<(usize, usize)> {
        let (start, end) = self.entries.info(name)?.data_offsets;
        Some((self.data + start, self.data + end))
    }

    /// The parts of the file.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub(super) fn contents(&self) -> Result<Contents<'_>> {
        match self.text(FORMAT) {
            Some(VERSION) => {}
            Some(other) => {
                let message = format!(
                    "expected version {VERSION} of the format, got `{}`: another version of this program wrote the file; \
                     convert it with that program to JSON, which every version reads",
                    crate::brief_to(other, 20),
                );
                return Err(malformed(message));
            }
            None => return Err(malformed("the header has no version of the format")),
        }
        let columns = self.entries.info(COLUMNS).filter(|info| info.dtype == Dtype::U8).and(self.entry(COLUMNS));
        let (Some(directory), Some(columns)) = (self.text(DIRECTORY), columns) else {
            return Err(malformed("the header has no directory or no columns"));
        };
        let tensors = (0..).map_while(|tensor| self.entry(&name_of(tensor))).collect();
        Ok(Contents { directory, metadata: self.text(METADATA), columns, tensors })
    }
}
