//! [`Layout`]: the lines of a text, the pieces in each line, and the sections.

use std::cmp::Reverse;
use std::ops::Range;

use crate::page::options::NameOfSection;
use crate::print::Path;
use crate::print::PrintedText;

/// A piece of the text, and the place that it shows.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub(super) range: Range<usize>,
    pub(super) path: Path,
}

/// A line, without its line break.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) range: Range<usize>,
    /// The pieces that begin in the line, as indices; outer ones come before inner ones.
    pub(super) pieces: Range<usize>,
    /// The place of the innermost piece around the line that has several lines.
    pub(super) around: Path,
}

/// The lines of one section up to the next one, or the lines before the first one that has a name.
#[derive(Clone, Debug)]
pub(super) struct Section {
    pub(super) name: Option<String>,
    pub(super) lines: Range<usize>,
}

/// The lines of a text.
#[derive(Debug)]
pub(super) struct Layout<'s> {
    pub(super) printed: &'s PrintedText,
    pub(super) pieces: Vec<Piece>,
    pub(super) lines: Vec<Line>,
    pub(super) sections: Vec<Section>,
}

impl<'s> Layout<'s> {
    pub(super) fn new(printed: &'s PrintedText, name_of: &NameOfSection<'_>) -> Self {
        let index = printed.path_index();
        let mut pieces: Vec<Piece> =
            printed.numbered_spans().iter().map(|(range, path)| Piece { range: range.clone(), path: *path }).collect();
        // Spans of one range come with the inner place first.
        pieces.reverse();
        pieces.sort_by_key(|piece| (piece.range.start, Reverse(piece.range.end)));
        pieces.dedup_by_key(|piece| (piece.range.clone(), index.id(piece.path)));
        let lines = lines(printed.text(), &pieces);
        let sections = sections(printed, &pieces, &lines, name_of);
        Layout { printed, pieces, lines, sections }
    }

    /// The pieces that begin in a line.
    pub(super) fn pieces_of(&self, line: &Line) -> &[Piece] {
        &self.pieces[line.pieces.clone()]
    }

    /// The text of a line.
    pub(super) fn text(&self, line: &Line) -> &'s str {
        &self.printed.text()[line.range.clone()]
    }

    /// The line that contains the byte `offset`.
    pub(super) fn line_at(&self, offset: usize) -> usize {
        self.lines.partition_point(|line| line.range.start <= offset).saturating_sub(1)
    }
}

fn lines(text: &str, pieces: &[Piece]) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut around: Vec<&Piece> = Vec::new();
    let (mut start, mut next) = (0, 0);
    for line in text.split('\n') {
        let end = start + line.len();
        around.retain(|piece| piece.range.end > start);
        let first = next;
        while let Some(piece) = pieces.get(next).filter(|piece| piece.range.start <= end) {
            if piece.range.end > end {
                around.push(piece);
            }
            next += 1;
        }
        let innermost = around.last().map_or(Path::ROOT, |piece| piece.path);
        lines.push(Line { range: start..end, pieces: first..next, around: innermost });
        start = end + 1;
    }
    lines
}

fn sections(printed: &PrintedText, pieces: &[Piece], lines: &[Line], name_of: &NameOfSection<'_>) -> Vec<Section> {
    let mut starts: Vec<(usize, Option<String>)> = vec![(0, None)];
    let mut end = 0;
    for (number, line) in lines.iter().enumerate() {
        let named = pieces[line.pieces.clone()].iter().filter(|piece| piece.range.end > line.range.end);
        let name = |piece: &Piece| name_of(&printed.paths().access_path(piece.path));
        if line.range.start >= end
            && let Some((piece, name)) = named.map(|piece| (piece, name(piece))).find(|(_, name)| name.is_some())
        {
            starts.push((number, name));
            end = piece.range.end;
        }
    }
    let ends = starts.iter().skip(1).map(|(start, _)| *start).chain([lines.len()]).collect::<Vec<_>>();
    let sections = starts.into_iter().zip(ends);
    sections
        .map(|((start, name), end)| Section { name, lines: start..end })
        .filter(|section| !section.lines.is_empty())
        .collect()
}
