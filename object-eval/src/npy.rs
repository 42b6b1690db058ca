//! Tensors in the files of NumPy: one array in a `.npy` file, arrays by name in a `.npz` file.
//!
//! Types that NumPy lacks have the form in which `ml_dtypes` and NumPy save them: `bfloat16` as elements of two bytes without a
//! type (`<V2`), `float8_e4m3fn`, `int4` and `uint4` of one byte (`<V1`), and `float8_e5m2` as `<f1`. An integer of four
//! bits is in the lower half of its byte. A reader of such a file needs the type from elsewhere.

use std::collections::BTreeMap;
use std::io::{Read, Seek, Write};

use ndarray::{ArrayView, IxDyn, ShapeBuilder};
use object_core::prelude::*;

use super::npy_header::{NpyHeader, malformed};
use super::value::{Element, ElementType, I4, Meter, Tensor, U4, with_element};

/// The name of an element type in NumPy, such as `<f4` for `float32`.
fn type_str(element: ElementType) -> String {
    use ElementType as E;
    let kind = match element {
        E::Bool => 'b',
        E::I8 | E::I16 | E::I32 | E::I64 => 'i',
        E::U8 | E::U16 | E::U32 | E::U64 => 'u',
        E::F16 | E::F32 | E::F64 | E::F8E5M2 => 'f',
        E::BF16 | E::F8E4M3 | E::I4 | E::U4 => 'V',
    };
    let has_order = element.size() > 1 || kind == 'V' || kind == 'f';
    format!("{}{kind}{}", if has_order { '<' } else { '|' }, element.size())
}

/// Reads the content of a `.npy` file into a tensor, which `meter` counts before its memory exists.
///
/// # Errors
/// [`Malformed`](ErrorKind::Malformed) for other content, for too few or too many elements, for big-endian numbers, and for
/// records; [`TypeMismatch`](ErrorKind::TypeMismatch) for an element type that tensors of a run lack, and for elements
/// without a type; [`LimitExceeded`](ErrorKind::LimitExceeded) if the meter refuses the memory.
pub fn read_npy(content: impl Read, meter: &Meter) -> Result<Tensor, Error> {
    read_npy_as(content, None, meter)
}

/// As [`read_npy`], where elements without a type have the type `stated`.
///
/// # Errors
/// As [`read_npy`].
pub fn read_npy_as(mut content: impl Read, stated: Option<DataType>, meter: &Meter) -> Result<Tensor, Error> {
    let header = NpyHeader::read(&mut content)?;
    let (dtype, NpyHeader { shape, is_fortran, .. }) = (header.dtype(stated)?, header);
    let mut order = shape.clone();
    if is_fortran {
        order.reverse();
    }
    let tensor = Tensor::zeros(dtype, &order, meter)?;
    let count = tensor.byte_range().len();
    content.read_exact(&mut tensor.write_bytes()).map_err(|error| {
        malformed(format!("expected {count} bytes for the shape {shape:?} and the type {dtype}: {error}"))
    })?;
    if content.read(&mut [0]).map_err(malformed)? > 0 {
        let message = format!("expected {count} bytes for the shape {shape:?} and the type {dtype}, got more");
        return Err(malformed(message));
    }
    extend_signs(&tensor)?;
    if is_fortran && shape.len() > 1 { transposed(&tensor, meter) } else { Ok(tensor) }
}

/// Makes the bytes of integers of four bits the ones of tensors of a run, which have the sign in the upper half.
fn extend_signs(tensor: &Tensor) -> Result<(), Error> {
    match tensor.element() {
        ElementType::I4 => tensor.write::<I4>()?.iter_mut().for_each(|byte| *byte = I4::from_int((*byte).into())),
        ElementType::U4 => tensor.write::<U4>()?.iter_mut().for_each(|byte| *byte = U4::from_int((*byte).into())),
        _ => {}
    }
    Ok(())
}

/// The tensor with its dimensions in reverse order.
fn transposed(tensor: &Tensor, meter: &Meter) -> Result<Tensor, Error> {
    let shape: Vec<i64> = tensor.shape().iter().rev().copied().collect();
    let dims: Vec<usize> = tensor.dims().into_iter().rev().collect();
    with_element!(tensor.element(), T => {
        let elements = tensor.read::<T>()?;
        let view = ArrayView::from_shape(IxDyn(&dims).f(), &elements).map_err(malformed)?;
        Tensor::from_elements::<T>(&shape, view.iter().copied(), meter)
    })
}

/// The content of a `.npy` file with the elements of a tensor.
///
/// # Errors
/// [`Malformed`](ErrorKind::Malformed) for a tensor of so many dimensions that no header has room for them.
pub fn write_npy(tensor: &Tensor) -> Result<Vec<u8>, Error> {
    let mut file = Vec::new();
    let order = type_str(tensor.element());
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
    let lower_half = matches!(tensor.element(), ElementType::I4);
    file.extend(tensor.read_bytes().iter().map(|byte| if lower_half { byte & 0xf } else { *byte }));
    Ok(file)
}

/// Reads the arrays of a `.npz` file by name. `meter` counts them, so an archive that unpacks to far more than its size is an
/// error before its content is unpacked.
///
/// # Errors
/// [`Malformed`](ErrorKind::Malformed) for other content; the errors of [`read_npy`].
pub fn read_npz(file: impl Read + Seek, meter: &Meter) -> Result<BTreeMap<String, Tensor>, Error> {
    read_npz_as(file, &|_| true, &|_| None, meter)
}

/// As [`read_npz`], for the arrays whose names `wanted` accepts. Elements without a type have the type that `stated` has for
/// the name of their array.
///
/// # Errors
/// Like [`read_npz`].
pub(super) fn read_npz_as(
    file: impl Read + Seek,
    wanted: &dyn Fn(&str) -> bool,
    stated: &dyn Fn(&str) -> Option<DataType>,
    meter: &Meter,
) -> Result<BTreeMap<String, Tensor>, Error> {
    let mut archive = zip::ZipArchive::new(file).map_err(malformed)?;
    let array_name = |name: &str| name.strip_suffix(".npy").filter(|name| wanted(name)).map(str::to_owned);
    let names: Vec<String> = archive.file_names().filter_map(array_name).collect();
    let mut array = |name: String| {
        let content = archive.by_name(&format!("{name}.npy")).map_err(malformed)?;
        let array = read_npy_as(content, stated(&name), meter).map_err(|error| error.context(format_args!("`{name}`")));
        Ok((name, array?))
    };
    names.into_iter().map(&mut array).collect()
}

/// Writes tensors by name to a `.npz` file.
///
/// # Errors
/// [`Io`](ErrorKind::Io) if writing fails; the errors of [`write_npy`].
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
