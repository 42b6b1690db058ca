//! Known edits of Relax modules; and merges of them.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use object_core::edit::{edits, merge};
use object_core::json;
use object_core::object::ObjectView;
use object_core::prelude::*;
use object_core::rewrite::{Mutate, Mutation};
use object_core::visit::{Position, free_vars, walk};
use object_core::{Array, ObjectBuilder, ObjectRef};
use object_ir as _;

use crate::lengths::{Edited, Lengths};

/// An edit of a value at a random place: the other value, and the length of the edit. Nothing if the value has no place for it.
type RandomEdit = fn(&Any, &mut fastrand::Rng) -> Option<(Any, usize)>;

/// The kinds of edits, with the function that makes one, and whether the edit leads from the other value to this one.
const KINDS: [(&str, RandomEdit, bool); 8] = [
    ("delete", insert, true),
    ("insert", insert, false),
    (
        "move",
        |module, rng| {
            unit(module, rng, |items, at, rng| {
                let item = items.remove(at);
                let to = rng.usize(0..=items.len());
                items.insert(to, item);
                // An element that changes places with its neighbour moves as well as this one does.
                Some(usize::from(to != at))
            })
        },
        false,
    ),
    (
        "change a field",
        |module, rng| {
            unit(module, rng, |items, at, _| {
                items[at] = with_other_op(items[at].view())?;
                Some(1)
            })
        },
        false,
    ),
    ("wrap", wrap, false),
    ("unwrap", wrap, true),
    ("inline", inline, false),
    ("rename", rename, false),
];

/// A copy of a binding beside it, which nothing uses.
fn insert(module: &Any, rng: &mut fastrand::Rng) -> Option<(Any, usize)> {
    unit(module, rng, |items, at, _| {
        let copy = with_new_var(items[at].view())?;
        items.insert(at, copy);
        Some(1)
    })
}

/// A call around the value of a binding.
fn wrap(module: &Any, rng: &mut fastrand::Rng) -> Option<(Any, usize)> {
    unit(module, rng, |items, at, _| {
        items[at] = wrapped(items[at].view())?;
        Some(1)
    })
}

fn fixture(name: &str) -> Any {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures").join(name);
    let mut text = Vec::new();
    flate2::read::GzDecoder::new(File::open(path).expect("the fixture exists"))
        .read_to_end(&mut text)
        .expect("it unpacks");
    json::from_slice(&text).expect("it loads")
}

/// The arrays of bindings of a module.
fn binding_arrays(module: &Any) -> Vec<ObjectRef> {
    let mut arrays = Vec::new();
    walk(module, |object: &ObjectRef, _: &Position| {
        if let Some(bindings) = object
            .view()
            .get("bindings")
            .and_then(AnyView::as_object)
            .filter(|it| it.as_array().is_some_and(|it| it.len() > 2))
        {
            arrays.push(bindings.to_object());
        }
    });
    arrays
}

/// The module with another object in the place of one.
fn replaced(module: &Any, object: &ObjectRef, by: impl Into<Any>) -> Any {
    let by = by.into();
    let change = |it: &ObjectRef, _: &Position| {
        if it.view().ptr_eq(object.view()) { Mutation::Replace(by.clone()) } else { Mutation::Keep }
    };
    Mutate::new().enter(change).run(module.clone()).expect("the types fit")
}

/// A module after an edit of a list of bindings, and the number of edits.
fn unit(
    module: &Any,
    rng: &mut fastrand::Rng,
    edit: impl Fn(&mut Vec<Any>, usize, &mut fastrand::Rng) -> Option<usize>,
) -> Option<(Any, usize)> {
    let arrays = binding_arrays(module);
    let array = &arrays[rng.usize(0..arrays.len())];
    let mut items: Vec<Any> = array.view().as_array()?.iter().map(AnyView::to_any).collect();
    let at = rng.usize(0..items.len());
    let count = edit(&mut items, at, rng)?;
    Some((replaced(module, array, Array::<Any>::new(items)), count))
}

fn built(object: ObjectView<'_>, field: &str, value: impl Into<Any>) -> Option<Any> {
    let mut builder = ObjectBuilder::from_object(object).ok()?;
    builder.set(field, value).ok()?;
    builder.build().ok().map(Any::Object)
}

/// A copy of a binding with a new variable.
fn with_new_var(binding: AnyView<'_>) -> Option<Any> {
    let binding = binding.as_object()?;
    let var = binding.get("var")?.as_object()?;
    let id = var.get("vid").and_then(AnyView::as_object);
    let var = match id {
        Some(id) => built(var, "vid", built(id, "name_hint", Str::from("copy"))?)?,
        None => built(var, "name_hint", Str::from("copy"))?,
    };
    built(binding, "var", var)
}

/// A binding that calls another operator.
fn with_other_op(binding: AnyView<'_>) -> Option<Any> {
    let binding = binding.as_object()?;
    let call = binding.get("value")?.as_object()?;
    let op = call.get("op")?.as_object()?;
    let name = op.get("name")?.as_str()?;
    let other = object_core::object::object_of_key(
        op.type_info(),
        Str::from(if name == "relax.exp" { "relax.tanh" } else { "relax.exp" }).into(),
    )
    .ok()?;
    built(binding, "value", built(call, "op", other)?)
}

