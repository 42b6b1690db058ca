//! Finds the markers of a file, and checks that they fit each other.

use std::collections::BTreeMap;
use std::ops::Range;

use object_core::dynamic::SourcePlace;
use object_core::{is_name, nearest};

use crate::checksum::parse;
use crate::diagnostic::Diagnostic;

/// The lines between `custom-begin` and `custom-end`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Custom {
    /// The bytes with both markers.
    pub(super) whole: Range<usize>,
    /// The bytes between the markers.
    pub(super) inner: Range<usize>,
    /// The number of the first line between the markers, from 1.
    pub(super) first_line: u32,
}

/// The lines between `tschema: NAME` and `tschema: end`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Region<'t> {
    /// The name of the class.
    pub(super) name: &'t str,
    /// The number of the line of the marker, from 1.
    pub(super) line: u32,
    /// The white space before the marker.
    pub(super) indent: &'t str,
    /// The end of the line of the marker.
    pub(super) line_end: &'t str,
    /// The bytes between the markers.
    pub(super) inner: Range<usize>,
    /// The hand-written parts, in the order of the file.
    pub(super) custom: Vec<Custom>,
    /// The line with the checksum of the generated lines, and the checksum.
    pub(super) checksum: Option<(Range<usize>, u64)>,
}

impl Region<'_> {
    /// The generated lines, as the file `text` has them: the lines outside of the hand-written parts.
    pub(super) fn generated<'t>(&self, text: &'t [u8]) -> Vec<&'t [u8]> {
        let checksum = self.checksum.iter().map(|(line, _)| line.clone());
        let mut others: Vec<Range<usize>> = self.custom.iter().map(|it| it.whole.clone()).chain(checksum).collect();
        others.sort_by_key(|it| it.start);
        let (mut pieces, mut start) = (Vec::new(), self.inner.start);
        for other in others {
            pieces.push(&text[start..other.start]);
            start = other.end;
        }
        pieces.push(&text[start..self.inner.end]);
        pieces
    }
}

/// A marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Marker<'t> {
    Region(&'t str),
    End,
    CustomBegin,
    CustomEnd,
    Checksum(u64),
    /// A marker with an unknown word.
    Unknown(&'t str),
}

/// The words that markers have besides the names of classes.
const WORDS: [(&str, Marker<'static>); 3] =
    [("end", Marker::End), ("custom-begin", Marker::CustomBegin), ("custom-end", Marker::CustomEnd)];

/// The marker in a line without its end: white space, the start of a comment, `tschema:`, and a word.
fn marker<'t>(line: &'t [u8], comment: &str) -> Option<Marker<'t>> {
    let rest = line.trim_ascii_start().strip_prefix(comment.as_bytes())?.trim_ascii_start();
    let word = rest.strip_prefix(b"tschema:")?.trim_ascii();
    // A name that is not text cannot name a class.
    let Ok(word) = std::str::from_utf8(word) else { return Some(Marker::Unknown("")) };
    Some(match WORDS.iter().find(|(known, _)| *known == word) {
        Some((_, marker)) => *marker,
        None if let Some(checksum) = word.strip_prefix("checksum ").and_then(parse) => Marker::Checksum(checksum),
        None if word.split("::").all(is_name) => Marker::Region(word),
        None => Marker::Unknown(word),
    })
}

/// The regions of `text`. `comment` begins a comment of one line in the language.
///
/// # Errors
/// All faults: unknown words, regions in regions, two regions with one name, and markers without their counterpart.
pub(super) fn regions<'t>(file: &str, text: &'t [u8], comment: &str) -> Result<Vec<Region<'t>>, Vec<Diagnostic>> {
    let mut finder =
        Finder { file, comment, faults: Vec::new(), regions: Vec::new(), open: None, lines: BTreeMap::new() };
    let mut start = 0;
    for (number, line) in (1..).zip(text.split_inclusive(|byte| *byte == b'\n')) {
        finder.line(number, start, line);
        start += line.len();
    }
    if let Some(open) = finder.open.take() {
        if let Some((begin, ..)) = open.custom {
            finder.fault(begin, format!("`{comment} tschema: custom-begin` has no `{comment} tschema: custom-end`"));
        }
        let Region { name, line, .. } = open.region;
        finder.fault(line, format!("`{comment} tschema: {name}` has no `{comment} tschema: end`"));
    }
    if finder.faults.is_empty() { Ok(finder.regions) } else { Err(finder.faults) }
}

