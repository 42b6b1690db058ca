//! The request `language`: two values of a language whose types a schema declares.

use std::cell::RefCell;

use object_core::dynamic::{Schema, SchemaLoader};
use object_core::prelude::*;
use object_core::registry::Types;
use object_core::repr::{Repr, ReprReader};
use object_core::structural::Scopes;
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::program::{Depth, File};

thread_local! {
    /// The types of the last schema with its text. Types are never freed, so an edit of a value makes no new ones.
    static LAST: RefCell<Option<(Vec<u8>, Types)>> = const { RefCell::new(None) };
}

/// Whether the values are equal, their hashes, and the first mismatch. A value is a [`Repr`]. The option `map_free_vars` lets free
/// variables correspond, and the option `lexical` ends the scope of a variable where its binder ends.
pub(crate) fn answer(files: [&File<'_>; 3], options: &Value) -> Result<Value, Failure> {
    let [schema, a, b] = files;
    let types = types(schema.content).map_err(|error| Failure::from(error).in_file(0))?;
    let value = |file: &File<'_>, number: usize| {
        let text =
            std::str::from_utf8(file.content).map_err(|error| Error::new(ErrorKind::Malformed, error.to_string()));
        let value = text.and_then(|text| ReprReader::new().types(&types).limits(Depth::Any.limits()).read(text));
        value.map_err(|error| Failure::from(error).in_file(number))
    };
    let (a, b) = (value(a, 1)?, value(b, 2)?);
    let scopes = if options["lexical"] == true { Scopes::Lexical } else { Scopes::Persistent };
    let options = StructuralOptions::new().map_free_vars(options["map_free_vars"] == true).scopes(scopes);
    let mismatch = options.first_mismatch(&a, &b)?;
    let hash = |value: &Any| Ok::<_, Error>(format!("{:016x}", options.hash(value)?));
    let repr = |value: &Any| Repr::new(value).max_values(200).to_string();
    Ok(json!({
        "equal": mismatch.is_none(),
        "hashes": [hash(&a)?, hash(&b)?],
        "values": [repr(&a), repr(&b)],
        "mismatch": mismatch.map(|it| json!({
            "text": it.to_string(),
            "paths": [it.lhs.to_string(), it.rhs.to_string()],
        })),
        "types": types.own().iter().map(|it| it.type_key()).collect::<Vec<_>>(),
    }))
}

/// The types of a schema.
fn types(text: &[u8]) -> object_core::Result<Types> {
    let known = LAST.with_borrow(|last| last.as_ref().filter(|(known, _)| known == text).map(|it| it.1.clone()));
    if let Some(types) = known {
        return Ok(types);
    }
    let limits = Depth::Any.limits();
    let schema = Schema::parse_with(text, &limits)?;
    let types = SchemaLoader::new().name("the schema").limits(limits).standalone(true).load(&schema)?;
    LAST.set(Some((text.to_vec(), types.clone())));
    Ok(types)
}
