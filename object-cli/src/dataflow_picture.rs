//! The dataflow of functions as SVG, as a page with a search, and as DOT.

use std::fmt::Write;
use std::iter;

use object_core::inert;

use crate::dataflow::{Group, Part};
use crate::dataflow_layout::{HEIGHT, Placed, place, width};

/// The room around a group and above it, for its title, in pixels.
const MARGIN: f64 = 16.0;
const TITLE: f64 = 28.0;

/// The colours and fonts of a picture, in light and dark.
const STYLE: &str = "svg{background:#fff}text{font:11px ui-monospace,monospace;fill:#222}.t{font-weight:bold}.g{fill:none;stroke:#ccc}\
    .h{font-size:14px;font-weight:bold}rect{fill:#eef4ff;stroke:#5b7fb9}.p rect{fill:#f6f6f6;stroke:#aaa}.r rect{fill:#e6f6e6;stroke:#4a9a4a}\
    path{fill:none;stroke:#999}marker path{fill:#999;stroke:none}.found rect{stroke:#d60;stroke-width:3}\
    @media(prefers-color-scheme:dark){svg{background:#1b1d20}text{fill:#ddd}rect{fill:#243248;stroke:#6f93cc}.p rect{fill:#2a2c30;stroke:#777}\
    .r rect{fill:#20381f;stroke:#5fae5f}.g{fill:none;stroke:#444}path{stroke:#888}marker path{fill:#888}}";

/// The colours of the page around the pictures.
const PAGE_STYLE: &str = "body{font:14px system-ui,sans-serif;margin:0;background:#fff;color:#222}header{position:sticky;top:0;\
    padding:8px 16px;background:inherit;border-bottom:1px solid #ccc}input{font:inherit;width:20em}summary{cursor:pointer;padding:6px 16px;font-weight:bold}\
    details>div{overflow-x:auto;padding:0 16px}@media(prefers-color-scheme:dark){body{background:#1b1d20;color:#ddd}}";

/// The search: it marks the boxes whose texts contain the words, and Enter goes to the next one.
const SCRIPT: &str = "const q=document.getElementById('q'),n=document.getElementById('n');let found=[],at=-1;\
    q.oninput=()=>{const w=q.value.toLowerCase();found=[];at=-1;for(const b of document.querySelectorAll('g.b')){\
    const is=w!==''&&b.textContent.toLowerCase().includes(w);b.classList.toggle('found',is);if(is)found.push(b)}\
    n.textContent=w===''?'':found.length+' found'};\
    q.onkeydown=e=>{if(e.key!=='Enter'||!found.length)return;at=(at+1)%found.length;const b=found[at];b.closest('details').open=true;\
    b.scrollIntoView({block:'center',inline:'center'});n.textContent=(at+1)+' of '+found.length};";

/// All functions beside each other as one picture.
pub(crate) fn svg(groups: &[Group]) -> String {
    let placed: Vec<Placed> = groups.iter().map(place).collect();
    let outer = |it: &Placed, group: &Group| it.width.max(text_width(&group.title)) + 2.0 * MARGIN;
    let width = iter::zip(&placed, groups).map(|(it, group)| outer(it, group) + MARGIN).sum::<f64>() + MARGIN;
    let height = placed.iter().map(|it| it.height).fold(0.0, f64::max) + TITLE + 4.0 * MARGIN;
    let mut svg = head(width, height);
    let mut left = MARGIN;
    for (group, placed) in iter::zip(groups, &placed) {
        let (outer, inner) = (outer(placed, group), placed.height + TITLE + 2.0 * MARGIN);
        // Writing to a text does not fail.
        let _ = writeln!(
            svg,
            "<rect class=\"g\" x=\"{left:.0}\" y=\"{MARGIN:.0}\" width=\"{outer:.0}\" height=\"{inner:.0}\" rx=\"6\"/>\
             <text class=\"h\" x=\"{:.0}\" y=\"{:.0}\">{}</text>",
            left + MARGIN,
            MARGIN + TITLE - 6.0,
            escape(&group.title)
        );
        write_group(&mut svg, group, placed, (left + MARGIN, 2.0 * MARGIN + TITLE));
        left += outer + MARGIN;
    }
    svg + "</svg>\n"
}

