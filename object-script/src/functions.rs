//! Scripts and files of modules as functions by name.

#![allow(clippy::needless_pass_by_value, reason = "functions of the registry own their arguments")]

use std::path::Path;

use annotate_snippets::Renderer;
use object_core::edit::{EditOptions, EditScript};
use object_core::prelude::*;
use object_core::register_function;
use object_core::structural::Mismatch;
use object_ir::results::Limits;
use object_ir::tvm::GraphReader;
use object_relax::results::CheckOptions;
use object_relax::well_formed::Profile;

use crate::file;
use crate::format::format as format_text;
use crate::page::page;
use crate::parse::{Errors, parse as parse_text};
use crate::print::{Script, ScriptPrinter};
use crate::rendering::{CheckText, DiffText, ProgramEdits, ScriptErrors, check_verdict, diff_summary};

register_function!(
    /// The TVMScript of a graph.
    "objir.print"(root, limits) = print
);
register_function!(
    /// The value of a script: a module or a function.
    "objir.parse"(text) = parse
);
register_function!(
    /// The text of a file with the scripts in it as the printer writes them.
    "objir.format"(text, limits) = format
);
register_function!(
    /// The graph in a file: JSON of any version of TVM or a script, gzipped or not. Its types are the types of TVM 0.25.
    impure "objir.load"(path, limits) = load
);
register_function!(
    /// The graph in the content of a file, as `objir.load` reads it.
    "objir.read"(content, limits) = read
);
register_function!(
    /// The edits of two graphs as text with underlined places, at most `limit` of them; without a limit, at most 20.
    "objir.diff_text"(a, b, limit, limits) = diff_text
);
register_function!(
    /// A page in HTML with the scripts of two graphs side by side and the edits between them, at most `limit` of them; without a
    /// limit, at most 1000.
    "objir.diff_page"(a, b, limit, limits) = diff_page
);
register_function!(
    /// A page in HTML with the script of a graph.
    "objir.page"(root, limits) = script_page
);
register_function!(
    /// The violations that `objir.check` finds as text with underlined places.
    "objir.check_text"(program, options) = check_text
);
register_function!(
    /// A page in HTML with the script of a program, in which the violations that `objir.check` finds are underlined.
    "objir.check_page"(program, options) = check_page
);

fn print(root: Any, limits: Option<Limits>) -> Result<Str, Error> {
    let meter = limits.unwrap_or_default().meter()?;
    Ok(ScriptPrinter::new().meter(&meter).try_print_text(&root)?.into())
}

fn parse(text: Str) -> Result<Any, Error> {
    of_script("script", &text, parse_text)
}

/// The result of work on a script. The message of its errors underlines their places, and the source of the error is the
/// [`Errors`].
fn of_script<T>(name: &str, text: &str, work: impl FnOnce(&str) -> Result<T, Errors>) -> Result<T, Error> {
    work(text).map_err(|errors| {
        let max_message = object_core::Limits::untrusted().max_message;
        let shown = ScriptErrors { name, text, errors: &errors, max_message }.rendered(&Renderer::plain());
        Error::new(errors.kind(), shown).with_source(errors)
    })
}

fn format(text: Str, limits: Option<Limits>) -> Result<Str, Error> {
    let meter = limits.unwrap_or_default().meter()?;
    of_script("script", &text, |text| format_text(text, 4, &meter)).map(Str::from)
}

fn load(path: Str, limits: Option<Limits>) -> Result<Any, Error> {
    let limits = limits.unwrap_or_default();
    let read = || graph_of(&path, &file::read(Path::new(path.as_str()), &limits.to_limits()?)?, &limits);
    read().map_err(|error| error.context(&path))
}

fn read(content: Bytes, limits: Option<Limits>) -> Result<Any, Error> {
    let limits = limits.unwrap_or_default();
    graph_of("", &file::unpacked(&content[..], content.len() as u64, &limits.to_limits()?)?, &limits)
}

/// The graph in the unpacked text of the file `name`.
fn graph_of(name: &str, text: &[u8], limits: &Limits) -> Result<Any, Error> {
    let meter = limits.meter()?;
    let _text = meter.reserve(text.len() as u64)?;
    if file::is_script(name, text) {
        let text = std::str::from_utf8(text).map_err(|error| Error::new(ErrorKind::Malformed, error.to_string()))?;
        return of_script(if name.is_empty() { "script" } else { name }, text, parse_text);
    }
    let read = GraphReader::new().limits(limits.to_limits()?).meter(&meter).read(text)?;
    Ok(read.into_rust_types()?.root)
}

