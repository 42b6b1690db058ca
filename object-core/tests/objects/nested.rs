//! Operations in the callbacks and hooks of operations, many levels of them, on small stacks.

#![forbid(unsafe_code)]
use object_core::data;
use object_core::prelude::*;
use object_core::rewrite::mutate;
use object_core::visit::walk;

#[derive(Object)]
#[object(type_key = "nested.Cell")]
#[structural_eq(tree)]
pub struct CellNode {
    pub next: Option<ObjectRef>,
    pub value: i64,
}

/// A type whose hook hashes another graph, with a hook of the same kind at its end.
#[derive(Object)]
#[object(type_key = "nested.Hashes")]
#[structural_eq(tree, custom)]
pub struct HashesNode {
    pub levels: i64,
}

impl StructuralHook for HashesNode {
    fn structural_contents<'a>(&'a self, contents: &mut HookContents<'a>) {
        let hash = match self.levels {
            0 => 0,
            levels => structural_hash(&chain(Hashes::new(levels - 1))),
        };
        contents.add_computed("hash", hash.cast_signed(), FieldRole::Content);
    }
}

/// A chain that is deeper than the recursion on any stack of these tests.
fn chain(end: impl Into<ObjectRef>) -> ObjectRef {
    (0..3000).fold(end.into(), |next, value| Cell::new(Some(next), value).into())
}

/// Runs `operation` on a stack of each size in KiB.
fn on_stacks(operation: impl Fn() + Clone + Send + 'static) {
    for kib in [256, 2048] {
        let thread = std::thread::Builder::new().stack_size(kib << 10).spawn(operation.clone());
        thread.expect("a thread starts").join().expect("the stack does not overflow");
    }
}

const LEVELS: i64 = 60;

#[test]
fn walks_in_callbacks_of_walks() {
    fn go(root: &ObjectRef, levels: i64) {
        if levels > 0 {
            walk(root, |_: &Str, _| go(root, levels - 1));
        }
    }
    on_stacks(|| go(&chain(Str::from("end")), LEVELS));
}

#[test]
fn rewrites_in_callbacks_of_rewrites() {
    fn go(root: &ObjectRef, levels: i64) {
        if levels > 0 {
            let copy = data::deep_copy(root).expect("the types have copies");
            mutate(copy, |_: &Str, _| {
                go(root, levels - 1);
                None::<Any>
            })
            .expect("nothing changes");
        }
    }
    on_stacks(|| go(&chain(Str::from("end")), LEVELS));
}

#[test]
fn hashes_in_hooks() {
    on_stacks(|| {
        let (a, b) = (chain(Hashes::new(LEVELS)), chain(Hashes::new(LEVELS)));
        assert_eq!(structural_hash(&a), structural_hash(&b));
    });
}
