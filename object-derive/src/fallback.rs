//! The expansion of a type with mistakes: all that other code may name, without the parts that the mistake is in. So
//! the user sees the mistake, and no errors from the places that use the type.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Ident, Path, Type};

use crate::expand::{self, handle, setters, singleton};
use crate::model::{Constructor, Enum, Field, Node};
use crate::names::handle_stem;
use crate::{check, std_types, types};

/// The handle with its traits and the heads of its functions; tables are empty and bodies diverge.
pub(crate) fn node(mut node: Node) -> TokenStream {
    let field_types = types_of_fields(&node);
    if check::base_without_parent(&node).is_some() {
        node.base_field = Some(node.fields.remove(0));
        node.parent = base_type(&node);
    } else if !check::parent_is_usable(&node) {
        node.parent = base_type(&node).filter(|base| !base.is_ident(&node.ident));
    }
    let (declaration, extension) = (handle::declaration(&node), setters::extension(&node, false));
    let (impls, casts, functions) =
        (handle::impls(&node, &quote!(Unknown)), handle::casts(&node, false), functions(&node));
    let (ident, handle) = (&node.ident, &node.handle);
    let parent = expand::parent_alias(&node);
    let is_final = !node.is_base();
    let code = quote! {
        #parent
        __object::generated_node! {
            opaque #ident #handle #is_final {} __object::OpaqueCopy::NONE, __object::TypeSpec::NONE
        }
        #impls
        #casts
        #functions
        #field_types
    };
    let (lints, scope) = (node.lints.allowed(), expand::scope(&node.krate, &code));
    quote!(#declaration #lints #scope #extension)
}

/// The [`field_types`] of the fields without another mistake.
fn types_of_fields(node: &Node) -> TokenStream {
    let base = check::base_without_parent(node).map(|field| &field.ident);
    // An attribute that the macro cannot read may say that no algorithm sees the fields, or a field.
    let is_understood = |field: &Field| node.object.is_understood() && field.args.is_understood();
    let fields = node.reflected().iter().filter(|field| is_understood(field) && Some(&field.ident) != base);
    field_types(&node.ident, fields.map(|field| &field.ty))
}

/// Uses of the types of `item` as field types, so that the compiler reports those that are not, and that the macro does
/// not report.
fn field_types<'a>(item: &Ident, types: impl Iterator<Item = &'a Type>) -> TokenStream {
    let check = |ty| {
        let (span, ty) = (expand::generated_for(ty), types::without_self(ty, item));
        quote_spanned!(span=> const _: fn(&#ty) = |value| { <#ty as __object::FieldType>::view(value); };)
    };
    types.flat_map(std_types::unreported).map(check).collect()
}

/// The path of the base field's type, which tells the parent where `parent` does not, if it is the name of a node struct.
fn base_type(node: &Node) -> Option<Path> {
    let Type::Path(base) = types::plain(&node.base_field.as_ref()?.ty) else { return None };
    let last = base.path.segments.last()?;
    (last.arguments.is_none() && handle_stem(&last.ident).is_some()).then(|| base.path.clone())
}

/// The functions among `new`, `new_base` and `get` that the type has.
fn functions(node: &Node) -> TokenStream {
    let (ident, handle) = (&node.ident, &node.handle);
    let body = quote!({ ::core::panic!() });
    let name = match &node.new {
        Constructor::Public => Some(Ident::new("new", Span::call_site())),
        Constructor::Private(name) => Some(name.clone()),
        Constructor::None => None,
    };
    let new = name.filter(|_| node.is_constructible()).map(|name| {
        let signature = expand::signature(node, false);
        let (params, args) = (signature.params(), signature.args());
        quote!(pub fn #name #params(#args) -> Self #body)
    });
    let get = node.is_singleton().then(|| {
        let (get, all) = (singleton::get(node), singleton::all(node).map(|all| quote!(#all #body)));
        quote!(#get #body #all)
    });
    let new_base = node.is_base().then(|| {
        let signature = expand::signature(node, true);
        let (params, args) = (signature.params(), signature.args());
        quote!(impl #ident { #[allow(unused_variables, missing_docs)] pub fn new_base #params(#args) -> Self #body })
    });
    let setters = setters::methods(node, false);
    quote! {
        #[allow(unused_variables, missing_docs)]
        impl #handle { #new #get }
        #new_base
        #setters
    }
}

/// An enum that is a field type of some kind.
pub(crate) fn enumeration(item: &Enum) -> TokenStream {
    let Enum { ident, .. } = item;
    let body = quote!({ ::core::panic!() });
    let values = item.variants.iter().flat_map(|variant| &variant.fields);
    let field_types = field_types(ident, values.map(|field| &field.ty));
    quote! {
        #[automatically_derived]
        impl __object::FieldType for #ident {
            const STORAGE: __object::StorageOf<Self> = __object::StorageOf::OTHER;
            const CONTENTS: __object::FieldContents = __object::FieldContents::Unknown;
            fn view(&self) -> __object::AnyView<'_> #body
            fn from_any(_: __object::Any) -> ::core::result::Result<Self, __object::Error> #body
            fn accepts(_: __object::AnyView<'_>) -> bool #body
            fn schema() -> __object::TypeSchema #body
        }
        #[automatically_derived]
        impl ::core::convert::From<#ident> for __object::Any {
            fn from(_: #ident) -> Self #body
        }
        #field_types
    }
}
