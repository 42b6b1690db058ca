//! [`Renumbered`]: the numbers of enums in containers, from the numbering of a file to the numbering of the program.

use std::collections::HashMap;

use crate::container::{entries_of, sequence_of};
use crate::evolution::term::Term;
use crate::object::{Any, AnyView, ObjectRef, TypeSchema};

/// Changes values of one recorded type to values of the type of a field.
#[derive(Default)]
pub(super) struct Renumbered {
    /// The containers that are changed, by their addresses and the addresses of their recorded types. A file may refer to
    /// one container many times.
    done: HashMap<(usize, usize), Any>,
    /// The containers that are keys of `done`, so that no other object gets their addresses.
    kept: Vec<ObjectRef>,
}

impl Renumbered {
    /// `value` with the numbers of `current`. `None` if a number has no name in the file or no number in the program, or the types
    /// differ in more than the numbers.
    pub(super) fn value(&mut self, value: AnyView<'_>, recorded: &Term, current: &TypeSchema) -> Option<Any> {
        if let (Some(variants), Some(enumeration)) = (recorded.own_variants(), &current.enumeration) {
            let AnyView::Int(number) = value else { return None };
            let (name, _) = variants.iter().find(|(_, known)| *known == number)?;
            return enumeration.number_of_name(name).map(Any::Int);
        }
        // A number without a recorded enum may be the number of any variant.
        let is_unknown = recorded.own_variants().is_some() || current.enumeration.is_some();
        if is_unknown || recorded.name() != current.name || recorded.args().len() != current.args.len() {
            return None;
        }
        match (recorded.args(), &current.args[..]) {
            _ if !recorded.has_enums() && current.enumerations().is_empty() => Some(value.to_any()),
            ([part], [now]) if recorded.is_optional() => match value {
                AnyView::None => Some(Any::None),
                value => self.value(value, part, now),
            },
            _ => self.container(value, recorded, current),
        }
    }

    /// As [`value`](Self::value), for an array or a map.
    fn container(&mut self, value: AnyView<'_>, recorded: &Term, current: &TypeSchema) -> Option<Any> {
        let AnyView::Object(object) = value else { return None };
        let info = object.type_info();
        let key = (object.address(), std::ptr::from_ref(recorded).addr());
        if let Some(done) = self.done.get(&key) {
            return Some(done.clone());
        }
        let changed = match (recorded.args(), &current.args[..]) {
            ([part], [now]) => {
                let items = object.as_array()?.iter().map(|item| self.value(item, part, now));
                sequence_of(info, items.collect::<Option<_>>()?)
            }
            ([key, part], [key_now, now]) => {
                let map = object.as_map()?;
                let mut entries = Vec::with_capacity(map.len());
                for (at, value) in map.iter() {
                    entries.push((self.value(at, key, key_now)?, self.value(value, part, now)?));
                }
                let count = entries.len();
                let changed = entries_of(info, entries);
                // Two names of one number would make one entry of two.
                if changed.view().as_map()?.len() != count {
                    return None;
                }
                changed
            }
            _ => return None,
        };
        self.kept.push(object.to_object());
        self.done.insert(key, Any::Object(changed.clone()));
        Some(Any::Object(changed))
    }
}
