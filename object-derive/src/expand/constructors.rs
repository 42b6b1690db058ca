//! `X::new` and `XNode::new_base`.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Ident, Type};

use super::defaults::{default_functions, default_value, skipped_values};
use super::paths::{generated_for, named_at, parent_type, spanned_as_generated, type_parameter};
use crate::model::{Arg, Constructor, Field, Node};
use crate::names::unraw;
use crate::types;

/// The largest number of arguments of a function that clippy accepts.
const MANY: usize = 7;

/// The arguments of a constructor.
pub(crate) struct Signature<'a> {
    args: Vec<(&'a Ident, &'a Type)>,
    /// Whether all arguments have the types of the fields.
    is_exact: bool,
}

/// The values that a constructor accepts for a field.
enum Accepts {
    /// Values of the field's type. The compiler infers the type of a literal from it, and the type of a plain `None`.
    Exact,
    /// All values that convert to the field's type.
    Convertible,
    /// All values that convert to the field's type, containers of more specific handles, and iterators.
    Elements,
}

impl Accepts {
    fn of(ty: &Type) -> Self {
        if types::is_option(ty) || types::is_number(ty) {
            Accepts::Exact
        } else if types::is_container(ty) {
            Accepts::Elements
        } else {
            Accepts::Convertible
        }
    }
}

impl<'a> Signature<'a> {
    /// One argument with the name of a field, which accepts as much as the constructor does.
    pub(super) fn of_one(name: &'a Ident, ty: &'a Type) -> Self {
        Signature { args: vec![(name, ty)], is_exact: false }
    }

    /// One argument of exactly this type.
    pub(super) fn exact(name: &'a Ident, ty: &'a Type) -> Self {
        Signature { args: vec![(name, ty)], is_exact: true }
    }

    fn accepts(&self, ty: &Type) -> Accepts {
        if self.is_exact { Accepts::Exact } else { Accepts::of(ty) }
    }

    /// The arguments with their types, such as `name: impl Into<T>`.
    pub(crate) fn args(&self) -> TokenStream {
        self.args_in(&quote!(__object))
    }

