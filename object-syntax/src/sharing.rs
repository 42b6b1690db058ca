//! [`Sharing`]: the objects that a text shows once, with a number for their further places.

use object_core::table::Table;

use object_core::AnyView;
use object_core::object::{ObjectView, SEqHashKind};
use object_core::stack_budget::with_stack;

use crate::grammar::Grammar;
use crate::kind::{array_of, map_of};

/// A text may be this many times as long as its graph has objects.
const MAX_EXPANSION: u64 = 4;

/// A text with fewer objects may repeat as many as it likes.
const FREE_EXPANSION: u64 = 10_000;

/// The objects that have several places and have to be shown once.
#[derive(Debug, Default)]
pub(crate) struct Sharing {
    places: Table<usize, Count>,
    is_expanded: bool,
    /// The numbers that objects have so far.
    numbers: usize,
}

#[derive(Debug)]
struct Count {
    /// The references to the object.
    references: u32,
    /// The objects in the text of the object, if each stands at each of its places.
    size: u64,
    is_dag: bool,
}

impl Sharing {
    /// The objects of `value` that several others refer to. Objects of the kind `dag` are shown once, because sharing is part of
    /// their value; others only where a text without numbers would be far longer than the graph is large.
    pub(crate) fn of(value: AnyView<'_>, grammar: &Grammar) -> Self {
        let mut sharing = Sharing::default();
        let size = sharing.count(value, grammar);
        let objects = sharing.places.len() as u64;
        sharing.is_expanded = size > FREE_EXPANSION && size / MAX_EXPANSION > objects;
        sharing
    }

    /// The number of objects in the text of `value`.
    fn count(&mut self, value: AnyView<'_>, grammar: &Grammar) -> u64 {
        let object = match value {
            AnyView::Object(object) => object,
            _ => return 0,
        };
        if let Some(items) = array_of(value) {
            return items.iter().fold(1, |sum: u64, item| sum.saturating_add(self.count(item, grammar)));
        }
        if let Some(entries) = map_of(value) {
            let parts = entries.iter().flat_map(|(key, value)| [key, value]);
            return parts.fold(1, |sum: u64, part| sum.saturating_add(self.count(part, grammar)));
        }
        let Some(production) = grammar.production(object.type_info()) else { return 1 };
        if let Some(known) = self.places.get_mut(&object.address()) {
            known.references += 1;
            return known.size;
        }
        let is_dag = object.type_info().kind() == SEqHashKind::DagNode;
        self.places.insert(object.address(), Count { references: 1, size: 1, is_dag });
        let size = with_stack(|| {
            production.info.fields().iter().fold(1u64, |sum, field| {
                sum.saturating_add(field.get(object).map_or(0, |value| self.count(value, grammar)))
            })
        });
        if let Some(count) = self.places.get_mut(&object.address()) {
            count.size = size;
        }
        size
    }

    /// Whether the text shows `object` once, with a number.
    pub(crate) fn is_shared(&self, object: ObjectView<'_>) -> bool {
        let count = self.places.get(&object.address());
        count.is_some_and(|it| it.references > 1 && (it.is_dag || self.is_expanded && it.size > 1))
    }

    /// A new number for `object`, whose next text is its content.
    pub(crate) fn number(&mut self, object: ObjectView<'_>) -> usize {
        if let Some(count) = self.places.get_mut(&object.address()) {
            count.references = 0;
        }
        self.numbers += 1;
        self.numbers - 1
    }
}
