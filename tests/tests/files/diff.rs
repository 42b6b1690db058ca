//! Diffs of real modules: an edit of one binding is one difference.

use crate::common::{fixture, json_fixture};
use object_core::data::value_equal;
use object_core::structural::{Mismatch, MismatchReason, StructuralOptions};
use object_core::{Any, AnyView, ErrorKind, json, steps};
use object_ir as _;
use serde_json::{Value, json};

/// A module as a JSON graph, with the place of the bindings of one of its blocks.
struct Module {
    graph: Value,
    bindings: usize,
}

impl Module {
    /// The module in a file of `fixtures` that `json_fixture` unpacks.
    fn load(name: &str) -> Self {
        let graph = json_fixture(name);
        let is_block = |node: &&Value| node["type"] == "relax.expr.DataflowBlock";
        let block = graph["nodes"].as_array().and_then(|nodes| nodes.iter().find(is_block));
        let bindings = block.and_then(|block| block["data"]["bindings"].as_u64()).expect("it has a block");
        Module { bindings: bindings as usize, graph }
    }

    fn nodes(&mut self) -> &mut Vec<Value> {
        self.graph["nodes"].as_array_mut().expect("nodes are a list")
    }

    /// Adds a copy of a node with some changed fields, and returns its number.
    fn copy(&mut self, of: u64, changes: &[(&str, u64)]) -> u64 {
        let mut node = self.nodes()[of as usize].clone();
        for (field, value) in changes {
            node["data"][*field] = json!(value);
        }
        self.nodes().push(node);
        self.nodes().len() as u64 - 1
    }

    fn field(&mut self, node: u64, name: &str) -> u64 {
        self.nodes()[node as usize]["data"][name].as_u64().expect("the field is an object")
    }

    fn list(&mut self) -> &mut Vec<Value> {
        let bindings = self.bindings;
        self.nodes()[bindings]["data"].as_array_mut().expect("bindings are a list")
    }

    fn binding(&mut self, index: usize) -> u64 {
        self.list()[index].as_u64().expect("a binding is an object")
    }

    /// A binding of a new variable to the value of binding `index`.
    fn twin(&mut self, index: usize, name: Option<&str>) -> u64 {
        let binding = self.binding(index);
        let var = self.field(binding, "var");
        let id = self.field(var, "vid");
        let id = match name {
            None => self.copy(id, &[]),
            Some(name) => {
                self.nodes().push(json!({"type": "ffi.String", "data": name}));
                let name = self.nodes().len() as u64 - 1;
                self.copy(id, &[("name_hint", name)])
            }
        };
        let var = self.copy(var, &[("vid", id)]);
        let value = self.field(binding, "value");
        let value = self.copy(value, &[]);
        self.copy(binding, &[("var", var), ("value", value)])
    }

    fn insert(&mut self, index: usize, binding: u64) {
        self.list().insert(index, json!(binding));
    }

    fn read(&self) -> Any {
        json::from_slice::<Any>(self.graph.to_string().as_bytes()).expect("the edited module can be read")
    }
}

fn diff(a: &Any, b: &Any) -> Vec<Mismatch> {
    StructuralOptions::new().diff(a, b, 100).expect("modules are comparable")
}

fn shown(found: &[Mismatch]) -> String {
    found.iter().map(|it| format!("  {} | {}: {}\n", it.lhs, it.rhs, it.reason)).collect()
}

/// Inserts a copy of every binding, once before it and once after it. The diff is one difference, at the inserted
/// binding.
fn check_insertions(name: Option<&str>, indices: impl Iterator<Item = usize>) {
    let module = || Module::load("decoder.json.gz");
    let original = module().read();
    let (mut wrong, mut checked) = (Vec::new(), 0);
    for index in indices {
        for place in [index, index + 1] {
            let mut edited = module();
            let twin = edited.twin(index, name);
            edited.insert(place, twin);
            let edited = edited.read();
            for (is_inserted, found) in [(true, diff(&original, &edited)), (false, diff(&edited, &original))] {
                let end = format!(".blocks[0].bindings[{place}]");
                let is_right = match &found[..] {
                    [one] => {
                        let (there, value) =
                            if is_inserted { (&one.rhs, &one.lhs_value) } else { (&one.lhs, &one.rhs_value) };
                        matches!(one.reason, MismatchReason::MissingElement)
                            && value.is_none()
                            && there.to_string().ends_with(&end)
                    }
                    _ => false,
                };
                checked += 1;
                if !is_right {
                    wrong.push(format!("binding {index} again at {place}, inserted: {is_inserted}\n{}", shown(&found)));
                }
            }
        }
    }
    crate::common::report(&wrong, checked);
}

