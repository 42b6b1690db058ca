//! An annotated block as the data that checks and expansion work on.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{
    Attribute, FnArg, Generics, ImplItem, ImplItemFn, ItemImpl, Meta, Pat, Path, Receiver, ReceiverKind, ReturnType,
    Type, Visibility,
};

use super::keywords::{self, BlockArgs, MethodArgs, method_usage};
use crate::docs::Docs;
use crate::names::unraw;
use crate::report::Errors;
use crate::types;

/// An annotated `impl` block.
pub(super) struct Block {
    /// The path of the core crate.
    pub(super) krate: Path,
    /// The trait that the block implements. Not possible.
    pub(super) of_trait: Option<Path>,
    pub(super) generics: Generics,
    /// The handle.
    pub(super) handle: Type,
    /// Attributes for functions on other items, with these places.
    pub(super) misplaced: Vec<(Attribute, &'static str)>,
    /// All functions of the block.
    pub(super) functions: Vec<Function>,
}

/// A function of the block.
pub(super) struct Function {
    /// As written, without its body.
    pub(super) item: ImplItemFn,
    /// The reflected name.
    pub(super) name: String,
    pub(super) docs: Docs,
    /// `#[cfg(...)]`, for the entry in the table too.
    pub(super) cfgs: Vec<Attribute>,
    pub(super) words: MethodArgs,
    /// The attributes with these words.
    pub(super) attrs: Vec<Attribute>,
    /// The arguments after the object.
    pub(super) args: Vec<Arg>,
    pub(super) result: ValueForm,
}

/// The form of a receiver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ReceiverForm {
    /// `self`.
    Value,
    /// `&self`.
    Borrowed,
    /// `&mut self`. Not possible.
    Mutable,
    /// `self: Box<Self>` and the like. Not possible.
    Otherwise,
}

impl ReceiverForm {
    pub(super) fn of(receiver: &Receiver) -> ReceiverForm {
        let ty = match &receiver.kind {
            ReceiverKind::Value => return ReceiverForm::Value,
            ReceiverKind::Reference(_, _, None) => return ReceiverForm::Borrowed,
            ReceiverKind::Reference(..) => return ReceiverForm::Mutable,
            ReceiverKind::Typed(_, ty) => types::plain(ty),
            _ => return ReceiverForm::Otherwise,
        };
        let is_self = |ty: &Type| matches!(types::plain(ty), Type::Path(path) if path.path.is_ident("Self"));
        match ty {
            Type::Reference(reference) if is_self(&reference.elem) => {
                if reference.mutability.is_some() {
                    ReceiverForm::Mutable
                } else {
                    ReceiverForm::Borrowed
                }
            }
            ty if is_self(ty) => ReceiverForm::Value,
            _ => ReceiverForm::Otherwise,
        }
    }
}

/// An argument.
pub(super) struct Arg {
    /// The name; `_` where a pattern stands.
    pub(super) name: String,
    pub(super) passed: ValueForm,
}

/// The form of a type in a signature. Reflection knows the type `T` of each form.
pub(super) enum ValueForm {
    /// Nothing, as a result.
    Nothing,
    /// `T`.
    Value(Type),
    /// `&T`.
    Borrowed(Type),
    /// `&str`, in reflection a `Str`.
    Text,
    /// `&[T]`. Not possible; an `Array<T>` is.
    Slice(Type),
    /// `&mut T`. Not possible.
    Mutable(Type),
}

impl Block {
    /// The model of `item`. Removes the attributes that only this macro understands from `item`.
    pub(super) fn read(args: TokenStream, item: &mut ItemImpl, errors: &mut Errors) -> Block {
        let args = BlockArgs::read(args, errors);
        let mut functions = Vec::new();
        let mut misplaced = Vec::new();
        let mut take_misplaced = |attrs: &mut Vec<Attribute>, place| {
            misplaced.extend(attrs.extract_if(.., |attr| is_method_attr(attr)).map(|attr| (attr, place)));
        };
        for item in &mut item.items {
            match item {
                ImplItem::Fn(item) => functions.push(Function::read(item, errors)),
                ImplItem::Const(item) => take_misplaced(&mut item.attrs, "a constant"),
                ImplItem::Type(item) => take_misplaced(&mut item.attrs, "a type"),
                _ => {}
            }
        }
        let krate = args.krate.unwrap_or_else(|| syn::parse_quote!(::object_core));
        let of_trait = item.trait_.as_ref().map(|(path, _)| path.clone());
        let (generics, handle) = (item.generics.clone(), (*item.self_ty).clone());
        Block { krate, of_trait, generics, handle, misplaced, functions }
    }

