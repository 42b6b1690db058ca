//! [`ElementBound`]: the common type of all values in a container. It makes most checks of typed handles constant-time.

use crate::object::{AnyView, FieldOps, ObjectHandle, Storage, TypeInfo};

/// A condition on the values of a container: which types and values it accepts.
pub(crate) trait ElementRule {
    /// The storage of a field of the accepted type.
    fn storage(&self) -> Storage;

    /// As [`FieldType::accepts`].
    fn accepts(&self, value: AnyView<'_>) -> bool;

    /// As [`FieldType::accepts_type`].
    fn accepts_type(&self, info: &TypeInfo) -> bool;
}

impl ElementRule for FieldOps {
    fn storage(&self) -> Storage {
        self.storage
    }

    fn accepts(&self, value: AnyView<'_>) -> bool {
        self.accepts(value)
    }

    fn accepts_type(&self, info: &TypeInfo) -> bool {
        self.accepts_type(info)
    }
}

/// An upper bound of the types of the values in a container.
#[derive(Clone, Copy, Default)]
pub(crate) enum ElementBound {
    /// The container is empty.
    #[default]
    Empty,
    /// All values are booleans.
    Bools,
    /// All values are integers.
    Ints,
    /// All values are floating-point numbers.
    Floats,
    /// All values are objects of this type or of types that extend it.
    Objects(&'static TypeInfo),
    /// All values are objects; their types have no common ancestor.
    AnyObjects,
    /// The values have several kinds, or a kind without a variant here.
    Mixed,
}

impl ElementBound {
    /// The bound of the values of `self` and `value`.
    #[inline]
    pub(crate) fn with(self, value: AnyView<'_>) -> Self {
        match (self, value) {
            (ElementBound::Objects(info), AnyView::Object(object)) if std::ptr::eq(info, object.type_info()) => self,
            (ElementBound::Objects(info), AnyView::Object(object)) => {
                info.common_ancestor(object.type_info()).map_or(ElementBound::AnyObjects, ElementBound::Objects)
            }
            (ElementBound::AnyObjects, AnyView::Object(_)) => self,
            (ElementBound::Empty, AnyView::Object(object)) => ElementBound::Objects(object.type_info()),
            (ElementBound::Empty | ElementBound::Bools, AnyView::Bool(_)) => ElementBound::Bools,
            (ElementBound::Empty | ElementBound::Ints, AnyView::Int(_)) => ElementBound::Ints,
            (ElementBound::Empty | ElementBound::Floats, AnyView::Float(_)) => ElementBound::Floats,
            _ => ElementBound::Mixed,
        }
    }

    /// The bound of all of `values`.
    pub(crate) fn of<'a>(values: impl Iterator<Item = AnyView<'a>>) -> Self {
        values.fold(ElementBound::Empty, ElementBound::with)
    }

    /// The bound of the objects of `handles`.
    #[inline]
    pub(crate) fn of_handles<H: ObjectHandle>(handles: &[H]) -> Self {
        let mut types = handles.iter().map(|handle| handle.as_object().view().type_info());
        let Some(first) = types.next() else { return ElementBound::Empty };
        let common =
            types.try_fold(
                first,
                |common, info| {
                    if std::ptr::eq(common, info) { Some(common) } else { common.common_ancestor(info) }
                },
            );
        common.map_or(ElementBound::AnyObjects, ElementBound::Objects)
    }

    /// The bound of all values of the type `H`.
    pub(crate) fn of_type<H: ObjectHandle>() -> Self {
        H::TYPE.map_or(ElementBound::AnyObjects, |table| ElementBound::Objects(table.info()))
    }

    /// Whether all values are objects.
    #[inline]
    pub(crate) fn are_objects(self) -> bool {
        matches!(self, ElementBound::Empty | ElementBound::Objects(_) | ElementBound::AnyObjects)
    }

    /// The type that all values are objects of, if there is one.
    pub(crate) fn type_info(self) -> Option<&'static TypeInfo> {
        match self {
            ElementBound::Objects(info) => Some(info),
            _ => None,
        }
    }

    /// Whether `rule` accepts all values of a container with this bound. The function looks at `values`, the values of
    /// the container, only if the bound does not decide.
    pub(super) fn satisfies<'a>(self, rule: &impl ElementRule, mut values: impl Iterator<Item = AnyView<'a>>) -> bool {
        match self {
            ElementBound::Empty => true,
            _ if rule.storage() == Storage::Any => true,
            ElementBound::Bools => rule.accepts(AnyView::Bool(false)),
            ElementBound::Floats => rule.accepts(AnyView::Float(0.0)),
            // Other integer types and enums accept only some integers, so each value has to be checked.
            ElementBound::Ints if rule.storage() == Storage::Int => true,
            ElementBound::Objects(info) if rule.accepts_type(info) => true,
            ElementBound::Ints | ElementBound::Objects(_) | ElementBound::AnyObjects | ElementBound::Mixed => {
                values.all(|value| rule.accepts(value))
            }
        }
    }
}

/// Whether every handle and every rule that accepts a container with `old` in it accepts it with `new` in that place.
pub(super) fn are_interchangeable(old: AnyView<'_>, new: AnyView<'_>) -> bool {
    matches!((old, new), (AnyView::Object(old), AnyView::Object(new)) if new.is_interchangeable_with(old))
}
