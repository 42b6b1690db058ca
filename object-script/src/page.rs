//! [`page`]: scripts as a page in HTML.

use object_core::access_path::{AccessPath, AccessStep, PathKey};
use object_core::page::{MAX_NOTE, Page};
use object_core::{AsAnyView, ObjectView};

use crate::print::{Script, ScriptPrinter};

/// A [`Page`] that shows `script`, the text of `root`, under `title`. Each function is a section, the notes are the structural
/// information, and the account of the script counts the memory of the page. [`Page::beside`] adds a second script.
///
/// ```
/// use object_core::edit::edits;
/// use object_ir::ir::TensorStructInfo;
/// use object_script::page::page;
/// use object_script::print::print;
///
/// let (a, b) = (TensorStructInfo::of((2, 3), "float32")?, TensorStructInfo::of((2, 4), "float32")?);
/// let (script_a, script_b) = (print(&a), print(&b));
/// let page = page("a", &script_a, &a).beside("b", &script_b, &b, &edits(&a, &b)?);
/// assert!(page.to_html()?.contains(r#"<mark data-d="1" id="a1">"#));
/// # Ok::<(), object_core::Error>(())
/// ```
#[must_use]
pub fn page<'a>(title: impl Into<String>, script: &'a Script, root: &'a impl AsAnyView) -> Page<'a> {
    Page::new(title, script, root).sections(function_name).notes("struct info", struct_info).meter(script.meter())
}

/// The structural information of an object as a script.
fn struct_info(object: ObjectView<'_>) -> Option<String> {
    let info = object.get("struct_info_")?.as_object()?.to_object();
    // Each node has a character at least.
    Some(ScriptPrinter::new().max_nodes(4 * MAX_NOTE).print_text(&info))
}

/// The name of the function of a module at `path`, if that is the place of a function.
#[must_use]
pub fn function_name(path: &AccessPath) -> Option<String> {
    let [AccessStep::Attr(field), AccessStep::MapItem(key)] = path.steps() else { return None };
    (field == "functions").then(|| key_name(key))
}

/// The name that the key of a map shows: of a global variable, its own one.
#[must_use]
pub fn key_name(key: &PathKey) -> String {
    match key {
        PathKey::Str(text) => text.clone(),
        // The label of a global variable is `I.GlobalVar("name")`.
        PathKey::Other { label, .. } => label.split('"').nth(1).unwrap_or(label).to_owned(),
        PathKey::Int(number) => number.to_string(),
    }
}