/// A region whose end has not come yet.
struct Open<'t> {
    region: Region<'t>,
    /// An open hand-written part: its line, its start, and the start of its lines.
    custom: Option<(u32, usize, usize)>,
}

/// The state of the search.
struct Finder<'f, 't> {
    file: &'f str,
    comment: &'f str,
    faults: Vec<Diagnostic>,
    regions: Vec<Region<'t>>,
    open: Option<Open<'t>>,
    /// The lines of the regions by name.
    lines: BTreeMap<&'t str, u32>,
}

impl<'t> Finder<'_, 't> {
    fn fault(&mut self, line: u32, message: String) {
        self.faults.push(Diagnostic::error(SourcePlace { file: self.file.to_owned(), line, column: 1 }, message));
    }

    /// Takes the line with number `number`, which starts at byte `start`.
    fn line(&mut self, number: u32, start: usize, line: &'t [u8]) {
        let (comment, after) = (self.comment, start + line.len());
        let content = line.strip_suffix(b"\n").map_or(line, |rest| rest.strip_suffix(b"\r").unwrap_or(rest));
        let Some(marker) = marker(content, comment) else { return };
        match (marker, &mut self.open) {
            (Marker::Unknown(word), _) => {
                let words = WORDS.iter().map(|(word, _)| *word);
                let hint = match nearest(word, words) {
                    Some(near) => format!("did you mean `{comment} tschema: {near}`?"),
                    None => "write the name of a class, `end`, `custom-begin` or `custom-end`".to_owned(),
                };
                self.fault(number, format!("`{word}` is not a word of tschema; {hint}"));
            }
            (Marker::Region(name), Some(open)) => {
                let outer = format!("`{comment} tschema: {}` of line {}", open.region.name, open.region.line);
                self.fault(
                    number,
                    format!("`{comment} tschema: {name}` is inside of {outer}, which has no end before it"),
                );
            }
            (Marker::Region(name), None) => {
                if let Some(first) = self.lines.insert(name, number) {
                    self.fault(number, format!("there are two regions for `{name}`: the other one is at line {first}"));
                }
                let text = |bytes: &'t [u8]| std::str::from_utf8(bytes).unwrap_or_default();
                let region = Region {
                    name,
                    line: number,
                    indent: text(&content[..content.len() - content.trim_ascii_start().len()]),
                    line_end: text(&line[content.len()..]),
                    inner: after..after,
                    custom: Vec::new(),
                    checksum: None,
                };
                self.open = Some(Open { region, custom: None });
            }
            (Marker::End, Some(open)) if open.custom.is_some() => {
                let begin = open.custom.map_or(0, |(begin, ..)| begin);
                let message = format!(
                    "`{comment} tschema: end` comes before the `{comment} tschema: custom-end` of line {begin}"
                );
                self.fault(number, message);
                self.open = None;
            }
            (Marker::End, Some(_)) => {
                if let Some(mut open) = self.open.take() {
                    open.region.inner.end = start;
                    self.regions.push(open.region);
                }
            }
            (Marker::CustomBegin, Some(open)) => match open.custom {
                None => open.custom = Some((number, start, after)),
                Some((begin, ..)) => {
                    let message =
                        format!("`{comment} tschema: custom-begin` of line {begin} has no end before this one");
                    self.fault(number, message);
                }
            },
            (Marker::CustomEnd, Some(open)) if open.custom.is_some() => {
                if let Some((line, whole, inner)) = open.custom.take() {
                    let custom = Custom { whole: whole..after, inner: inner..start, first_line: line + 1 };
                    open.region.custom.push(custom);
                }
            }
            (Marker::CustomEnd, Some(_)) => {
                self.fault(number, format!("there is no `{comment} tschema: custom-begin` before it"));
            }
            (Marker::Checksum(checksum), Some(open)) if open.custom.is_none() => {
                if open.region.checksum.replace((start..after, checksum)).is_some() {
                    self.fault(number, format!("the region has two lines `{comment} tschema: checksum`; remove one"));
                }
            }
            (Marker::Checksum(_), Some(_)) => {
                self.fault(number, format!("`{comment} tschema: checksum` is inside of a custom section; remove it"));
            }
            (Marker::End | Marker::CustomBegin | Marker::CustomEnd | Marker::Checksum(_), None) => {
                self.fault(number, format!("there is no `{comment} tschema: NAME` before it"));
            }
        }
    }
}
