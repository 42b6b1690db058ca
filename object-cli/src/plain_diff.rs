//! Edits of graphs that no script shows: the place and both values, as a page with pictures.

use std::fmt::{self, Write};

use object_core::Any;
use object_core::edit::{Edit, EditGroup, EditKind};
use object_core::page::PALETTE;
use object_core::picture::Picture;
use object_script::rendering::{OneLine, ProgramEdits, inside_text};

/// The number of values with pictures on a page, and the number of boxes of one picture.
const MAX_PICTURES: usize = 100;
const MAX_BOXES: usize = 30;

const STYLE: &str = "body{margin:2em;background:var(--page);color:var(--text);font:15px/1.45 system-ui,sans-serif}\
code{white-space:pre-wrap;overflow-wrap:anywhere}section{border-top:1px solid var(--line);padding:1em 0}\
.sides{display:flex;flex-wrap:wrap;gap:1em}.side{flex:1 1 18em;min-width:0;overflow:auto;padding:.5em}\
.left{background:var(--left)}.right{background:var(--right)}h2{font-size:1em}ul{padding-left:1.2em}\
svg{background:#fff;color:#1b1f24}";

/// The page with a line about the result, the summary of the edits, and the first `limit` edits. Equal graphs have no edits.
pub(crate) fn page(result: &str, edits: Option<&ProgramEdits<'_>>, limit: usize) -> String {
    let mut html = format!(
        "<!DOCTYPE html>\n<html>\n<head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\"><title>{0}</title>\
         <style>{PALETTE}{STYLE}</style></head>\n<body>\n\
         <h1>{0}</h1>\n",
        Escaped(result)
    );
    if let Some(edits) = edits {
        // A failure to write to a string is impossible.
        let _ = write_edits(&mut html, edits, limit);
    }
    html.push_str("</body>\n</html>\n");
    html
}

fn write_edits(html: &mut String, edits: &ProgramEdits<'_>, limit: usize) -> fmt::Result {
    let summary = edits.to_string();
    html.push_str("<ul>");
    summary.lines().filter(|line| !line.is_empty()).try_for_each(|line| write!(html, "<li>{}</li>", Escaped(line)))?;
    html.push_str("</ul>\n");
    let listed =
        edits.groups().iter().flat_map(|group| group.whole.iter().chain(&group.edits).map(move |it| (group, it)));
    let mut pictures = MAX_PICTURES;
    for (group, edit) in listed.take(limit) {
        section(html, edits, group, edit, &mut pictures)?;
    }
    match edits.count().checked_sub(limit) {
        Some(more @ 1..) => writeln!(html, "<p>... and {more} more; <code>--limit</code> shows them</p>"),
        _ => Ok(()),
    }
}

fn section(
    html: &mut String,
    edits: &ProgramEdits<'_>,
    group: &EditGroup,
    edit: &Edit,
    pictures: &mut usize,
) -> fmt::Result {
    let (kind, title, path) = (edit.kind.word(), edits.title(group, edit), edit.place_text());
    let heading = if title.is_empty() { kind.to_owned() } else { format!("{kind}: {title}") };
    write!(html, "<section>\n<h2>{}</h2>\n<p><code>{}</code></p>\n", Escaped(&heading), Escaped(&path))?;
    let details = edits.script().details(edit, edits.roots());
    if details.is_empty() {
        let (paths, roots) = (edit.paths(), edits.roots());
        let value = |side: usize| {
            let has_value = edit.kind != [EditKind::Insert, EditKind::Delete][side];
            has_value.then(|| paths[side].find(roots[side]).ok()).flatten().map(|value| value.to_any())
        };
        sides(html, &[value(0), value(1)], pictures)?;
    }
    for detail in &details {
        writeln!(html, "<p><code>{}</code></p>", Escaped(&inside_text(&detail.inside)))?;
        sides(html, &detail.values, pictures)?;
    }
    html.push_str("</section>\n");
    Ok(())
}

/// The values on the left and on the right.
fn sides(html: &mut String, values: &[Option<Any>; 2], pictures: &mut usize) -> fmt::Result {
    html.push_str("<div class=\"sides\">\n");
    for (side, value) in ["left", "right"].into_iter().zip(values) {
        write!(html, "<div class=\"side {side}\">")?;
        if let Some(value) = value {
            write!(html, "<code>{}</code>", Escaped(&OneLine(value.view()).to_string()))?;
            if value.view().as_object().is_some() && *pictures > 0 {
                *pictures -= 1;
                write!(html, "<div>{}</div>", Picture::new(value).max_boxes(MAX_BOXES).to_svg())?;
            }
        }
        html.push_str("</div>\n");
    }
    html.push_str("</div>\n");
    Ok(())
}

/// A text in HTML.
struct Escaped<'a>(&'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|c| match c {
            '&' => f.write_str("&amp;"),
            '<' => f.write_str("&lt;"),
            '>' => f.write_str("&gt;"),
            c => f.write_char(c),
        })
    }
}