    /// As [`args`](Self::args), with the path of the module for generated code.
    pub(super) fn args_in(&self, support: &TokenStream) -> TokenStream {
        let args = self.args.iter().map(|(name, ty)| match self.accepts(ty) {
            Accepts::Exact => quote!(#ty),
            Accepts::Convertible => quote!(impl ::core::convert::Into<#ty>),
            Accepts::Elements => {
                let form = self.form(name);
                quote!(impl #support::IntoContainer<#ty, #form>)
            }
        });
        let names = self.args.iter().map(|(name, _)| spanned_as_generated(name));
        quote!(#(#names: #args),*)
    }

    /// The type parameters that [`args`](Self::args) uses.
    pub(crate) fn params(&self) -> Option<TokenStream> {
        let elements = self.args.iter().filter(|(_, ty)| matches!(self.accepts(ty), Accepts::Elements));
        let params: Vec<Ident> = elements.map(|(name, _)| self.form(name)).collect();
        (!params.is_empty()).then(|| quote!(<#(#params),*>))
    }

    /// The type parameter for the form in which a caller gives the container `name`. rustdoc shows it.
    fn form(&self, name: &Ident) -> Ident {
        let types = self.types();
        type_parameter(&format!("{}_form", unraw(name)), &types)
    }

    /// The names of the arguments, without `r#`.
    pub(super) fn names(&self) -> impl Iterator<Item = String> {
        self.args.iter().map(|(name, _)| unraw(name))
    }

    /// The arguments by their names.
    fn idents(&self) -> TokenStream {
        let idents = self.args.iter().map(|(name, _)| spanned_as_generated(name));
        quote!(#(#idents,)*)
    }

    /// The types of the arguments.
    fn types(&self) -> TokenStream {
        let types = self.args.iter().map(|(_, ty)| ty);
        quote!(#(#types,)*)
    }

    /// An attribute for functions with many arguments.
    pub(crate) fn allow(&self) -> Option<TokenStream> {
        (self.args.len() > MANY).then(|| {
            let reason = "one argument per field";
            quote!(#[allow(clippy::too_many_arguments, reason = #reason)])
        })
    }
}

/// The argument `name`, converted to the type `ty`. The types are written, because the parent's `new_base` may name the same
/// type by an alias, and then it accepts any value that converts to it.
pub(super) fn converted(name: &Ident, ty: &Type) -> TokenStream {
    let name = spanned_as_generated(name);
    match Accepts::of(ty) {
        Accepts::Exact => quote!(#name),
        Accepts::Convertible => quote!(::core::convert::Into::<#ty>::into(#name)),
        Accepts::Elements => quote!(__object::IntoContainer::<#ty, _>::into_container(#name)),
    }
}

/// The arguments of `X::new`, or with `of_base` of `XNode::new_base`: first the arguments of the parent's part, then
/// one for each own field that has no default.
pub(crate) fn signature(node: &Node, of_base: bool) -> Signature<'_> {
    let inherited = node.base_args.iter().filter(|arg| !(of_base && is_optional(arg))).map(|arg| (&arg.ident, &arg.ty));
    let own = node.fields.iter().filter(|field| is_arg(field, of_base)).map(|field| (&field.ident, &field.ty));
    let mut args: Vec<(&Ident, &Type)> = Vec::new();
    for (name, ty) in inherited.chain(own) {
        // A rule reports two arguments of one name; the fallback keeps the first.
        if args.iter().all(|(earlier, _)| *earlier != name) {
            args.push((name, ty));
        }
    }
    Signature { args, is_exact: false }
}

pub(super) fn is_arg(field: &Field, of_base: bool) -> bool {
    field.is_required() && !(of_base && field.is_option())
}

/// Whether the argument is an optional field of the parent's part. The parent's `new_base` does not take it, so the
/// constructor sets it afterwards.
pub(super) fn is_optional(arg: &Arg) -> bool {
    types::is_option(&arg.ty)
}

/// The constructors that the type has.
pub(super) fn all(node: &Node) -> TokenStream {
    let defaults = default_functions(node);
    let new = new(node);
    let new_base = node.is_base().then(|| new_base(node));
    quote!(#defaults #new #new_base)
}

fn new(node: &Node) -> Option<TokenStream> {
    if !node.is_constructible() {
        return None;
    }
    let (handle, signature, value) = (&node.handle, signature(node, false), value(node, false));
    let (params, args, allow) = (signature.params(), signature.args(), signature.allow());
    let arguments = "The arguments are the required fields, in the order of their declaration.";
    let function = match &node.new {
        Constructor::Public => {
            let name = named_at("new", &node.ident);
            let doc = format!("A new object. {arguments} For a `new` of your own, write `#[object(new = NAME)]`.");
            let (make, panics) = make(node);
            quote! {
                __object::new_unless_object_new_is_given! {
                    #[doc = #doc] #panics #allow fn #name [#params] [#args] #make #value
                }
            }
        }
        Constructor::Private(name) => {
            let doc = format!("A new object, as the derive makes it. {arguments}");
            let (make, panics) = make(node);
            quote! {
                #[doc = #doc]
                #panics
                #[must_use]
                #allow
                #[allow(dead_code, reason = "without it, nothing but `From` makes an object")]
                #[inline]
                fn #name #params(#args) -> Self {
                    __object::#make(#value)
                }
            }
        }
        Constructor::None => return None,
    };
    let fallible = node.has_checks().then(|| try_new(node, &signature, &value)).flatten();
    Some(quote! {
        #[automatically_derived]
        impl #handle { #function #fallible }
    })
}

/// The function of the runtime that makes the object, and the attributes of a constructor that panics.
fn make(node: &Node) -> (Ident, Option<TokenStream>) {
    let panics = node.has_checks().then(|| {
        quote! {
            ///
            /// # Panics
            /// If a word of the declaration does not allow a value; the function with `try_` before its name returns an error.
            #[track_caller]
        }
    });
    let name = if panics.is_some() { "new_checked_object" } else { "new_object" };
    (Ident::new(name, proc_macro2::Span::call_site()), panics)
}

/// `X::try_new`, for a type with words about values.
fn try_new(node: &Node, signature: &Signature<'_>, value: &TokenStream) -> Option<TokenStream> {
    let (params, args, allow) = (signature.params(), signature.args(), signature.allow());
    let (name, vis) = match &node.new {
        Constructor::Public => (named_at("try_new", &node.ident), Some(quote!(pub))),
        Constructor::Private(name) => (quote::format_ident!("try_{}", unraw(name), span = name.span()), None),
        Constructor::None => return None,
    };
    Some(quote! {
        /// A new object, with the arguments of the constructor that panics.
        ///
        /// # Errors
        /// `CheckFailed` for a value that a word of the declaration does not allow, with the path of the field.
        #allow
        #[allow(dead_code, unreachable_pub, reason = "as public as the handle, and a counterpart of `new`")]
        #[inline]
        #vis fn #name #params(#args) -> __object::Result<Self> {
            __object::try_new_object(#value)
        }
    })
}

fn new_base(node: &Node) -> TokenStream {
    let (ident, new_base) = (&node.ident, named_at("new_base", &node.ident));
    let signature = signature(node, true);
    let (params, args, allow) = (signature.params(), signature.args(), signature.allow());
    let (names, types) = (signature.idents(), signature.types());
    let value = value(node, true);
    quote! {
        #[automatically_derived]
        impl #ident {
            /// The part of this type in a new object of a type that extends it. The arguments are the required fields;
            /// optional ones are empty.
            #[must_use]
            #allow
            #[inline]
            pub fn #new_base #params(#args) -> Self {
                #value
            }
        }
        #[automatically_derived]
        impl __object::NewBase<(#types)> for #ident {
            #[inline]
            fn from_args((#names): (#types)) -> Self {
                #ident::new_base(#names)
            }
        }
    }
}

/// `XNode { base: PNode::new_base(..), field: Into::into(field), defaulted: default }`
fn value(node: &Node, of_base: bool) -> TokenStream {
    let ident = &node.ident;
    let base = base(node, of_base);
    let own = node.fields.iter().map(|field| {
        let name = &field.ident;
        let value = match default_value(field) {
            Some(default) => default,
            None if is_arg(field, of_base) => converted(name, &field.ty),
            None => quote!(::core::option::Option::None),
        };
        let name = spanned_as_generated(name);
        quote!(#name: #value)
    });
    let own = own.chain(skipped_values(node));
    quote!(#ident { #base #(#own),* })
}

/// `base: BaseArgs::<PNode, _>::of((a, b)).build(),`
///
/// ```text
/// base: { let mut base = ..build(); base.span = span; base },
/// ```
pub(super) fn base(node: &Node, of_base: bool) -> Option<TokenStream> {
    let (parent, field) = (parent_type(node)?, node.base_field.as_ref()?);
    let name = &field.ident;
    let at = node.object.tokens_of("base_args");
    let span = if at.is_empty() { parent.span() } else { generated_for(&at) };
    let required = node.base_args.iter().filter(|arg| !is_optional(arg));
    let args = required.map(|arg| {
        let value = converted(&arg.ident, &arg.ty);
        // The parent may name the type by an alias, or accept it by a conversion.
        quote!(::core::convert::Into::into(#value))
    });
    let value = quote_spanned!(span=> __object::BaseArgs::<#parent, _>::of((#(#args,)*)).build());
    let optional = node.base_args.iter().filter(|arg| !of_base && is_optional(arg));
    let set: TokenStream = optional
        .map(|arg| {
            let field = &arg.ident;
            let at = spanned_as_generated(field);
            quote!(base.#at = #field;)
        })
        .collect();
    let value = if set.is_empty() { value } else { quote!(let mut base = #value; #set base) };
    Some(quote!(#name: { use __object::NotABase as _; #value },))
}
