//! Node structs for the cases in `tests/`, which extend them from another crate.
#![forbid(unsafe_code)]

use object_core::prelude::*;

/// Base of all expressions.
#[derive(Object)]
#[object(type_key = "upstream.Expr", base)]
#[structural_eq(tree)]
pub struct ExprNode {
    /// The place in the source.
    #[field(ignore)]
    pub span: Option<Str>,
}

/// Base of all variables.
#[derive(Object)]
#[object(type_key = "upstream.Var", parent = ExprNode, base)]
#[structural_eq(var)]
pub struct VarNode {
    /// The part of [`ExprNode`].
    pub base: ExprNode,
    /// The name.
    #[field(ignore)]
    pub name: Str,
}

/// A type that nothing extends.
#[derive(Object)]
#[object(type_key = "upstream.Const", parent = ExprNode)]
#[structural_eq(tree)]
pub struct ConstNode {
    /// The part of [`ExprNode`].
    pub base: ExprNode,
    /// The value.
    pub value: i64,
}

/// A trait over an open hierarchy, which other crates implement for their types.
pub trait Cost {
    /// The cost of evaluating the expression.
    fn cost(&self) -> i64;
}

impl Cost for Expr {
    fn cost(&self) -> i64 {
        self.as_trait::<dyn Cost>().map_or(1, |it| it.cost())
    }
}

impl Cost for Const {
    fn cost(&self) -> i64 {
        0
    }
}

object_core::register_impl!(Const as dyn Cost);

/// A function of the language. Other crates add instances.
#[derive(Object)]
#[object(type_key = "upstream.Func", base)]
#[structural_eq(singleton, key = name, table = functions)]
pub struct FuncNode {
    /// The key.
    pub name: Str,
    /// The number of arguments.
    pub arity: i64,
}

fn functions() -> Vec<FuncNode> {
    vec![FuncNode { name: "add".into(), arity: 2 }]
}

/// Writes the handle `$Handle` of the node `$Node` without the derive, as safe code that attacks the runtime can.
#[macro_export]
macro_rules! handle {
    ($Handle:ident $Node:ident) => {
        struct $Handle(object_core::derive_support::Pointer<$Node>);
        object_core::generated_handle!($Handle, $Node, object_core::derive_support::FieldContents::Plain);
        impl std::ops::Deref for $Handle {
            type Target = $Node;
            fn deref(&self) -> &$Node {
                object_core::derive_support::node_of(self)
            }
        }
        impl Clone for $Handle {
            fn clone(&self) -> Self {
                $Handle(self.0.clone())
            }
        }
    };
}

/// The guide and the documentation of the macros: their code runs as tests of this crate. With `object-core`, on which the
/// examples of the macros depend, `object-derive` would have Cargo compile `object-core` twice.
#[cfg(doctest)]
mod guide {
    #[doc = include_str!("../../object-core/README.md")]
    struct Core;
    #[doc = include_str!("../../object-derive/README.md")]
    struct Derive;
    #[doc = include_str!("../../object-derive/docs/reference.md")]
    struct Reference;
    #[doc = include_str!("../../object-derive/docs/object_methods.md")]
    struct ObjectMethods;
    #[doc = include_str!("../../docs/what_the_derive_generates.md")]
    struct WhatTheDeriveGenerates;
    #[doc = include_str!("../../docs/1_first_ir.md")]
    struct FirstIr;
    #[doc = include_str!("../../docs/2_binders.md")]
    struct Binders;
    #[doc = include_str!("../../docs/3_custom_hooks.md")]
    struct CustomHooks;
    #[doc = include_str!("../../docs/4_handles.md")]
    struct Handles;
    #[doc = include_str!("../../docs/11_plug_ins.md")]
    struct PlugIns;
    #[doc = include_str!("../../docs/17_declarations_that_change.md")]
    struct DeclarationsThatChange;
}
