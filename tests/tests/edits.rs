//! The length of edit scripts of real modules after a known edit: it is close to the number of edits made. `EDITS` sets the
//! number of edits, `EDITS_SEED` the seed.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use object_core::edit::{EditScript, Slot, edits, merge};
use object_core::json::{self, JsonReader};
use object_core::object::ObjectView;
use object_core::prelude::*;
use object_core::rewrite::{Mutate, Mutation};
use object_core::visit::{Position, free_vars, walk};
use object_core::{Array, ObjectBuilder, ObjectRef, structural_equal};
use object_ir as _;

/// An edit of a value at a random place: the other value, and the length of the edit. Nothing if the value has no place for it.
type RandomEdit = fn(&Any, &mut fastrand::Rng) -> Option<(Any, usize)>;

/// The kinds of edits, with the function that makes one.
const KINDS: [(&str, RandomEdit); 7] = [
    ("delete", |module, rng| {
        unit(module, rng, |items, at, _| {
            items.remove(at);
            Some(1)
        })
    }),
    ("insert", |module, rng| {
        unit(module, rng, |items, at, _| {
            let copy = with_new_var(items[at].view())?;
            items.insert(at, copy);
            Some(1)
        })
    }),
    ("move", |module, rng| {
        unit(module, rng, |items, at, rng| {
            let item = items.remove(at);
            let to = rng.usize(0..=items.len());
            items.insert(to, item);
            // An element that changes places with its neighbour moves as well as this one does.
            Some(usize::from(to != at))
        })
    }),
    ("change a field", |module, rng| {
        unit(module, rng, |items, at, _| {
            items[at] = with_other_op(items[at].view())?;
            Some(1)
        })
    }),
    ("wrap", |module, rng| {
        unit(module, rng, |items, at, _| {
            items[at] = wrapped(items[at].view())?;
            Some(1)
        })
    }),
    ("inline", inline),
    ("rename", rename),
];

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

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// The law of a script, and its length.
fn length(a: &Any, b: &Any) -> usize {
    let script = edits(a, b).expect("there is a script");
    assert!(script.changes().iter().all(|change| change.slots()[0] != Slot::Root), "it replaces the module");
    assert!(structural_equal(&script.apply(a).expect("it applies"), b));
    let text = script.to_json().expect("it can be saved");
    let script = EditScript::from_json(text.as_bytes(), JsonReader::new()).expect("it can be loaded");
    assert!(structural_equal(&script.apply(a).expect("it applies"), b));
    assert!(structural_equal(&script.inverted().apply(b).expect("its inverse applies"), a));
    script.edits().len()
}

#[test]
fn scripts_are_as_short_as_the_edits() {
    let modules = ["mlp.json.gz", "decoder_small.json.gz"].map(fixture);
    let (count, seed) = (setting("EDITS", 140), setting("EDITS_SEED", 1));
    let mut lengths: BTreeMap<&str, (usize, usize, usize)> = BTreeMap::new();
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut tried = 0;
    for case in 0..count {
        let (kind, edit) = KINDS[case as usize % KINDS.len()];
        let module = &modules[rng.usize(0..modules.len())];
        // Another copy of the module, as a file has it.
        let module = &json::from_str::<Any>(&json::to_string(module).expect("it can be saved")).expect("it loads");
        // An edit that takes a definition from its uses makes another program than an editor would.
        let is_whole = |(edited, _): &(Any, usize)| free_vars(edited).len() == free_vars(module).len();
        let Some((edited, truth)) = (0..20).find_map(|_| edit(module, &mut rng).filter(is_whole)) else { continue };
        let edited: Any = json::from_str(&json::to_string(&edited).expect("it can be saved")).expect("it loads");
        if structural_equal(module, &edited) {
            continue;
        }
        tried += 1;
        let entry = lengths.entry(kind).or_default();
        let found = length(module, &edited);
        *entry = (entry.0 + 1, entry.1 + truth.max(1), entry.2 + found);
    }
    for (kind, (cases, truth, found)) in &lengths {
        println!(
            "{kind:15} {cases:>5} cases, {truth:>5} edits, {found:>5} found, {:.2}",
            *found as f64 / *truth as f64
        );
    }
    let (truth, found) = lengths.values().fold((0, 0), |sum, it| (sum.0 + it.1, sum.1 + it.2));
    println!("all: {tried} cases, {:.3}", found as f64 / truth as f64);
    assert!(tried > count as usize / 2, "only {tried} of {count} edits were possible");
    assert!(found * 10 <= truth * 11, "{found} edits for {truth}");
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
