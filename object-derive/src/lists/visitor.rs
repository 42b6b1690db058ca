//! `visitor!`: from a list of handles to a trait with methods for each of them.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Attribute, Ident, Path, Token};

use super::{Entry, Item, Syntax, handle, prefixed};
use crate::expand::{VISITOR_HANDLES_DIFFER, generated_for, scope};
use crate::names::unraw;
use crate::report::Errors;
use crate::types::shown;

const SYNTAX: Syntax = Syntax {
    subject: "`visitor!` declares a trait",
    keyword: "trait",
    example: "trait ExprVisitor { var: Var, call: Call }",
    entry,
    line: "`name: Handle`, such as `call: Call`",
};

/// The trait, and the rules about its list.
pub(crate) fn visitor(krate: &Path, tokens: TokenStream, errors: &mut Errors) -> TokenStream {
    let Some(item) = Item::read(tokens, &SYNTAX, errors) else { return TokenStream::new() };
    if !item.head.is_empty() {
        let message = "`visitor!` declares a trait without parameters and supertraits";
        let help = format!("write `trait {} {{ ... }}`", item.name);
        errors.of(super::rule::list_form).add_help(&item.head, message, help);
    }
    let declaration = declaration(krate, &item);
    let checks = errors.is_empty().then(|| scope(krate, &checks(&item)));
    quote!(#declaration #checks)
}

/// `name: Handle`.
fn entry(input: ParseStream<'_>, attrs: Vec<Attribute>) -> syn::Result<Entry> {
    let name = input.call(Ident::parse_any)?;
    input.parse::<Token![:]>()?;
    Ok(Entry { attrs, name, handle: handle(input)? })
}

fn declaration(krate: &Path, item: &Item) -> TokenStream {
    let Item { attrs, vis, name, entries, .. } = item;
    let methods = entries.iter().map(|entry| methods(krate, entry));
    let table = entries.iter().map(|entry| table_entry(krate, entry));
    quote! {
        #(#attrs)*
        #vis trait #name: ::core::marker::Sized {
            #(#methods)*

            /// Called with objects of all other types before their children. By default it selects all children.
            fn enter_other(&mut self, _object: #krate::ObjectView<'_>, visit: &mut #krate::visit::Visit<'_>) {
                visit.children();
            }

            /// The types in the list, which have separate methods.
            #[must_use]
            fn node_types() -> ::std::vec::Vec<&'static #krate::TypeInfo> {
                #krate::visit::VisitorMethods::types(&<Self as #name>::methods())
            }

            /// The methods, by type.
            #[doc(hidden)]
            fn methods() -> ::std::vec::Vec<#krate::visit::VisitorMethods<Self>> {
                ::std::vec![#(#table),*]
            }

            /// Visits the graph below `root`, each object once.
            fn run(&mut self, root: &impl #krate::AsAnyView) {
                <Self as #name>::run_with(self, root, #krate::visit::WalkOptions::new());
            }

            /// Visits the graph below `root` with options.
            fn run_with(&mut self, root: &impl #krate::AsAnyView, options: #krate::visit::WalkOptions) {
                let methods = <Self as #name>::methods();
                #krate::visit::run_visitor(self, root, options, &methods, <Self as #name>::enter_other);
            }
        }
    }
}

/// `enter_x`, `super_enter_x` and `leave_x`.
fn methods(krate: &Path, entry: &Entry) -> TokenStream {
    let Entry { attrs, name, handle } = entry;
    let [enter, super_enter, leave] = ["enter_", "super_enter_", "leave_"].map(|prefix| prefixed(prefix, name));
    let shown = shown(handle);
    let doc_enter = format!("Called with a `{shown}` before its children.");
    let doc_super = format!("Selects all children of a `{shown}`: the default of `{enter}`.");
    let doc_leave = format!("Called with a `{shown}` after its selected children.");
    quote! {
        #(#attrs)*
        #[doc = #doc_enter]
        fn #enter(&mut self, node: &#handle, visit: &mut #krate::visit::Visit<'_>) {
            self.#super_enter(node, visit);
        }

        #[doc = #doc_super]
        fn #super_enter(&mut self, _node: &#handle, visit: &mut #krate::visit::Visit<'_>) {
            visit.children();
        }

        #[doc = #doc_leave]
        fn #leave(&mut self, _node: &#handle, _at: &#krate::visit::Position<'_>) {}
    }
}

/// The functions of one line in the table of methods.
fn table_entry(krate: &Path, entry: &Entry) -> TokenStream {
    let Entry { name, handle, .. } = entry;
    let [enter, leave] = ["enter_", "leave_"].map(|prefix| prefixed(prefix, name));
    let new = quote_spanned!(generated_for(handle)=> #krate::visit::VisitorMethods::new::<#handle>);
    quote! {
        #new(
            |visitor: &mut Self, object, visit| {
                if let ::core::option::Option::Some(node) = object.as_handle::<#handle>() {
                    visitor.#enter(node, visit);
                }
            },
            |visitor: &mut Self, object, at| {
                if let ::core::option::Option::Some(node) = object.as_handle::<#handle>() {
                    visitor.#leave(node, at);
                }
            },
        )
    }
}

fn checks(item: &Item) -> TokenStream {
    let (list, name) = (item.listed(), unraw(&item.name));
    let checks = item.entries.iter().enumerate().skip(1).map(|(i, entry)| {
        let span = generated_for(&entry.handle);
        let function = VISITOR_HANDLES_DIFFER.function(span);
        quote_spanned! {span=>
            const _: () = __object::#function(#name, __OBJECT_LIST, #i);
        }
    });
    quote!(use __object::NotAHandle as _; #list #(#checks)*)
}
