//! Field types of users that lend objects which they do not own, or keep a handle when they lend one.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use object_core::object::{FieldType, StorageOf, TypeSchema};
use object_core::prelude::*;
use object_core::rewrite::{Mutate, mutate};
use object_core::{data, json};

#[derive(Object)]
#[object(type_key = "attack.field.Leaf")]
#[structural_eq(tree)]
pub struct LeafNode {
    pub text: Str,
}

#[derive(Object)]
#[object(type_key = "attack.field.Middle")]
#[structural_eq(tree)]
pub struct MiddleNode {
    pub leaf: Leaf,
}

/// Implements a field type that lends a handle by its method `lend`.
macro_rules! field_type {
    ($Type:ident, $Handle:ty, $make:expr) => {
        impl FieldType for $Type {
            const STORAGE: StorageOf<Self> = StorageOf::OTHER;

            fn view(&self) -> AnyView<'_> {
                AnyView::Object(self.lend().as_object().view())
            }

            fn from_any(value: Any) -> Result<Self, Error> {
                value.cast().map($make)
            }

            fn accepts(value: AnyView<'_>) -> bool {
                <$Handle>::accepts(value)
            }

            fn schema() -> TypeSchema {
                TypeSchema::leaf(stringify!($Type))
            }
        }
    };
}

/// Lends an object that others hold too, without a count for each of them.
#[derive(Clone)]
pub struct Lent(Arc<Leaf>);

impl Lent {
    fn lend(&self) -> &Leaf {
        &self.0
    }
}

field_type!(Lent, Leaf, |leaf| Lent(Arc::new(leaf)));

#[derive(Object)]
#[object(type_key = "attack.field.Holder")]
#[structural_eq(tree)]
pub struct HolderNode {
    pub leaf: Lent,
}

#[test]
fn a_lent_object_does_not_change_in_place() {
    let kept = Arc::new(Leaf::new("the original text, long enough"));
    let before: &str = &kept.text;
    let changed = mutate(Holder::new(Lent(kept.clone())), |s: &Str, _| Some(Str::from(format!("{} bytes", s.len()))));
    assert_eq!(&*changed.expect("the field accepts the copy").leaf.0.text, "30 bytes");
    assert_eq!((before, &*kept.text), ("the original text, long enough", "the original text, long enough"));
}

#[test]
fn a_thread_that_reads_a_lent_object_sees_no_change() {
    static DONE: AtomicBool = AtomicBool::new(false);
    let kept = Arc::new(Leaf::new("0123456789"));
    let reader = std::thread::spawn({
        let kept = kept.clone();
        move || {
            while !DONE.load(Ordering::Relaxed) {
                assert_eq!(&*kept.text, "0123456789");
            }
        }
    });
    for _ in 0..500 {
        let holder = Holder::new(Lent(kept.clone()));
        mutate(holder, |s: &Str, _| Some(Str::from(s.len().to_string()))).expect("the field accepts the copy");
    }
    DONE.store(true, Ordering::Relaxed);
    reader.join().expect("the text does not change");
}

/// An object that two values lend without handles of their own shows a new object at each place: see [`FieldType`].
#[test]
fn a_lent_object_is_another_object_at_each_place() {
    let kept = Arc::new(Leaf::new("text"));
    let pair = Array::from([Holder::new(Lent(kept.clone())), Holder::new(Lent(kept.clone()))]);
    let text = json::to_string(&pair).expect("a tree has a text");
    let read: Array<Holder> = json::from_slice(text.as_bytes()).expect("the text is valid");
    assert!(structural_equal(&pair, &read) && !Arc::ptr_eq(&read[0].leaf.0, &read[1].leaf.0));
    assert!(structural_equal(&pair, &data::deep_copy(&pair).expect("the types have copies")));
    assert_eq!(structural_hash(&pair), structural_hash(&read));
}

/// Keeps a handle of the object that it lends, once after the test has armed it.
#[derive(Clone)]
pub struct Spy(Middle);

static ARMED: AtomicBool = AtomicBool::new(false);
static KEPT: Mutex<Option<Middle>> = Mutex::new(None);

impl Spy {
    fn lend(&self) -> &Middle {
        if ARMED.swap(false, Ordering::SeqCst) {
            *KEPT.lock().expect("no test panics with the lock") = Some(self.0.clone());
        }
        &self.0
    }
}

field_type!(Spy, Middle, Spy);

#[derive(Object)]
#[object(type_key = "attack.field.Root")]
#[structural_eq(tree)]
pub struct RootNode {
    #[field(def)]
    pub middle: Spy,
}

#[test]
fn a_field_that_keeps_what_it_lends_does_not_see_the_change() {
    let mut kept: Option<(Middle, *const u8)> = None;
    let root = Root::new(Spy(Middle::new(Leaf::new("the original text, long enough"))));
    let changed = Mutate::new()
        .leave(|s: &Str, at| {
            ARMED.store(true, Ordering::SeqCst);
            // Reads the field of the root.
            let _ = at.region();
            if let Some(middle) = KEPT.lock().expect("no test panics with the lock").take() {
                let address = middle.leaf.text.as_ptr();
                kept = Some((middle, address));
            }
            Some(Str::from(format!("{} bytes", s.len())))
        })
        .run(root)
        .expect("the field accepts the copy");
    let (kept, address) = kept.expect("the region needs the field of the root");
    assert_eq!((&*kept.leaf.text, kept.leaf.text.as_ptr()), ("the original text, long enough", address));
    assert_eq!(&*changed.middle.0.leaf.text, "30 bytes");
}

#[derive(Object, Clone)]
pub enum Operand {
    Leaf(Leaf),
    Number(i64),
}

#[derive(Object)]
#[object(type_key = "attack.field.Owner")]
#[structural_eq(tree)]
pub struct OwnerNode {
    pub operand: Operand,
    pub optional: Option<Operand>,
    pub number: Option<i64>,
    pub device: Device,
}

/// The derive proves that an enum owns its objects, so a rewrite changes them in place.
#[test]
fn objects_below_enums_and_optional_values_change_in_place() {
    let owner = Owner::new(Leaf::new("a"), Some(Operand::from(Leaf::new("b"))), Some(1), Device::cpu(0));
    let address = |operand: &Operand| match operand {
        Operand::Leaf(leaf) => leaf.as_object().view().address(),
        Operand::Number(_) => 0,
    };
    let before = (address(&owner.operand), owner.optional.as_ref().map(address));
    let owner = mutate(owner, |s: &Str, _| Some(Str::from(format!("{s}!")))).expect("the fields accept the leaves");
    assert_eq!((address(&owner.operand), owner.optional.as_ref().map(address)), before);
    assert_eq!(format!("{:?}", owner.operand.view()), format!("{:?}", Leaf::new("a!")));
}
