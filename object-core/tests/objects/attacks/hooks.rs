//! Hooks of objects above the current one, which run in the middle of a rewrite when something asks for the region of the
//! current place: a callback, a substitution, or the rewrite itself.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use object_core::dynamic::{DynamicHooks, Schema, SchemaLoader};
use object_core::object::DynamicHook;
use object_core::prelude::*;
use object_core::rewrite::{Mutate, mutate, substitute};
use object_core::{ObjectBuilder, ObjectView};

const TEXT: &str = "the original text, long enough";

thread_local! {
    /// The objects that hooks keep from now on; `None` keeps nothing.
    static KEPT: RefCell<Option<Vec<ObjectRef>>> = const { RefCell::new(None) };
    static PANICS: RefCell<bool> = const { RefCell::new(false) };
}

fn keep(object: &impl ObjectHandle) {
    KEPT.with_borrow_mut(|kept| kept.iter_mut().for_each(|kept| kept.push(object.as_object().clone())));
}

/// Runs `operation` while hooks keep objects, and returns what they kept.
fn kept_by_hooks(operation: impl FnOnce()) -> Vec<ObjectRef> {
    KEPT.set(Some(Vec::new()));
    operation();
    KEPT.take().unwrap_or_default()
}

#[derive(Object)]
#[object(type_key = "attack.hook.Hooked")]
#[structural_eq(tree, custom)]
pub struct HookedNode {
    pub inner: Inner,
}

impl StructuralHook for HookedNode {
    fn structural_contents<'a>(&'a self, contents: &mut HookContents<'a>) {
        keep(&self.inner);
        assert!(!PANICS.take(), "a hook of a test");
        contents.add("inner", &self.inner);
    }
}

#[derive(Object)]
#[object(type_key = "attack.hook.Inner")]
#[structural_eq(tree)]
pub struct InnerNode {
    pub leaf: Leaf,
    pub more: Any,
}

#[derive(Object)]
#[object(type_key = "attack.hook.Leaf")]
#[structural_eq(tree)]
pub struct LeafNode {
    pub text: Str,
    pub var: Option<Var>,
}

#[derive(Object)]
#[object(type_key = "attack.hook.Var")]
#[structural_eq(var)]
pub struct VarNode {
    #[field(ignore)]
    pub name: Str,
}

fn hooked(var: Option<Var>, more: impl Into<Any>) -> Hooked {
    Hooked::new(Inner::new(Leaf::new(TEXT, var), more))
}

fn longer(text: &Str) -> Option<Str> {
    (text.as_str() == TEXT).then(|| Str::from(format!("changed: {} bytes", text.len())))
}

/// Checks that the objects that hooks have kept are as they were.
fn check(kept: &[ObjectRef], min: usize) {
    assert!(kept.len() >= min, "hooks kept {} objects", kept.len());
    for object in kept {
        let inner: &Inner = object.downcast_ref().expect("hooks keep objects of this type");
        assert_eq!(&*inner.leaf.text, TEXT);
        assert!(inner.leaf.var.as_ref().is_none_or(|var| var.name == "x"));
    }
}

#[test]
fn a_callback_asks_for_the_region() {
    let kept = kept_by_hooks(|| {
        let rewritten = Mutate::new()
            .leave(|text: &Str, at| {
                let _ = at.region();
                longer(text)
            })
            .run(hooked(None, 0));
        assert_eq!(&*rewritten.expect("the fields accept texts").inner.leaf.text, "changed: 30 bytes");
    });
    check(&kept, 1);
}

#[test]
fn a_callback_goes_on_after_the_hook_has_panicked() {
    let kept = kept_by_hooks(|| {
        let rewritten = Mutate::new()
            .leave(|text: &Str, at| {
                PANICS.set(true);
                let panic = catch_unwind(AssertUnwindSafe(|| at.region()));
                assert!(panic.is_err());
                longer(text)
            })
            .run(hooked(None, 0));
        assert_eq!(&*rewritten.expect("the fields accept texts").inner.leaf.text, "changed: 30 bytes");
    });
    check(&kept, 1);
}

