//! `objir schema`: the types as data; and `--schema`, which loads types from such data.

use object_core::dynamic::{JSON_SCHEMA, Schema, SchemaLoader};
use object_core::registry::Types;
use object_core::{Limits, Result};

use crate::args::{SchemaArgs, TypeArgs};
use crate::input::Reading;
use crate::output::{Output, Verdict};

/// The types of this run: the linked types and the types of `--schema`.
pub(crate) fn types(args: &TypeArgs, limits: Limits) -> Result<Types> {
    let Some(source) = &args.schema else { return Ok(Types::linked()) };
    let load = |text: &[u8]| {
        let loader = SchemaLoader::new().name(source.to_string()).prefer_linked(true).limits(limits);
        let loader = args.dynamic_only.iter().fold(loader, |loader, prefix| loader.replace_linked(prefix));
        loader.load(&Schema::parse_with(text, &limits)?)
    };
    load(&source.read(&limits)?).map_err(|error| source.name_in(error))
}

pub(crate) fn run(args: &SchemaArgs, reading: &Reading, output: &Output) -> Result<Verdict> {
    let text = if args.format {
        JSON_SCHEMA.to_owned()
    } else {
        let mut types = reading.types.all()?;
        let is_selected =
            |key: &str| args.prefixes.is_empty() || args.prefixes.iter().any(|prefix| key.starts_with(prefix));
        types.retain(|info| is_selected(info.type_key()));
        Schema::of(&types).to_json()?
    };
    output.show_text(text.trim_end())?;
    Ok(Verdict::Same)
}
