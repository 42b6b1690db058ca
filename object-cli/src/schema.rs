//! `objir schema`: the types as data.

use clap::Args as ClapArgs;
use object_core::dynamic::{JSON_SCHEMA, Schema};
use object_core::{Error, ErrorKind, Result};

use crate::input::Reading;
use crate::output::{Output, Verdict};

/// `objir schema`.
#[derive(ClapArgs)]
pub(crate) struct SchemaArgs {
    /// Print only types whose keys begin with one of these.
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
        let is_absent = |prefix: &&String| types.iter().all(|info| !info.type_key().starts_with(prefix.as_str()));
        if let Some(prefix) = args.prefixes.iter().find(is_absent) {
            let message = format!("no type key begins with `{prefix}`");
            return Err(Error::new(ErrorKind::UnknownType, message));
        }
        types.retain(|info| is_selected(info.type_key()));
        Schema::of(&types).to_json()?
    };
    output.show_text(text.trim_end())?;
    Ok(Verdict::Same)
}