/// A page with a picture for each function, which closes by a click, and a search. It needs no other file.
pub(crate) fn html(title: &str, groups: &[Group]) -> String {
    let title = escape(title);
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>{title}</title>\n<style>{PAGE_STYLE}\n{STYLE}</style></head>\n\
         <body>\n<header><strong>{title}</strong> <input id=\"q\" type=\"search\" aria-label=\"Search\" \
         placeholder=\"operator, variable or shape\"> <span id=\"n\" role=\"status\"></span></header>\n"
    );
    for group in groups {
        let placed = place(group);
        let _ = writeln!(page, "<details open><summary>{}</summary><div>", escape(&group.title));
        let mut svg = head(placed.width + 2.0 * MARGIN, placed.height + 2.0 * MARGIN);
        write_group(&mut svg, group, &placed, (MARGIN, MARGIN));
        page += &svg;
        page += "</svg></div></details>\n";
    }
    page + &format!("<script>{SCRIPT}</script>\n</body>\n</html>\n")
}

/// A text for Graphviz, with a cluster for each function.
pub(crate) fn dot(groups: &[Group]) -> String {
    let mut dot = "digraph {\n  node [shape=box, fontname=monospace]\n".to_owned();
    for (number, group) in groups.iter().enumerate() {
        let _ = writeln!(dot, "  subgraph cluster_{number} {{\n    label={}", quoted(&group.title));
        for (index, item) in group.items.iter().enumerate() {
            let label = quoted(&format!("{}\n{}", item.title, item.line));
            let _ = writeln!(dot, "    f{number}_{index} [label={label}]");
        }
        for (from, to) in &group.arrows {
            let _ = writeln!(dot, "    f{number}_{from} -> f{number}_{to}");
        }
        dot += "  }\n";
    }
    dot + "}\n"
}

fn head(width: f64, height: f64) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\">\n\
         <style>{STYLE}</style>\n<defs><marker id=\"tip\" markerWidth=\"7\" markerHeight=\"7\" refX=\"6\" refY=\"3.5\" orient=\"auto\">\
         <path d=\"M0,0 L7,3.5 L0,7\"/></marker></defs>\n"
    )
}

/// Writes the arrows and then the boxes of a group, from the corner `(left, top)`.
fn write_group(svg: &mut String, group: &Group, placed: &Placed, (left, top): (f64, f64)) {
    for route in &placed.routes {
        let point = |index: usize| (left + placed.places[index].0, top + placed.places[index].1);
        let last = route.len() - 1;
        let ((x, y), mut path) = (point(route[0]), String::new());
        let (mut x, mut y) = (x, y + HEIGHT / 2.0);
        let _ = write!(path, "M{x:.0},{y:.0}");
        for (number, index) in route.iter().enumerate().skip(1) {
            let (to_x, middle) = point(*index);
            let to_y = middle - HEIGHT / 2.0;
            let half = f64::midpoint(y, to_y);
            let _ = write!(path, " C{x:.0},{half:.0} {to_x:.0},{half:.0} {to_x:.0},{to_y:.0}");
            (x, y) = (to_x, to_y);
            if number != last {
                y = middle + HEIGHT / 2.0;
                let _ = write!(path, " V{y:.0}");
            }
        }
        let _ = writeln!(svg, "<path d=\"{path}\" marker-end=\"url(#tip)\"/>");
    }
    for (item, (x, y)) in iter::zip(&group.items, &placed.places) {
        let class = match item.part {
            Part::Parameter | Part::Rest => "b p",
            Part::Binding => "b",
            Part::Result => "b r",
        };
        let (width, corner, head) = (width(item), top + y - HEIGHT / 2.0, left + x - width(item) / 2.0);
        let _ = writeln!(
            svg,
            "<g class=\"{class}\"><rect x=\"{head:.0}\" y=\"{corner:.0}\" width=\"{width:.0}\" height=\"{HEIGHT:.0}\" rx=\"4\"/>\
             <text class=\"t\" x=\"{:.0}\" y=\"{:.0}\">{}</text><text x=\"{:.0}\" y=\"{:.0}\">{}</text></g>",
            head + 8.0,
            corner + 15.0,
            escape(&item.title),
            head + 8.0,
            corner + 29.0,
            escape(&item.line)
        );
    }
}

#[allow(clippy::cast_precision_loss, reason = "titles are short")]
fn text_width(text: &str) -> f64 {
    text.chars().count() as f64 * 9.0
}

/// A text between tags: XML allows no control characters, escaped or not.
fn escape(text: &str) -> String {
    inert(text).to_string().replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('\n', " ")
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}
