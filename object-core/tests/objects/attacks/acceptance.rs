//! Field types whose `accepts` panics: no typed container may keep values that its handle does not accept.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use object_core::object::{FieldType, StorageOf, TypeSchema};
use object_core::prelude::*;
use object_core::rewrite::Mutate;

thread_local! {
    static PANICS: Cell<bool> = const { Cell::new(false) };
    /// The number of elements that the destructor of a holder has read.
    static READ: Cell<usize> = const { Cell::new(0) };
}

#[derive(Clone)]
pub struct Unit(i64);

impl FieldType for Unit {
    const STORAGE: StorageOf<Self> = StorageOf::PLAIN;

    fn view(&self) -> AnyView<'_> {
        AnyView::Int(self.0)
    }

    fn from_any(value: Any) -> Result<Self, Error> {
        value.cast().map(Unit)
    }

    fn accepts(value: AnyView<'_>) -> bool {
        assert!(!PANICS.get(), "a field type of a test");
        matches!(value, AnyView::Int(_))
    }

    fn schema() -> TypeSchema {
        TypeSchema::leaf("attack.acceptance.Unit")
    }
}

#[derive(Object)]
#[object(type_key = "attack.acceptance.Lists")]
#[structural_eq(tree)]
pub struct ListsNode {
    pub items: Array<Array<Unit>>,
}

impl Drop for ListsNode {
    fn drop(&mut self) {
        PANICS.set(false);
        self.items.as_slice().iter().for_each(read);
    }
}

#[derive(Object)]
#[object(type_key = "attack.acceptance.Table")]
#[structural_eq(tree)]
pub struct TableNode {
    pub items: Map<i64, Array<Unit>>,
}

impl Drop for TableNode {
    fn drop(&mut self) {
        PANICS.set(false);
        (&self.items).into_iter().for_each(|(_, item)| read(item));
    }
}

/// Reads an element as the handle says that it is.
fn read(item: &Array<Unit>) {
    assert!(matches!(item.view().get(0), Some(AnyView::Int(_))), "`{}`", item.as_object().type_info().type_key());
    READ.set(READ.get() + 1);
}

/// Replaces the second list with a text, while `accepts` panics.
fn attack<T: FieldType>(root: T) {
    let mut lists = 0;
    let result = catch_unwind(AssertUnwindSafe(|| {
        Mutate::new()
            .leave(|_: &Array<Any>, at| {
                lists += usize::from(at.depth() == 2);
                let is_second = at.depth() == 2 && lists == 2;
                PANICS.set(PANICS.get() || is_second);
                is_second.then(|| Str::from("a text, and not a list"))
            })
            .run(root)
            .map(drop)
    }));
    assert!(result.is_err() || result.is_ok_and(|result| result.is_err()), "the field does not accept a text");
    assert_eq!(READ.replace(0), 2);
}

#[test]
fn a_panic_leaves_a_typed_array_as_it_was() {
    attack(Lists::new(Array::from([Array::from([Unit(1)]), Array::from([Unit(2)])])));
}

#[test]
fn a_panic_leaves_a_typed_map_as_it_was() {
    attack(Table::new(Map::new([(0, Array::from([Unit(1)])), (1, Array::from([Unit(2)]))])));
}
