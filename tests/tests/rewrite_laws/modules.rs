//! The laws on real modules of TVM.

#[path = "../common/mod.rs"]
mod common;

use std::collections::BTreeMap;

use object_core::data::{deep_copy, value_equal};
use object_core::json;
use object_core::prelude::*;
use object_core::rewrite::{Substitution, alpha_rename, mutate};
use object_core::stats::GraphStats;
use object_core::visit::{bound_vars, free_vars, walk};
use object_ir as _;

#[test]
fn the_laws_hold_for_modules() {
    for name in ["decoder.json.gz", "mlp.json.gz"] {
        let text = common::fixture(name);
        let read = || json::from_slice::<Any>(&text).expect("a module");
        let module = read();
        let json = |value: &Any| json::to_string(value).expect("it can be written");

        let mut met: BTreeMap<&str, usize> = BTreeMap::new();
        walk(&module, |object: &ObjectRef, _| *met.entry(object.view().type_key()).or_default() += 1);
        // In JSON, equal texts and equal plain values are one node.
        for entry in GraphStats::of(&module).types.iter().filter(|entry| entry.type_key.contains('.')) {
            if entry.type_key != "ffi.String" {
                assert_eq!(met.get(entry.type_key), Some(&entry.nodes), "{name}: {}", entry.type_key);
            }
        }

        let same = mutate(module.clone(), |object: &ObjectRef, _| Some(object.clone())).expect("nothing changes");
        assert!(matches!((&same, &module), (Any::Object(a), Any::Object(b)) if a.ptr_eq(b)), "{name}");
        let same = mutate(read(), |text: &Str, _| Some(Str::from(text.as_str()))).expect("texts are texts");
        assert_eq!(json(&same), json(&module), "{name}: all texts are new");

        let copy = deep_copy(&module).expect("a copy");
        assert!(value_equal(&copy, &module), "{name}");
        assert_eq!(json(&copy), json(&module), "{name}");

        assert!(!bound_vars(&module).is_empty(), "{name}");
        let renamed = alpha_rename(module.clone()).expect("variables are copied");
        assert!(structural_equal(&renamed, &module), "{name}: {:?}", structural_first_mismatch(&renamed, &module));
        let free = |value: &Any| free_vars(value).into_iter().map(|var| var.view().address()).collect::<Vec<_>>();
        assert_eq!(free(&renamed), free(&module), "{name}");
        let new = bound_vars(&renamed);
        let kept = bound_vars(&module).into_iter().filter(|old| new.iter().any(|new| new.ptr_eq(old))).count();
        assert_eq!(kept, 0, "{name}: no bound variable stays");
        let nothing = Substitution::new().run(module.clone()).expect("nothing to do");
        assert!(value_equal(&nothing, &module), "{name}");
        println!("{name}: {} variables bound, {} free", bound_vars(&module).len(), free(&module).len());
    }
}
