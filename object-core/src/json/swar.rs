//! Operations on eight bytes of text at once, as a number whose lowest bits are the first byte (SIMD within a register).

/// Eight times the same byte.
const fn each(byte: u8) -> u64 {
    u64::from_le_bytes([byte; 8])
}

/// The highest bit of each byte that is zero. Bits above the lowest set bit may be wrong.
#[inline(always)]
const fn zeros(word: u64) -> u64 {
    word.wrapping_sub(each(1)) & !word & each(0x80)
}

/// The highest bit of each control character. Bits above the lowest set bit may be wrong.
#[inline(always)]
const fn controls(word: u64) -> u64 {
    word.wrapping_sub(each(0x20)) & !word & each(0x80)
}

/// The index of the first byte whose highest bit is set in `marks`.
#[inline(always)]
const fn first(marks: u64) -> Option<usize> {
    if marks == 0 { None } else { Some(marks.trailing_zeros() as usize / 8) }
}

/// The index of the first quote, backslash or control character, which end a run of plain characters in a JSON string.
#[inline(always)]
pub(crate) const fn end_of_plain(word: u64) -> Option<usize> {
    first(zeros(word ^ each(b'"')) | zeros(word ^ each(b'\\')) | controls(word))
}

/// The index of the first byte that TVM's writer escapes: a quote, backslash, control character, slash or delete character.
#[inline(always)]
pub(crate) const fn end_of_unescaped(word: u64) -> Option<usize> {
    let others = zeros(word ^ each(b'/')) | zeros(word ^ each(0x7f));
    first(zeros(word ^ each(b'"')) | zeros(word ^ each(b'\\')) | controls(word) | others)
}

/// The number of digits before the first other byte.
#[inline(always)]
pub(crate) const fn count_digits(word: u64) -> u32 {
    let word = word ^ each(b'0');
    // Digits are now below ten; the highest bit of each byte that is not becomes one. Carries only go upwards.
    ((word.wrapping_add(each(0x76)) | word) & each(0x80)).trailing_zeros() / 8
}

/// The number of the first `count` bytes, which are digits. `count` is not zero.
#[inline(always)]
pub(crate) const fn number_of(word: u64, count: u32) -> u64 {
    // With zeros before the digits, there are eight. Neighbours become numbers of two, four and eight digits.
    let ones = (word << (64 - 8 * count)) & each(0x0f);
    let tens = (ones.wrapping_mul((10 << 8) | 1) >> 8) & 0x00ff_00ff_00ff_00ff;
    let hundreds = (tens.wrapping_mul((100 << 16) | 1) >> 16) & 0x0000_ffff_0000_ffff;
    hundreds.wrapping_mul((10_000 << 32) | 1) >> 32
}

/// The digits of a number below a hundred million, and the count of the digits.
#[inline(always)]
pub(crate) const fn digits_of(number: u32) -> (u64, usize) {
    // Parts of four, two and one digits, the first in the lowest bits. The factors divide by a hundred and by ten.
    let fours = (number / 10_000) as u64 | (((number % 10_000) as u64) << 32);
    let high = ((fours * 10_486) >> 20) & 0x0000_007f_0000_007f;
    let twos = high | ((fours - high * 100) << 16);
    let high = ((twos * 103) >> 10) & 0x000f_000f_000f_000f;
    let ones = high | ((twos - high * 10) << 8);
    // The last digit counts even if it is zero.
    let zeros = (ones | (1 << 56)).trailing_zeros() / 8;
    ((ones | each(b'0')) >> (8 * zeros), 8 - zeros as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(bytes: [u8; 8]) -> u64 {
        u64::from_le_bytes(bytes)
    }

    #[test]
    fn numbers() {
        let cases = [
            (b"1,345678", 1, 1),
            (b"1234567,", 7, 1_234_567),
            (b"99999999", 8, 99_999_999),
            (b"40\xff\x00567:", 2, 40),
            (b"00000000", 8, 0),
        ];
        for (text, count, value) in cases {
            assert_eq!(count_digits(word(*text)), count, "{text:?}");
            assert_eq!(number_of(word(*text), count), value, "{text:?}");
        }
        for exponent in 0..8 {
            for number in [10u32.pow(exponent), 10u32.pow(exponent) * 9 + 1, 10u32.pow(exponent + 1) - 1, 0, 12_345_678]
            {
                let (digits, count) = digits_of(number);
                assert_eq!(&digits.to_le_bytes()[..count], number.to_string().as_bytes());
                assert_eq!(number_of(digits, u32::try_from(count).expect("it is small")), u64::from(number));
            }
        }
        for number in 0..100_000 {
            let (digits, count) = digits_of(number);
            assert_eq!(&digits.to_le_bytes()[..count], number.to_string().as_bytes());
        }
    }

    /// Every byte in every place, among plain ones.
    #[test]
    fn bytes() {
        for (byte, place) in (0..=u8::MAX).flat_map(|byte| (0..8).map(move |place| (byte, place))) {
            let mut digits = *b"12345678";
            digits[place] = byte;
            let expected = if byte.is_ascii_digit() { 8 } else { place };
            assert_eq!(count_digits(word(digits)) as usize, expected, "{byte} at {place}");
            let mut text = [b'a', 0x7e, 0x80, 0xff, b' ', b'!', b'#', b'['];
            text[place] = byte;
            let ends = matches!(byte, b'"' | b'\\' | 0..0x20);
            assert_eq!(end_of_plain(word(text)), ends.then_some(place), "{byte} at {place}");
            let is_escaped = ends || matches!(byte, b'/' | 0x7f);
            assert_eq!(end_of_unescaped(word(text)), is_escaped.then_some(place), "{byte} at {place}");
        }
    }
}
