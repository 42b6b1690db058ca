//! Destructors: of linked ancestors of types from a schema, and of thread-local values.

use std::sync::mpsc::{Sender, channel};

use object_core::dynamic::{Schema, SchemaLoader};
use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "attack.destructor.Base", base)]
#[structural_eq(tree)]
pub struct BaseNode {
    pub id: i64,
}

impl Drop for BaseNode {
    fn drop(&mut self) {
        assert!(self.id >= 0);
    }
}

/// The objects of a type from a schema are freed field by field, so the destructor of a linked ancestor would not run.
#[test]
fn a_type_of_a_schema_does_not_extend_a_type_with_a_destructor() {
    let schema = Schema::of(&[BaseNode::TYPE_INFO]).to_json().expect("a schema has a text");
    let mut schema: serde_json::Value = serde_json::from_str(&schema).expect("the text is JSON");
    let child = serde_json::json!({"key": "attack.destructor.Child", "parent": "attack.destructor.Base", "kind": "tree", "fields": []});
    schema["types"] = serde_json::json!([child]);
    let schema = Schema::parse(schema.to_string().as_bytes()).expect("the schema is valid");
    let error = SchemaLoader::new().load(&schema).expect_err("the parent has a destructor");
    assert!(error.to_string().contains("implements `Drop`"), "{error}");
}

#[derive(Object)]
#[object(type_key = "attack.destructor.Op")]
#[structural_eq(singleton, key = name)]
pub struct OpNode {
    pub name: Str,
}

fn op(name: &str) -> Op {
    Op::get(name).expect("the type is open")
}

/// Looks a singleton up when its thread ends.
struct LooksUp(Sender<Op>);

impl Drop for LooksUp {
    fn drop(&mut self) {
        self.0.send(op("late")).expect("the test waits");
    }
}

#[test]
fn a_thread_local_destructor_looks_a_singleton_up() {
    thread_local! {
        static LAST: std::cell::RefCell<Option<LooksUp>> = const { std::cell::RefCell::new(None) };
    }
    let (sender, receiver) = channel();
    let thread = std::thread::spawn(|| {
        // Destructors run in the order in which values are used first, so this one runs last on some platforms, and first on
        // others; the thread has looked up a singleton in both cases.
        LAST.set(Some(LooksUp(sender)));
        op("early")
    });
    assert!(thread.join().expect("the thread does not panic").ptr_eq(&op("early")));
    assert!(receiver.recv().expect("the destructor runs").ptr_eq(&op("late")));
}
