//! The chart of speed: one row of a table of `measure/README.md` as bars.

use std::fmt::Write;

/// The row of the chart. Its name is in the caption.
const WORKLOAD: &str = "decoder of 17,000 nodes, legalized";

const STYLE: &str = "text { font: 13px sans-serif; fill: #222 } .caption { font-size: 12px; fill: #555 } rect { fill: #06c } \
    .one { stroke: #b00; stroke-dasharray: 4 3 } .page { fill: #fff }";
/// The width of the names, the height of a bar with the room around it, and the width of the longest bar, in pixels.
const NAMES: f64 = 70.0;
const BAR: f64 = 26.0;
const LONGEST: f64 = 420.0;

/// The chart as SVG.
///
/// # Errors
/// A message if the page has no table with the row.
pub(crate) fn draw(page: &str) -> Result<String, String> {
    let lines: Vec<&str> = page.lines().collect();
    let row =
        lines.iter().position(|line| line.starts_with(&format!("| {WORKLOAD} |"))).ok_or("no row of the workload")?;
    let head = (0..row).rev().find(|line| lines[*line].starts_with("|---")).and_then(|line| line.checked_sub(1));
    let names = cells(lines[head.ok_or("the table has no head")?]);
    let ratios: Vec<(&str, f64)> = (names.iter().zip(cells(lines[row])).skip(1))
        .map(|(name, cell)| cell.parse().map(|ratio| (*name, ratio)).map_err(|_| format!("`{cell}` is no number")))
        .collect::<Result<_, String>>()?;
    let largest = ratios.iter().map(|(_, ratio)| *ratio).fold(1.0, f64::max);
    let (width, height) = (NAMES + LONGEST + 110.0, BAR * (f64::from(u32::try_from(ratios.len()).unwrap_or(0)) + 2.4));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\">\n\
         <style>{STYLE}</style>\n<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n"
    );
    let mut top = 8.0;
    for (name, ratio) in ratios {
        let length = LONGEST * ratio / largest;
        // Writing to a text does not fail.
        let _ = writeln!(
            svg,
            "<text x=\"{:.0}\" y=\"{:.0}\" text-anchor=\"end\">{name}</text><rect x=\"{NAMES:.0}\" y=\"{top:.0}\" width=\"{length:.0}\" \
             height=\"{:.0}\"/><text x=\"{:.0}\" y=\"{:.0}\">{ratio}</text>",
            NAMES - 8.0,
            top + 14.0,
            BAR - 8.0,
            NAMES + length + 6.0,
            top + 14.0,
        );
        top += BAR;
    }
    let one = NAMES + LONGEST / largest;
    let _ = writeln!(
        svg,
        "<path class=\"one\" d=\"M{one:.0},4 V{top:.0}\"/>\n\
         <text class=\"caption\" x=\"8\" y=\"{:.0}\">CPU time of TVM 0.25 divided by the CPU time of object-ir; the dashed line is 1.</text>\n\
         <text class=\"caption\" x=\"8\" y=\"{:.0}\">Workload: a {WORKLOAD}. The figures are from measure/README.md.</text>\n</svg>",
        top + 18.0,
        top + 38.0,
    );
    Ok(svg)
}

/// The cells of a row of a table.
fn cells(row: &str) -> Vec<&str> {
    row.trim_matches('|').split('|').map(str::trim).collect()
}
