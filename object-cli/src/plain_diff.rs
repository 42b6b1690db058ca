//! Differences between graphs that no script shows: the place and both values, as a page with pictures.

use std::fmt::{self, Write};

use object_core::Any;
use object_core::page::PALETTE;
use object_core::picture::Picture;

/// The number of differences with pictures on a page, and the number of boxes of one picture.
const MAX_PICTURES: usize = 50;
const MAX_BOXES: usize = 30;

const STYLE: &str = "body{margin:2em;background:var(--page);color:var(--text);font:15px/1.45 system-ui,sans-serif}\
code{white-space:pre-wrap;overflow-wrap:anywhere}section{border-top:1px solid var(--line);padding:1em 0}\
.sides{display:flex;flex-wrap:wrap;gap:1em}.side{flex:1 1 18em;min-width:0;overflow:auto;padding:.5em}\
.left{background:var(--left)}.right{background:var(--right)}h2{font-size:1em}\
svg{background:#fff;color:#1b1f24}";

/// A difference without the scripts around it.
pub(crate) struct PlainDifference<'a> {
    /// The difference in a few words.
    pub(crate) title: String,
    /// Its place.
    pub(crate) path: String,
    /// The values on the left and on the right.
    pub(crate) values: [Option<&'a Any>; 2],
    /// The values on one line each.
    pub(crate) texts: [Option<String>; 2],
}

/// The page with a summary and the differences.
pub(crate) fn page(summary: &str, differences: &[PlainDifference<'_>], has_more: bool) -> String {
    let mut html = format!(
        "<!DOCTYPE html>\n<html>\n<head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\"><title>{0}</title>\
         <style>{PALETTE}{STYLE}</style></head>\n<body>\n\
         <h1>{0}</h1>\n",
        Escaped(summary)
    );
    for (index, difference) in differences.iter().enumerate() {
        // A failure to write to a string is impossible.
        let _ = section(&mut html, difference, index < MAX_PICTURES);
    }
    html.push_str(if has_more { "<p>... and more; <code>--limit</code> shows them</p>\n" } else { "" });
    html.push_str("</body>\n</html>\n");
    html
}

fn section(html: &mut String, difference: &PlainDifference<'_>, has_pictures: bool) -> fmt::Result {
    let (title, path) = (Escaped(&difference.title), Escaped(&difference.path));
    write!(html, "<section>\n<h2>{title}</h2>\n<p><code>{path}</code></p>\n<div class=\"sides\">\n")?;
    for (side, (value, text)) in ["left", "right"].into_iter().zip(difference.values.into_iter().zip(&difference.texts))
    {
        write!(html, "<div class=\"side {side}\">")?;
        if let (Some(value), Some(text)) = (value, text) {
            write!(html, "<code>{}</code>", Escaped(text))?;
            if has_pictures && value.view().as_object().is_some() {
                write!(html, "<div>{}</div>", Picture::new(value).max_boxes(MAX_BOXES).to_svg())?;
            }
        }
        html.push_str("</div>\n");
    }
    html.push_str("</div>\n</section>\n");
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
