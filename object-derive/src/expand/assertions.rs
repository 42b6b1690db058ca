//! Rules that need the types of fields, as constant assertions: a broken one fails when the user's crate is compiled.
//! The messages are whole sentences, because the compiler shows them unchanged.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::Ident;

use super::constructors::is_optional;
use super::paths::{generated_at, generated_for, parent_type};
use crate::check;
use crate::field_words::Role;
use crate::model::{Field, Kind, Node};
use crate::names::unraw;
use crate::report::{RuleName, rule_names};
use crate::types;

rule_names![hook_without_custom, inherited_json_field, inherited_label_field];

/// A function of the runtime that checks tables of types.
pub(crate) struct TableCheck {
    function: &'static str,
    /// The names of the rules in its messages.
    #[cfg_attr(not(test), expect(dead_code, reason = "a test looks for the cases of these rules"))]
    rules: &'static [&'static str],
}

impl TableCheck {
    /// The name of the function at its place.
    pub(crate) fn function(&self, span: Span) -> Ident {
        Ident::new(self.function, span)
    }
}

macro_rules! table_checks {
    ($($name:ident = $function:literal: $rules:expr;)*) => {
        $(pub(crate) const $name: TableCheck = TableCheck { function: $function, rules: &$rules };)*
        #[cfg(test)]
        const TABLE_CHECKS: &[TableCheck] = &[$($name),*];
    };
}

table_checks! {
    KIND_OF_PARENT = "kind_of_parent": ["kind_of_parent"];
    INHERITED_KEY = "inherited_key": ["inherited_key"];
    EQ_OF_PARENT = "eq_of_parent": ["eq_of_parent"];
    OPAQUE_PARENT = "opaque_parent": ["opaque_parent"];
    INHERITED_CONTENT = "inherited_content": ["const_tree_contents", "uncomparable_content"];
    KIND_IS_DECLARED = "kind_is_declared": ["may_contain_is_kept"];
    INHERITED_NAME = "inherited_name": ["inherited_name"];
    JSON_FIELD = "json_field": ["json_field_of_handle"];
    CONTENT = "content": ["const_tree_contents", "uncomparable_content", "may_contain_is_kept"];
    USE_BEFORE_DEF = "use_before_def": ["use_before_def"];
    BASE_ARG_NAMES = "base_arg_names": ["base_arg_names"];
    VARIANT_NUMBER = "variant_number": ["enum_numbers"];
    VALUE_DETERMINES_VARIANT = "value_determines_variant": ["value_determines_variant"];
    VARIANT_OF_BASE = "variant_of_base": ["variant_of_base"];
    VARIANT_IS_REACHABLE = "variant_is_reachable": ["variant_is_reachable"];
    VISITOR_HANDLES_DIFFER = "visitor_handles_differ": ["visitor_handles_differ"];
    OPTION_OF_VALUES = "option_of_values": ["option_of_values"];
    JSON_FIELD_IS_ONE_VALUE = "json_field_is_one_value": ["json_field_is_one_value"];
    DEF_NEEDS_VARIABLES = "def_needs_variables": ["def_needs_variables", "may_contain_is_kept"];
    SAME_LEN_FIELD = "same_len_field": ["same_len_has_lengths"];
    EXPORT_NEEDS_VARIABLES = "export_needs_variables": ["export_needs_variables"];
}

