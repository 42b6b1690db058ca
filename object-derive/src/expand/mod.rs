//! From the model to code. Each file writes one part of the output; all of it is data and calls, no algorithm.

use proc_macro2::TokenStream;
use quote::quote;

use crate::model::Node;

mod assertions;
mod constructors;
mod defaults;
pub(crate) mod enums;
pub(crate) mod handle;
mod paths;
pub(crate) mod setters;
pub(crate) mod singleton;
pub(crate) mod sums;
mod type_info;

#[cfg(test)]
pub(crate) use assertions::rule_names;
pub(crate) use assertions::{VARIANT_IS_REACHABLE, VARIANT_OF_BASE, VISITOR_HANDLES_DIFFER};
pub(crate) use constructors::signature;
#[cfg(test)]
pub(crate) use paths::support;
pub(crate) use paths::{generated_at, generated_for, parent_alias, scope, spanned_as_generated};

/// Everything that the derive adds to a node struct:
///
/// ```text
/// pub struct X(Pointer<XNode>);
/// const _: () = {
///     use ... as __object;
///     type __ObjectParent = PNode;
///     __object::generated_node! { XNode ... }
///     __object::generated_handle!(X, ...);
///     impl X { pub fn new(...) -> X { ... } }
///     ...
/// };
/// ```
pub(crate) fn node(node: &Node) -> TokenStream {
    let (declaration, extension) = (handle::declaration(node), setters::extension(node, true));
    let (ident, parent) = (&node.ident, parent_alias(node));
    let parts = [
        type_info::table(node),
        handle::impls(node, &quote!(Objects(<#ident as __object::Object>::TABLE))),
        handle::inherited_fields(node).unwrap_or_default(),
        handle::casts(node, true),
        constructors::all(node),
        setters::methods(node, true).unwrap_or_default(),
        singleton::table(node).unwrap_or_default(),
        assertions::all(node),
    ];
    let scope = scope(
        &node.krate,
        &quote!(#parent #(#parts)* __object::submit_type!(<#ident as __object::Object>::TYPE_INFO);),
    );
    let lints = node.lints.allowed();
    quote!(#declaration #lints #scope #extension)
}
