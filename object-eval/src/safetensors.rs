//! Tensors by name in files of safetensors: the length of a header, the header in JSON, the elements.
//!
//! The format is the one of <https://github.com/huggingface/safetensors>. It has no integers of four bits: a file has them as
//! integers of eight bits.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::io::{Read, Seek, SeekFrom, Write};

use ::safetensors::tensor::{Dtype, Metadata, View};
use object_core::prelude::*;

use super::value::{ElementType, Meter, Tensor};

/// The most bytes that the parts of a header take for each of its bytes: a zero and a comma in a list become an element of 32
/// bytes in a list that grows.
const GROWTH: u64 = 64;

/// The bytes of the length before the header.
const LENGTH: u64 = size_of::<u64>() as u64;

fn malformed(error: impl Display) -> Error {
    Error::new(ErrorKind::Malformed, format!("not a file of safetensors: {error}"))
}

/// The element types of the format, with the type of a run of the same bits.
const TYPES: [(Dtype, ElementType); 15] = [
    (Dtype::BOOL, ElementType::Bool),
    (Dtype::I8, ElementType::I8),
    (Dtype::I16, ElementType::I16),
    (Dtype::I32, ElementType::I32),
    (Dtype::I64, ElementType::I64),
    (Dtype::U8, ElementType::U8),
    (Dtype::U16, ElementType::U16),
    (Dtype::U32, ElementType::U32),
    (Dtype::U64, ElementType::U64),
    (Dtype::F16, ElementType::F16),
    (Dtype::BF16, ElementType::BF16),
    (Dtype::F32, ElementType::F32),
    (Dtype::F64, ElementType::F64),
    (Dtype::F8_E4M3, ElementType::F8E4M3),
    (Dtype::F8_E5M2, ElementType::F8E5M2),
];

/// Reads the tensors of a file whose names `wanted` accepts. `meter` counts them, and the header, before their memory exists.
///
/// # Errors
/// [`Malformed`](ErrorKind::Malformed) for other content, [`TypeMismatch`](ErrorKind::TypeMismatch) for an element type that
/// tensors of a run lack, and [`LimitExceeded`](ErrorKind::LimitExceeded) if the meter refuses the memory.
pub(super) fn read(
    mut file: impl Read + Seek,
    wanted: &dyn Fn(&str) -> bool,
    meter: &Meter,
) -> Result<BTreeMap<String, Tensor>, Error> {
    let mut length = [0; LENGTH as usize];
    file.read_exact(&mut length).map_err(|_| malformed("the length of the header is missing"))?;
    let length = u64::from_le_bytes(length);
    let _parts = meter.reserve(length.saturating_mul(GROWTH))?;
    let mut header = Vec::new();
    file.by_ref().take(length).read_to_end(&mut header)?;
    if header.len() as u64 != length {
        return Err(malformed(format!("expected a header of {length} bytes, got {}", header.len())));
    }
    let metadata: Metadata = serde_json::from_slice(&header).map_err(malformed)?;
    let (expected, given) = (metadata.data_len() as u64, file.seek(SeekFrom::End(0))? - LENGTH - length);
    if expected != given {
        return Err(malformed(format!("the tensors have {expected} bytes, and the file has {given} of them")));
    }
    let mut tensors = BTreeMap::new();
    for (name, info) in metadata.tensors() {
        if !wanted(&name) {
            continue;
        }
        let known = TYPES.iter().find(|(dtype, _)| *dtype == info.dtype);
        let (_, element) = known.ok_or_else(|| {
            let message = format!("`{name}`: tensors of a run have no elements of the type {}", info.dtype);
            Error::new(ErrorKind::TypeMismatch, message)
        })?;
        let shape: Vec<i64> =
            info.shape.iter().map(|extent| i64::try_from(*extent)).collect::<Result<_, _>>().map_err(malformed)?;
        let tensor = Tensor::zeros(element.dtype(), &shape, meter)?;
        file.seek(SeekFrom::Start(LENGTH + length + info.data_offsets.0 as u64))?;
        file.read_exact(&mut tensor.write_bytes())?;
        tensors.insert(name, tensor);
    }
    Ok(tensors)
}

/// A tensor to write.
struct Written<'a> {
    tensor: &'a Tensor,
    dims: Vec<usize>,
}

impl View for Written<'_> {
    fn dtype(&self) -> Dtype {
        let element = match self.tensor.element() {
            ElementType::I4 => ElementType::I8,
            ElementType::U4 => ElementType::U8,
            element => element,
        };
        TYPES.iter().find(|(_, known)| *known == element).map_or(Dtype::U8, |(dtype, _)| *dtype)
    }

    fn shape(&self) -> &[usize] {
        &self.dims
    }

    fn data(&self) -> Cow<'_, [u8]> {
        self.tensor.bytes().into()
    }

    fn data_len(&self) -> usize {
        self.tensor.byte_range().len()
    }
}

/// Writes tensors by name.
///
/// # Errors
/// [`Io`](ErrorKind::Io) if writing fails, and [`Malformed`](ErrorKind::Malformed) for a header above the limit of the format.
pub(super) fn write<'a>(
    mut file: impl Write,
    tensors: impl IntoIterator<Item = (&'a str, &'a Tensor)>,
) -> Result<(), Error> {
    let written = |(name, tensor): (&'a str, &'a Tensor)| (name, Written { tensor, dims: tensor.dims() });
    let content = ::safetensors::serialize(tensors.into_iter().map(written), None).map_err(malformed)?;
    Ok(file.write_all(&content)?)
}
