//! The unsafe impls of generated code, as macros: the output of the derive calls them and contains no `unsafe`.
//!
//! The names in the output of a derive mean what the crate of the user makes of them: a path may lead to another crate,
//! and a module or a macro may hide another one. So that output is as trustworthy as any safe code of the user. The names
//! in these macros begin with `$crate` and mean items of this crate. Each macro is sound for all arguments: it makes the
//! compiler check every claim of an unsafe impl, and puts no tokens of the caller but single names into an `unsafe` block.

/// The place of the field `$field` of the struct `$Node` as a [`FieldPlace`](crate::derive_support::FieldPlace).
#[macro_export]
#[doc(hidden)]
macro_rules! field_place {
    ($Node:ident, $field:tt) => {{
        let mut node = $crate::derive_support::MaybeUninit::<$Node>::uninit();
        let node = $crate::derive_support::MaybeUninit::as_mut_ptr(&mut node);
        // SAFETY: `offset_of!` takes only fields of the struct itself, so the projection leads to the same field, and not
        // through a `Deref` to another object.
        unsafe {
            $crate::derive_support::FieldPlace::<$Node, _>::new(
                node,
                &raw mut (*node).$field,
                $crate::derive_support::offset_of!($Node, $field),
            )
        }
    }};
}

/// Implements [`Object`](crate::Object) for the node struct `$Node` with the handle `$Handle`.
///
/// The first word says whether the own fields are the whole node (`whole`), or are hidden (`opaque`). The field `$base`
/// holds the part of the parent; its type stands there twice, so that a caller decides where the compiler reports a parent
/// that is not a base. Each own field has a name, a `FieldMeta`, and at most one function that makes its default. A list of
/// fields that reflection skips may follow.
#[macro_export]
#[doc(hidden)]
macro_rules! generated_node {
    (
        whole $Node:ident $Handle:ident $is_final:literal { $($base:ident: $Parent:ident = $Same:ty)? }
        { $($field:ident: $ty:ty = $entry:tt $default:tt;)* }
        { $($skipped:ident: $skipped_ty:ty = $skipped_field:ident;)* }
        $spec:expr
    ) => {
        const _: fn(&$Node) = |node| {
            // Unions and enums have no such pattern, and a struct has no fields that are not in the second one.
            let $Node { .. } = node;
            let $Node { $($base: _,)? $($field: _,)* $($skipped: _,)* } = node;
        };
        $crate::generated_node! {
            @impl $Node $Handle $is_final { $($base: $Parent = $Same)? }
            { $($field: $ty = $entry $default;)* }
            ({
                const SKIPPED: &[$crate::derive_support::SkippedField] = &[$(
                    $crate::derive_support::$skipped_field::<$skipped_ty, $Node>(&$crate::field_place!($Node, $skipped))
                ),*];
                // SAFETY: the pattern above names all fields, and `FIELDS` and `SKIPPED` list the same ones. This is the
                // expression in the implementation of `Object`.
                unsafe { $crate::derive_support::NodeContents::<$Node>::whole(SKIPPED) }
                    .with_destructor($crate::generated_node!(@has_destructor $Node))
            })
            $spec
        }
    };
    (
        whole $Node:ident $Handle:ident $is_final:literal { $($base:ident: $Parent:ident = $Same:ty)? }
        { $($field:ident: $ty:ty = $entry:tt $default:tt;)* }
        $spec:expr
    ) => {
        const _: fn(&$Node) = |node| {
            // As above.
            let $Node { .. } = node;
            let $Node { $($base: _,)? $($field: _),* } = node;
        };
        $crate::generated_node! {
            @impl $Node $Handle $is_final { $($base: $Parent = $Same)? }
            { $($field: $ty = $entry $default;)* }
            (
                // SAFETY: the pattern above names all fields, and `FIELDS` lists the same ones. This is the expression in the
                // implementation of `Object`.
                unsafe { $crate::derive_support::NodeContents::<$Node>::whole(&[]) }
                    .with_destructor($crate::generated_node!(@has_destructor $Node))
            )
            $spec
        }
    };
    (
        opaque $Node:ident $Handle:ident $is_final:literal { $($base:ident: $Parent:ident = $Same:ty)? }
        { $($field:ident: $ty:ty;)* }
        $copy:expr, $spec:expr
    ) => {
        const _: fn(&$Node) = |node| {
            // As above. A node all of whose fields are thread-safe is thread-safe.
            let $Node { .. } = node;
            let $Node { $($base: _,)? $($field: _),* } = node;
            $($crate::derive_support::is_thread_safe::<$ty>(&raw const node.$field);)*
        };
        $crate::generated_node! {
            @impl $Node $Handle $is_final { $($base: $Parent = $Same)? } {}
            ({
                let copy: $crate::derive_support::OpaqueCopy<$Node> = $copy;
                // SAFETY: this is the expression in the implementation of `Object`.
                unsafe { $crate::derive_support::NodeContents::opaque(copy) }
            })
            $spec
        }
    };
    (opaque $Node:ident $Handle:ident $is_final:literal {} $copy:expr, $spec:expr) => {
        // Without the fields, the node is checked as a whole.
        const _: fn(&$Node) = |node| $crate::derive_support::is_thread_safe::<$Node>(node);
        $crate::generated_node! {
            @impl $Node $Handle $is_final {} {}
            ({
                let copy: $crate::derive_support::OpaqueCopy<$Node> = $copy;
                // SAFETY: this is the expression in the implementation of `Object`.
                unsafe { $crate::derive_support::NodeContents::opaque(copy) }
            })
            $spec
        }
    };
    (
        @impl $Node:ident $Handle:ident $is_final:literal { $($base:ident: $Parent:ident = $Same:ty)? }
        $fields:tt $contents:tt $spec:expr
    ) => {
        $(
            // The field has exactly the type of the parent: pointers do not convert to pointers to other types.
            const _: fn(*mut $Node) -> *mut $Parent = |node| {
                // SAFETY: nothing calls the function.
                unsafe { &raw mut (*node).$base }
            };
        )?
        // SAFETY: the tables list fields and ancestors by their places in this struct, and the static is made of them. The
        // node is `Send` and `Sync`, because all its fields are: reflected fields are of a `FieldType`, and the others are
        // checked.
        #[automatically_derived]
        unsafe impl $crate::derive_support::Object for $Node {
            type Handle = $Handle;
            type Parent = $crate::generated_node!(@parent $($Parent)?);
            const TABLE: $crate::derive_support::TableAddress = {
                static INFO: $crate::derive_support::TypeInfo = $crate::derive_support::type_info(
                    &$contents,
                    $crate::derive_support::TypeSpec {
                        names: ($crate::derive_support::stringify!($Node), $crate::derive_support::stringify!($Handle)),
                        ..$spec
                    },
                );
                $crate::derive_support::TableAddress::of(&INFO)
            };
            const TYPE_INFO: &'static $crate::derive_support::TypeInfo =
                $crate::derive_support::TableAddress::info(<Self as $crate::derive_support::Object>::TABLE);
            const FIELDS: &'static [$crate::derive_support::FieldInfo] =
                $crate::generated_node!(@inherit { $($base: $Parent = $Same)? } $fields);
            const COMPARED_FIELDS: &'static [$crate::derive_support::ComparedField] =
                &$crate::derive_support::compared_fields::<
                    { $crate::derive_support::compared_field_count(<Self as $crate::derive_support::Object>::FIELDS) },
                >(<Self as $crate::derive_support::Object>::FIELDS);
            const ANCESTORS: &'static [$crate::derive_support::Ancestor] =
                $crate::generated_node!(@ancestors { $($base: $Parent = $Same)? });
            const FINAL: $crate::derive_support::primitive::bool = $is_final;
        }
    };
    (@has_destructor $Node:ident) => {{
        #[allow(unused_imports, reason = "a struct with a destructor has the constant itself")]
        use $crate::derive_support::NoDestructor as _;
        $crate::derive_support::DestructorOf::<$Node>::EXISTS
    }};
    (@parent) => { () };
    (@parent $Parent:ident) => { $Parent };
    (@inherit {} $fields:tt) => { $crate::generated_node!(@fields $fields) };
    (@inherit { $base:ident: $Parent:ident = $Same:ty } $fields:tt) => {{
        &$crate::derive_support::fields::<
            $Same,
            Self,
            _,
            { $crate::derive_support::field_count::<$Same>() + $crate::generated_node!(@count $fields) },
        >(&$crate::field_place!(Self, $base), |parent| parent, $crate::generated_node!(@fields $fields))
    }};
    (@fields { $($field:ident: $ty:ty = ($name:expr, $meta:expr) ($($default:expr)?);)* }) => {
        &[$(
            // A macro in the place of the type can have another meaning each time, so `$ty` stands here once.
            $crate::derive_support::field_info::<$ty, Self>(
                $name,
                // SAFETY: the field exists in the struct itself, because `offset_of!` takes it. So the function leads to the
                // field, and not to a part of another object that a `Deref` leads to.
                unsafe {
                    $crate::derive_support::FieldPlace::at(
                        |node| &raw const node.$field,
                        $crate::derive_support::offset_of!(Self, $field),
                    )
                },
                $meta,
            )
                $(.with_default($default))?
        ),*]
    };
    (@count { $($field:ident: $ty:ty = $entry:tt $default:tt;)* }) => {
        <[()]>::len(&[$($crate::generated_node!(@unit $field)),*])
    };
    (@unit $field:ident) => { () };
    (@ancestors {}) => { &[] };
    (@ancestors { $base:ident: $Parent:ident = $Same:ty }) => {{
        &$crate::derive_support::ancestors::<
            $Same,
            Self,
            _,
            { $crate::derive_support::ancestor_count::<$Same>() + 1 },
        >(&$crate::field_place!(Self, $base), |parent| parent)
    }};
}

