//! Tensors in the files of NumPy: one array in a `.npy` file, arrays by name in a `.npz` file.

use std::collections::BTreeMap;
use std::io::{Read, Seek, Write};

use object_core::prelude::*;
use object_core::scalar::TypeCode;

use super::npy_header::{NpyHeader, malformed};
use super::value::Tensor;

/// The type of NumPy for a data type, such as `<f4` for `float32`.
///
/// # Errors
/// [`NotSerializable`](ErrorKind::NotSerializable) for a type that NumPy does not have, such as `bfloat16`.
fn type_str(dtype: DataType) -> Result<String, Error> {
    let kind = match dtype.code {
        TypeCode::INT => 'i',
        TypeCode::UINT => 'u',
        TypeCode::FLOAT => 'f',
        TypeCode::BOOL => 'b',
        _ => {
            let message = format!("NumPy has no type for {dtype}; convert the tensor with `astype`");
            return Err(Error::new(ErrorKind::NotSerializable, message));
        }
    };
    let order = if dtype.bits == 8 { '|' } else { '<' };
    Ok(format!("{order}{kind}{}", dtype.bits / 8))
}

/// Reads the content of a `.npy` file.
///
/// # Errors
/// [`Malformed`](ErrorKind::Malformed) for other content, for big-endian numbers, for records, and for arrays in Fortran's
/// order.
pub fn read_npy(bytes: &[u8]) -> Result<object_core::Tensor, Error> {
    let (NpyHeader { dtype, shape }, data) = NpyHeader::read(bytes)?;
    object_core::Tensor::new(dtype, shape, data.to_vec())
}

/// The content of a `.npy` file with the elements of a tensor.
///
/// # Errors
/// [`NotSerializable`](ErrorKind::NotSerializable) for an element type that NumPy does not have.
pub fn write_npy(tensor: &Tensor) -> Result<Vec<u8>, Error> {
    let mut file = Vec::new();
    let order = type_str(tensor.dtype())?;
    let dims: Vec<String> = tensor.shape().iter().map(i64::to_string).collect();
    let comma = if dims.len() == 1 { "," } else { "" };
    let mut header = format!("{{'descr': '{order}', 'fortran_order': False, 'shape': ({}{comma}), }}", dims.join(", "));
    while (header.len() + 11) % 64 != 0 {
        header.push(' ');
    }
    header.push('\n');
    file.extend_from_slice(b"\x93NUMPY\x01\x00");
    let length = u16::try_from(header.len()).map_err(malformed)?;
    file.extend_from_slice(&length.to_le_bytes());
    file.extend_from_slice(header.as_bytes());
    file.extend_from_slice(&tensor.bytes());
    Ok(file)
}

/// Reads the arrays of a `.npz` file by name.
///
/// # Errors
/// [`Malformed`](ErrorKind::Malformed) for other content.
pub fn read_npz(file: impl Read + Seek) -> Result<BTreeMap<String, object_core::Tensor>, Error> {
    let mut archive = zip::ZipArchive::new(file).map_err(malformed)?;
    let mut arrays = BTreeMap::new();
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).map_err(malformed)?;
        let Some(name) = entry.name().strip_suffix(".npy").map(str::to_owned) else { continue };
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).map_err(malformed)?;
        arrays.insert(name, read_npy(&bytes)?);
    }
    Ok(arrays)
}

/// Writes tensors by name to a `.npz` file.
///
/// # Errors
/// [`NotSerializable`](ErrorKind::NotSerializable) for an element type that NumPy does not have, and
/// [`Io`](ErrorKind::Io) if writing fails.
pub fn write_npz<'a>(
    file: impl Write + Seek,
    tensors: impl IntoIterator<Item = (&'a str, &'a Tensor)>,
) -> Result<(), Error> {
    let io = |error: zip::result::ZipError| Error::new(ErrorKind::Io, error.to_string());
    let mut archive = zip::ZipWriter::new(file);
    for (name, tensor) in tensors {
        archive.start_file(format!("{name}.npy"), zip::write::SimpleFileOptions::default()).map_err(io)?;
        archive.write_all(&write_npy(tensor)?)?;
    }
    archive.finish().map_err(io)?;
    Ok(())
}
