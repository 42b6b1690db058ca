//! From the model to code: one table, and its submission to the registry.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;

use super::model::{Block, Function, ReceiverForm, ValueForm};
use crate::expand::scope;

/// ```text
/// const _: () = {
///     impl ObjectMethods for X { const METHODS: &[MethodSpec] = &[...]; }
///     submit!(MethodEntry(MethodTable::of::<X>()));
/// };
/// ```
pub(super) fn table(block: &Block) -> TokenStream {
    let Block { krate, handle, .. } = block;
    let entries = block.reflected().map(entry);
    let implemented = methods_impl(block, &quote!(&[#(#entries),*]));
    let submitted = quote!(__object::submit_declaration!(MethodEntry(__object::MethodTable::of::<#handle>())););
    scope(krate, &quote!(#implemented #submitted))
}

/// The expansion of a block with mistakes, after the block itself: an empty table for `MethodTable::of`.
pub(super) fn no_table(block: &Block) -> TokenStream {
    if !block.generics.params.is_empty() || block.of_trait.is_some() || !super::check::may_be_handle(&block.handle) {
        return TokenStream::new();
    }
    scope(&block.krate, &methods_impl(block, &quote!(&[])))
}

fn methods_impl(block: &Block, entries: &TokenStream) -> TokenStream {
    let handle = &block.handle;
    let head = quote_spanned!(at(handle)=> impl __object::ObjectMethods for #handle);
    quote! {
        #[automatically_derived]
        #[allow(deprecated)]
        #head {
            const METHODS: &'static [__object::MethodSpec] = #entries;
        }
    }
}

/// `MethodSpec { ... }`
fn entry(function: &Function) -> TokenStream {
    let Function { item, name, cfgs, .. } = function;
    let ident = &item.sig.ident;
    let doc = function.docs.text().unwrap_or_else(|| quote!(""));
    // With the span of the name: `line!()` is the line of the function, and not of the attribute.
    let line = quote_spanned!(ident.span()=> ::core::line!());
    let is_static = function.receiver().is_none();
    let names = function.receiver().map(|_| "self").into_iter().chain(function.args.iter().map(|it| it.name.as_str()));
    let types: Vec<(TokenStream, TokenStream)> = arguments(function);
    let n_args = types.len();
    let schemas = types.iter().map(|(ty, _)| {
        let span = at(ty);
        quote_spanned!(span=> <#ty as __object::Argument>::schema())
    });
    let values = types.iter().enumerate().map(|(i, (ty, borrow))| {
        let value = quote_spanned!(at(ty)=> __object::argument::<#ty>(#i, __args[#i])?);
        quote!(#borrow #value)
    });
    let callee = crate::expand::spanned_as_generated(ident);
    let call = quote!(<Self>::#callee(#(#values),*));
    let (schema, returned) = result(function, &call);
    quote! {
        #(#cfgs)*
        __object::MethodSpec {
            name: #name,
            doc: #doc,
            location: (::core::file!(), #line),
            is_static: #is_static,
            arg_names: &[#(#names),*],
            types: || __object::signature([#(#schemas),*], #schema),
            body: |__args| {
                let __args = __object::exactly::<#n_args>(__args)?;
                #returned
            },
        }
    }
}

/// The type of each argument for reflection, first the object, and `&` where the function borrows the argument.
fn arguments(function: &Function) -> Vec<(TokenStream, TokenStream)> {
    let receiver = function.receiver().map(|receiver| {
        let borrow = (ReceiverForm::of(receiver) == ReceiverForm::Borrowed).then(|| quote!(&));
        (quote!(Self), borrow.to_token_stream())
    });
    let args = function.args.iter().map(|arg| match &arg.passed {
        ValueForm::Value(ty) => (ty.to_token_stream(), TokenStream::new()),
        ValueForm::Borrowed(ty) => (ty.to_token_stream(), quote!(&)),
        ValueForm::Text => (quote!(__object::Str), quote!(&)),
        // A rule refuses these.
        ValueForm::Slice(_) | ValueForm::Mutable(_) | ValueForm::Nothing => (quote!(()), TokenStream::new()),
    });
    receiver.into_iter().chain(args).collect()
}

/// The type of the result, and the call with its conversion to a value.
fn result(function: &Function, call: &TokenStream) -> (TokenStream, TokenStream) {
    let owned = |ty: &TokenStream, value: &TokenStream| {
        let span = at(ty);
        let schema = quote_spanned!(span=> __object::result_schema::<#ty>());
        let returned = quote_spanned!(span=> __object::returned::<#ty>);
        (schema, quote!(#returned(#value)))
    };
    match &function.result {
        ValueForm::Nothing => owned(&quote!(()), call),
        ValueForm::Value(ty) => owned(&ty.to_token_stream(), call),
        ValueForm::Text => owned(&quote!(__object::Str), &quote!(__object::Str::new(#call))),
        ValueForm::Borrowed(ty) | ValueForm::Slice(ty) | ValueForm::Mutable(ty) => {
            let span = at(ty);
            let schema = quote_spanned!(span=> <#ty as __object::ReturnValue>::schema());
            let returned = quote_spanned!(span=> <#ty as __object::ReturnValue>::to_any);
            (schema, quote!(::core::result::Result::Ok(#returned(#call))))
        }
    }
}

/// The span of the tokens as the place of generated code.
fn at(tokens: &impl ToTokens) -> Span {
    crate::expand::generated_at(tokens.to_token_stream().span())
}
