//! From the attributes as written to the [model](crate::model). A part that cannot be read is reported and left out.

use quote::ToTokens;
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{DataEnum, DeriveInput, Expr, Fields, Ident, Path, Token, Variant};

use crate::contents::Contents;
use crate::docs::Docs;
use crate::evolution::Evolution;
use crate::field_words::{FieldArgs, FieldMeta};
use crate::input::{Args, List, ObjectArgs, StructuralEqArgs};
use crate::keywords::Attr;
use crate::lints::Lints;
use crate::model::{Arg, Constructor, Default, Enum, Field, HandleEq, Kind, Node, SameLen, Sum};
use crate::names::{handle_stem, unraw};
use crate::pairs::Pairs;
use crate::report::{Errors, rule_names};
use crate::syntax::Syntax;
use crate::types;

rule_names![base_args_form, same_len_form];

/// The model of a struct.
pub(crate) fn node(input: &DeriveInput, fields: &Fields, errors: &mut Errors) -> Node {
    let object: Args<ObjectArgs> = Args::read(Attr::Object, &input.attrs, errors);
    let structural_eq = Args::read(Attr::StructuralEq, &input.attrs, errors);
    let mut node = Node {
        ident: input.ident.clone(),
        handle: handle_ident(&input.ident, &object),
        vis: input.vis.clone(),
        docs: Docs::of(&input.attrs),
        lints: Lints::of(input),
        krate: core_path(&object),
        kind: None,
        eq: handle_eq(&object),
        new: constructor(&object),
        setters: object.values.setters.clone(),
        parent: object.values.parent.clone(),
        base_args: base_args(&object, errors),
        may_contain: Contents::read(object.values.may_contain.as_ref(), errors),
        pairs: Pairs::read(&object, object.values.meta.as_ref(), errors),
        evolution: Evolution::read(&object, errors),
        same_len: same_len(&object, errors),
        syntax: Syntax::read(&object.values),
        base_field: None,
        base_is_first: false,
        fields: Vec::new(),
        skipped: Vec::new(),
        object,
        structural_eq,
    };
    node.kind = kind(&node.structural_eq.values);
    if let Fields::Named(fields) = fields {
        node.fields = fields.named.iter().filter_map(|it| field(it, &input.ident, errors)).collect();
    }
    if node.parent.is_some() {
        let position = node.fields.iter().position(|field| field.ident == "base");
        node.base_is_first = position == Some(0);
        node.base_field = position.map(|position| node.fields.remove(position));
    }
    let is_skipped = |field: &Field| field.args.values.skip.is_present() || field.is_cache();
    if !node.is_opaque() {
        (node.skipped, node.fields) = node.fields.into_iter().partition(is_skipped);
    }
    node
}

/// The model of an enum, with or without values in its variants.
pub(crate) fn enumeration(input: &DeriveInput, data: &DataEnum, errors: &mut Errors) -> Enum {
    let object: Args<ObjectArgs> = Args::read(Attr::Object, &input.attrs, errors);
    let variants: Vec<Variant> = data.variants.iter().cloned().collect();
    // A rule reports attributes on variants with values.
    let has_words = |variant: &&Variant| variant.fields.is_empty();
    let variant_args =
        variants.iter().filter(has_words).map(|it| Args::read(Attr::Object, &it.attrs, errors)).collect();
    let docs = Docs::of(&input.attrs);
    let (ident, krate) = (input.ident.clone(), core_path(&object));
    Enum { ident, docs, lints: Lints::of(input), krate, object, variants, variant_args }
}

/// The model of an enum with one value in each variant; nothing for any other.
pub(crate) fn sum(item: &Enum) -> Option<Sum> {
    let variants = item.variants.iter().map(|variant: &Variant| match &variant.fields {
        Fields::Unnamed(fields) if fields.unnamed.len() == 1 => {
            let ty = types::without_self(&fields.unnamed.first()?.ty, &item.ident);
            Some((variant.ident.clone(), ty))
        }
        _ => None,
    });
    Some(Sum { ident: item.ident.clone(), variants: variants.collect::<Option<_>>()? })
}