    /// The functions that reflection sees.
    pub(super) fn reflected(&self) -> impl Iterator<Item = &Function> {
        self.functions.iter().filter(|function| function.is_reflected())
    }
}

impl Function {
    fn read(item: &mut ImplItemFn, errors: &mut Errors) -> Function {
        let attrs: Vec<Attribute> = item.attrs.extract_if(.., |attr| is_method_attr(attr)).collect();
        let mut words = MethodArgs::default();
        for attr in &attrs {
            match &attr.meta {
                Meta::List(list) if !list.tokens.is_empty() => {
                    let more = MethodArgs::read(list.tokens.clone(), errors);
                    words.join(more, errors);
                }
                other => {
                    let help = format!("write {}", method_usage());
                    let mut report = errors.of(keywords::rule::method_words);
                    report.add_help(other, "`#[method]` takes its words in parentheses", help);
                }
            }
        }
        let name = match &words.rename {
            Some(rename) => rename.value(),
            None => unraw(&item.sig.ident),
        };
        let result = match &item.sig.output {
            ReturnType::Default => ValueForm::Nothing,
            ReturnType::Type(_, ty) => ValueForm::of(ty),
        };
        let args = item.sig.inputs.iter().filter_map(arg).collect();
        Function {
            name,
            docs: Docs::of(&item.attrs),
            cfgs: item.attrs.iter().filter(|attr| attr.path().is_ident("cfg")).cloned().collect(),
            words,
            attrs,
            args,
            result,
            item: ImplItemFn { block: syn::parse_quote!({}), ..item.clone() },
        }
    }

    /// Whether the function is `pub`. Reflection shows no other functions.
    pub(super) fn is_public(&self) -> bool {
        matches!(self.item.vis, Visibility::Public(_))
    }

    pub(super) fn is_reflected(&self) -> bool {
        self.is_public() && self.words.skip.is_none()
    }

    /// The object of the call.
    pub(super) fn receiver(&self) -> Option<&Receiver> {
        self.item.sig.receiver()
    }

    /// The tokens of the reflected name.
    pub(super) fn name_tokens(&self) -> TokenStream {
        match &self.words.rename {
            Some(rename) => rename.to_token_stream(),
            None => self.item.sig.ident.to_token_stream(),
        }
    }
}

fn is_method_attr(attr: &Attribute) -> bool {
    attr.path().is_ident("method")
}

fn arg(arg: &FnArg) -> Option<Arg> {
    let FnArg::Typed(arg) = arg else { return None };
    let name = match &*arg.pat {
        Pat::Ident(pat) => unraw(&pat.ident),
        _ => "_".to_owned(),
    };
    Some(Arg { name, passed: ValueForm::of(&arg.ty) })
}

impl ValueForm {
    fn of(ty: &Type) -> ValueForm {
        let Type::Reference(reference) = types::plain(ty) else {
            return match types::plain(ty) {
                Type::Tuple(tuple) if tuple.elems.is_empty() => ValueForm::Nothing,
                plain => ValueForm::Value(plain.clone()),
            };
        };
        let target = types::plain(&reference.elem).clone();
        match &target {
            _ if reference.mutability.is_some() => ValueForm::Mutable(target),
            Type::Path(path) if path.path.is_ident("str") => ValueForm::Text,
            Type::Slice(slice) => ValueForm::Slice((*slice.elem).clone()),
            _ => ValueForm::Borrowed(target),
        }
    }
}