/// Implements [`FieldType`](crate::FieldType) for the enum `$Enum`, each variant of which has one value. `$rest` has the
/// items that do not decide who owns the objects in a value.
#[macro_export]
#[doc(hidden)]
macro_rules! generated_sum {
    ($Enum:ident { $($Variant:ident)* } $($rest:tt)*) => {
        #[automatically_derived]
        impl $crate::derive_support::FieldType for $Enum {
            // SAFETY: `view` below returns the view of the part, and the constructors of the variants tell the types of the
            // parts. The compiler finds a second item with one of these names.
            const STORAGE: $crate::derive_support::StorageOf<Self> = unsafe {
                $crate::derive_support::StorageOf::of_parts(
                    true $(&& $crate::derive_support::variant_owns_objects($Enum::$Variant as fn(_) -> $Enum))*
                )
            };
            #[inline]
            fn view(&self) -> $crate::derive_support::AnyView<'_> {
                match self { $($Enum::$Variant(part) => $crate::derive_support::view_of_part(part),)* }
            }
            $($rest)*
        }
    };
}

/// Implements [`ObjectHandle`](crate::ObjectHandle) and [`TypedHandle`](crate::TypedHandle) for the handle `$Handle` of the
/// node struct `$Node`. `$contents` is a `FieldContents`, which only rules about annotations read.
#[macro_export]
#[doc(hidden)]
macro_rules! generated_handle {
    ($Handle:ident, $Node:ident, $contents:expr) => {
        const _: fn(&$Handle) -> &$crate::derive_support::Pointer<$Node> = {
            $crate::derive_support::consists_of_pointer::<$Handle>();
            |handle| {
                // No other data than the pointer.
                let $Handle { 0: pointer } = handle;
                pointer
            }
        };
        // SAFETY: the handle consists of a pointer to an object with such a node, as the constant above checks.
        #[automatically_derived]
        unsafe impl $crate::derive_support::ObjectHandle for $Handle {
            const CONTENTS: $crate::derive_support::FieldContents = $contents;
            const ACCEPTED: $crate::derive_support::Accepted =
                $crate::derive_support::Accepted::Objects(<$Node as $crate::derive_support::Object>::TABLE);
            const TYPE: $crate::derive_support::Option<$crate::derive_support::TableAddress> =
                $crate::derive_support::Option::Some(<$Node as $crate::derive_support::Object>::TABLE);
        }
        // SAFETY: the handle accepts exactly the instances of the type of the node struct.
        #[automatically_derived]
        unsafe impl $crate::derive_support::TypedHandle for $Handle {
            type Node = $Node;
        }
        $crate::serde_graph!([] $Handle);
    };
}

