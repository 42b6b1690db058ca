//! [`Memory`]: the memory of a run of a loop program: of its arguments, and what it allocates.

use crate::value::{keep_words, zeroed_words};
use object_core::meter::{Charge, Meter};
use object_core::prelude::*;
use smallvec::{SmallVec, smallvec};

/// Consecutive bytes.
enum Bytes<'a> {
    /// Memory that the program only reads.
    Shared(&'a [u8]),
    Exclusive(&'a mut [u8]),
    /// Memory that the program allocated.
    Own(Vec<u64>, Charge),
}

impl Bytes<'_> {
    #[inline]
    fn read(&self) -> &[u8] {
        match self {
            Bytes::Shared(bytes) => bytes,
            Bytes::Exclusive(bytes) => bytes,
            Bytes::Own(words, _) => bytemuck::cast_slice(words),
        }
    }

    /// The bytes to write; none of memory that the program only reads.
    #[inline]
    fn write(&mut self) -> &mut [u8] {
        match self {
            Bytes::Shared(_) => &mut [],
            Bytes::Exclusive(bytes) => bytes,
            Bytes::Own(words, _) => bytemuck::cast_slice_mut(words),
        }
    }
}

/// The bytes of a memory in the list of all bytes.
#[derive(Clone, Copy, Default)]
struct Span {
    bytes: usize,
    start: usize,
    len: usize,
}

impl Span {
    #[inline]
    fn range(&self) -> std::ops::Range<usize> {
        self.start..self.start + self.len
    }
}

/// The memories of a run, by number.
#[derive(Default)]
pub(super) struct Memory<'a> {
    bytes: SmallVec<[Bytes<'a>; 4]>,
    spans: SmallVec<[Span; 8]>,
    /// For each memory its own bytes, if the program allocated it.
    own: SmallVec<[Option<usize>; 8]>,
}

impl<'a> Memory<'a> {
    /// Memories without bytes.
    pub(super) fn new(count: usize) -> Self {
        Memory { bytes: SmallVec::new(), spans: smallvec![Span::default(); count], own: smallvec![None; count] }
    }

    pub(super) fn add_shared(&mut self, bytes: &'a [u8]) {
        self.bytes.push(Bytes::Shared(bytes));
    }

    pub(super) fn add_exclusive(&mut self, bytes: &'a mut [u8]) {
        self.bytes.push(Bytes::Exclusive(bytes));
    }

    /// Lets a memory be a range of bytes.
    pub(super) fn assign(&mut self, memory: u32, bytes: usize, range: std::ops::Range<usize>) {
        self.spans[memory as usize] = Span { bytes, start: range.start, len: range.len() };
    }

    /// Gives a memory new bytes, all 0.
    pub(super) fn allocate(&mut self, memory: u32, size: u64, meter: &Meter) -> Result<(), Error> {
        let number = memory as usize;
        let len = usize::try_from(size).unwrap_or(usize::MAX);
        match self.own[number].map(|own| (own, &mut self.bytes[own])) {
            Some((own, Bytes::Own(words, charge))) => {
                if self.spans[number].len == len {
                    words.fill(0);
                } else {
                    // The old memory is free before the new one counts.
                    (*words, *charge) = zeroed_words(0, meter)?;
                    (*words, *charge) = zeroed_words(len, meter)?;
                }
                self.spans[number] = Span { bytes: own, start: 0, len };
            }
            _ => {
                let (words, charge) = zeroed_words(len, meter)?;
                self.bytes.push(Bytes::Own(words, charge));
                let bytes = self.bytes.len() - 1;
                self.own[number] = Some(bytes);
                self.spans[number] = Span { bytes, start: 0, len };
            }
        }
        Ok(())
    }

    /// Lets a memory begin within another one.
    ///
    /// # Errors
    /// [`OutOfRange`](ErrorKind::OutOfRange) for an offset outside of the memory.
    pub(super) fn point(&mut self, to: u32, from: u32, offset: i64) -> Result<(), Error> {
        let span = self.spans[from as usize];
        let Some(inside) = usize::try_from(offset).ok().filter(|offset| *offset <= span.len) else {
            let message = format!("an address {offset} bytes after the begin of a memory of {} bytes", span.len);
            return Err(Error::new(ErrorKind::OutOfRange, message));
        };
        self.spans[to as usize] = Span { start: span.start + inside, len: span.len - inside, ..span };
        Ok(())
    }

    /// The bytes of a memory.
    #[inline]
    pub(super) fn read(&self, memory: u32) -> &[u8] {
        let span = self.spans[memory as usize];
        let bytes = self.bytes.get(span.bytes).map_or(&[][..], Bytes::read);
        &bytes[span.range()]
    }

    /// The bytes of a memory, to write. A program writes only into memory that the compilation found to be written; other
    /// memory is empty here.
    #[inline]
    pub(super) fn write(&mut self, memory: u32) -> &mut [u8] {
        let span = self.spans[memory as usize];
        let bytes = self.bytes.get_mut(span.bytes).map_or(&mut [][..], Bytes::write);
        // Bytes that the program only reads are empty here.
        bytes.get_mut(span.range()).unwrap_or_default()
    }

    /// The bytes of a memory, and of another one to write. They are empty if the memories share their bytes.
    pub(super) fn read_and_write(&mut self, from: u32, to: u32) -> (&[u8], &mut [u8]) {
        let [source, target] = [from, to].map(|memory| self.spans[memory as usize]);
        let Ok([from, to]) = self.bytes.get_disjoint_mut([source.bytes, target.bytes]) else { return (&[], &mut []) };
        (&from.read()[source.range()], to.write().get_mut(target.range()).unwrap_or_default())
    }

    /// The number of the bytes of a memory, and the range in them.
    pub(super) fn range(&self, memory: u32) -> (usize, std::ops::Range<usize>) {
        let span = self.spans[memory as usize];
        (span.bytes, span.range())
    }
}

impl Drop for Memory<'_> {
    fn drop(&mut self) {
        for bytes in self.bytes.drain(..) {
            if let Bytes::Own(words, _) = bytes {
                keep_words(words);
            }
        }
    }
}
