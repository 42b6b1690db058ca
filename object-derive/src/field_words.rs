//! The words of `#[field(...)]`: their values, the annotations that they make of a field, and its entry in the table.

use darling::FromMeta;
use darling::util::{Flag, Override};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Expr, LitStr, Type};

use crate::contents::Contents;
use crate::docs::Docs;
use crate::input::{Args, List, default_value, expression};
use crate::pairs::Pairs;
use crate::report::Errors;
use crate::value_words::ValueWords;

/// `#[field(...)]`.
#[derive(Default, FromMeta)]
pub(crate) struct FieldArgs {
    pub(crate) ignore: Flag,
    pub(crate) def: Flag,
    pub(crate) def_simple: Flag,
    pub(crate) rename: Option<LitStr>,
    #[darling(default, with = default_value)]
    pub(crate) default: Option<Override<Expr>>,
    pub(crate) meta: Option<List>,
    pub(crate) may_contain: Option<List>,
    pub(crate) outer: Flag,
    pub(crate) export: Flag,
    pub(crate) skip: Flag,
    pub(crate) cache: Flag,
    #[darling(multiple)]
    pub(crate) alias: Vec<LitStr>,
    pub(crate) required: Flag,
    #[darling(default, with = expression)]
    pub(crate) range: Option<Expr>,
    #[darling(default, with = expression)]
    pub(crate) len: Option<Expr>,
    #[darling(default, with = expression)]
    pub(crate) one_of: Option<Expr>,
}

impl FieldArgs {
    /// `Some(None)` for `default` alone, `Some(Some(expr))` for `default = expr`.
    pub(crate) fn default_expr(&self) -> Option<Option<Expr>> {
        self.default.clone().map(Override::explicit)
    }
}

/// The annotations that the table keeps, as `FieldMeta` of the runtime.
pub(crate) struct FieldMeta {
    pub(crate) role: Role,
    pub(crate) pairs: Pairs,
    /// The contents that `may_contain` declares.
    pub(crate) may_contain: Option<Contents>,
    /// Whether the bindings in the field outlive the object.
    pub(crate) export: bool,
    /// Earlier names of the field.
    pub(crate) aliases: Vec<LitStr>,
    /// Whether files have to have the field.
    pub(crate) required: bool,
    /// The words about the values of the field.
    pub(crate) values: ValueWords,
}

impl FieldMeta {
    /// The annotations among the words. Some words are of no interest after the expansion.
    pub(crate) fn read(args: &Args<FieldArgs>, errors: &mut Errors) -> Self {
        // Every word is named here, so that the compiler asks for a new one.
        let FieldArgs {
            ignore,
            def,
            def_simple,
            rename: _,
            default: _,
            meta,
            may_contain,
            outer: _,
            export,
            skip: _,
            cache: _,
            alias,
            required,
            range,
            len,
            one_of,
        } = &args.values;
        let roles = [(ignore, Role::Ignore), (def, Role::Def), (def_simple, Role::DefSimple)];
        let role = roles.into_iter().find(|(flag, _)| flag.is_present());
        FieldMeta {
            role: role.map_or(Role::Content, |(_, role)| role),
            pairs: Pairs::read(args, meta.as_ref(), errors),
            may_contain: Contents::read(may_contain.as_ref(), errors),
            export: export.is_present(),
            aliases: alias.clone(),
            required: required.is_present(),
            values: ValueWords::read([range.as_ref(), len.as_ref(), one_of.as_ref()], errors),
        }
    }

    /// `FieldMeta { role: FieldRole::Def, ..FieldMeta::NONE }`: the documentation and the annotations of the field, which is of
    /// the type `ty`.
    pub(crate) fn entry(&self, docs: &Docs, ty: &Type) -> TokenStream {
        // Every annotation is named here, so that the compiler asks for a new one.
        let FieldMeta { role, pairs, may_contain, export, aliases, required, values } = self;
        let role = match role {
            Role::Content => None,
            Role::Ignore => Some(quote!(Ignore)),
            Role::Def => Some(quote!(Def)),
            Role::DefSimple => Some(quote!(DefSimple)),
        };
        let role = role.map(|role| quote!(role: __object::FieldRole::#role,));
        let doc = docs.text().map(|doc| quote!(doc: #doc,));
        let pairs = pairs.entry().map(|pairs| quote!(pairs: #pairs,));
        let may_contain = may_contain.map(Contents::entry);
        let export = export.then(|| quote!(export: true,));
        let aliases = (!aliases.is_empty()).then(|| quote!(aliases: &[#(#aliases),*],));
        let required = required.then(|| quote!(required: true,));
        let checks = values.entry(ty);
        let words = quote!(#role #doc #pairs #may_contain #export #aliases #required #checks);
        match words.is_empty() {
            true => quote!(__object::FieldMeta::NONE),
            false => quote!(__object::FieldMeta { #words ..__object::FieldMeta::NONE }),
        }
    }
}

/// The role of a field in structural equality.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    Content,
    Ignore,
    Def,
    DefSimple,
}

impl Role {
    /// The word in `#[field(...)]`; none for the role of a field without a word.
    pub(crate) fn word(self) -> Option<&'static str> {
        match self {
            Role::Content => None,
            Role::Ignore => Some("ignore"),
            Role::Def => Some("def"),
            Role::DefSimple => Some("def_simple"),
        }
    }

    /// Whether variables are bound in the field.
    pub(crate) fn binds(self) -> bool {
        matches!(self, Role::Def | Role::DefSimple)
    }
}
