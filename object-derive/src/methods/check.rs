//! The rules that an annotated block keeps, as in the tables of the derive (`crate::check`).

use syn::{FnArg, GenericParam, ReturnType, Type};

use super::model::{Block, Function, ReceiverForm, ValueForm};
use crate::report::{Errors, Report, Rule, rules};
use crate::types;

/// Rules about the block itself, in the order of their messages.
const BLOCK_RULES: &[Rule<Block>] = rules![
    inherent_impl,
    no_generic_impl,
    methods_of_handles,
    registers_something,
    words_have_effect,
    unique_method_names,
];

/// Rules about one function that reflection sees, in the order of their messages.
const FUNCTION_RULES: &[Rule<Function>] = rules![
    method_rename_form,
    plain_functions,
    no_generic_functions,
    receiver_form,
    argument_form,
    result_form,
    argument_count,
];

/// Runs all rules.
pub(super) fn block(block: &Block, errors: &mut Errors) {
    errors.check(BLOCK_RULES, block);
    for function in block.reflected() {
        errors.check(FUNCTION_RULES, function);
    }
}

/// The help that keeps a function out of reflection.
const SKIP: &str = "write `#[method(skip)]` on it to keep it out of reflection";

/// The functions of a trait belong to the trait; another trait may have functions of the same names.
fn inherent_impl(block: &Block, errors: &mut Report<'_>) {
    if let Some(path) = &block.of_trait {
        let shown = types::shown(&path);
        let message =
            format!("`#[object_methods]` registers functions of a type, and these are of the trait `{shown}`");
        errors.add_help(
            path,
            message,
            "write a block without a trait, with functions that call the functions of the trait",
        );
    }
}

/// Handles have no parameters, and a table is a constant.
fn no_generic_impl(block: &Block, errors: &mut Report<'_>) {
    if !block.generics.params.is_empty() {
        let message = "`#[object_methods]` needs one type, and this block is for many";
        errors.add_help(&block.generics, message, "leave the parameters out");
    }
}

/// Objects are passed as handles.
fn methods_of_handles(block: &Block, errors: &mut Report<'_>) {
    let Some((name, args)) = types::name_and_args(&block.handle) else {
        let message = "`#[object_methods]` registers functions of a handle";
        errors.add_help(&block.handle, message, "write `impl X { ... }`");
        return;
    };
    let text = name.to_string();
    // With `handle = ...`, a handle may have such a name too; the compiler accepts it after the error is gone.
    if let Some(handle) = text.strip_suffix("Node").filter(|handle| !handle.is_empty() && args.is_empty()) {
        let message = format!("`{text}` is a node struct, and objects are passed as handles");
        errors.add_help(&block.handle, message, format!("write `impl {handle} {{ ... }}`"));
    }
}

/// Whether the type can be a handle, by its name.
pub(super) fn may_be_handle(ty: &Type) -> bool {
    types::name_and_args(ty).is_some_and(|(name, _)| !name.to_string().ends_with("Node"))
}

/// An annotation without an effect is a mistake.
fn registers_something(block: &Block, errors: &mut Report<'_>) {
    // Functions of a trait cannot be `pub`; another rule refuses the block.
    if block.reflected().next().is_none() && block.of_trait.is_none() {
        let message = "`#[object_methods]` registers the `pub` functions of the block, and there are none";
        errors.add_help(&block.handle, message, "make a function `pub`, or leave the attribute out");
    }
}

/// Otherwise the macro would silently ignore words about functions that reflection does not see.
fn words_have_effect(block: &Block, errors: &mut Report<'_>) {
    for (attr, place) in &block.misplaced {
        errors.add_help(&attr.meta, format!("`#[method]` has no meaning on {place}"), "it belongs on a function");
    }
    for function in &block.functions {
        if !function.is_public() {
            for attr in &function.attrs {
                let message = "`#[method]` has no effect: only `pub` functions are registered";
                errors.add_help(&attr.meta, message, "make the function `pub`, or leave the attribute out");
            }
        } else if let (Some(_), Some(rename)) = (&function.words.skip, &function.words.rename) {
            let message = "`rename` has no effect on a function that is skipped";
            errors.add_help(rename, message, "leave one of them out");
        }
    }
}

/// Reflection finds functions by name. Equal Rust names are an error of the compiler, or are under `cfg`s that exclude
/// each other.
fn unique_method_names(block: &Block, errors: &mut Report<'_>) {
    let functions: Vec<&Function> = block.reflected().collect();
    for (i, function) in functions.iter().enumerate() {
        let same =
            |earlier: &&&Function| earlier.name == function.name && earlier.item.sig.ident != function.item.sig.ident;
        if let Some(earlier) = functions[..i].iter().find(same) {
            let message =
                format!("two functions are called `{}`, this one and `{}`", function.name, earlier.item.sig.ident);
            errors.add_help(&function.name_tokens(), message, "give one of them another `rename`");
        }
    }
}

