//! `objir schema`: the types and the functions as data.

use clap::Args as ClapArgs;
use object_core::dynamic::{JSON_SCHEMA, Schema, SchemaChange};
use object_core::{Error, ErrorKind, Result, counted, function};
use serde_json::json;

use crate::input::Reading;
use crate::output::{Output, Verdict};
use crate::source::Source;

/// `objir schema`.
#[derive(ClapArgs)]
pub(crate) struct SchemaArgs {
    /// Print only types and functions whose keys begin with one of these.
    prefixes: Vec<String>,

    /// Print the JSON Schema of the format instead.
    #[arg(long, conflicts_with = "prefixes")]
    format: bool,

    /// Show the changes between two schemas, and which of them keep the files of OLD readable. `-` is standard input.
    #[arg(long, num_args = 2, value_names = ["OLD", "NEW"], conflicts_with_all = ["prefixes", "format"])]
    diff: Vec<Source>,
}

pub(crate) fn run(args: &SchemaArgs, reading: &Reading, output: &Output) -> Result<Verdict> {
    if let [old, new] = &args.diff[..] {
        return diff(old, new, reading, output);
    }
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

/// Shows the changes from the schema `old` to the schema `new`: one line for each, those that earlier files need most first.
fn diff(old: &Source, new: &Source, reading: &Reading, output: &Output) -> Result<Verdict> {
    let parse = |source: &Source| {
        let text = source.read(&reading.limits)?;
        Schema::parse_with(&text, &reading.limits).map_err(|error| source.name_in(error))
    };
    let (old, new) = (parse(old)?, parse(new)?);
    let mut changes = new.changes_since(&old);
    changes.sort_by_key(|change| std::cmp::Reverse(change.compatibility));
    let broken = changes.iter().filter(|change| !change.is_compatible()).count();
    let lines: Vec<String> = changes.iter().map(ToString::to_string).collect();
    let summary = format!("{}, {broken} of them not compatible", counted(changes.len(), "change"));
    output.show(
        format_args!("{}", lines.iter().chain([&summary]).map(String::as_str).collect::<Vec<_>>().join("\n")),
        || {
            let change = |change: &SchemaChange| {
                json!({
                    "compatibility": change.compatibility.word(),
                    "type": change.type_key,
                    "field": change.field,
                    "change": change.change,
                    "help": change.help,
                })
            };
            json!({"changes": changes.iter().map(change).collect::<Vec<_>>(), "incompatible": broken})
        },
    )?;
    Ok(Verdict::of(broken == 0))
}
