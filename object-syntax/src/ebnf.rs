//! [`ebnf`]: a grammar as rules for people.

use std::fmt::Write;

use object_format::FieldForm;

use crate::grammar::Grammar;
use crate::kind::{Kind, short_name};
use crate::production::{List, Named, Slot, Step};

/// The rules of `grammar`: one for each category, and one for each type that has several places or parts.
pub(crate) fn ebnf(grammar: &Grammar) -> String {
    let mut text = format!("Text ::= {}\n", kind(grammar, &grammar.root));
    for category in &grammar.categories {
        let members: Vec<String> = category
            .heads
            .iter()
            .chain(&category.tails)
            .map(|index| grammar.productions[*index].production.info)
            .filter(|info| !std::ptr::eq(*info, category.info))
            .map(|info| short_name(info).to_owned())
            .collect();
        if members.is_empty() {
            continue;
        }
        let mut alternatives = members;
        if category.has_brackets {
            let (open, close) = grammar.brackets;
            let (open, close) = (grammar.literals.text(open), grammar.literals.text(close));
            alternatives.push(format!("\"{open}\" {} \"{close}\"", short_name(category.info)));
        }
        let _ = writeln!(text, "{} ::= {}", short_name(category.info), alternatives.join(" | "));
    }
    for choice in &grammar.productions {
        let production = &choice.production;
        let body = steps(grammar, &production.steps);
        let _ = writeln!(text, "{} ::= {body}", short_name(production.info));
    }
    text.push_str("NAME ::= [A-Za-z_] [A-Za-z0-9_]* | \"`\" [^`]* \"`\"\n");
    text
}

fn steps(grammar: &Grammar, all: &[Step]) -> String {
    let parts = all.iter().filter_map(|step| match step {
        Step::Gap(_) => None,
        Step::Literal(id) => Some(literal(grammar.literals.text(*id))),
        Step::Field(Slot { form: FieldForm::Flag, .. }) => None,
        Step::Field(slot) => Some(kind(grammar, &slot.kind)),
        Step::Named(named) => Some(fields(grammar, named)),
        Step::Optional { steps: inner, .. } => Some(format!("({})?", steps(grammar, inner))),
        Step::List(list) => Some(elements(grammar, list)),
    });
    parts.collect::<Vec<_>>().join(" ")
}

fn literal(text: &str) -> String {
    if text.contains('"') { format!("'{text}'") } else { format!("\"{text}\"") }
}

fn elements(grammar: &Grammar, list: &List) -> String {
    let element = steps(grammar, &list.steps);
    let all = match list.separator {
        Some(separator) => {
            let separator = literal(grammar.literals.text(separator));
            format!("{element} ({separator} {element})* {separator}?")
        }
        None if list.is_nonempty => return format!("({element})+"),
        None => return format!("({element})*"),
    };
    if list.is_nonempty { all } else { format!("({all})?") }
}

fn fields(grammar: &Grammar, named: &Named) -> String {
    let text = |id| literal(grammar.literals.text(id));
    let field =
        |(slot, name): (&Slot, &u16)| format!("{} {} {}", text(*name), text(named.equals), kind(grammar, &slot.kind));
    let fields: Vec<String> = named.slots.iter().zip(&named.names).map(field).collect();
    let (open, close, comma) = (text(named.open), text(named.close), text(named.comma));
    let inside = match fields.as_slice() {
        [] => String::new(),
        fields => {
            let field = fields.join(" | ");
            format!(" (({field}) ({comma} ({field}))* {comma}?)?")
        }
    };
    if named.is_required { format!("{open}{inside} {close}") } else { format!("({open}{inside} {close})?") }
}

fn kind(grammar: &Grammar, of: &Kind) -> String {
    match of {
        Kind::Bool => "(\"true\" | \"false\")".to_owned(),
        Kind::Int => "INT".to_owned(),
        Kind::Float => "FLOAT".to_owned(),
        Kind::Text => "STRING".to_owned(),
        Kind::Word => "NAME".to_owned(),
        Kind::Plain => "VALUE".to_owned(),
        Kind::Enum(it) => {
            let variants: Vec<String> = it.variants.iter().map(|(name, _)| format!("\"{name}\"")).collect();
            format!("({})", variants.join(" | "))
        }
        Kind::Optional(inner) => format!("({} | \"None\")", kind(grammar, inner)),
        Kind::Array(inner) => {
            let inner = kind(grammar, inner);
            format!("\"[\" ({inner} (\",\" {inner})* \",\"?)? \"]\"")
        }
        Kind::Map(entry) => {
            let entry = kind(grammar, &Kind::Entry(entry.clone()));
            format!("\"{{\" ({entry} (\",\" {entry})* \",\"?)? \"}}\"")
        }
        Kind::Entry(entry) => format!("{} \":\" {}", kind(grammar, &entry.0), kind(grammar, &entry.1)),
        Kind::Object(category) => short_name(grammar.categories[*category].info).to_owned(),
        Kind::OneOf(kinds) => format!("({})", kinds.iter().map(|it| kind(grammar, it)).collect::<Vec<_>>().join(" | ")),
    }
}
