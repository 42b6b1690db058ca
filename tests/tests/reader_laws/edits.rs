//! Random edits of files: bytes, lines and numbers that change, move, repeat or go away.

use fastrand::Rng;

/// A sequence of random edits, which depends on the seed alone.
pub(crate) struct Edits(Rng);

/// Texts that readers give a meaning.
const WORDS: [&[u8]; 24] = [
    b"(",
    b")",
    b"[",
    b"]",
    b"{",
    b"}",
    b",",
    b":",
    b"\"",
    b"'",
    b"\n",
    b"    ",
    b"-",
    b"0",
    b"1",
    b"99999999999999999999",
    b"-1",
    b"1e400",
    b"None",
    b"\\u0000",
    b"\xff",
    b"\0",
    b".",
    b"#",
];

impl Edits {
    /// The sequence with this seed.
    pub(crate) fn new(seed: u64) -> Self {
        Edits(Rng::with_seed(seed))
    }

    /// One of the files, with a few edits.
    pub(crate) fn edited(&mut self, files: &[Vec<u8>]) -> Vec<u8> {
        let mut bytes = files[self.0.usize(..files.len())].clone();
        let other = &files[self.0.usize(..files.len())];
        for _ in 0..self.0.usize(..4) {
            self.edit(&mut bytes, other);
        }
        bytes
    }

    fn edit(&mut self, bytes: &mut Vec<u8>, other: &[u8]) {
        let at = self.0.usize(..=bytes.len());
        match self.0.u8(..8) {
            0 => bytes.truncate(at),
            1 => drop(bytes.splice(at..at, WORDS[self.0.usize(..WORDS.len())].iter().copied())),
            2 => bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte = self.0.u8(..)),
            3 => drop(bytes.drain(at..(at + self.0.usize(..20)).min(bytes.len()))),
            4 => {
                // A line of another file in place of a line.
                let line = some_line(&mut self.0, other).to_vec();
                let place = line_range(bytes, at);
                bytes.splice(place, line);
            }
            5 => {
                let place = line_range(bytes, at);
                let line = bytes[place.clone()].to_vec();
                bytes.splice(place.start..place.start, line);
            }
            6 => drop(bytes.drain(line_range(bytes, at))),
            _ => {
                // Another number in place of a number.
                let digits = bytes.iter().skip(at).position(u8::is_ascii_digit).map(|first| at + first);
                if let Some(first) = digits {
                    let count = bytes[first..].iter().take_while(|byte| byte.is_ascii_digit()).count();
                    let number = [0, 1, 2, 7, 255, u64::MAX][self.0.usize(..6)].to_string();
                    bytes.splice(first..first + count, number.into_bytes());
                }
            }
        }
    }
}

/// The line around a place.
fn line_range(bytes: &[u8], at: usize) -> std::ops::Range<usize> {
    let start = bytes[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    let end = bytes[at..].iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |end| at + end + 1);
    start..end
}

fn some_line<'t>(random: &mut Rng, text: &'t [u8]) -> &'t [u8] {
    &text[line_range(text, random.usize(..=text.len()))]
}
