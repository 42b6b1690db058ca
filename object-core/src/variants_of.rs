//! [`variants_of!`](crate::variants_of): an enum of the types that extend an open type, for exhaustive matching.

/// Declares an enum with one variant for each listed handle, of types that extend an open type. Each variant holds a
/// reference. The function `of` converts a handle of the open type to the enum. If a crate lists the nodes of its language
/// once, the compiler reports every `match` that does not handle a new node.
///
/// Each variant has the name of its handle, the last one of a path, unless the list writes `Name(path::to::Handle)`. Objects
/// of other types, which other crates may declare, are `Other`. An object is the first variant that accepts it, so a type
/// stands before its parent; the compiler rejects a variant that an earlier one covers.
///
/// The open type may be `ObjectRef`, and a handle may be an array or a map: `enum Kind of ObjectRef { Str, Array<Expr> }`.
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
/// The compiler rejects a handle of a type that does not extend the open type:
///
/// ```compile_fail,E0080
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
    ($($tokens:tt)*) => {
        $crate::derive_support::variants_of! { ($crate) $($tokens)* }
    };
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;

    /// The derive and the macro work inside this crate, by its name and by `crate`.
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
    fn objects_are_the_variant_of_their_type() {
        let exprs: [Expr; 2] = [Int::new(3).into(), Unit::new().into()];
        assert!(matches!(ExprKind::of(&exprs[0]), ExprKind::Int(int) if int.value == 3));
        assert!(matches!(ExprKind::from(&exprs[1]), ExprKind::Other(other) if other.ptr_eq(&exprs[1])));
    }
}
