//! Tensors as bytes: the `DLTensor` blob of TVM 0.25, a header of little-endian words and the data.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;

use crate::error::{Error, ErrorKind, Result};
use crate::json::tensor_store::TensorStore;
use crate::scalar::{DataType, TypeCode};
use crate::value::{Bytes, Shape, Tensor};

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

/// The tensor in the text of a blob in base64. The data of a large one goes to `store`.
pub(crate) fn decode_text(text: &str, store: Option<&dyn TensorStore>) -> Result<Tensor> {
    // A text with a fault goes the long way, which finds it.
    match (text.len() >= LARGE).then(|| decode_in_place(text, store)).flatten() {
        Some(tensor) => Ok(tensor),
        None => decode(&decode_base64(text)?),
    }
}

/// The bytes of a text in base64.
pub(crate) fn decode_base64(text: &str) -> Result<Vec<u8>> {
    BASE64.decode(text).map_err(|error| Error::new(ErrorKind::Malformed, format!("base64: {error}")))
}

/// The length of a text whose elements are decoded into the memory of the tensor, without a copy.
const LARGE: usize = 1 << 16;

/// The length of the parts of a text that are decoded into a store, a multiple of 4.
const PART: usize = 1 << 14;

/// The bytes of a header without extents.
const HEADER: usize = 40;

/// The tensor in a text without faults, of a small rank.
fn decode_in_place(text: &str, store: Option<&dyn TensorStore>) -> Option<Tensor> {
    let prefix = |bytes: usize| BASE64.decode(text.get(..bytes.div_ceil(3) * 4)?).ok();
    let rank = i32::from_le_bytes(*prefix(HEADER)?.get(24..)?.first_chunk()?);
    let header = HEADER + 8 * usize::try_from(rank).ok().filter(|rank| *rank <= 64)?;
    let first = prefix(header)?;
    let mut rest = &first[..];
    let (dtype, shape, size) = take_header(&mut rest).ok()?;
    let text = &text[header.div_ceil(3) * 4..];
    let padding = text.bytes().rev().take_while(|byte| *byte == b'=').count();
    let size = usize::try_from(size).ok().filter(|size| *size + padding == rest.len() + text.len() / 4 * 3)?;
    let fault = || malformed("its text has a fault".to_owned());
    let data = match store {
        None => Bytes::try_filled(size, |data| {
            let (start, end) = data.split_at_mut(rest.len());
            start.copy_from_slice(rest);
            let written = BASE64.decode_slice(text, end).ok();
            if written == Some(end.len()) { Ok(()) } else { Err(fault()) }
        }),
        Some(store) => store.store(size, &mut |out| {
            out.write_all(rest)?;
            let mut part = [0; PART / 4 * 3];
            for text in text.as_bytes().chunks(PART) {
                let written = BASE64.decode_slice(text, &mut part).map_err(|_| fault())?;
                out.write_all(&part[..written])?;
            }
            Ok(())
        }),
    };
    let data = data.ok().filter(|data| data.len() == size)?;
    Tensor::new(dtype, Shape::new(&shape), data).ok()
}

/// The tensor in a blob.
pub(crate) fn decode(blob: &[u8]) -> Result<Tensor> {
    let mut rest = blob;
    let (dtype, shape, size) = take_header(&mut rest)?;
    if size != rest.len() as u64 {
        return Err(malformed(format!("{size} bytes of data are announced, {} follow", rest.len())));
    }
    Tensor::new(dtype, Shape::new(&shape), rest)
}

/// The type, the extents and the number of bytes in the header of a blob.
fn take_header(rest: &mut &[u8]) -> Result<(DataType, Vec<i64>, u64)> {
    let magic = u64::from_le_bytes(take(rest)?);
    if magic != MAGIC {
        return Err(malformed(format!("expected the magic number {MAGIC:#x}, got {magic:#x}")));
    }
    let [_reserved, _device] = [take::<8>(rest)?, take::<8>(rest)?];
    let rank = i32::from_le_bytes(take(rest)?);
    let [code, bits] = take(rest)?;
    let raw_lanes = u16::from_le_bytes(take(rest)?);
    let dtype = DataType { code: TypeCode(code), bits, raw_lanes };
    // Each extent takes eight bytes of the blob. The check stands before the allocation of the shape.
    let rank = usize::try_from(rank)
        .ok()
        .filter(|rank| *rank <= rest.len() / 8)
        .ok_or_else(|| malformed(format!("the rank {rank} does not fit the length of the blob")))?;
    let shape = (0..rank).map(|_| take(rest).map(i64::from_le_bytes)).collect::<Result<Vec<i64>>>()?;
    Ok((dtype, shape, u64::from_le_bytes(take(rest)?)))
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A store in memory.
    struct Memory;

    impl TensorStore for Memory {
        fn store(&self, len: usize, write: &mut dyn FnMut(&mut dyn std::io::Write) -> Result<()>) -> Result<Bytes> {
            let mut data = Vec::with_capacity(len);
            write(&mut data)?;
            Ok(data.into())
        }
    }

    /// Tensors of all ranks modulo 3, and of all lengths modulo 3, because three bytes are four characters.
    #[test]
    fn large_texts_have_the_tensor_of_their_bytes() {
        for rank in 0..=4 {
            for more in 0..3 {
                let mut extents = vec![1; rank];
                let elements = if rank == 0 { 1 } else { (1 << 16) + more };
                extents.iter_mut().take(1).for_each(|extent| *extent = elements as i64);
                let data: Vec<u8> = (0..elements).map(|index| (index % 251) as u8).collect();
                let tensor = Tensor::new(DataType::uint(8), Shape::new(&extents), data).expect("a tensor");
                let text = BASE64.encode(encode(&tensor));
                let read = decode_text(&text, None).expect("a tensor");
                assert_eq!((&read.shape[..], &read.data[..]), (&tensor.shape[..], &tensor.data[..]), "{rank} {more}");
                assert!(decode_in_place(&text, None).is_some(), "{rank} {more}");
                let stored = decode_in_place(&text, Some(&Memory));
                assert!(stored.is_some_and(|it| it.data == tensor.data), "{rank} {more}");
                for fault in
                    [format!("{text}A"), format!("{text}===="), text.replacen('A', "*", 1), text[4..].to_owned()]
                {
                    let [large, small] =
                        [decode_text(&fault, Some(&Memory)), decode_base64(&fault).and_then(|it| decode(&it))];
                    assert_eq!(large.expect_err("a fault").message(), small.expect_err("a fault").message());
                }
                let middle = text.len() / 2;
                let broken = format!("{}={}", &text[..middle], &text[middle + 1..]);
                assert!(decode_text(&broken, None).is_err(), "{rank} {more}");
            }
        }
    }
}