/// The number of bindings in the block.
fn count() -> usize {
    Module::load("decoder.json.gz").list().len()
}

#[test]
fn an_inserted_binding_is_one_difference() {
    check_insertions(Some("inserted"), (0..count()).step_by(14));
}

/// If both names are equal, later bindings use the old variable. The test leaves out the last binding, which is used
/// outside of the block, where the alignment does not look.
#[test]
fn an_inserted_binding_is_one_difference_whatever_the_names() {
    check_insertions(None, (0..count() - 1).step_by(14));
}

#[test]
fn a_changed_operator_is_one_difference() {
    let [a, b] = ["mlp.json.gz", "mlp_changed.json.gz"]
        .map(|name| json::from_slice::<Any>(&fixture(name)[..]).expect("readable"));
    let found = diff(&a, &b);
    assert_eq!(found.len(), 1, "{}", shown(&found));
    assert!(
        matches!(found[0].reason, MismatchReason::Value) && found[0].lhs.to_string().ends_with(".bindings[2].value.op")
    );
}

/// A diff compares the equal parts as a comparison does, and hashes none of them.
#[test]
fn a_diff_of_near_equal_modules_costs_a_few_comparisons() {
    if !steps::COUNTS {
        return;
    }
    let module = || Module::load("decoder.json.gz");
    let (original, again) = (module().read(), module().read());
    let options = StructuralOptions::new();
    let equal = steps::count(u64::MAX, || assert!(options.equal(&original, &again).is_ok_and(|equal| equal)));
    for index in (0..count()).step_by(29) {
        let mut edited = module();
        let binding = edited.binding(index);
        let value = edited.field(binding, "value");
        let attrs = edited.nodes()[value as usize]["data"]["attrs"].clone();
        let twin = edited.nodes().len() as u64;
        edited.nodes().push(json!({"type": "ir.Op", "data": "relax.nn.gelu"}));
        if attrs.is_null() {
            continue;
        }
        edited.nodes()[value as usize]["data"]["op"] = json!(twin);
        let edited = edited.read();
        let mut found = Vec::new();
        let taken = steps::count(u64::MAX, || found = diff(&original, &edited));
        assert_eq!(found.len(), 1, "binding {index}: {}", shown(&found));
        assert!(taken < equal.map(|equal| 7 * equal), "binding {index}: {taken:?} steps, a comparison takes {equal:?}");
    }
}

/// Each path of a difference leads to the value of the difference.
#[test]
fn paths_of_differences_are_found() {
    let load = |name: &str| json::from_slice::<Any>(&fixture(name)).expect("a module");
    let mut found = 0;
    for (a, b) in [("mlp.json.gz", "mlp_changed.json.gz"), ("decoder.json.gz", "decoder_legalized.json.gz")] {
        let (a, b) = (load(a), load(b));
        for Mismatch { lhs, rhs, lhs_value, rhs_value, .. } in
            StructuralOptions::new().diff(&a, &b, 1000).expect("modules are compared")
        {
            for (root, path, value) in [(&a, lhs, lhs_value), (&b, rhs, rhs_value)] {
                match (path.find(root), value) {
                    (Ok(value), Some(expected)) => assert!(value_equal(&value, &expected), "{path}"),
                    // A value that is not there has no place.
                    (Err(error), None) => assert_eq!(error.kind(), ErrorKind::BadReference, "{error}"),
                    (given, expected) => panic!("{path}: {:?}, {expected:?}", given.map(AnyView::to_any)),
                }
                found += 1;
            }
        }
    }
    assert!(found > 100, "only {found} paths");
}
