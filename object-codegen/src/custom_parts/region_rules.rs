//! The rules about the hand-written parts of a class.

use std::collections::HashSet;

use object_core::dynamic::SourcePlace;

use crate::custom_parts::class_region::ClassRegion;
use crate::custom_parts::definition::Definition;
use crate::custom_parts::{cpp_part, python_part};
use crate::diagnostic::Diagnostic;
use crate::target::HookNames;

/// The faults of the hand-written parts of a class, in the order of the file.
#[must_use]
pub fn check(region: &ClassRegion<'_>) -> Vec<Diagnostic> {
    let (mut faults, mut definitions) = (Vec::new(), Vec::new());
    let facts = region.target.facts();
    let Some(names) = facts.hooks else { return faults };
    for part in region.parts {
        let contents = if facts.comment == "#" { python_part::contents(part) } else { cpp_part::contents(part) };
        if let Some((line, column, message)) = contents.fault {
            faults.push(Diagnostic::error(at(region, line, column), message));
        }
        definitions.extend(contents.definitions);
    }
    missing_hooks(region, names, &definitions, &mut faults);
    lonely_hook(region, names, &definitions, &mut faults);
    redefinitions(region, names, &definitions, &mut faults);
    faults.sort_by_key(|fault| (fault.place.line, fault.place.column));
    faults
}

fn at(region: &ClassRegion<'_>, line: u32, column: u32) -> SourcePlace {
    SourcePlace { file: region.file.to_owned(), line, column }
}

fn place_of(region: &ClassRegion<'_>, definition: &Definition) -> SourcePlace {
    at(region, definition.line, definition.column)
}

/// The hooks that the declaration leaves to the author: the word of the declaration, and the name of the member.
fn hooks_by_hand(region: &ClassRegion<'_>, names: HookNames) -> Vec<(&'static str, &'static str)> {
    let by_hand = region.decl.hand_written;
    let mut hooks = Vec::new();
    if by_hand.sequal_reduce {
        hooks.push(("default_sequal_reduce", names.sequal_reduce));
    }
    if by_hand.shash_reduce {
        hooks.push(("default_shash_reduce", names.shash_reduce));
    }
    hooks
}

/// A hook that the declaration leaves to the author is in a part.
fn missing_hooks(region: &ClassRegion<'_>, names: HookNames, definitions: &[Definition], faults: &mut Vec<Diagnostic>) {
    if !region.is_node || region.fields.is_empty() {
        return;
    }
    for (word, name) in hooks_by_hand(region, names) {
        if !definitions.iter().any(|definition| definition.name == name) {
            let message = format!(
                "`{}` has no `{name}`: its declaration says `{word} = False`, so write `{name}` into a custom section, or \
                 remove the line from the declaration",
                region.class_name
            );
            faults.push(Diagnostic::error(at(region, region.line, 1), message));
        }
    }
}

/// Structural equality and hashing are both written by hand, or none of them.
fn lonely_hook(region: &ClassRegion<'_>, names: HookNames, definitions: &[Definition], faults: &mut Vec<Diagnostic>) {
    let find = |name: &str| definitions.iter().find(|definition| definition.name == name);
    let (given, missing) = match (find(names.sequal_reduce), find(names.shash_reduce)) {
        (Some(given), None) => (given, names.shash_reduce),
        (None, Some(given)) => (given, names.sequal_reduce),
        _ => return,
    };
    if hooks_by_hand(region, names).iter().any(|(_, name)| *name == missing) {
        // The rule about missing hooks reports it.
        return;
    }
    let message = format!(
        "`{}` needs `{missing}`: equal objects must have equal hashes, so both are written by hand or none",
        given.name
    );
    faults.push(Diagnostic::error(place_of(region, given), message));
}

/// No part defines a member that the generator writes, or a field.
fn redefinitions(region: &ClassRegion<'_>, names: HookNames, definitions: &[Definition], faults: &mut Vec<Diagnostic>) {
    let fields: HashSet<&str> = region.decl.fields.iter().map(|field| field.name.as_str()).collect();
    for definition in definitions {
        let name = definition.name.as_str();
        let is_generated = region.generated_methods.contains(&name);
        let is_field = region.is_node && fields.contains(name);
        let advice = match name {
            _ if is_field => "the field is in the declaration; remove it here".to_owned(),
            _ if !is_generated => continue,
            name if name == names.sequal_reduce => by_hand("default_sequal_reduce"),
            name if name == names.shash_reduce => by_hand("default_shash_reduce"),
            _ => "remove it here, or give it another name".to_owned(),
        };
        let message = format!("`{name}` is generated as well: {advice}");
        faults.push(Diagnostic::error(place_of(region, definition), message));
    }
}

fn by_hand(word: &str) -> String {
    format!("remove it here, or write `{word} = False` into the declaration")
}
