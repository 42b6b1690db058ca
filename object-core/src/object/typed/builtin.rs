//! Macros for the trait impls of the object types of this crate, which the derive does not write.

/// Implements the traits of a handle that accepts the objects of exactly one type: [`ObjectHandle`] and the conversions
/// between the handle, [`ObjectRef`] and [`Any`]. `$Handle` has to be a transparent tuple struct of an [`ObjectRef`], and only its module may
/// make objects with the table `$TABLE`.
///
/// [`ObjectHandle`]: crate::object::ObjectHandle
/// [`ObjectRef`]: crate::object::ObjectRef
/// [`Any`]: crate::object::Any
macro_rules! builtin_handle {
    ($Handle:ident, $TABLE:ident, $contents:expr) => {
        // SAFETY: the handle is a transparent wrapper, and its module makes all objects with this table, in the layout that
        // the methods of the handle read.
        unsafe impl $crate::object::ObjectHandle for $Handle {
            const CONTENTS: $crate::object::FieldContents = $contents;
            const ACCEPTED: $crate::object::Accepted =
                $crate::object::Accepted::Objects($crate::object::TableAddress::of(&$TABLE));
            const TYPE: Option<$crate::object::TableAddress> = Some($crate::object::TableAddress::of(&$TABLE));

            fn accepts_object(object: $crate::object::ObjectView<'_>) -> bool {
                std::ptr::eq(object.type_info(), &$TABLE)
            }

            fn accepts_type_info(info: &$crate::object::TypeInfo) -> bool {
                std::ptr::eq(info, &$TABLE)
            }
        }

        impl From<$Handle> for $crate::object::ObjectRef {
            fn from(handle: $Handle) -> Self {
                handle.0
            }
        }

        impl From<$Handle> for $crate::object::Any {
            fn from(handle: $Handle) -> Self {
                $crate::object::Any::Object(handle.0)
            }
        }

        impl From<&$Handle> for $Handle {
            fn from(handle: &$Handle) -> Self {
                handle.clone()
            }
        }

        impl TryFrom<$crate::object::ObjectRef> for $Handle {
            type Error = $crate::error::Error;

            fn try_from(object: $crate::object::ObjectRef) -> $crate::error::Result<Self> {
                $crate::object::try_from_object(object)
            }
        }

        impl TryFrom<$crate::object::Any> for $Handle {
            type Error = $crate::error::Error;

            fn try_from(value: $crate::object::Any) -> $crate::error::Result<Self> {
                value.cast()
            }
        }
    };
}

/// Implements [`Object`] and [`TypedHandle`] for a node struct without reflected fields and its handle. `$TABLE` has to be
/// the table of the node struct, and `$Handle` has to accept exactly the objects with this table.
///
/// [`Object`]: crate::object::Object
/// [`TypedHandle`]: crate::object::TypedHandle
macro_rules! builtin_node {
    ($Node:ident, $Handle:ty, $TABLE:ident) => {
        // SAFETY: `$TABLE` describes this node struct, and has no fields and no ancestors.
        unsafe impl $crate::object::Object for $Node {
            type Handle = $Handle;
            type Parent = ();
            const TABLE: $crate::object::TableAddress = $crate::object::TableAddress::of(&$TABLE);
            const TYPE_INFO: &'static $crate::object::TypeInfo = &$TABLE;
            const FIELDS: &'static [$crate::object::FieldInfo] = &[];
            const COMPARED_FIELDS: &'static [$crate::object::ComparedField] = &[];
            const ANCESTORS: &'static [$crate::object::Ancestor] = &[];
            const FINAL: bool = true;
        }

        // SAFETY: the handle accepts exactly the objects with the table of the node struct.
        unsafe impl $crate::object::TypedHandle for $Handle {
            type Node = $Node;
        }

        impl std::ops::Deref for $Handle {
            type Target = $Node;

            fn deref(&self) -> &$Node {
                $crate::object::node_of(self)
            }
        }
    };
}

/// Implements `==` and `Hash` of the handle `$Handle` by identity.
macro_rules! builtin_identity {
    ($Handle:ident) => {
        /// A handle equals the handles of the same object.
        impl PartialEq for $Handle {
            fn eq(&self, other: &Self) -> bool {
                self.0 == other.0
            }
        }

        impl Eq for $Handle {}

        impl std::hash::Hash for $Handle {
            fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
                self.0.hash(state);
            }
        }
    };
}

pub(crate) use {builtin_handle, builtin_identity, builtin_node};
