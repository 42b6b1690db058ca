//! The release of objects runs the destructors of node structs, each once, also when some of them panic.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use object_core::prelude::*;

/// A node whose struct has a destructor, which panics if that is asked for.
#[derive(Object)]
#[object(type_key = "release.Ended", base)]
pub struct EndedNode {
    pub panics: bool,
    pub below: Option<ObjectRef>,
}

impl Drop for EndedNode {
    fn drop(&mut self) {
        ENDED.set(ENDED.get() + 1);
        assert!(!self.panics, "a destructor panics");
    }
}

/// A node that has the destructor by its base alone.
#[derive(Object)]
#[object(type_key = "release.EndedMore", parent = EndedNode, base_args(panics: bool, below: Option<ObjectRef>))]
#[structural_eq(none)]
pub struct EndedMoreNode {
    pub base: EndedNode,
    pub small: u8,
}

/// A node that is released without a call of its own.
#[derive(Object)]
#[object(type_key = "release.Between")]
#[structural_eq(none)]
pub struct BetweenNode {
    pub left: Option<ObjectRef>,
    pub number: i64,
    pub right: Option<ObjectRef>,
}

thread_local! {
    static ENDED: Cell<usize> = const { Cell::new(0) };
}

#[test]
fn destructors_of_node_structs_run_once_each() {
    let ended = |panics: bool, below: Option<ObjectRef>| ObjectRef::from(EndedMore::new(panics, below, 0));
    for panics in [false, true] {
        ENDED.set(0);
        let shared = ended(false, None);
        let graph = (0..1000).fold(shared.clone(), |below: ObjectRef, index: i64| {
            let other = ended(panics && index % 100 == 0, Some(shared.clone()));
            let between = ObjectRef::from(Between::new(Some(ended(false, Some(below))), index, Some(other)));
            if index % 2 == 0 { between } else { Array::from([Any::from(between), Any::from(1)]).into() }
        });
        let released = catch_unwind(AssertUnwindSafe(|| drop(graph)));
        assert_eq!(released.is_err(), panics);
        assert_eq!(ENDED.replace(0), 2000);
        assert_eq!(shared.use_count(), 1, "nothing keeps the objects below a panic");
        drop(shared);
        assert_eq!(ENDED.get(), 1);
    }
}
