//! Targets from their configuration (TVM 0.25 `Target` in src/target/target.cc).

use object_core::value::Str;
use object_core::{Any, Array, Map};
use object_ir::target::{Target, TargetKind};

use crate::parse::state::call::{Argument, Call};
use crate::parse::state::parser::{Eval, Parser};
use crate::parse::value::Value;

/// The target of an argument: a dict of its configuration, the name of its kind, or a target.
///
/// # Errors
/// Reports another value, and an unknown kind.
pub(crate) fn target(p: &mut Parser<'_>, argument: &Argument) -> Eval<Target> {
    match &argument.value {
        Value::Object(_) => argument.object(p, "a target"),
        Value::Str(text) => named(p, argument, text.as_str()),
        Value::Dict(entries) => configured(p, argument, entries),
        _ => Err(argument.expected(p, "a target: its kind such as \"llvm\", or a dict")),
    }
}

/// `I.target(config)` and `T.target(config, host)`.
pub(crate) fn target_call(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let config = call.required(p, "target_config")?.clone();
    let mut result = target(p, &config)?;
    if let Some(host) = call.optional("host").cloned() {
        let host = target(p, &host)?;
        object_core::object::MakeMut::make_mut(&mut result).host = Some(host);
    }
    call.finish(p)?;
    Ok(Value::object(result))
}

fn kind(p: &mut Parser<'_>, argument: &Argument, name: &str) -> Eval<TargetKind> {
    TargetKind::get(name).map_err(|error| p.object_error(argument.range, &error))
}

/// A target of a kind without options; the text may have options such as `-mcpu=core-avx2` after the name of the kind.
fn named(p: &mut Parser<'_>, argument: &Argument, text: &str) -> Eval<Target> {
    let mut words = text.split_whitespace();
    let kind = kind(p, argument, words.next().unwrap_or_default())?;
    let keys = kind.default_keys.clone();
    let mut attrs = Vec::new();
    for word in words {
        let Some((name, value)) = word.trim_start_matches('-').split_once('=') else {
            return Err(p.error(argument.range, format!("expected an option such as `-mcpu=name`, got `{word}`")));
        };
        let value = value.parse::<i64>().map_or_else(|_| Any::from(Str::from(value)), Any::Int);
        attrs.push((Str::from(name), value));
    }
    Ok(Target::new(kind, "", keys, Map::new(attrs), None))
}

fn configured(p: &mut Parser<'_>, argument: &Argument, entries: &[(Value, Value)]) -> Eval<Target> {
    let (mut found, mut tag, mut keys, mut attrs, mut host) = (None, Str::from(""), None, Vec::new(), None);
    for (name, value) in entries {
        let Some(name) = name.as_str() else { return Err(p.expected(argument.range, "a name", name)) };
        let value = Argument { value: value.clone(), range: argument.range };
        match name {
            "kind" => {
                let name = value.str(p)?;
                found = Some(kind(p, argument, name)?);
            }
            "tag" => tag = Str::from(value.str(p)?),
            "host" => host = Some(target(p, &value)?),
            "keys" => {
                let Some(items) = value.value.items() else { return Err(value.expected(p, "a list of keys")) };
                let names: Option<Vec<Str>> = items.iter().map(|key| Some(Str::from(key.as_str()?))).collect();
                let Some(names) = names else { return Err(value.expected(p, "a list of keys")) };
                keys = Some(Array::<Str>::new(names));
            }
            name => match value.value.to_any() {
                Some(any) => attrs.push((Str::from(name), any)),
                None => return Err(value.expected(p, "a value of an option")),
            },
        }
    }
    let Some(kind) = found else { return Err(p.error(argument.range, "the target lacks its `kind`")) };
    let keys = keys.unwrap_or_else(|| kind.default_keys.clone());
    Ok(Target::new(kind, tag, keys, Map::new(attrs), host))
}
