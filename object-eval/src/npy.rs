//! Tensors in the files of NumPy: one array in a `.npy` file, arrays by name in a `.npz` file.

use std::collections::BTreeMap;
use std::io::{Read, Seek, Write};

use object_core::prelude::*;
use object_core::scalar::TypeCode;

use super::npy_header::{NpyHeader, malformed};
use super::value::{Meter, Tensor};

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

/// Reads the content of a `.npy` file into a tensor, which `meter` counts before its memory exists.
///
/// # Errors
/// [`Malformed`](ErrorKind::Malformed) for other content, for too few or too many elements, for big-endian numbers, for
/// records, and for arrays in Fortran's order; [`TypeMismatch`](ErrorKind::TypeMismatch) for an element type that tensors of
/// a run lack; [`LimitExceeded`](ErrorKind::LimitExceeded) if the meter refuses the memory.
pub fn read_npy(mut content: impl Read, meter: &Meter) -> Result<Tensor, Error> {
    let NpyHeader { dtype, shape } = NpyHeader::read(&mut content)?;
    let tensor = Tensor::zeros(dtype, &shape, meter)?;
    let count = tensor.byte_range().len();
    content.read_exact(&mut tensor.write_bytes()).map_err(|error| {
        malformed(format!("expected {count} bytes for the shape {shape:?} and the type {dtype}: {error}"))
    })?;
    if content.read(&mut [0]).map_err(malformed)? > 0 {
        let message = format!("expected {count} bytes for the shape {shape:?} and the type {dtype}, got more");
        return Err(malformed(message));
    }
    Ok(tensor)
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

/// Reads the arrays of a `.npz` file by name. `meter` counts them, so an archive that unpacks to far more than its size is an
/// error before its content is unpacked.
///
/// # Errors
/// [`Malformed`](ErrorKind::Malformed) for other content; the errors of [`read_npy`].
pub fn read_npz(file: impl Read + Seek, meter: &Meter) -> Result<BTreeMap<String, Tensor>, Error> {
    let mut archive = zip::ZipArchive::new(file).map_err(malformed)?;
    let names: Vec<String> =
        archive.file_names().filter_map(|name| Some(name.strip_suffix(".npy")?.to_owned())).collect();
    names.into_iter().map(|name| Ok((name.clone(), array_of(&mut archive, &name, meter)?))).collect()
}

/// Reads one array of a `.npz` file, as [`read_npz`] reads all of them; `None` if the file has no array with the name.
///
/// # Errors
/// Like [`read_npz`].
pub fn read_npz_array(file: impl Read + Seek, name: &str, meter: &Meter) -> Result<Option<Tensor>, Error> {
    let mut archive = zip::ZipArchive::new(file).map_err(malformed)?;
    match archive.index_for_name(&format!("{name}.npy")) {
        Some(_) => array_of(&mut archive, name, meter).map(Some),
        None => Ok(None),
    }
}

fn array_of(archive: &mut zip::ZipArchive<impl Read + Seek>, name: &str, meter: &Meter) -> Result<Tensor, Error> {
    read_npy(archive.by_name(&format!("{name}.npy")).map_err(malformed)?, meter)
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