/// The kind. Several kinds exclude each other; the first one counts.
fn kind(args: &StructuralEqArgs) -> Option<Kind> {
    let flags = [
        (args.tree, Kind::Tree),
        (args.const_tree, Kind::ConstTree),
        (args.dag, Kind::Dag),
        (args.var, Kind::Var),
        (args.singleton, Kind::Singleton),
        (args.none, Kind::None),
    ];
    flags.into_iter().find(|(flag, _)| flag.is_present()).map(|(_, kind)| kind)
}

/// The value of `eq`. A rule reports other values.
fn handle_eq(object: &Args<ObjectArgs>) -> HandleEq {
    match &object.values.eq {
        Some(eq) if eq == "structural" => HandleEq::Structural,
        Some(eq) if eq == "none" => HandleEq::None,
        _ => HandleEq::Inherited,
    }
}

/// The value of `new`.
fn constructor(object: &Args<ObjectArgs>) -> Constructor {
    match &object.values.new {
        None => Constructor::Public,
        Some(name) if name == "none" => Constructor::None,
        Some(name) => Constructor::Private(name.clone()),
    }
}

fn core_path(object: &Args<ObjectArgs>) -> Path {
    let given = object.values.krate.clone();
    given.unwrap_or_else(|| syn::parse_quote!(::object_core))
}

/// `Expr` for `ExprNode`, or the value of `handle`. Where that is not possible, a name to continue with.
fn handle_ident(ident: &Ident, object: &Args<ObjectArgs>) -> Ident {
    match &object.values.handle {
        Some(handle) if handle == ident => Ident::new(&format!("{}Ref", unraw(ident)), handle.span()),
        Some(handle) => handle.clone(),
        None => handle_stem(ident).unwrap_or_else(|| Ident::new(&format!("{}Handle", unraw(ident)), ident.span())),
    }
}

/// `name: Type`, as in an argument list.
struct ArgSyntax(Arg);

impl Parse for ArgSyntax {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let ident = input.parse()?;
        input.parse::<Token![:]>()?;
        Ok(ArgSyntax(Arg { ident, ty: input.parse()? }))
    }
}

fn base_args(object: &Args<ObjectArgs>, errors: &mut Errors) -> Vec<Arg> {
    let Some(list) = &object.values.base_args else { return Vec::new() };
    match Punctuated::<ArgSyntax, Token![,]>::parse_terminated.parse2(list.0.clone()) {
        Ok(args) => args.into_iter().map(|arg| arg.0).collect(),
        Err(error) => {
            let message = format!("`base_args` lists arguments as a function does: {error}");
            let help = "write `base_args(name: Type, ...)`";
            errors.of(rule::base_args_form).add_help(&object.tokens_of("base_args"), message, help);
            Vec::new()
        }
    }
}

/// The names in each `same_len(...)`.
fn same_len(object: &Args<ObjectArgs>, errors: &mut Errors) -> Vec<SameLen> {
    let mut report = errors.of(rule::same_len_form);
    let group = |list: &List| match Punctuated::<Ident, Token![,]>::parse_terminated.parse2(list.0.clone()) {
        Ok(names) if names.is_empty() => {
            report.add_help(&object.tokens_of("same_len"), "`same_len()` is empty", "write `same_len(params, args)`");
            None
        }
        Ok(names) => Some(SameLen { tokens: list.0.clone(), names: names.into_iter().collect() }),
        Err(error) => {
            report.add_parse_error_help(&error, "`same_len` lists fields", "write `same_len(params, args)`");
            None
        }
    };
    object.values.same_len.iter().filter_map(group).collect()
}

fn field(field: &syn::Field, node: &Ident, errors: &mut Errors) -> Option<Field> {
    let ident = field.ident.clone()?;
    let args: Args<FieldArgs> = Args::read(Attr::Field, &field.attrs, errors);
    let values = &args.values;
    let default = match values.default_expr() {
        None => Default::Required,
        Some(None) => Default::Standard,
        Some(Some(expr)) => {
            let tokens = types::replace_self(expr.to_token_stream(), node);
            Default::Expr(Box::new(syn::parse2(tokens.clone()).unwrap_or(Expr::Verbatim(tokens))))
        }
    };
    let name = match &values.rename {
        Some(rename) => rename.value(),
        None => unraw(&ident),
    };
    Some(Field {
        vis: field.vis.clone(),
        name,
        ty: types::without_self(&field.ty, node),
        docs: Docs::of(&field.attrs),
        default,
        meta: FieldMeta::read(&args, errors),
        ident,
        args,
    })
}
