//! Tensors as bytes: the `DLTensor` blob of TVM 0.25, a header of little-endian words and the data.

use crate::error::{Error, ErrorKind, Result};
use crate::scalar::{DataType, TypeCode};
use crate::value::{Shape, Tensor};

const MAGIC: u64 = 0xDD5E_40F0_96B4_A13F;

/// The blob of a tensor.
pub(crate) fn encode(tensor: &Tensor) -> Vec<u8> {
    let mut blob = Vec::with_capacity(48 + 8 * tensor.shape.len() + tensor.data.len());
    blob.extend(MAGIC.to_le_bytes());
    blob.extend(0u64.to_le_bytes());
    // The device is CPU 0 for all tensors, as in TVM.
    blob.extend(1i32.to_le_bytes());
    blob.extend(0i32.to_le_bytes());
    blob.extend(i32::try_from(tensor.shape.len()).unwrap_or(i32::MAX).to_le_bytes());
    blob.extend([tensor.dtype.code.0, tensor.dtype.bits]);
    blob.extend(tensor.dtype.raw_lanes.to_le_bytes());
    for extent in tensor.shape.iter() {
        blob.extend(extent.to_le_bytes());
    }
    blob.extend((tensor.data.len() as u64).to_le_bytes());
    blob.extend_from_slice(&tensor.data);
    blob
}

/// The tensor in a blob.
pub(crate) fn decode(blob: &[u8]) -> Result<Tensor> {
    let mut rest = blob;
    let magic = u64::from_le_bytes(take(&mut rest)?);
    if magic != MAGIC {
        return Err(malformed(format!("expected the magic number {MAGIC:#x}, got {magic:#x}")));
    }
    let [_reserved, _device] = [take::<8>(&mut rest)?, take::<8>(&mut rest)?];
    let rank = i32::from_le_bytes(take(&mut rest)?);
    let [code, bits] = take(&mut rest)?;
    let raw_lanes = u16::from_le_bytes(take(&mut rest)?);
    let dtype = DataType { code: TypeCode(code), bits, raw_lanes };
    // Each extent takes eight bytes of the blob. The check stands before the allocation of the shape.
    let rank = usize::try_from(rank)
        .ok()
        .filter(|rank| *rank <= rest.len() / 8)
        .ok_or_else(|| malformed(format!("the rank {rank} does not fit the length of the blob")))?;
    let shape = (0..rank).map(|_| take(&mut rest).map(i64::from_le_bytes)).collect::<Result<Vec<i64>>>()?;
    let size = u64::from_le_bytes(take(&mut rest)?);
    if size != rest.len() as u64 {
        return Err(malformed(format!("{size} bytes of data are announced, {} follow", rest.len())));
    }
    Tensor::new(dtype, Shape::new(&shape), rest)
}

/// The next `N` bytes.
fn take<const N: usize>(rest: &mut &[u8]) -> Result<[u8; N]> {
    let (bytes, tail) = rest.split_first_chunk().ok_or_else(|| malformed("it ends too early".to_owned()))?;
    *rest = tail;
    Ok(*bytes)
}

fn malformed(what: String) -> Error {
    Error::new(ErrorKind::Malformed, what).context("tensor blob")
}