/// Implements `serde::Serialize` and `serde::Deserialize` for a handle or a value, if the feature `serde` of this crate is on. The
/// types in brackets are the parameters, each a field type.
#[cfg(feature = "serde")]
#[macro_export]
#[doc(hidden)]
macro_rules! serde_graph {
    ([$($param:ident),*] $Value:ty) => {
        #[automatically_derived]
        impl<$($param: $crate::derive_support::FieldType),*> $crate::derive_support::Serialize for $Value {
            fn serialize<__S: $crate::derive_support::Serializer>(
                &self,
                serializer: __S,
            ) -> $crate::derive_support::Result<__S::Ok, __S::Error> {
                $crate::derive_support::serialize_graph(self, serializer)
            }
        }
        #[automatically_derived]
        impl<'de, $($param: $crate::derive_support::FieldType),*> $crate::derive_support::Deserialize<'de> for $Value {
            fn deserialize<__D: $crate::derive_support::Deserializer<'de>>(
                deserializer: __D,
            ) -> $crate::derive_support::Result<Self, __D::Error> {
                $crate::derive_support::deserialize_graph(deserializer)
            }
        }
    };
}

/// Without the feature `serde`, there is nothing to implement.
#[cfg(not(feature = "serde"))]
#[macro_export]
#[doc(hidden)]
macro_rules! serde_graph {
    ([$($param:ident),*] $Value:ty) => {};
}

