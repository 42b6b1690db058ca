//! Scripts and files of modules as functions by name.

#![allow(clippy::needless_pass_by_value, reason = "functions of the registry own their arguments")]

use std::path::Path;

use object_core::prelude::*;
use object_core::register_function;
use object_ir::results::Limits;
use object_ir::tvm::GraphReader;

use crate::file;
use crate::format::format as format_text;
use crate::parse::parse as parse_text;
use crate::print::ScriptPrinter;

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

fn print(root: Any, limits: Option<Limits>) -> Result<Str, Error> {
    let meter = limits.unwrap_or_default().meter()?;
    Ok(ScriptPrinter::new().meter(&meter).try_print_text(&root)?.into())
}

fn parse(text: Str) -> Result<Any, Error> {
    Ok(parse_text(&text)?)
}

fn format(text: Str, limits: Option<Limits>) -> Result<Str, Error> {
    let meter = limits.unwrap_or_default().meter()?;
    Ok(format_text(&text, 4, &meter)?.into())
}

fn load(path: Str, limits: Option<Limits>) -> Result<Any, Error> {
    let limits = limits.unwrap_or_default();
    let (bounds, meter) = (limits.to_limits()?, limits.meter()?);
    let read = || {
        let text = file::read(Path::new(path.as_str()), &bounds)?;
        let _text = meter.reserve(text.len() as u64)?;
        if file::is_script(&path, &text) {
            let text =
                std::str::from_utf8(&text).map_err(|error| Error::new(ErrorKind::Malformed, error.to_string()))?;
            return parse(text.into());
        }
        let read = GraphReader::new().limits(bounds).meter(&meter).read(&text)?;
        Ok(read.into_rust_types()?.root)
    };
    read().map_err(|error| error.context(&path))
}
