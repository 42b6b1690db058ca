//! Columns: the values of one field of all objects of a type, as numbers of one width.

use serde::{Deserialize, Serialize};

use crate::error::{Error, ErrorKind, Result};
use crate::object::Any;
use crate::scalar::{DataType, Device, TypeCode};

/// The bytes after the last column, so that a read of eight bytes at each number stays inside of the section.
pub(super) const SLACK: usize = 8;

/// The meaning of the numbers of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Holds {
    /// Numbers of nodes.
    Node,
    /// `None`; the numbers are 0.
    None,
    /// 0 or 1.
    Bool,
    /// Integers of 64 bits in two's complement.
    Int,
    /// The bits of numbers of 64 bits.
    Float,
    /// Code, bits and lanes of a data type, in 8, 8 and 16 bits, the lowest first.
    DType,
    /// Type and number of a device, in 32 bits each, the lowest first.
    Device,
    /// Bytes of texts or of binary data.
    Byte,
}

impl Holds {
    /// The value of a number of this meaning. `None` for nodes and bytes, and for numbers that stand for no value.
    #[inline(always)]
    pub(super) fn value(self, number: u64) -> Option<Any> {
        Some(match self {
            Holds::Int => Any::Int(number.cast_signed()),
            Holds::None if number == 0 => Any::None,
            Holds::Bool if number <= 1 => Any::Bool(number == 1),
            Holds::Float => Any::Float(f64::from_bits(number)),
            Holds::DType => {
                let packed = u32::try_from(number).ok()?;
                let [code, bits, ..] = packed.to_le_bytes();
                Any::DataType(DataType { code: TypeCode(code), bits, raw_lanes: (packed >> 16) as u16 })
            }
            Holds::Device => Any::Device(Device {
                device_type: (number as u32).cast_signed(),
                device_id: ((number >> 32) as u32).cast_signed(),
            }),
            Holds::Node | Holds::Byte | Holds::None | Holds::Bool => return None,
        })
    }
}

/// A column in the directory of a file: name, meaning, bytes of a number, the number to add to each of them, and how many there are.
/// The numbers begin after the ones of the column before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ColumnEntry(pub(super) String, pub(super) Holds, pub(super) u8, pub(super) u64, pub(super) u64);

impl ColumnEntry {
    /// The bytes of the numbers. `None` if no file has so many, or the width is not one.
    pub(super) fn bytes(&self) -> Option<usize> {
        usize::try_from(self.4).ok()?.checked_mul(usize::from(self.2)).filter(|_| self.2 <= 8)
    }
}

/// The numbers of a column of a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Column<'f> {
    pub(super) holds: Holds,
    /// The numbers, and [`SLACK`] bytes after them.
    bytes: &'f [u8],
    width: usize,
    /// The bits of a number among the eight bytes that begin at it.
    mask: u64,
    base: u64,
    len: usize,
}

impl<'f> Column<'f> {
    /// The column of `entry` whose numbers begin at `start` in the section of columns. `None` if the section is too short.
    pub(super) fn new(entry: &ColumnEntry, section: &'f [u8], start: usize) -> Option<Self> {
        let end = start.checked_add(entry.bytes()?)?.checked_add(SLACK)?;
        let width = usize::from(entry.2);
        let mask = u64::MAX.checked_shr(64 - 8 * u32::from(entry.2)).unwrap_or(0);
        let len = usize::try_from(entry.4).ok()?;
        Some(Column { holds: entry.1, bytes: section.get(start..end)?, width, mask, base: entry.3, len })
    }

    /// The column of `None` in each of `rows` rows, for a field that the file lacks.
    pub(super) fn of_none(rows: u32) -> Self {
        let len = rows as usize;
        Column { holds: Holds::None, bytes: &[0; SLACK], width: 0, mask: 0, base: 0, len }
    }

    /// How many numbers there are.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The number in this row. `None` if the column is shorter.
    #[inline(always)]
    pub(super) fn get(&self, row: usize) -> Option<u64> {
        if row >= self.len {
            return None;
        }
        // One read of eight bytes for every width needs no branch.
        let word = self.bytes.get(row * self.width..)?.first_chunk()?;
        Some((u64::from_le_bytes(*word) & self.mask).wrapping_add(self.base))
    }

