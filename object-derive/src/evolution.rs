//! [`Evolution`]: the words of a type about the files of earlier declarations, and their entry in the table.

use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Expr, ExprLit, Lit, LitInt, LitStr, MetaNameValue, Path, Token};

use crate::input::{Args, List, ObjectArgs};
use crate::report::{Errors, rule_names};

rule_names![version_form, migrate_form, removed_form];

/// The words of a type about the files of earlier declarations.
pub(crate) struct Evolution {
    pub(crate) version: u32,
    pub(crate) aliases: Vec<LitStr>,
    pub(crate) removed: Vec<LitStr>,
    pub(crate) migrations: Vec<Migration>,
    pub(crate) is_tvm: bool,
}

/// `migrate(from = 1, with = function)`
pub(crate) struct Migration {
    pub(crate) from: LitInt,
    pub(crate) version: u32,
    pub(crate) with: Path,
}

impl Evolution {
    pub(crate) fn read(args: &Args<ObjectArgs>, errors: &mut Errors) -> Self {
        let values = &args.values;
        let version = values.version.as_ref().map(|version| match number(version) {
            Some(version) => version,
            None => {
                let message = format!("`{version}` is not a version");
                errors.of(rule::version_form).add_help(
                    version,
                    message,
                    "write a number from 1, such as `version = 2`",
                );
                1
            }
        });
        let mut migrations: Vec<Migration> = values.migrate.iter().filter_map(|list| migration(list, errors)).collect();
        migrations.sort_by_key(|migration| migration.version);
        Evolution {
            version: version.unwrap_or(1),
            aliases: values.alias.clone(),
            removed: removed(args, values.removed.as_ref(), errors),
            migrations,
            is_tvm: values.files.as_ref().is_some_and(|files| files == "tvm"),
        }
    }

    /// `evolution: Evolution { version: 2, .. },`
    pub(crate) fn entry(&self) -> Option<TokenStream> {
        // Every word is named here, so that the compiler asks for a new one.
        let Evolution { version, aliases, removed, migrations, is_tvm } = self;
        let version = (*version != 1).then(|| quote!(version: #version,));
        let aliases = (!aliases.is_empty()).then(|| quote!(aliases: &[#(#aliases),*],));
        let removed = (!removed.is_empty()).then(|| quote!(removed: &[#(#removed),*],));
        let steps = migrations
            .iter()
            .map(|Migration { version, with, .. }| quote!(__object::Migration { from: #version, with: #with }));
        let migrations = (!migrations.is_empty()).then(|| quote!(migrations: &[#(#steps),*],));
        let files = is_tvm.then(|| quote!(files: __object::FileForm::Tvm,));
        let words = quote!(#version #aliases #removed #migrations #files);
        (!words.is_empty()).then(|| quote!(evolution: __object::Evolution { #words ..__object::Evolution::NONE },))
    }
}

fn number(text: &LitInt) -> Option<u32> {
    text.base10_parse().ok().filter(|number| *number > 0 && text.suffix().is_empty())
}

fn migration(list: &List, errors: &mut Errors) -> Option<Migration> {
    let mut report = errors.of(rule::migrate_form);
    let help = "write `migrate(from = 1, with = path::to::function)`";
    let pairs = match Punctuated::<MetaNameValue, Token![,]>::parse_terminated.parse2(list.0.clone()) {
        Ok(pairs) => pairs,
        Err(error) => {
            report.add_parse_error_help(&error, "`migrate` has a version and a function", help);
            return None;
        }
    };
    let (mut from, mut with) = (None, None);
    for pair in pairs {
        match &pair.value {
            Expr::Lit(ExprLit { lit: Lit::Int(version), .. }) if pair.path.is_ident("from") && from.is_none() => {
                match number(version) {
                    Some(number) => from = Some((version.clone(), number)),
                    None => {
                        report.add_help(version, format!("`{version}` is not a version"), help);
                        return None;
                    }
                }
            }
            Expr::Path(path) if pair.path.is_ident("with") && with.is_none() => with = Some(path.path.clone()),
            _ => report.add_help(&pair, "`migrate` has one version, `from`, and one function, `with`", help),
        }
    }
    match (from, with) {
        (Some((from, version)), Some(with)) => Some(Migration { from, version, with }),
        _ => {
            let message = "`migrate` has the version that a function changes, and the function";
            report.add_help(&list.0, message, help);
            None
        }
    }
}

fn removed(args: &Args<ObjectArgs>, list: Option<&List>, errors: &mut Errors) -> Vec<LitStr> {
    let Some(list) = list else { return Vec::new() };
    let help = "write `removed(\"name\", \"other\")`";
    match Punctuated::<LitStr, Token![,]>::parse_terminated.parse2(list.0.clone()) {
        Ok(names) if names.is_empty() => {
            errors.of(rule::removed_form).add_help(&args.tokens_of("removed"), "`removed()` is empty", help);
            Vec::new()
        }
        Ok(names) => names.into_iter().collect(),
        Err(error) => {
            errors.of(rule::removed_form).add_parse_error_help(
                &error,
                "`removed` lists names of fields in quotes",
                help,
            );
            Vec::new()
        }
    }
}