/// A binding whose value is wrapped in a call.
fn wrapped(binding: AnyView<'_>) -> Option<Any> {
    let binding = binding.as_object()?;
    let call = binding.get("value")?.as_object()?;
    let op = call.get("op")?.as_object()?;
    op.get("name")?;
    let other = object_core::object::object_of_key(op.type_info(), Str::from("relax.tanh").into()).ok()?;
    let mut builder = ObjectBuilder::from_object(call).ok()?;
    builder.set("op", other).ok()?.set("args", Array::<Any>::from([call.to_any_object()])).ok()?;
    built(binding, "value", builder.build().ok()?)
}

/// The value of a binding in the place of its variable. The truth is a deletion and a change of each binding that uses it.
fn inline(module: &Any, rng: &mut fastrand::Rng) -> Option<(Any, usize)> {
    let arrays = binding_arrays(module);
    let array = &arrays[rng.usize(0..arrays.len())];
    let mut items: Vec<Any> = array.view().as_array()?.iter().map(AnyView::to_any).collect();
    let binding = items.remove(rng.usize(0..items.len()));
    let binding = binding.view().as_object()?;
    let (var, value) = (binding.get("var")?.as_object()?.to_object(), binding.get("value")?.to_any());
    binding.get("value")?.as_object()?.get("op")?;
    let mut count = 1;
    for item in &mut items {
        if occurs(item, &var) {
            *item = replaced(item, &var, value.clone());
            count += 1;
        }
    }
    let edited = replaced(module, array, Array::<Any>::new(items));
    (count > 1 && !occurs(&edited, &var)).then_some((edited, count))
}

/// Whether a value contains an object.
fn occurs(value: &Any, object: &ObjectRef) -> bool {
    let mut is_found = false;
    walk(value, |it: &ObjectRef, _: &Position| is_found |= it.view().ptr_eq(object.view()));
    is_found
}

/// Another name for a function, everywhere.
fn rename(module: &Any, rng: &mut fastrand::Rng) -> Option<(Any, usize)> {
    let text = json::to_string(module).ok()?;
    let mut names = Vec::new();
    walk(module, |object: &ObjectRef, _: &Position| {
        if object.view().type_key() == "ir.GlobalVar" {
            names.extend(object.view().get("name_hint").and_then(AnyView::as_str).map(str::to_owned));
        }
    });
    let name = names.get(rng.usize(0..names.len().max(1)))?;
    let renamed = text.replace(&format!("\"data\":\"{name}\""), &format!("\"data\":\"{name}_renamed\""));
    Some((json::from_str(&renamed).ok()?, 1))
}

trait ToAnyObject {
    fn to_any_object(self) -> Any;
}

impl ToAnyObject for ObjectView<'_> {
    fn to_any_object(self) -> Any {
        Any::Object(self.to_object())
    }
}

/// A copy of a value, as another file has it.
fn again(value: &Any) -> Any {
    json::from_str(&json::to_string(value).expect("it can be saved")).expect("it loads")
}

#[test]
fn scripts_are_as_short_as_the_edits() {
    let modules = ["mlp.json.gz", "decoder_small.json.gz"].map(fixture);
    Lengths::measure(KINDS.len(), |kind, rng| {
        let (name, edit, is_inverse) = KINDS[kind];
        let module = &modules[rng.usize(0..modules.len())];
        // An edit that takes a definition from its uses makes another program than an editor would.
        let is_whole = |(edited, _): &(Any, usize)| free_vars(edited).len() == free_vars(module).len();
        let (edited, truth) = edit(module, rng).filter(is_whole)?;
        let [before, after] = if is_inverse { [&edited, module] } else { [module, &edited] }.map(again);
        Some(Edited { name, before, after, truth: truth.max(1) })
    });
}

#[test]
fn disjoint_edits_merge() {
    let base = fixture("decoder_small.json.gz");
    let arrays = binding_arrays(&base);
    let array = &arrays[0];
    let items: Vec<Any> = array.view().as_array().expect("an array").iter().map(AnyView::to_any).collect();
    let changed = |at: usize| {
        let mut items = items.clone();
        items[at] = with_other_op(items[at].view()).expect("it calls an operator");
        replaced(&base, array, Array::<Any>::new(items))
    };
    let calls: Vec<usize> = (0..items.len()).filter(|at| with_other_op(items[*at].view()).is_some()).collect();
    let (first, last) = (calls[0], calls[calls.len() - 1]);
    let (ours, theirs) = (changed(first), changed(last));
    let merged = merge(&base, &ours, &theirs).expect("it merges");
    assert!(merged.conflicts.is_empty(), "{:?}", merged.conflicts);
    let script = edits(&base, &merged.value).expect("there is a script");
    assert_eq!(script.edits().len(), 2);
    let other = replaced(&base, array, {
        let mut items = items.clone();
        items.remove(first);
        Array::<Any>::new(items)
    });
    let merged = merge(&base, &ours, &other).expect("it merges");
    assert!(!merged.conflicts.is_empty());
}