    /// The number in this row as an index. `None` if the column is shorter, or for a larger number.
    #[inline(always)]
    pub(super) fn index(&self, row: usize) -> Option<usize> {
        usize::try_from(self.get(row)?).ok()
    }

    /// The bytes from `start` to `end` of a column of bytes.
    pub(super) fn slice(&self, start: usize, end: usize) -> Option<&'f [u8]> {
        self.bytes.get(..self.len)?.get(start..end).filter(|_| self.is_plain_bytes())
    }

    /// Whether each number takes at least one byte of the file.
    pub(super) fn has_bytes(&self) -> bool {
        self.width > 0
    }

    /// Whether the numbers are the bytes themselves.
    pub(super) fn is_plain_bytes(&self) -> bool {
        self.holds == Holds::Byte && self.width == 1 && self.base == 0
    }

    /// The range of the elements of this row, if the column has the end of each row.
    #[inline(always)]
    pub(super) fn range(&self, row: usize) -> Option<std::ops::Range<usize>> {
        let start = match row.checked_sub(1) {
            None => 0,
            Some(before) => self.index(before)?,
        };
        let end = self.index(row)?;
        (start <= end).then_some(start..end)
    }
}

/// Appends the numbers in the fewest bytes, but `least` for each, to `section`. Returns the entry of the directory.
pub(super) fn encode(name: &str, holds: Holds, least: u8, numbers: &[u64], section: &mut Vec<u8>) -> ColumnEntry {
    // Integers are close to each other as signed numbers, all others as unsigned ones.
    let base = match holds {
        Holds::Byte => 0,
        Holds::Int => numbers.iter().map(|number| number.cast_signed()).min().unwrap_or_default().cast_unsigned(),
        _ => numbers.iter().copied().min().unwrap_or_default(),
    };
    let most = numbers.iter().map(|number| number.wrapping_sub(base)).max().unwrap_or_default();
    let width = (8 - most.leading_zeros() as u8 / 8).max(if numbers.is_empty() { 0 } else { least });
    for number in numbers {
        section.extend_from_slice(&number.wrapping_sub(base).to_le_bytes()[..usize::from(width)]);
    }
    ColumnEntry(name.to_owned(), holds, width, base, numbers.len() as u64)
}

/// The error for a file that breaks the rules of the format.
pub(super) fn malformed(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Malformed, message).context("binary graph")
}

/// `value`, or the error that the part `name` of the file is too short or has a number out of bounds.
#[inline(always)]
pub(super) fn in_bounds<T>(value: Option<T>, name: impl FnOnce() -> String) -> Result<T> {
    match value {
        Some(value) => Ok(value),
        None => Err(out_of_bounds(&name())),
    }
}

#[cold]
fn out_of_bounds(name: &str) -> Error {
    malformed(format!("{name} is too short or has a number out of bounds: the file is damaged"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        let cases: [(&[u64], Holds, u8); 8] = [
            (&[], Holds::Node, 0),
            (&[7, 7, 7], Holds::Node, 0),
            (&[7, 8, 263], Holds::Node, 2),
            (&[1 << 16, (1 << 24) + (1 << 16) - 1], Holds::Node, 3),
            (&[u64::MAX, 0, 1], Holds::Int, 1),
            (&[i64::MIN.cast_unsigned(), i64::MAX.cast_unsigned()], Holds::Int, 8),
            (&[1.5_f64.to_bits(), 2.5_f64.to_bits()], Holds::Float, 7),
            (&[0, u64::MAX], Holds::Float, 8),
        ];
        for (numbers, holds, width) in cases {
            let mut section = vec![1, 2, 3];
            let entry = encode("it", holds, 0, numbers, &mut section);
            assert_eq!((entry.2, section.len()), (width, 3 + numbers.len() * usize::from(width)), "{numbers:?}");
            section.resize(section.len() + SLACK, 0xff);
            let column = Column::new(&entry, &section, 3).expect("the section is long enough");
            let back: Vec<Option<u64>> = (0..=numbers.len()).map(|row| column.get(row)).collect();
            assert_eq!(back, numbers.iter().map(|it| Some(*it)).chain([None]).collect::<Vec<_>>());
            assert!(Column::new(&entry, &section, 4).is_none());
        }
    }
}
