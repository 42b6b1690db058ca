//! Names of items as texts.

use syn::Ident;

/// `Expr` for `ExprNode`: the name of a handle, if it follows from the name of the node struct.
pub(crate) fn handle_stem(node: &Ident) -> Option<Ident> {
    let name = unraw(node);
    let stem = name.strip_suffix("Node").filter(|stem| syn::parse_str::<Ident>(stem).is_ok())?;
    Some(Ident::new(stem, node.span()))
}

/// The name without `r#`.
pub(crate) fn unraw(ident: &Ident) -> String {
    syn::ext::IdentExt::unraw(ident).to_string()
}
