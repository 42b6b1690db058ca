//! [`variants_of!`](crate::variants_of): the objects behind a handle of an open type as an enum, for exhaustive matching.

/// Declares an enum of references to the listed handles of types that extend an open one, with `of` to look at an object
/// as that enum. A crate lists the nodes of its language once; then each `match` has to deal with all of them, and the
/// compiler finds every place that a new node has to be added to.
///
/// The variants are named after the handles; `Name(path::to::Handle)` says otherwise. Objects of types that are not listed
/// (other crates may declare some) are `Other`. The first variant that fits is taken, so a type stands before its parent.
///
/// ```
/// use object_core::prelude::*;
///
/// #[derive(Object)]
/// #[object(type_key = "kinds.Expr", base)]
/// pub struct ExprNode {}
///
/// #[derive(Object)]
/// #[object(type_key = "kinds.Int", parent = ExprNode)]
/// #[structural_eq(tree)]
/// pub struct IntNode {
///     pub base: ExprNode,
///     pub value: i64,
/// }
///
/// #[derive(Object)]
/// #[object(type_key = "kinds.Add", parent = ExprNode)]
/// #[structural_eq(tree)]
/// pub struct AddNode {
///     pub base: ExprNode,
///     pub a: Expr,
///     pub b: Expr,
/// }
///
/// object_core::variants_of! {
///     /// The expressions of this language.
///     pub enum ExprKind of Expr { Int, Add }
/// }
///
/// fn value(expr: &Expr) -> Option<i64> {
///     match ExprKind::of(expr) {
///         ExprKind::Int(int) => Some(int.value),
///         ExprKind::Add(add) => Some(value(&add.a)? + value(&add.b)?),
///         ExprKind::Other(_) => None,
///     }
/// }
/// assert_eq!(value(&Add::new(Int::new(1), Int::new(2)).into()), Some(3));
/// ```
///
/// A handle of a type that does not extend the open one is refused:
///
/// ```compile_fail,E0277
/// # use object_core::prelude::*;
/// # #[derive(Object)]
/// # #[object(type_key = "kinds.Expr", base)]
/// # pub struct ExprNode {}
/// object_core::variants_of! {
///     enum ExprKind of Expr { Text(Str) }
/// }
/// ```
#[macro_export]
macro_rules! variants_of {
    (
        $(#[$attr:meta])*
        $vis:vis enum $name:ident of $base:ty { $($(#[$variant_attr:meta])* $variant:ident $(($handle:ty))?),+ $(,)? }
    ) => {
        $(#[$attr])*
        #[derive(Clone, Copy, Debug)]
        $vis enum $name<'a> {
            $(
                $(#[$variant_attr])*
                #[doc = concat!("A `", stringify!($variant), "`.")]
                $variant(&'a $crate::variants_of!(@handle $variant $(($handle))?)),
            )+
            /// An object of a type that is not listed.
            Other(&'a $base),
        }

        impl<'a> $name<'a> {
            /// The object as one of the listed types.
            #[must_use]
            $vis fn of(object: &'a $base) -> Self {
                const fn listed<H: $crate::object::Extends<$base>>() {}
                $(
                    const { listed::<$crate::variants_of!(@handle $variant $(($handle))?)>() }
                    if let Some(it) = $crate::ObjectHandle::downcast_ref(object) {
                        return $name::$variant(it);
                    }
                )+
                $name::Other(object)
            }
        }

        impl<'a> From<&'a $base> for $name<'a> {
            fn from(object: &'a $base) -> Self {
                $name::of(object)
            }
        }
    };
    (@handle $variant:ident) => { $variant };
    (@handle $variant:ident ($handle:ty)) => { $handle };
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;

    /// The derive and the macro work inside of this crate, by its own name and by `crate`.
    #[derive(Object)]
    #[object(type_key = "kinds_tests.Expr", base)]
    struct ExprNode {}

    #[derive(Object)]
    #[object(type_key = "kinds_tests.Int", parent = ExprNode, crate = crate)]
    #[structural_eq(tree)]
    struct IntNode {
        base: ExprNode,
        value: i64,
    }

    #[derive(Object)]
    #[object(type_key = "kinds_tests.Unit", parent = ExprNode)]
    #[structural_eq(tree)]
    struct UnitNode {
        base: ExprNode,
    }

    crate::variants_of! {
        enum ExprKind of Expr { Int }
    }

    #[test]
    fn objects_are_seen_as_what_they_are() {
        let exprs: [Expr; 2] = [Int::new(3).into(), Unit::new().into()];
        assert!(matches!(ExprKind::of(&exprs[0]), ExprKind::Int(int) if int.value == 3));
        assert!(matches!(ExprKind::from(&exprs[1]), ExprKind::Other(other) if other.ptr_eq(&exprs[1])));
    }
}