/// Scripts write methods as names.
fn method_rename_form(function: &Function, errors: &mut Report<'_>) {
    let Some(rename) = &function.words.rename else { return };
    let name = rename.value();
    let is_name = name.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    if !is_name {
        let message = match name.as_str() {
            "" => "the name is empty".to_owned(),
            name => format!("`{name}` is not a name for a method"),
        };
        errors.add_help(rename, message, "write letters, digits and `_`, without a digit in front");
    }
}

/// The caller handles values only: it can neither await a future nor uphold a safety contract.
fn plain_functions(function: &Function, errors: &mut Report<'_>) {
    let sig = &function.item.sig;
    if let Some(word) = &sig.asyncness {
        errors.add_help(word, "an `async` function returns a future, which is not a value", SKIP);
    }
    if matches!(sig.safety, syn::Safety::Unsafe(_)) {
        let message = "an `unsafe` function has a safety contract, which a call by reflection cannot uphold";
        errors.add_help(&sig.safety, message, SKIP);
    }
}

/// An entry of the table is one function.
fn no_generic_functions(function: &Function, errors: &mut Report<'_>) {
    let generics = &function.item.sig.generics;
    let is_generic = |param: &&GenericParam| !matches!(param, GenericParam::Lifetime(_));
    if let Some(param) = generics.params.iter().find(is_generic) {
        let message = "reflection calls one function, and this is one for every type";
        errors.add_help(param, message, format!("write a type instead, such as `Any`, or {SKIP}"));
    }
    for arg in &function.item.sig.inputs {
        if let FnArg::Typed(arg) = arg
            && matches!(types::plain(&arg.ty), Type::ImplTrait(_))
        {
            let message = "reflection calls one function, and this is one for every type";
            errors.add_help(&arg.ty, message, format!("write a type instead, such as `Any`, or {SKIP}"));
        }
    }
}

/// Shared objects are immutable, and a call by reflection shares its arguments.
fn receiver_form(function: &Function, errors: &mut Report<'_>) {
    let Some(receiver) = function.receiver() else { return };
    let (message, help) = match ReceiverForm::of(receiver) {
        ReceiverForm::Value | ReceiverForm::Borrowed => return,
        ReceiverForm::Mutable => {
            let message = "a method found by reflection cannot change its object, which others may share";
            (message, format!("take `&self` and return the changed object, or {SKIP}"))
        }
        ReceiverForm::Otherwise => {
            ("a method found by reflection takes its object as `&self` or `self`", format!("write `&self`, or {SKIP}"))
        }
    };
    errors.add_help(receiver, message, help);
}

/// Each argument is one value.
fn argument_form(function: &Function, errors: &mut Report<'_>) {
    let typed = function.item.sig.inputs.iter().filter_map(|arg| match arg {
        FnArg::Typed(arg) => Some(&arg.ty),
        FnArg::Receiver(_) => None,
    });
    for (arg, ty) in function.args.iter().zip(typed) {
        match &arg.passed {
            ValueForm::Mutable(_) => {
                let message = "a function found by reflection cannot change its arguments, which others may share";
                errors.add_help(ty, message, format!("return the changed value, or {SKIP}"));
            }
            ValueForm::Slice(element) => {
                let shown = types::shown(&element);
                let message = "the values of arrays are not slices in memory";
                errors.add_help(ty, message, format!("take `&Array<{shown}>`, or {SKIP}"));
            }
            ValueForm::Nothing => errors.add_help(ty, "`()` is not a value to pass", "leave the argument out"),
            ValueForm::Value(_) | ValueForm::Borrowed(_) | ValueForm::Text => {}
        }
    }
}

/// A result is one value.
fn result_form(function: &Function, errors: &mut Report<'_>) {
    let ReturnType::Type(_, ty) = &function.item.sig.output else { return };
    let help = match &function.result {
        ValueForm::Mutable(_) => format!("return `&T` or `T`, or {SKIP}"),
        ValueForm::Slice(element) => {
            let shown = types::shown(&element);
            format!("return `Array<{shown}>`, or {SKIP}")
        }
        ValueForm::Value(Type::ImplTrait(_)) => format!("return a type, such as `Any`, or {SKIP}"),
        _ => return,
    };
    errors.add_help(ty, "the result of a function found by reflection is a value", help);
}

/// The number of arguments that the runtime has code for, the object included.
const MAX_ARGS: usize = 12;

/// The runtime has no code for typed functions with more arguments.
fn argument_count(function: &Function, errors: &mut Report<'_>) {
    let count = function.item.sig.inputs.len();
    if count > MAX_ARGS {
        let message =
            format!("a function found by reflection takes at most {MAX_ARGS} arguments, and this one {count}");
        errors.add_help(&function.item.sig.ident, message, "take an array, a map or an object");
    }
}

/// The names of all rules in the tables.
#[cfg(test)]
pub(super) fn rule_names() -> impl Iterator<Item = crate::report::RuleName> {
    BLOCK_RULES.iter().map(Rule::name).chain(FUNCTION_RULES.iter().map(Rule::name))
}
