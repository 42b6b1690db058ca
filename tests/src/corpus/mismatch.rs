//! `mismatch`: the two paths of the first mismatch, as text and, if the fact has them, step by step.

use object_core::access_path::{AccessPath, AccessStep, PathKey};
use serde_json::Value;

use super::Checked;
use super::facts::{Corpus, Fact, Problem};

pub(super) fn check(corpus: &Corpus, fact: &Fact) -> Checked {
    let (lhs, rhs) = corpus.operands(fact)?;
    let mismatch = fact.options().first_mismatch(&lhs, &rhs);
    let paths = || format!("{} | {}", fact.get("lhs_path"), fact.get("rhs_path"));
    match mismatch {
        Err(error) => Err(Problem::new(paths(), format!("error: {error}"))),
        Ok(None) => Err(Problem::new(paths(), "no mismatch")),
        Ok(Some(mismatch)) => {
            check_path(fact, "lhs", &mismatch.lhs)?;
            check_path(fact, "rhs", &mismatch.rhs)
        }
    }
}

fn check_path(fact: &Fact, side: &str, path: &AccessPath) -> Checked {
    let expected = fact.text(&format!("{side}_path"))?;
    if path.to_string() != expected {
        return Err(Problem::new(format!("{side} {expected}"), format!("{side} {path}")));
    }
    let steps = fact.get(&format!("{side}_steps"));
    let same = steps.is_null()
        || steps.as_array().is_some_and(|steps| {
            steps.len() == path.steps().len() && steps.iter().zip(path.steps()).all(|(a, b)| is_step(a, b))
        });
    if same { Ok(()) } else { Err(Problem::new(format!("{side} {steps}"), format!("{side} {:?}", path.steps()))) }
}

/// Whether `recorded`, a kind and a key, equals the step.
fn is_step(recorded: &Value, step: &AccessStep) -> bool {
    let (kind, key) = (recorded[0].as_str().unwrap_or_default(), &recorded[1]);
    match (kind, step) {
        ("ATTR", AccessStep::Attr(name)) | ("ATTR_MISSING", AccessStep::AttrMissing(name)) => *key == **name,
        ("ARRAY_ITEM", AccessStep::ArrayItem(index)) | ("ARRAY_ITEM_MISSING", AccessStep::ArrayItemMissing(index)) => {
            *key == *index
        }
        ("MAP_ITEM", AccessStep::MapItem(own)) | ("MAP_ITEM_MISSING", AccessStep::MapItemMissing(own)) => {
            is_key(key, own)
        }
        _ => false,
    }
}

/// Whether `recorded` equals the key. The record of an object is the last word of its type key, and its name.
fn is_key(recorded: &Value, key: &PathKey) -> bool {
    match key {
        PathKey::Str(text) => *recorded == **text,
        PathKey::Int(value) => *recorded == *value,
        PathKey::Other { type_key, label } => {
            let (word, name) = (recorded["obj"].as_str(), recorded["name"].as_str());
            word == type_key.rsplit('.').next() && name.is_some_and(|name| label.contains(name))
        }
    }
}