/// The names of two programs in texts and pages.
const NAMES: [&str; 2] = ["left", "right"];

fn diff_text(a: Any, b: Any, limit: Option<u32>, limits: Option<Limits>) -> Result<Str, Error> {
    let limit = limit.unwrap_or(20) as usize;
    let Compared { found, edits, scripts } = Compared::of([&a, &b], limit, &limits.unwrap_or_default())?;
    if found.is_empty() {
        return Ok(diff_summary(NAMES, 0).into());
    }
    let shown = DiffText { names: NAMES, scripts: Some(&scripts), renderer: &Renderer::plain() };
    let mut text = diff_summary(NAMES, edits.count());
    text.push_str(&shown.of_edits(&edits, &found, limit));
    if let Some(more @ 1..) = edits.count().checked_sub(limit) {
        text.push_str(&format!("\n\n... and {more} more; a higher limit shows them"));
    }
    if edits.script().search_ended() {
        text.push_str(
            "\n\nthe search ended at the limit of steps, so values whose parts it has not reached are shown as a whole",
        );
    }
    Ok(text.into())
}

fn diff_page(a: Any, b: Any, limit: Option<u32>, limits: Option<Limits>) -> Result<Str, Error> {
    let limit = limit.unwrap_or(1000) as usize;
    let Compared { found, edits, scripts } = Compared::of([&a, &b], limit, &limits.unwrap_or_default())?;
    let shown = DiffText { names: NAMES, scripts: Some(&scripts), renderer: &Renderer::plain() };
    let edits = shown.page_edits(&edits, &found, limit);
    Ok(page(NAMES[0], &scripts[0], &a).beside(NAMES[1], &scripts[1], &b, edits).to_html()?.into())
}

/// The scripts of two graphs, their first differences, and the edits between them.
struct Compared<'a> {
    found: Vec<Mismatch>,
    edits: ProgramEdits<'a>,
    scripts: [Script; 2],
}

impl<'a> Compared<'a> {
    fn of([a, b]: [&'a Any; 2], limit: usize, limits: &Limits) -> Result<Self, Error> {
        let printer = ScriptPrinter::new().meter(&limits.meter()?);
        let limits = limits.to_limits()?;
        let (found, _) = StructuralOptions::new().diff_so_far(&limits, a, b, limit)?;
        let script =
            if found.is_empty() { EditScript::default() } else { EditOptions::new().limits(limits).edits(a, b)? };
        let scripts = [printer.try_print(a)?, printer.try_print(b)?];
        Ok(Compared { found, edits: ProgramEdits::new(script, [a, b]), scripts })
    }
}

fn script_page(root: Any, limits: Option<Limits>) -> Result<Str, Error> {
    let script = ScriptPrinter::new().meter(&limits.unwrap_or_default().meter()?).try_print(&root)?;
    Ok(page("program", &script, &root).to_html()?.into())
}

fn check_text(program: Any, options: Option<CheckOptions>) -> Result<Str, Error> {
    let options = options.unwrap_or_else(CheckOptions::new);
    let report = &options.checker()?.check(&program);
    let (printer, renderer) = (&ScriptPrinter::new(), &Renderer::plain());
    let (root, max_message) = (&program, object_core::Limits::untrusted().max_message);
    let (details, cites) = (true, options.profile == Profile::Spec.name());
    let text = CheckText { name: "program", root, report, given: None, printer, renderer, max_message, details, cites };
    Ok(format!("{text}{}", check_verdict(report.errors, report.warnings, report.is_well_formed())).into())
}

fn check_page(program: Any, options: Option<CheckOptions>) -> Result<Str, Error> {
    let report = options.unwrap_or_else(CheckOptions::new).checker()?.check(&program);
    let script = ScriptPrinter::new().try_print(&program)?;
    let verdict = check_verdict(report.errors, report.warnings, report.is_well_formed());
    let remarks = report.diagnostics.iter().map(|it| (it.path.clone(), format!("{}: {}", it.rule.name, it.message)));
    Ok(page(verdict, &script, &program).remarks(remarks).to_html()?.into())
}
