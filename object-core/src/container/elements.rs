//! [`ElementBound`]: what all values in a container have in common, so that most typed handles are checked in constant
//! time.

use crate::object::{AnyView, Body, FieldType, Storage, TypeInfo, TypeSchema};

/// What the values in a container are asked to be.
pub(crate) trait ElementRule {
    /// How a field of this type is stored.
    fn storage(&self) -> Storage;

    /// [`FieldType::accepts`].
    fn accepts(&self, value: AnyView<'_>) -> bool;

    /// [`FieldType::accepts_type`].
    fn accepts_type(&self, info: &TypeInfo) -> bool;
}

impl ElementRule for ElementType {
    fn storage(&self) -> Storage {
        self.storage
    }

    fn accepts(&self, value: AnyView<'_>) -> bool {
        (self.accepts)(value)
    }

    fn accepts_type(&self, info: &TypeInfo) -> bool {
        (self.accepts_type)(info)
    }
}

/// A bound of the types of the values in a container.
#[derive(Clone, Copy, Default)]
pub(crate) enum ElementBound {
    /// There are no values.
    #[default]
    Empty,
    /// Truth values only.
    Bools,
    /// Integers only.
    Ints,
    /// Floating point numbers only.
    Floats,
    /// Objects only, all of this type or extending it.
    Objects(&'static TypeInfo),
    /// Objects only, of types without a common ancestor.
    AnyObjects,
    /// Anything.
    Mixed,
}

impl ElementBound {
    /// The bound that also covers `value`.
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

    /// Whether all values are objects.
    #[inline]
    pub(crate) fn are_objects(self) -> bool {
        matches!(self, ElementBound::Empty | ElementBound::Objects(_) | ElementBound::AnyObjects)
    }

    /// Whether a container with this bound holds values of the type `of` only. `values` is asked where the bound does not
    /// tell.
    pub(crate) fn all<'a>(self, of: &ElementType, values: impl Iterator<Item = AnyView<'a>>) -> bool {
        self.satisfies(of, values)
    }

    /// Whether a container with this bound holds only values as `rule` asks for.
    pub(super) fn satisfies<'a>(self, rule: &impl ElementRule, mut values: impl Iterator<Item = AnyView<'a>>) -> bool {
        match self {
            ElementBound::Empty => true,
            _ if rule.storage() == Storage::Any => true,
            ElementBound::Bools => rule.accepts(AnyView::Bool(false)),
            ElementBound::Floats => rule.accepts(AnyView::Float(0.0)),
            // Types other than these hold some integers only: narrower ones, and enums.
            ElementBound::Ints if rule.storage() == Storage::Int => true,
            ElementBound::Objects(info) if rule.accepts_type(info) => true,
            ElementBound::Ints | ElementBound::Objects(_) | ElementBound::AnyObjects | ElementBound::Mixed => {
                values.all(|value| rule.accepts(value))
            }
        }
    }
}

/// Whether every container and every rule that takes `old` takes `new` in its place: both have one type, and are objects
/// that are told apart by nothing else. Containers are also told apart by their elements, functions by their signatures.
pub(super) fn are_alike(old: AnyView<'_>, new: AnyView<'_>) -> bool {
    match (old, new) {
        (AnyView::Object(old), AnyView::Object(new)) => {
            let info = old.type_info();
            std::ptr::eq(info, new.type_info()) && !matches!(info.body, Body::Array | Body::Map | Body::Function)
        }
        _ => false,
    }
}

/// What a container asks of the type of its elements. A plain value, so that what containers do is compiled once, and not
/// for every type of elements.
pub(crate) struct ElementType {
    storage: Storage,
    pub(crate) accepts: fn(AnyView<'_>) -> bool,
    accepts_type: fn(&TypeInfo) -> bool,
    pub(crate) schema: fn() -> TypeSchema,
}

impl ElementType {
    /// That of `T`.
    pub(crate) const fn of<T: FieldType>() -> &'static Self {
        const { &ElementType { storage: T::STORAGE, accepts: T::accepts, accepts_type: T::accepts_type, schema: T::schema } }
    }
}