/// A later child of the object that the hook has kept changes too.
#[test]
fn a_child_that_follows_does_not_change_in_place() {
    let mut asked = false;
    let kept = kept_by_hooks(|| {
        let inner = |text| Inner::new(Leaf::new(text, None), Leaf::new(TEXT, None));
        let rewritten = Mutate::new()
            .leave(|text: &Str, at| {
                if !asked {
                    asked = true;
                    let _ = at.region();
                }
                longer(text)
            })
            .run(Hooked::new(inner("first")));
        rewritten.expect("the fields accept texts");
    });
    let inner: &Inner = kept[0].downcast_ref().expect("the hook keeps it");
    let more: Leaf = inner.more.clone().cast().expect("it is the second leaf");
    assert_eq!((&*inner.leaf.text, &*more.text), ("first", TEXT));
}

#[test]
fn a_substitution_asks_for_regions() {
    for _ in 0..2 {
        let x = Var::new("x");
        let kept = kept_by_hooks(|| {
            let result = substitute(hooked(Some(x.clone()), 0), [(&x, Var::new("y"))]).expect("`y` is a variable");
            assert_eq!(result.inner.leaf.var.as_ref().map(|var| var.name.to_string()).as_deref(), Some("y"));
        });
        check(&kept, 0);
    }
}

/// The recursion on the machine stack ends in the chain below the hook.
#[test]
fn a_deep_rewrite_asks_on_both_sides_of_the_end_of_the_stack() {
    let chain = |end: Any| (0..50_000).fold(end, |below, _| Array::from_anys(vec![below]).into());
    for asks in [false, true] {
        let kept = kept_by_hooks(|| {
            // A hook above the end of the stack, and one below it.
            let root = hooked(None, chain(hooked(None, 0).into()));
            let rewritten = Mutate::new().leave(|text: &Str, at| {
                if asks {
                    let _ = at.region();
                }
                longer(text)
            });
            { rewritten }.run(root).expect("the fields accept texts");
        });
        check(&kept, if asks { 2 } else { 0 });
    }
}

/// A hook of a type of a schema gets a view of the object itself.
struct KeepsItself;

impl DynamicHook for KeepsItself {
    fn structural_contents<'a>(&self, object: ObjectView<'a>, contents: &mut HookContents<'a>) {
        keep(&object.to_object());
        if let Some(value) = object.get("inner") {
            contents.add_view("inner", value, FieldRole::Content);
        }
    }
}

#[test]
fn a_dynamic_hook_keeps_the_object_itself() {
    let schema = r#"{"format":"object-schema","version":1,"types":[{"key":"attack.hook.Dynamic","kind":"tree","custom":true,
        "fields":[{"name":"inner","type":"Any"}]}]}"#;
    let hooks = DynamicHooks::new().insert("attack.hook.Dynamic", |_| Ok(Box::new(KeepsItself)));
    let schema = Schema::parse(schema.as_bytes()).expect("the schema is valid");
    let types = SchemaLoader::new().hooks(hooks).load(&schema).expect("the schema has one type");
    let info = types.get("attack.hook.Dynamic").expect("the schema has it");
    let mut builder = ObjectBuilder::new(info).expect("the type has objects");
    builder.set("inner", Inner::new(Leaf::new(TEXT, None), 0)).expect("the field takes any value");
    let root = builder.build().expect("all fields are set");
    let kept = kept_by_hooks(|| {
        let rewritten = Mutate::new().leave(|text: &Str, at| {
            let _ = at.region();
            longer(text)
        });
        { rewritten }.run(root).expect("the fields accept texts");
    });
    let inner = kept[0].view().get("inner").expect("the object has the field").to_any();
    let inner: Inner = inner.cast().expect("the field has it");
    assert_eq!(&*inner.leaf.text, TEXT);
}

/// Hooks that keep nothing do not prevent changes in place.
#[test]
fn objects_below_an_honest_hook_change_in_place() {
    let root = hooked(None, 0);
    let address = root.inner.leaf.as_object().view().address();
    let mut asked = 0;
    let rewritten = Mutate::new()
        .leave(|text: &Str, at| {
            asked += usize::from(!at.region().binds());
            longer(text)
        })
        .run(root)
        .expect("the fields accept texts");
    assert_eq!((asked, rewritten.inner.leaf.as_object().view().address()), (1, address));
    let rewritten = mutate(rewritten, |text: &Str, _| Some(Str::from(format!("{text}!"))));
    assert_eq!(&*rewritten.expect("the fields accept texts").inner.leaf.text, "changed: 30 bytes!");
}
