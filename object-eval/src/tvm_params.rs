//! Tensors by name in TVM's files of parameters, which `tvm.runtime.save_param_dict` writes.
//!
//! The format is the one of TVM 0.25 `src/runtime/file_utils.cc` (`SaveParams`) and `include/tvm/runtime/tensor.h`
//! (`SaveDLTensor`): a magic number, the names, and a record for each tensor. Each record has a magic number of its own, the
//! device, the rank, the data type, the extents, the number of bytes and the elements. All numbers are little-endian. TVM
//! 0.27 writes the same bytes. TVM cannot save integers of four bits: it writes more bytes than such a tensor has. So a file
//! of this crate has them as integers of eight bits.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Display;
use std::io::{Read, Seek, SeekFrom, Write};

use object_core::prelude::*;
use object_core::scalar::TypeCode;

use super::value::{ElementType, Meter, Tensor};

/// The magic numbers of a file and of a tensor.
const LIST_MAGIC: u64 = 0xF7E5_8D4F_0504_9CB7;
const TENSOR_MAGIC: u64 = 0xDD5E_40F0_96B4_A13F;

/// The number of the CPU among the devices of DLPack; TVM copies each tensor there before it saves it.
const CPU: i32 = 1;

/// The greatest rank of a tensor in a file.
const MAX_RANK: i32 = 1024;

fn malformed(error: impl Display) -> Error {
    Error::new(ErrorKind::Malformed, format!("not a file of TVM's parameters: {error}"))
}

/// The numbers of a file.
struct Numbers<R>(R);

impl<R: Read> Numbers<R> {
    fn bytes<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let mut bytes = [0; N];
        self.0.read_exact(&mut bytes).map_err(|_| malformed("the content ends early"))?;
        Ok(bytes)
    }

    fn u64(&mut self) -> Result<u64, Error> {
        Ok(u64::from_le_bytes(self.bytes()?))
    }

    fn i32(&mut self) -> Result<i32, Error> {
        Ok(i32::from_le_bytes(self.bytes()?))
    }

    /// A magic number with the reserved number after it.
    fn magic(&mut self, expected: u64, of: &str) -> Result<(), Error> {
        match self.u64()? {
            given if given == expected => self.u64().map(drop),
            given => Err(malformed(format!("expected the magic number {expected:#x} of {of}, got {given:#x}"))),
        }
    }

    /// The names, which `charge` counts.
    fn names(&mut self, charge: &mut object_core::meter::Charge) -> Result<Vec<String>, Error> {
        let (mut names, mut known, mut total) = (Vec::new(), HashSet::new(), 0_u64);
        for _ in 0..self.u64()? {
            let length = self.u64()?;
            // A name is in a list and in a set, which grow.
            total = total.saturating_add(length.saturating_mul(2)).saturating_add(8 * size_of::<String>() as u64);
            charge.cover(total)?;
            let mut name = Vec::new();
            self.0.by_ref().take(length).read_to_end(&mut name)?;
            if name.len() as u64 != length {
                return Err(malformed("a name ends early"));
            }
            let name = String::from_utf8(name).map_err(malformed)?;
            if !known.insert(name.clone()) {
                return Err(malformed(format!("the name `{name}` stands twice")));
            }
            names.push(name);
        }
        Ok(names)
    }

    /// The type and the extents of a tensor.
    fn tensor_head(&mut self) -> Result<(DataType, Vec<i64>), Error> {
        self.magic(TENSOR_MAGIC, "a tensor")?;
        match [self.i32()?, self.i32()?] {
            [CPU, _] => {}
            [device, _] => return Err(malformed(format!("expected the device {CPU}, the CPU, got {device}"))),
        }
        let rank = self.i32()?;
        if !(0..=MAX_RANK).contains(&rank) {
            return Err(malformed(format!("expected a rank from 0 to {MAX_RANK}, got {rank}")));
        }
        let [code, bits, lanes @ ..] = self.bytes::<4>()?;
        let dtype = DataType { code: TypeCode(code), bits, raw_lanes: u16::from_le_bytes(lanes) };
        let extent = |_| Ok(i64::from_le_bytes(self.bytes()?));
        Ok((dtype, (0..rank).map(extent).collect::<Result<_, Error>>()?))
    }
}

