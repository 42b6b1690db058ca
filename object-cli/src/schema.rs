//! `objir schema`: the types and the functions as data.

use clap::Args as ClapArgs;
use object_core::dynamic::{JSON_SCHEMA, Schema};
use object_core::{Error, ErrorKind, Result, function};

use crate::input::Reading;
use crate::output::{Output, Verdict};

/// `objir schema`.
#[derive(ClapArgs)]
pub(crate) struct SchemaArgs {
    /// Print only types and functions whose keys begin with one of these.
    prefixes: Vec<String>,

    /// Print the JSON Schema of the format instead.
    #[arg(long, conflicts_with = "prefixes")]
    format: bool,
}

pub(crate) fn run(args: &SchemaArgs, reading: &Reading, output: &Output) -> Result<Verdict> {
    let text = if args.format {
        JSON_SCHEMA.to_owned()
    } else {
        let mut types = reading.types.types()?.all()?;
        let is_selected =
            |key: &str| args.prefixes.is_empty() || args.prefixes.iter().any(|prefix| key.starts_with(prefix));
        let mut functions = function::all()?;
        let is_absent = |prefix: &&String| {
            let mut keys = types.iter().map(|info| info.type_key()).chain(functions.iter().map(|it| it.name()));
            keys.all(|key| !key.starts_with(prefix.as_str()))
        };
        if let Some(prefix) = args.prefixes.iter().find(is_absent) {
            let message = format!("no key of a type or a function begins with `{prefix}`");
            return Err(Error::new(ErrorKind::UnknownType, message));
        }
        types.retain(|info| is_selected(info.type_key()));
        functions.retain(|function| is_selected(function.name()));
        Schema::of(&types).with_functions(&functions).to_json()?
    };
    output.show_text(text.trim_end())?;
    Ok(Verdict::Same)
}
