//! Walks visit the objects that JSON saves.

use std::collections::BTreeMap;

use object_core::access_path::{AccessPath, AccessStep, PathKey};
use object_core::prelude::*;
use object_core::visit::{Position, Walk, WalkOptions, WalkResult, walk};
use object_core::{AnyView, json};
use proptest::prelude::*;

use crate::graphs::{build, graphs, vars};

/// The value at `step` in `value`.
fn child(value: &Any, step: &AccessStep) -> Any {
    let object = value.view().as_object().expect("a path goes through objects");
    let found = match step {
        AccessStep::Attr(name) => object.get(name),
        AccessStep::ArrayItem(index) => object.as_array().and_then(|array| array.get(*index)),
        AccessStep::MapItem(key) => object.as_map().and_then(|map| {
            let is_key = |candidate: AnyView<'_>| match key {
                PathKey::Str(text) => candidate.as_str() == Some(text),
                PathKey::Int(number) => matches!(candidate, AnyView::Int(value) if value == *number),
                PathKey::Other { label, .. } => {
                    let name = candidate.as_object().and_then(|key| key.get("name"));
                    name.and_then(AnyView::as_str).is_some_and(|name| *label == format!("%{name}"))
                }
            };
            map.iter().find_map(|(key, value)| is_key(key).then_some(value))
        }),
        _ => None,
    };
    found.expect("the path leads somewhere").to_any()
}

proptest! {
    #[test]
    fn a_walk_visits_the_objects_that_json_saves(steps in graphs()) {
        let root = build(&steps, &vars());
        let mut met: BTreeMap<String, usize> = BTreeMap::new();
        let mut texts: Vec<Str> = Vec::new();
        walk(&root, |object: &ObjectRef, _| match object.downcast_ref::<Str>() {
            Some(text) => texts.push(text.clone()),
            None => *met.entry(object.view().type_key().to_owned()).or_default() += 1,
        });
        // JSON saves equal texts once.
        texts.sort();
        texts.dedup();
        if !texts.is_empty() {
            met.insert("ffi.String".to_owned(), texts.len());
        }
        let json: serde_json::Value = serde_json::from_str(&json::to_string(&root).unwrap()).unwrap();
        let mut saved: BTreeMap<String, usize> = BTreeMap::new();
        for node in json["nodes"].as_array().unwrap() {
            let key = node["type"].as_str().unwrap();
            if key.contains('.') {
                *saved.entry(key.to_owned()).or_default() += 1;
            }
        }
        prop_assert_eq!(met, saved);
    }

    #[test]
    fn each_path_leads_to_the_visited_object(steps in graphs()) {
        let root = build(&steps, &vars());
        let (mut pre, mut post) = (Vec::new(), Vec::new());
        let meet = |object: &ObjectRef, at: &Position<'_>| (at.path(), at.depth(), object.clone());
        Walk::new()
            .enter(|object: &ObjectRef, at: &Position<'_>| {
                // A key has the path of its value.
                if at.is_key() {
                    return WalkResult::Skip;
                }
                pre.push(meet(object, at));
                WalkResult::Advance
            })
            .leave(|object: &ObjectRef, at: &Position<'_>| {
                if !at.is_key() {
                    post.push(meet(object, at));
                }
            })
            .run(&root);
        for (path, depth, met) in &pre {
            prop_assert_eq!(path.steps().len(), *depth);
            let found = path.steps().iter().fold(Any::from(root.clone()), |at, step| child(&at, step));
            prop_assert!(found.view().as_object().is_some_and(|found| found.ptr_eq(met.view())), "{}", path);
        }
        let sorted = |mut list: Vec<(AccessPath, usize, ObjectRef)>| {
            list.sort_by_key(|(path, ..)| path.to_string());
            list.into_iter().map(|(path, depth, _)| (path, depth)).collect::<Vec<_>>()
        };
        prop_assert_eq!(sorted(pre), sorted(post));
    }

    #[test]
    fn every_occurrence_is_a_reference(steps in graphs()) {
        let root = build(&steps, &vars());
        let mut references = 1;
        Walk::new()
            .enter(|object: &ObjectRef, _: &Position<'_>| {
                let mut below = Vec::new();
                for (_, value) in object.view().fields() {
                    below.extend(value.as_object());
                }
                if let Some(array) = object.view().as_array() {
                    below.extend(array.iter().filter_map(AnyView::as_object));
                }
                if let Some(map) = object.view().as_map() {
                    below.extend(map.iter().flat_map(|(key, value)| [key, value]).filter_map(AnyView::as_object));
                }
                references += below.len();
            })
            .options(WalkOptions::new().every_occurrence(true))
            .run(&root);
        let mut met = 0;
        Walk::new()
            .enter(|_: &ObjectRef, _: &Position<'_>| met += 1)
            .options(WalkOptions::new().every_occurrence(true))
            .run(&root);
        prop_assert_eq!(met, references);
    }
}
