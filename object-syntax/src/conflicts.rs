//! [`check`]: finds formats between which a reader cannot choose.

use object_core::{Error, ErrorKind, Result};

use crate::grammar::Grammar;
use crate::kind::{Kind, short_name};
use crate::production::{Production, Step};
use crate::token_set::{Terminal, TokenSet};

/// Checks that a reader of the grammar always knows what to read next.
///
/// # Errors
/// [`Malformed`](ErrorKind::Malformed), naming the types and an example of a text.
pub(crate) fn check(grammar: &Grammar) -> Result<()> {
    for category in &grammar.categories {
        let name = short_name(category.info);
        for among in [&category.uses, &category.tails] {
            for (index, a) in among.iter().enumerate() {
                for b in &among[index + 1..] {
                    check_pair(grammar, *a, *b, name)?;
                }
            }
        }
        if category.has_brackets {
            let open = TokenSet::of_literal(grammar.brackets.0);
            let open_text = grammar.literals.text(grammar.brackets.0);
            for head in &category.uses {
                let choice = &grammar.productions[*head];
                if choice.prefix.first().is_some_and(|first| !first.common(&open).is_empty())
                    && matches!(choice.production.steps.first(), Some(Step::Literal(id)) if *id == grammar.brackets.0)
                {
                    let message = format!(
                        "begins with `{open_text}`, as an operand in brackets does; begin it with another sign, or choose other \
                         brackets for operands with `LanguageOptions::brackets`"
                    );
                    return Err(of(&choice.production, message));
                }
            }
        }
        // A name alone is a variable.
        if !category.variables.is_empty() {
            let name_alone = TokenSet::of(&[Terminal::Name]);
            for head in &category.uses {
                let choice = &grammar.productions[*head];
                let is_name = |set: &TokenSet| !set.common(&name_alone).is_empty();
                if choice.prefix.len() == 1 && is_name(&choice.prefix[0]) {
                    let message =
                        format!("begins with a name, as a variable of `{name}` does; begin it with a word or a sign");
                    return Err(of(&choice.production, message));
                }
            }
        }
    }
    for choice in &grammar.productions {
        let production = &choice.production;
        if choice.prefix.is_empty() {
            return Err(of(production, "can be empty; add a word or a sign"));
        }
        if production.left.is_some()
            && production.left == production.right
            && production.info.syntax().is_some_and(|syntax| syntax.precedence.is_none())
            && grammar.categories.iter().any(|category| {
                category.tails.iter().any(|it| std::ptr::eq(grammar.productions[*it].production.info, production.info))
            })
        {
            let message = "begins and ends with an operand, so `a + b * c` has two meanings; add `precedence = 6`";
            return Err(of(production, message));
        }
        check_steps(grammar, production, &production.steps)?;
    }
    Ok(())
}

/// Checks that no text can begin both productions.
fn check_pair(grammar: &Grammar, a: usize, b: usize, category: &str) -> Result<()> {
    let (a, b) = (&grammar.productions[a], &grammar.productions[b]);
    if a.prefix.len() != b.prefix.len() {
        return Ok(());
    }
    let common: Vec<TokenSet> = a.prefix.iter().zip(&b.prefix).map(|(a, b)| a.common(b)).collect();
    // Both may begin with an operand in brackets or a shared object.
    let example: Option<Vec<String>> = common.iter().map(|set| set.example(&grammar.literals)).collect();
    let Some(example) = example.filter(|example| !example.is_empty()) else { return Ok(()) };
    let message = format!(
        "begins as the format of `{}` does, for example `{}`, so a reader of a `{category}` cannot choose; begin one of them with \
         another word or sign",
        b.production.info.type_key(),
        example.join(" ")
    );
    Err(of(&a.production, message))
}

/// Checks that a part or a list ends where the tokens after it begin, and that no operand takes a token that follows it.
fn check_steps(grammar: &Grammar, production: &Production, steps: &[Step]) -> Result<()> {
    for (index, step) in steps.iter().enumerate() {
        let (after, _) = grammar.first_of(&steps[index + 1..]);
        let fault = |set: TokenSet, what: &str| {
            let example = set.example(&grammar.literals)?;
            let message = format!(
                "has {what} before `{example}`, and it can begin with `{example}` too; put another word or sign between"
            );
            Some(of(production, message))
        };
        let error = match step {
            Step::Optional { first, steps, .. } => {
                check_steps(grammar, production, steps)?;
                fault(first.common(&after), "a part that can be absent")
            }
            Step::List(list) => {
                check_steps(grammar, production, &list.steps)?;
                // Elements without a separator follow each other, so no element may go on with the start of the next one.
                let continued = match (list.separator, list.steps.last()) {
                    (None, Some(Step::Field(slot))) => continuations(grammar, &slot.kind),
                    _ => TokenSet::default(),
                };
                fault(list.first.common(&continued), "a list without separators of elements that could go on")
                    .or_else(|| fault(list.first.common(&after), "a list"))
            }
            // The first operand of an operator ends before the operator by their precedences.
            Step::Field(_)
                if production.left.is_some() && steps[..index].iter().all(|step| matches!(step, Step::Gap(_))) =>
            {
                None
            }
            Step::Field(slot) => fault(operators(grammar, &slot.kind, slot.least).common(&after), "an operand"),
            Step::Literal(_) | Step::Gap(_) | Step::Named(_) => None,
        };
        if let Some(error) = error {
            return Err(error);
        }
    }
    Ok(())
}

/// The tokens with which a value of `kind` could go on after it is complete.
fn continuations(grammar: &Grammar, kind: &Kind) -> TokenSet {
    let mut set = operators(grammar, kind, 0);
    if let Kind::Object(category) = kind.present() {
        let category = &grammar.categories[*category];
        for production in category.uses.iter().chain(&category.tails) {
            let steps = &grammar.productions[*production].production.steps;
            let can_end = |start: &usize| grammar.first_of(&steps[*start..]).1;
            for start in (0..steps.len()).rev().take_while(can_end) {
                set.add_all(&grammar.first_of(&steps[start..]).0);
            }
        }
    }
    set
}

/// The tokens of the operators after a value of `kind` that need no brackets where operands have the precedence `least`.
fn operators(grammar: &Grammar, kind: &Kind, least: u32) -> TokenSet {
    let mut set = TokenSet::default();
    if let Kind::Object(category) = kind.present() {
        let tails = grammar.categories[*category].tails.iter().map(|tail| &grammar.productions[*tail]);
        for tail in tails.filter(|tail| tail.production.precedence >= least) {
            if let Some(first) = tail.prefix.first() {
                set.add_all(first);
            }
        }
    }
    set
}

fn of(production: &Production, message: impl std::fmt::Display) -> Error {
    let (file, line) = production.info.location();
    let key = production.info.type_key();
    Error::new(ErrorKind::Malformed, format!("the format of `{key}` ({file}:{line}) {message}"))
}