/// All assertions of a node. The bound of a trait, and not an assertion, requires that the parent is a base.
pub(super) fn all(node: &Node) -> TokenStream {
    let named = named_fields_exist(node);
    let (base_args, json, same_len) = (base_arg_names(node), json_field(node), same_len(node));
    let (hierarchy, fields, hook) = (hierarchy(node), fields(node), hook_without_custom(node));
    quote!(#named #base_args #json #same_len #hierarchy #fields #hook)
}

/// The names in `base_args` are the names of the parent's arguments. Two arguments of one type could be swapped otherwise.
fn base_arg_names(node: &Node) -> Option<TokenStream> {
    let required = || node.base_args.iter().filter(|arg| !is_optional(arg));
    let parent = parent_type(node).filter(|_| required().next().is_some())?;
    let names = required().map(|arg| unraw(&arg.ident));
    let span = generated_for(&node.object.tokens_of("base_args"));
    let function = BASE_ARG_NAMES.function(span);
    let own_name = unraw(&node.ident);
    Some(quote_spanned! {span=>
        const _: () = {
            use __object::NotABase as _;
            __object::#function(#own_name, __object::BaseArgs::<#parent, ()>::NAMES, &[#(#names),*]);
        };
    })
}

/// The rules that relate a type to its ancestors and to its own annotations.
fn hierarchy(node: &Node) -> TokenStream {
    let (has_parent, kind) = (node.parent.is_some(), node.kind.unwrap_or(Kind::None));
    let at_kind = node.structural_eq.tokens_of(kind.word());
    let span = if at_kind.is_empty() { generated_at(node.ident.span()) } else { generated_for(&at_kind) };
    let mut rules = Rules::new(node);
    if has_parent && !node.is_abstract() {
        rules.add(span, &KIND_OF_PARENT, &[]);
    }
    if node.inherits_key() {
        rules.add(span, &INHERITED_KEY, &[]);
    }
    if has_parent && kind == Kind::None && !node.is_abstract() {
        rules.add(span, &EQ_OF_PARENT, &[]);
    }
    if has_parent && !node.is_opaque() {
        rules.add(generated_for(&node.object.tokens_of("parent")), &OPAQUE_PARENT, &[]);
    }
    if has_parent && kind != Kind::None {
        rules.add(span, &INHERITED_CONTENT, &[]);
    }
    if has_parent || node.may_contain.is_some() {
        rules.add(span, &KIND_IS_DECLARED, &[]);
    }
    rules.finish()
}

/// The field that stands for the object in JSON is one text or number. The types of inherited fields are known as tables.
fn json_field(node: &Node) -> Option<TokenStream> {
    let json = node.object.values.json.as_ref()?;
    if let Some(field) = node.field(json).filter(|_| !node.is_opaque()) {
        return Some(values_rule(&JSON_FIELD_IS_ONE_VALUE, generated_at(json.span()), field));
    }
    let (ident, name, span) = (&node.ident, unraw(&node.ident), generated_at(json.span()));
    let (json, function) = (unraw(json), JSON_FIELD.function(span));
    Some(quote_spanned!(span=> const _: () = __object::#function::<#ident>(#name, #json);))
}

/// The inherited fields in `same_len` exist and have lengths.
fn same_len(node: &Node) -> TokenStream {
    let names = node.same_len.iter().flat_map(|group| &group.names);
    let inherited = names.filter(|name| node.field(name).is_none());
    let calls = inherited.map(|name| {
        let (ident, own, span) = (&node.ident, unraw(&node.ident), generated_at(name.span()));
        let (function, field) = (SAME_LEN_FIELD.function(span), unraw(name));
        quote_spanned!(span=> const _: () = __object::#function::<#ident>(#own, #field);)
    });
    calls.collect()
}

/// A rule about the values that the type of a field accepts.
fn values_rule(check: &TableCheck, span: Span, field: &Field) -> TokenStream {
    let (function, ty, name) = (check.function(span), &field.ty, &field.name);
    // A type that is not a field type is an error at the table of fields, and not here again.
    quote_spanned! {span=>
        const _: () = {
            use __object::NotAFieldType as _;
            __object::#function(#name, __object::ValuesOf::<#ty>::ACCEPTED);
        };
    }
}

/// The rules that relate a field to its type and to the fields before and after it.
fn fields(node: &Node) -> TokenStream {
    let has_rules = node.parent.is_some() || node.may_contain.is_some() || node.kind.is_some_and(|it| it != Kind::None);
    let fields = node.reflected();
    let consts = fields.iter().enumerate().map(|(i, field)| {
        let mut rules = Rules::new(node);
        if node.parent.is_some() {
            rules.add(generated_for(&field.name_tokens()), &INHERITED_NAME, &[i]);
        }
        match field.meta.role {
            Role::Content if has_rules && !types::is_number(&field.ty) => {
                rules.add(generated_for(&field.ty), &CONTENT, &[i]);
                let def = fields[i..].iter().position(|later| later.meta.role.binds());
                if let Some(def) = def.filter(|_| !field.is_outer()) {
                    rules.add(generated_at(field.ident.span()), &USE_BEFORE_DEF, &[i, i + def]);
                }
            }
            Role::Def | Role::DefSimple => {
                let word = field.args.tokens_of(field.meta.role.word().unwrap_or_default());
                rules.add(generated_for(&word), &DEF_NEEDS_VARIABLES, &[i]);
            }
            _ => {}
        }
        if field.meta.export && field.meta.role == Role::Content {
            rules.add(generated_for(&field.args.tokens_of("export")), &EXPORT_NEEDS_VARIABLES, &[i]);
        }
        let option = field.is_option().then(|| values_rule(&OPTION_OF_VALUES, generated_for(&field.ty), field));
        let rules = rules.finish();
        quote!(#rules #option)
    });
    consts.collect()
}

/// Calls of rules about one subject, in one constant: the first that fails reports its error.
struct Rules<'a> {
    node: &'a Node,
    calls: TokenStream,
}

impl<'a> Rules<'a> {
    fn new(node: &'a Node) -> Self {
        Rules { node, calls: TokenStream::new() }
    }

    /// A call of `function::<XNode>("XNode", args...)`.
    fn add(&mut self, span: Span, check: &TableCheck, args: &[usize]) {
        let (ident, name, function) = (&self.node.ident, unraw(&self.node.ident), check.function(span));
        self.calls.extend(quote_spanned!(span=> __object::#function::<#ident>(#name #(, #args)*);));
    }

    fn finish(self) -> TokenStream {
        let calls = self.calls;
        if calls.is_empty() { calls } else { quote!(const _: () = { #calls };) }
    }
}

/// The inherited fields that `json` and `label` name, and the fields of other objects that `label` names.
fn named_fields_exist(node: &Node) -> TokenStream {
    let ident = &node.ident;
    let mut code = TokenStream::new();
    let mut check = |name: &str, tokens: &dyn ToTokens, word: &str, rule: RuleName| {
        let sentence = match name.contains('.') {
            true => format!("`{name}` does not lead from `{ident}` to a field"),
            false => format!("`{ident}` has no field `{name}`, and inherits none"),
        };
        let message = rule.message(&sentence, &format!("name another one in `{word}`"));
        let condition = quote!(__object::has_field(<#ident as __object::Object>::FIELDS, #name));
        code.extend(assertion(generated_for(&tokens.to_token_stream()), &condition, &message));
    };
    let is_inherited = |json: &&Ident| node.parent.is_some() && node.field(json).is_none();
    if let Some(json) = node.object.values.json.as_ref().filter(is_inherited) {
        check(&unraw(json), json, "json", rule::inherited_json_field);
    }
    if let Some(label) = &node.object.values.label {
        for name in check::placeholders(label).unwrap_or_default() {
            let is_own = node.reflected().iter().any(|field| field.name == name);
            if name.contains('.') || (node.parent.is_some() && !is_own) {
                check(&name, label, "label", rule::inherited_label_field);
            }
        }
    }
    code
}

/// Without this rule, a hook that nothing calls would be a silent mistake.
fn hook_without_custom(node: &Node) -> TokenStream {
    if node.is_custom() {
        return TokenStream::new();
    }
    let ident = &node.ident;
    let kind = node.kind.filter(|kind| !matches!(kind, Kind::None | Kind::Singleton)).unwrap_or(Kind::Tree);
    let sentence = format!("`{ident}` implements `StructuralHook`, but nothing calls it");
    let help = format!("write `#[structural_eq({}, custom)]`", kind.word());
    let message = rule::hook_without_custom.message(&sentence, &help);
    let condition = quote! {{
        use __object::NoHooks as _;
        !__object::HookProbe::<#ident>::HAS_HOOKS
    }};
    assertion(generated_at(ident.span()), &condition, &message)
}

/// A constant of its own: a failed assertion does not hide others.
fn assertion(span: Span, condition: &TokenStream, message: &str) -> TokenStream {
    quote_spanned!(span=> const _: () = ::core::assert!(#condition, #message);)
}

/// The names of the rules that the compiler evaluates.
#[cfg(test)]
pub(crate) fn rule_names() -> impl Iterator<Item = RuleName> {
    let of_tables = TABLE_CHECKS.iter().flat_map(|check| check.rules.iter().copied().map(RuleName::new));
    rule::ALL.iter().copied().chain(of_tables)
}
