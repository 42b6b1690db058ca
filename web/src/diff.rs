//! The request `diff`: the differences of two programs as text and as a page.

use annotate_snippets::Renderer;
use object_core::edit::EditOptions;
use object_core::meter::Meter;
use object_core::prelude::*;
use object_script::page::page;
use object_script::print::ScriptPrinter;
use object_script::rendering::{DiffText, ProgramEdits, diff_summary};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::program::{Depth, File, Program};

/// The largest number of differences in the text, and on the page.
const TEXT_LIMIT: usize = 20;
const PAGE_LIMIT: usize = 1000;

/// The differences.
pub(crate) fn answer(files: [&File<'_>; 2], meter: &Meter) -> Result<Value, Failure> {
    let read = |number: usize| Program::of(files[number], meter).map_err(|failure| failure.in_file(number));
    let (first, second) = (read(0)?, read(1)?);
    let [a, b] = [&first.graph.root, &second.graph.root];
    let limits = Depth::Program.limits();
    // One more than the limit tells whether there are more.
    let (mut found, ended) = StructuralOptions::new().diff_so_far(&limits, a, b, PAGE_LIMIT + 1)?;
    let names = files.map(|file| file.name);
    let mut answer = json!({
        "equal": found.is_empty(),
        "summary": diff_summary(names, 0),
        "remarks": [first.remark, second.remark],
    });
    if found.is_empty() {
        return Ok(answer);
    }
    let has_more = ended.is_some() || found.len() > PAGE_LIMIT;
    found.truncate(PAGE_LIMIT);
    let edits = ProgramEdits::new(EditOptions::new().limits(limits).edits(a, b)?, [a, b]);
    let printer = ScriptPrinter::new().meter(meter);
    let scripts = [printer.try_print(a)?, printer.try_print(b)?];
    let text = DiffText { names, scripts: Some(&scripts), renderer: &Renderer::plain() };
    answer["summary"] = diff_summary(names, edits.count()).into();
    answer["text"] = text.of_edits(&edits, &found, TEXT_LIMIT).trim_start().into();
    answer["has_more"] = has_more.into();
    let [left, right] = &scripts;
    let edits = text.page_edits(&edits, &found, PAGE_LIMIT);
    let page = page(names[0], left, a).beside(names[1], right, b, edits);
    answer["page"] = page.to_html()?.into();
    Ok(answer)
}
