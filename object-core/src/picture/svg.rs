//! A picture as SVG and HTML. The crate `rust-sugiyama` places the boxes.

use std::fmt::Write;

use rust_sugiyama::configure::Config;

use super::drawing::{Arrow, Drawing, DrawnBox, Picture};
use crate::table::OrderedTable;

/// The size of a character, the height of a line and the room around text and boxes, in pixels.
const CHARACTER: f64 = 7.3;
const LINE: f64 = 16.0;
const MARGIN: f64 = 8.0;
const SPACE: f64 = 36.0;

/// The number of arrows beyond which only some of them decide on the places of the boxes.
const MAX_LAYOUT_ARROWS: usize = 600;

const STYLE: &str = "text { font: 12px monospace; fill: #222 } .title { font-weight: bold } \
    .label { font-size: 11px; fill: #06c; text-anchor: middle; paint-order: stroke; stroke: #fff; stroke-width: 3px } \
    rect { fill: #fff; stroke: #444 } .shared { stroke: #06c; stroke-width: 3 } path { fill: none; stroke: #888 }";

impl Picture<'_> {
    /// The picture as SVG, without references to other files. Needs the feature `svg`.
    #[must_use]
    pub fn to_svg(&self) -> String {
        let drawing = self.draw();
        let places = place(&drawing);
        let right = places.iter().zip(&drawing.boxes).map(|(place, item)| place.0 + size(item).0 / 2.0);
        let bottom = places.iter().zip(&drawing.boxes).map(|(place, item)| place.1 + size(item).1 / 2.0);
        let (width, height) = (right.fold(0.0, f64::max) + MARGIN, bottom.fold(0.0, f64::max) + MARGIN);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"0 0 {width:.0} {height:.0}\">\n<style>{STYLE}</style>\n\
             <defs><marker id=\"tip\" markerWidth=\"8\" markerHeight=\"8\" refX=\"7\" refY=\"4\" orient=\"auto\">\
             <path d=\"M0,0 L8,4 L0,8\"/></marker></defs>\n"
        );
        for (item, (x, y)) in drawing.boxes.iter().zip(&places) {
            write_box(&mut svg, item, *x, *y);
        }
        for ((from, to), labels) in joined(&drawing.arrows) {
            let (start, end) = (places[from], places[to]);
            let (top, foot) = (start.1 + size(&drawing.boxes[from]).1 / 2.0, end.1 - size(&drawing.boxes[to]).1 / 2.0);
            let middle = f64::midpoint(top, foot);
            // Writing to a text does not fail.
            let _ = writeln!(
                svg,
                "<path d=\"M{:.0},{top:.0} C{:.0},{middle:.0} {:.0},{middle:.0} {:.0},{foot:.0}\" marker-end=\"url(#tip)\"/>\
                 <text class=\"label\" x=\"{:.0}\" y=\"{:.0}\">{}</text>",
                start.0,
                start.0,
                end.0,
                end.0,
                f64::midpoint(start.0, end.0),
                middle + LINE / 4.0,
                escape(&labels.join(", ")),
            );
        }
        svg + "</svg>\n"
    }

    /// A page with the picture, without references to other files. Needs the feature `svg`.
    #[must_use]
    pub fn to_html(&self) -> String {
        format!(
            "<!DOCTYPE html>\n<html>\n<head><meta charset=\"utf-8\"><title>Object graph</title></head>\n<body>\n{}</body>\n\
             </html>\n",
            self.to_svg()
        )
    }
}

/// The arrows; arrows between the same two boxes are one.
fn joined(arrows: &[Arrow]) -> OrderedTable<(usize, usize), Vec<&str>> {
    let mut joined: OrderedTable<(usize, usize), Vec<&str>> = OrderedTable::default();
    for arrow in arrows {
        joined.entry((arrow.from, arrow.to)).or_default().push(&arrow.label);
    }
    joined
}

#[allow(clippy::cast_precision_loss, reason = "texts are short")]
fn size(item: &DrawnBox) -> (f64, f64) {
    let lines = std::iter::once(&item.title).chain(&item.lines);
    let longest = lines.map(|line| line.chars().count()).max().unwrap_or(0);
    (longest as f64 * CHARACTER + 2.0 * MARGIN, (item.lines.len() + 1) as f64 * LINE + MARGIN)
}

/// The arrows that decide on the places of the boxes. In a picture of many arrows, these are only the first arrow to each
/// box, because the layout takes time in a high power of the number of arrows.
fn layout_arrows(drawing: &Drawing) -> impl Iterator<Item = (usize, usize)> {
    let arrows = joined(&drawing.arrows);
    let is_dense = arrows.len() > MAX_LAYOUT_ARROWS;
    let mut has_arrow = vec![false; drawing.boxes.len()];
    arrows.into_keys().filter(move |(_, to)| !std::mem::replace(&mut has_arrow[*to], true) || !is_dense)
}

/// The middle of each box.
fn place(drawing: &Drawing) -> Vec<(f64, f64)> {
    let number = |index: usize| u32::try_from(index).unwrap_or(u32::MAX);
    let vertices: Vec<(u32, (f64, f64))> =
        drawing.boxes.iter().enumerate().map(|(index, item)| (number(index), size(item))).collect();
    let edges: Vec<(u32, u32)> = layout_arrows(drawing).map(|(from, to)| (number(from), number(to))).collect();
    let config = Config { vertex_spacing: SPACE, transpose: false, ..Config::default() };
    let layouts = rust_sugiyama::from_vertices_and_edges(&vertices, &edges, &config);
    let mut places = vec![(0.0, 0.0); drawing.boxes.len()];
    for (index, place) in layouts.into_iter().flat_map(|(places, _, _)| places) {
        if let Some(slot) = places.get_mut(index) {
            *slot = place;
        }
    }
    // The layout starts at any coordinates, and may have the root at the bottom.
    let is_upside_down = places.iter().any(|place| place.1 < places[0].1);
    for place in &mut places {
        place.1 = if is_upside_down { -place.1 } else { place.1 };
    }
    let sizes = || drawing.boxes.iter().map(size);
    let left = places.iter().zip(sizes()).map(|(place, size)| place.0 - size.0 / 2.0).fold(f64::INFINITY, f64::min);
    let top = places.iter().zip(sizes()).map(|(place, size)| place.1 - size.1 / 2.0).fold(f64::INFINITY, f64::min);
    places.into_iter().map(|(x, y)| (x - left + MARGIN, y - top + MARGIN)).collect()
}

fn write_box(svg: &mut String, item: &DrawnBox, x: f64, y: f64) {
    let (width, height) = size(item);
    let (left, mut line) = (x - width / 2.0, y - height / 2.0 + LINE);
    let class = if item.is_shared { " class=\"shared\"" } else { "" };
    // Writing to a text does not fail.
    let _ = writeln!(
        svg,
        "<rect{class} x=\"{left:.0}\" y=\"{:.0}\" width=\"{width:.0}\" height=\"{height:.0}\" rx=\"3\"/>",
        y - height / 2.0
    );
    let texts = std::iter::once((" class=\"title\"", &item.title)).chain(item.lines.iter().map(|text| ("", text)));
    for (class, text) in texts {
        let _ = writeln!(svg, "<text{class} x=\"{:.0}\" y=\"{line:.0}\">{}</text>", left + MARGIN, escape(text));
        line += LINE;
    }
}

/// A text between tags.
fn escape(text: &str) -> String {
    // XML allows no control characters, escaped or not.
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
