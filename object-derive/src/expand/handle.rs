//! The handle type, its trait impls, and the casts between handles.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::Ident;

use super::constructors::signature;
use super::paths::{generated_for, parent_handle, parent_type, support, type_parameter};
use crate::model::{HandleEq, Node};

/// The handle itself. It is declared beside the node struct, with the same visibility and documentation.
pub(crate) fn declaration(node: &Node) -> TokenStream {
    let Node { ident, handle, vis, krate, .. } = node;
    let docs = node.docs.attrs();
    let casts = match node.parent {
        Some(_) => " `TryFrom` makes it of handles of its ancestors, and `Into` makes those of it.",
        None => "",
    };
    let about = format!("The handle of [`{ident}`]: a counted pointer to it.{casts}");
    let (support, lints) = (support(krate), node.lints.of_handle());
    let gap = (!docs.is_empty()).then(|| quote!(#[doc = ""]));
    quote! {
        #(#docs)*
        #gap
        #[doc = #about]
        #lints
        #[repr(transparent)]
        #vis struct #handle(#support::Pointer<#ident>);
    }
}

/// The traits that every handle implements; `holds` is the `FieldContents` of its objects.
pub(crate) fn impls(node: &Node, holds: &TokenStream) -> TokenStream {
    let Node { ident, handle, .. } = node;
    let make_mut = (!node.is_singleton()).then(|| quote!(__object::generated_make_mut!(#handle);));
    let display = node.has_display().then(|| {
        // The parent may have its own form, which is the form of all types that extend it.
        let fmt = match parent_handle(node) {
            Some(parent) => {
                let span = generated_for(&parent);
                quote_spanned!(span=> __object::fmt_as::<#parent, _>)
            }
            None => quote!(__object::fmt_debug),
        };
        quote!(__object::display_unless_object_display_is_none!(#handle, #fmt);)
    });
    let from_node = node.is_constructible().then(|| {
        quote! {
            #[automatically_derived]
            impl ::core::convert::From<#ident> for #handle {
                #[inline]
                fn from(node: #ident) -> Self { __object::new_object(node) }
            }
        }
    });
    let eq = (node.eq != HandleEq::None).then(|| quote!(__object::eq_unless_object_eq_is_none!(#handle);));
    quote! {
        __object::generated_handle!(#handle, #ident, __object::FieldContents::#holds);
        #make_mut
        #eq
        #[automatically_derived]
        impl ::core::clone::Clone for #handle {
            #[inline]
            fn clone(&self) -> Self { __object::clone_handle(self) }
        }
        #[automatically_derived]
        impl ::core::fmt::Debug for #handle {
            #[inline]
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result { __object::fmt_debug(self, f) }
        }
        #display
        #[automatically_derived]
        impl ::core::ops::Deref for #handle {
            type Target = #ident;
            #[inline]
            fn deref(&self) -> &#ident { __object::node_of(self) }
        }
        #from_node
        #[automatically_derived]
        impl ::core::convert::From<#handle> for __object::ObjectRef {
            #[inline]
            fn from(handle: #handle) -> Self { __object::ObjectHandle::into_object(handle) }
        }
        #[automatically_derived]
        impl ::core::convert::From<#handle> for __object::Any {
            #[inline]
            fn from(handle: #handle) -> Self { __object::Any::Object(__object::ObjectHandle::into_object(handle)) }
        }
        #[automatically_derived]
        impl ::core::convert::TryFrom<__object::ObjectRef> for #handle {
            type Error = __object::Error;
            #[inline]
            fn try_from(object: __object::ObjectRef) -> ::core::result::Result<Self, Self::Error> {
                __object::try_from_object(object)
            }
        }
        #[automatically_derived]
        impl ::core::convert::TryFrom<__object::Any> for #handle {
            type Error = __object::Error;
            #[inline]
            fn try_from(value: __object::Any) -> ::core::result::Result<Self, Self::Error> {
                <Self as __object::FieldType>::from_any(value)
            }
        }
    }
}

/// The node of a type with a parent dereferences to the parent's part: inherited fields keep their names.
pub(crate) fn inherited_fields(node: &Node) -> Option<TokenStream> {
    // The type as written at the field: an assertion compares it with the parent.
    let (ident, parent) = (&node.ident, &node.base_field.as_ref()?.ty);
    // A parent that is less visible than the type is an error at each associated type. So only the table names the parent,
    // unless the field has the type by another path, which can be another type.
    let is_same_path =
        node.parent.as_ref().is_some_and(|path| quote!(#path).to_string() == quote!(#parent).to_string());
    let target = if is_same_path { quote!(<#ident as __object::Object>::Parent) } else { quote!(#parent) };
    Some(quote! {
        #[automatically_derived]
        impl ::core::ops::Deref for #ident {
            type Target = #target;
            #[inline]
            fn deref(&self) -> &#parent { &self.base }
        }
        #[automatically_derived]
        impl ::core::ops::DerefMut for #ident {
            #[inline]
            fn deref_mut(&mut self) -> &mut #parent { &mut self.base }
        }
    })
}

/// Upcasts to every ancestor follow from two facts per type: a base is its own base, and a type extends whatever its
/// parent is or extends. The compiler has to see that no type extends itself, also where another crate declares the
/// ancestors; so the conditions name the parent's struct, and not an associated type of it.
///
/// Each fact comes with a proof, which follows from the type table; without a table (`has_table`), there is none.
pub(crate) fn casts(node: &Node, has_table: bool) -> TokenStream {
    let Node { ident, handle, .. } = node;
    let ancestor = ancestor_parameter(node);
    let own = if node.is_base() {
        let descendant = type_parameter("descendant", &quote!(#ident #handle));
        let arguments = signature(node, true);
        let arg_names = arguments.names();
        quote! {
            #[automatically_derived]
            impl<__C> __object::BaseOf<__C> for #ident {
                type BaseHandle = #handle;
                const ARG_NAMES: &'static [&'static ::core::primitive::str] = &[#(#arg_names),*];
            }
            #[automatically_derived]
            #[doc(hidden)]
            impl __object::IsOrExtends<#handle> for #ident {
                const UPCAST: __object::Upcast<#ident, #handle> = __object::Upcast::SAME;
            }
            #[automatically_derived]
            impl<#descendant: __object::UpcastsTo<#handle>> ::core::convert::From<#descendant> for #handle {
                #[inline]
                fn from(handle: #descendant) -> Self { __object::UpcastsTo::upcast(handle) }
            }
        }
    } else {
        quote! {
            #[automatically_derived]
            impl ::core::convert::From<&#handle> for #handle {
                #[inline]
                fn from(handle: &#handle) -> Self { ::core::clone::Clone::clone(handle) }
            }
        }
    };
    let child = parent_handle(node).map(|parent_handle| {
        // All with the span of the parent, so that a type that cannot be a parent makes one error.
        let span = generated_for(&parent_handle);
        let parent = parent_type(node);
        let upcast = if has_table {
            quote_spanned!(span=> __object::Upcast::of_child(&<#parent as __object::IsOrExtends<#ancestor>>::UPCAST))
        } else {
            quote!(::core::panic!())
        };
        let mut handle = handle.clone();
        handle.set_span(span);
        let inherited = node.is_base().then(|| {
            quote_spanned! {span=>
                #[automatically_derived]
                #[doc(hidden)]
                impl<#ancestor: __object::ObjectHandle> __object::IsOrExtends<#ancestor> for #ident
                where
                    #handle: __object::Extends<#ancestor>,
                {
                    const UPCAST: __object::Upcast<#ident, #ancestor> = <#handle as __object::Extends<#ancestor>>::UPCAST;
                }
            }
        });
        quote_spanned! {span=>
            #[automatically_derived]
            impl<#ancestor: __object::ObjectHandle> __object::Extends<#ancestor> for #handle
            where
                #parent: __object::IsOrExtends<#ancestor>,
            {
                const UPCAST: __object::Upcast<#ident, #ancestor> = #upcast;
            }
            #inherited
            // Only the parent knows the name of its handle, so rustdoc would show a projection.
            #[automatically_derived]
            #[doc(hidden)]
            impl ::core::convert::TryFrom<#parent_handle> for #handle {
                type Error = __object::Error;
                #[inline]
                fn try_from(handle: #parent_handle) -> ::core::result::Result<Self, Self::Error> {
                    __object::try_from_object(__object::ObjectHandle::into_object(handle))
                }
            }
            #[automatically_derived]
            #[doc(hidden)]
            impl ::core::convert::TryFrom<&#parent_handle> for #handle {
                type Error = __object::Error;
                #[inline]
                fn try_from(handle: &#parent_handle) -> ::core::result::Result<Self, Self::Error> {
                    ::core::convert::TryFrom::try_from(::core::clone::Clone::clone(handle))
                }
            }
        }
    });
    let borrowed = borrowed_casts(node);
    quote!(#own #child #borrowed)
}

/// The type parameter for the handle of an ancestor.
fn ancestor_parameter(node: &Node) -> Ident {
    let (ident, handle, parent) = (&node.ident, &node.handle, &node.parent);
    type_parameter("ancestor", &quote!(#ident #handle #parent))
}

/// Upcasts of a reference. A type that is neither a base nor a child has nothing to cast to.
fn borrowed_casts(node: &Node) -> Option<TokenStream> {
    let Node { ident, handle, .. } = node;
    let ancestor = ancestor_parameter(node);
    // Only the handle of a base can stand for several types, so only there a cast to the handle itself is of use.
    let (from, bound) = if node.is_base() {
        (ident, quote!(__object::IsOrExtends<#ancestor>))
    } else {
        node.parent.as_ref().map(|_| (handle, quote!(__object::Extends<#ancestor>)))?
    };
    let casts_to_a = quote!(#from: #bound);
    Some(quote! {
        #[automatically_derived]
        impl<#ancestor: __object::ObjectHandle> __object::UpcastsTo<#ancestor> for &#handle
        where
            #casts_to_a,
        {
            type Node = #ident;
            const UPCAST: __object::Upcast<#ident, #ancestor> = <#from as #bound>::UPCAST;
            #[inline]
            fn upcast(self) -> #ancestor { ::core::clone::Clone::clone(__object::upcast_ref(self)) }
        }
        #[automatically_derived]
        impl<#ancestor: __object::ObjectHandle> ::core::convert::AsRef<#ancestor> for #handle
        where
            #casts_to_a,
        {
            #[inline]
            fn as_ref(&self) -> &#ancestor { __object::upcast_ref(self) }
        }
    })
}

/// The type key as written.
pub(super) fn type_key(node: &Node) -> TokenStream {
    match &node.object.values.type_key {
        Some(key) => quote!(#key),
        None => quote!(""),
    }
}