/// Reads the tensors of a file whose names `wanted` accepts. `meter` counts them, and the names, before their memory exists.
///
/// # Errors
/// [`Malformed`](ErrorKind::Malformed) for other content, [`TypeMismatch`](ErrorKind::TypeMismatch) for an element type that
/// tensors of a run lack, and [`LimitExceeded`](ErrorKind::LimitExceeded) if the meter refuses the memory.
pub(super) fn read(
    file: impl Read + Seek,
    wanted: &dyn Fn(&str) -> bool,
    meter: &Meter,
) -> Result<BTreeMap<String, Tensor>, Error> {
    let mut numbers = Numbers(file);
    numbers.magic(LIST_MAGIC, "a file")?;
    let mut charge = meter.nothing();
    let names = numbers.names(&mut charge)?;
    let count = numbers.u64()?;
    if count != names.len() as u64 {
        return Err(malformed(format!("it has {} names and {count} tensors", names.len())));
    }
    let mut tensors = BTreeMap::new();
    for name in names {
        let tensor =
            tensor(&mut numbers, wanted(&name), meter).map_err(|error| error.context(format_args!("`{name}`")))?;
        tensors.extend(tensor.map(|tensor| (name, tensor)));
    }
    if numbers.0.read(&mut [0])? > 0 {
        return Err(malformed("expected the end after the last tensor, got more"));
    }
    Ok(tensors)
}

/// The next tensor; `None` for one that is not wanted.
fn tensor(numbers: &mut Numbers<impl Read + Seek>, is_wanted: bool, meter: &Meter) -> Result<Option<Tensor>, Error> {
    let (dtype, shape) = numbers.tensor_head()?;
    let given = numbers.u64()?;
    if !is_wanted {
        let given = i64::try_from(given).map_err(malformed)?;
        numbers.0.seek(SeekFrom::Current(given))?;
        return Ok(None);
    }
    if dtype.bits < 8 && ElementType::of(dtype)? != ElementType::Bool {
        let message = format!("TVM saves no tensors of type {dtype}; save them as int8 or uint8");
        return Err(Error::new(ErrorKind::TypeMismatch, message));
    }
    let tensor = Tensor::zeros(dtype, &shape, meter)?;
    let expected = tensor.byte_range().len();
    if given != expected as u64 {
        let message = format!("the shape {shape:?} and the type {dtype} have {expected} bytes, got {given}");
        return Err(malformed(message));
    }
    numbers.0.read_exact(&mut tensor.write_bytes()).map_err(|_| malformed("the elements end early"))?;
    Ok(Some(tensor))
}

/// Writes tensors by name.
///
/// # Errors
/// [`Io`](ErrorKind::Io) if writing fails.
pub(super) fn write<'a>(
    mut file: impl Write,
    tensors: impl IntoIterator<Item = (&'a str, &'a Tensor)>,
) -> Result<(), Error> {
    let tensors: Vec<(&str, &Tensor)> = tensors.into_iter().collect();
    let count = (tensors.len() as u64).to_le_bytes();
    file.write_all(&[LIST_MAGIC.to_le_bytes(), [0; 8], count].concat())?;
    for (name, _) in &tensors {
        file.write_all(&(name.len() as u64).to_le_bytes())?;
        file.write_all(name.as_bytes())?;
    }
    file.write_all(&count)?;
    for (_, tensor) in tensors {
        let DataType { code: TypeCode(code), bits, raw_lanes } = tensor.dtype();
        let rank = i32::try_from(tensor.rank()).map_err(malformed)?;
        file.write_all(&[TENSOR_MAGIC.to_le_bytes(), [0; 8]].concat())?;
        file.write_all(&[CPU, 0, rank].map(i32::to_le_bytes).concat())?;
        let [low, high] = raw_lanes.to_le_bytes();
        file.write_all(&[code, bits.max(8), low, high])?;
        for extent in tensor.shape().iter() {
            file.write_all(&extent.to_le_bytes())?;
        }
        file.write_all(&(tensor.byte_range().len() as u64).to_le_bytes())?;
        file.write_all(&tensor.read_bytes())?;
    }
    Ok(())
}