/// Implements `==` and `Hash` for the handle `$Handle`. They compare objects by structure if the type or an ancestor says
/// `eq = structural`, and otherwise by identity.
#[macro_export]
#[doc(hidden)]
macro_rules! eq_unless_object_eq_is_none {
    ($Handle:ident) => {
        #[automatically_derived]
        impl $crate::derive_support::PartialEq for $Handle {
            #[inline]
            fn eq(&self, other: &Self) -> $crate::derive_support::primitive::bool {
                $crate::derive_support::handles_equal(self, other)
            }
        }
        #[automatically_derived]
        impl $crate::derive_support::Eq for $Handle {}
        #[automatically_derived]
        impl $crate::derive_support::Hash for $Handle {
            #[inline]
            fn hash<S: $crate::derive_support::Hasher>(&self, state: &mut S) {
                $crate::derive_support::hash_handle(self, state);
            }
        }
    };
}

/// Implements `Display` with the function `$fmt`.
///
/// The compiler shows the name of the macro where the program has a `Display` too, and also the names of the macros for
/// `new` and for `==`. So the names say which word leaves the generated item out.
#[macro_export]
#[doc(hidden)]
macro_rules! display_unless_object_display_is_none {
    ($Handle:ident, $fmt:expr) => {
        #[automatically_derived]
        impl $crate::derive_support::Display for $Handle {
            #[inline]
            fn fmt(&self, f: &mut $crate::derive_support::Formatter<'_>) -> $crate::derive_support::FmtResult {
                $fmt(self, f)
            }
        }
    };
}

/// The constructor of a handle, with the parameters and the arguments in brackets, and the function that makes the object of its
/// node.
#[macro_export]
#[doc(hidden)]
macro_rules! new_unless_object_new_is_given {
    ($(#[$attr:meta])* fn $new:ident [$($params:tt)*] [$($args:tt)*] $make:ident $node:expr) => {
        $(#[$attr])*
        #[must_use]
        #[allow(unreachable_pub, reason = "as public as the handle; the lint would apply to this crate alone")]
        #[inline]
        pub fn $new $($params)* ($($args)*) -> Self {
            $crate::derive_support::$make($node)
        }
    };
}

/// Implements [`MakeMut`](crate::MakeMut) for a handle, which is not the handle of a singleton type.
#[macro_export]
#[doc(hidden)]
macro_rules! generated_make_mut {
    ($Handle:ident) => {
        const _: () = $crate::derive_support::can_be_changed::<$Handle>();
        // SAFETY: the constant above checks that the type is not a singleton type.
        #[automatically_derived]
        unsafe impl $crate::derive_support::MakeMut for $Handle {}
    };
}
