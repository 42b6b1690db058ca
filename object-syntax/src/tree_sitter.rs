//! [`tree_sitter`]: a grammar for the parser generator tree-sitter, which editors use for colours, selections and folds.
//!
//! The result has the form of `grammar.json` of tree-sitter 0.26 (<https://tree-sitter.github.io/tree-sitter/assets/schemas/grammar.schema.json>).
//! It accepts each text of the language. It also accepts some other texts: a free name, an operand without brackets that
//! the precedence of its operator forbids, and a field by name that stands twice.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};

use object_core::object::{Associativity, FieldRole};
use object_format::{FieldForm, is_word};
use serde_json::{Map, Value, json};

use crate::grammar::Grammar;
use crate::kind::{CategoryId, Kind, short_name};
use crate::production::{CLOSED, List, Named, Slot, Step};
use crate::token::LiteralId;

/// The most rules of one category that conflicts name.
const MAX_CONFLICT: usize = 8;

/// A rule, and whether the text can also be empty. Rules of tree-sitter match no empty text.
struct Part {
    rule: Value,
    is_nullable: bool,
}

/// A rule with a name: objects of a category or the text of a production, and whether it defines variables.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Symbol {
    /// The objects of a category with the texts of some productions, and each in brackets.
    Category(CategoryId, bool, Vec<usize>),
    Production(usize, bool),
}

/// The rules under construction.
struct Rules<'g> {
    grammar: &'g Grammar,
    names: HashMap<Symbol, String>,
    taken: HashSet<String>,
    queue: VecDeque<Symbol>,
}

/// `grammar.json` of the language with the name `name`.
pub(crate) fn tree_sitter(grammar: &Grammar, name: &str, comment: &str) -> Value {
    let taken = tokens(comment).keys().cloned().chain(["source_file".to_owned()]).collect();
    let mut rules = Rules { grammar, names: HashMap::new(), taken, queue: VecDeque::new() };
    let root = rules.kind(&grammar.root, false, (0, false)).optional();
    let mut all = Map::new();
    all.insert("source_file".to_owned(), root);
    while let Some(symbol) = rules.queue.pop_front() {
        let rule = match symbol {
            Symbol::Category(id, defines, ref productions) => rules.category(id, defines, productions),
            Symbol::Production(id, defines) => rules.production(id, defines),
        };
        all.insert(rules.names[&symbol].clone(), rule);
    }
    all.extend(tokens(comment));
    let mut extras = vec![pattern(r"\s")];
    extras.extend((!comment.is_empty()).then(|| reference("comment")));
    json!({
        "$schema": "https://tree-sitter.github.io/tree-sitter/assets/schemas/grammar.schema.json",
        "name": name,
        "word": "name",
        "rules": all,
        "extras": extras,
        "conflicts": rules.conflicts(),
        "precedences": [],
        "externals": [],
        "inline": [],
        "supertypes": [],
        "reserved": {},
    })
}

/// The rules of tokens, and of values without objects of the language.
fn tokens(comment: &str) -> Map<String, Value> {
    let pair = sequence([reference("_plain_value"), string(":"), reference("_plain_value")]);
    let argument = sequence([pattern("[A-Za-z_][A-Za-z0-9_]*"), string("="), reference("_plain_value")]);
    let call =
        sequence([reference("path"), optional(sequence([string("("), optional(comma_list(argument)), string(")")]))]);
    let list = sequence([string("["), optional(comma_list(reference("_plain_value"))), string("]")]);
    let map = sequence([string("{"), optional(comma_list(pair)), string("}")]);
    let plain = ["integer", "float", "string", "bytes"].map(reference).into_iter().chain([call, list, map]);
    let mut rules = Map::new();
    let mut add = |name: &str, rule: Value| rules.insert(name.to_owned(), rule);
    add("_plain_value", choice(plain));
    add("path", token(pattern(r"[A-Za-z_][A-Za-z0-9_]*([.:][A-Za-z0-9_]+)*")));
    add("name", token(choice([pattern("[A-Za-z_][A-Za-z0-9_]*"), pattern(r"`(\\.|[^`\\\n])*`")])));
    add("integer", token(pattern("-?[0-9]+")));
    let number = r"-?([0-9]+\.[0-9]+([eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+|inf|NaN)";
    add("float", token(pattern(number)));
    add("string", token(pattern(r#""(\\.|[^"\\\n])*""#)));
    add("bytes", token(pattern(r#"b"(\\.|[^"\\\n])*""#)));
    add("mark", token(pattern("%[0-9]+")));
    if !comment.is_empty() {
        let start: String = comment.chars().map(|c| format!("[{}]", c.escape_default())).collect();
        add("comment", token(pattern(&format!(r"{start}[^\n]*"))));
    }
    rules
}

impl Rules<'_> {
    /// A reference to a rule, which gets a name with its first use.
    fn symbol(&mut self, symbol: Symbol) -> Value {
        if let Some(name) = self.names.get(&symbol) {
            return reference(name);
        }
        let (info, defines, hidden) = match symbol {
            Symbol::Category(id, defines, _) => (self.grammar.categories[id].info, defines, "_"),
            Symbol::Production(id, defines) => (self.grammar.productions[id].production.info, defines, ""),
        };
        let role = if defines { "_definition" } else { "" };
        let base = format!("{hidden}{}{role}", snake(short_name(info)));
        let free = (1..).map(|number| if number == 1 { base.clone() } else { format!("{base}_{number}") });
        let name = free.into_iter().find(|name| self.taken.insert(name.clone())).unwrap_or(base);
        let rule = reference(&name);
        self.names.insert(symbol.clone(), name);
        self.queue.push_back(symbol);
        rule
    }

    /// The objects of a category that stand without brackets where the precedence `least` is needed; `is_left` for the first
    /// operand of an operator.
    fn operand(&mut self, id: CategoryId, defines: bool, (least, is_left): (u32, bool)) -> Value {
        let category = &self.grammar.categories[id];
        let defines = defines && !category.variables.is_empty();
        let heads = if defines { &category.heads } else { &category.uses };
        let stands = |it: &usize| {
            let production = &self.grammar.productions[*it].production;
            // The reader takes a construct that begins with its own token, such as `let`, at the end of an operator, too.
            let is_construct = production.left.is_none() && production.precedence == 0 && !is_left && least != CLOSED;
            is_construct || !self.grammar.needs_brackets(production, id, (least, is_left))
        };
        let productions = heads.iter().chain(&category.tails).copied().filter(stands).collect();
        self.symbol(Symbol::Category(id, defines, productions))
    }

    /// The sets of rules between which the parser may choose late. A construct such as `let` may be the last operand of an operator,
    /// so the token after it decides to which of both an operand belongs; and a shared object may belong to two categories.
    fn conflicts(&self) -> Vec<Vec<&str>> {
        let mut groups: BTreeMap<(CategoryId, bool), Vec<&str>> = BTreeMap::new();
        for (symbol, name) in &self.names {
            if let Symbol::Category(id, defines, _) = symbol {
                groups.entry((*id, *defines)).or_default().push(name);
            }
        }
        let all: BTreeSet<&str> = groups.values().flatten().copied().collect();
        let pairs = all.iter().flat_map(|a| all.range(*a..).skip(1).map(|b| vec![*a, *b]));
        let mut conflicts: BTreeSet<Vec<&str>> = pairs.collect();
        for mut names in groups.into_values() {
            names.sort_unstable();
            names.truncate(MAX_CONFLICT);
            let sets = (0..1usize << names.len()).filter(|set| set.count_ones() > 2);
            let of_set = |set: usize| (0..names.len()).filter(|at| set >> at & 1 == 1).map(|at| names[at]).collect();
            conflicts.extend(sets.map(of_set));
        }
        conflicts.into_iter().collect()
    }

    fn category(&mut self, id: CategoryId, defines: bool, productions: &[usize]) -> Value {
        let symbols = productions.iter().map(|it| self.symbol(Symbol::Production(*it, defines)));
        let mut all: Vec<Value> = symbols.collect();
        let category = &self.grammar.categories[id];
        if !category.variables.is_empty() && !defines {
            all.push(reference("name"));
        }
        if category.has_brackets {
            let (open, close) = self.grammar.brackets;
            let inner = self.operand(id, defines, (0, false));
            all.push(sequence([self.literal(open), inner, self.literal(close)]));
        }
        all.push(reference("mark"));
        let marked = self.operand(id, defines, (CLOSED, false));
        // A sign of equality after the number of an object belongs to it.
        all.push(precedence("PREC_RIGHT", 0, sequence([reference("mark"), string("="), marked])));
        choice(all)
    }

    /// The text of a production.
    fn production(&mut self, id: usize, defines: bool) -> Value {
        let production = &self.grammar.productions[id].production;
        let rule = self.steps(&production.steps, defines).rule;
        match production.associativity {
            _ if production.precedence == CLOSED => rule,
            Associativity::Left | Associativity::None if production.left.is_some() => {
                precedence("PREC_LEFT", production.precedence, rule)
            }
            // A part that may be absent, or an operand at the end, goes on as far as it can.
            _ => precedence("PREC_RIGHT", production.precedence, rule),
        }
    }

    fn steps(&mut self, steps: &[Step], defines: bool) -> Part {
        let mut parts = Vec::new();
        for step in steps {
            parts.push(match step {
                Step::Gap(_) | Step::Field(Slot { form: FieldForm::Flag, .. }) => continue,
                Step::Literal(id) => Part::present(self.literal(*id)),
                Step::Field(slot) => self.slot(slot, defines),
                Step::Named(named) => self.named(named, defines),
                Step::Optional { steps, .. } => Part { is_nullable: true, ..self.steps(steps, defines) },
                Step::List(list) => self.list(list, defines),
            });
        }
        all_of(parts)
    }

    fn slot(&mut self, slot: &Slot, defines: bool) -> Part {
        let defines = match slot.role {
            FieldRole::Def | FieldRole::DefSimple => true,
            FieldRole::Ignore => false,
            FieldRole::Content => defines,
        };
        self.kind(&slot.kind, defines, (slot.least, slot.is_left))
    }

    fn list(&mut self, list: &List, defines: bool) -> Part {
        let element = self.steps(&list.steps, defines).rule;
        let rule = match list.separator {
            Some(separator) => separated(element, self.literal(separator)),
            None => rule("REPEAT1", [("content", element)]),
        };
        Part { rule, is_nullable: !list.is_nonempty }
    }

    fn named(&mut self, named: &Named, defines: bool) -> Part {
        let mut fields = Vec::new();
        for (slot, name) in named.slots.iter().zip(&named.names) {
            let value = self.slot(slot, defines).rule;
            fields.push(sequence([self.literal(*name), self.literal(named.equals), value]));
        }
        let inside = (!fields.is_empty()).then(|| optional(separated(choice(fields), self.literal(named.comma))));
        let (open, close) = (self.literal(named.open), self.literal(named.close));
        let rule = sequence([Some(open), inside, Some(close)].into_iter().flatten());
        Part { rule, is_nullable: !named.is_required }
    }

    /// The values of `kind`. `slot` says which objects stand without brackets.
    fn kind(&mut self, kind: &Kind, defines: bool, slot: (u32, bool)) -> Part {
        Part::present(match kind {
            Kind::Bool => choice(["true", "false"].map(string)),
            Kind::Int => reference("integer"),
            Kind::Float => choice(["integer", "float"].map(reference)),
            Kind::Text => reference("string"),
            Kind::Word => reference("name"),
            Kind::Plain => reference("_plain_value"),
            Kind::Enum(it) => choice(it.variants.iter().map(|(name, _)| string(name))),
            Kind::Optional(inner) => choice([self.kind(inner, defines, slot).rule, string("None")]),
            Kind::Array(inner) => {
                let inside = optional(comma_list(self.kind(inner, defines, slot).rule));
                sequence([string("["), inside, string("]")])
            }
            Kind::Map(entry) => {
                let inside = optional(comma_list(self.kind(&Kind::Entry(entry.clone()), defines, slot).rule));
                sequence([string("{"), inside, string("}")])
            }
            Kind::Entry(entry) => sequence([
                self.kind(&entry.0, defines, slot).rule,
                string(":"),
                self.kind(&entry.1, defines, slot).rule,
            ]),
            Kind::Object(id) => {
                let is_nullable = self.is_nullable(*id, &mut HashSet::new());
                return Part { rule: self.operand(*id, defines, slot), is_nullable };
            }
            Kind::OneOf(kinds) => choice(kinds.iter().map(|it| self.kind(it, defines, slot).rule).collect::<Vec<_>>()),
        })
    }

    /// Whether the text of some object of a category can be empty.
    fn is_nullable(&self, id: CategoryId, around: &mut HashSet<CategoryId>) -> bool {
        let heads = &self.grammar.categories[id].heads;
        around.insert(id)
            && heads.iter().any(|head| {
                self.grammar.productions[*head].production.steps.iter().all(|step| match step {
                    Step::Gap(_) | Step::Optional { .. } => true,
                    Step::List(list) => !list.is_nonempty,
                    Step::Named(named) => !named.is_required,
                    Step::Field(Slot { kind: Kind::Object(id), .. }) => self.is_nullable(*id, around),
                    Step::Field(_) | Step::Literal(_) => false,
                })
            })
    }

    fn literal(&self, id: LiteralId) -> Value {
        string(self.grammar.literals.text(id))
    }
}

impl Part {
    fn present(rule: Value) -> Self {
        Part { rule, is_nullable: false }
    }

    fn optional(self) -> Value {
        if self.is_nullable { optional(self.rule) } else { self.rule }
    }
}

/// The parts one after the other. If all can be empty, the rule has an alternative for each part that stands first.
fn all_of(parts: Vec<Part>) -> Part {
    let is_nullable = parts.iter().all(|part| part.is_nullable);
    if !is_nullable {
        return Part::present(sequence(parts.into_iter().map(Part::optional)));
    }
    let rules: Vec<Value> = parts.into_iter().map(|part| part.rule).collect();
    let from = |first: usize| {
        let later = rules[first + 1..].iter().cloned().map(optional);
        sequence([rules[first].clone()].into_iter().chain(later))
    };
    Part { rule: choice((0..rules.len()).map(from)), is_nullable }
}

fn rule<const N: usize>(kind: &str, parts: [(&str, Value); N]) -> Value {
    let all = [("type", kind.into())].into_iter().chain(parts);
    Value::Object(all.map(|(key, value)| (key.to_owned(), value)).collect())
}

fn reference(name: &str) -> Value {
    rule("SYMBOL", [("name", name.into())])
}

fn string(text: &str) -> Value {
    rule("STRING", [("value", text.into())])
}

fn pattern(regex: &str) -> Value {
    rule("PATTERN", [("value", regex.into())])
}

fn token(content: Value) -> Value {
    rule("TOKEN", [("content", content)])
}

fn sequence(members: impl IntoIterator<Item = Value>) -> Value {
    rule("SEQ", [("members", members.into_iter().collect())])
}

fn choice(members: impl IntoIterator<Item = Value>) -> Value {
    let mut all: Vec<Value> = Vec::new();
    for member in members {
        if !all.contains(&member) {
            all.push(member);
        }
    }
    rule("CHOICE", [("members", Value::Array(all))])
}

fn optional(content: Value) -> Value {
    rule("CHOICE", [("members", Value::Array(vec![content, rule("BLANK", [])]))])
}

/// Elements with a separator between them, and maybe after the last one.
fn separated(element: Value, separator: Value) -> Value {
    let more = rule("REPEAT", [("content", sequence([separator.clone(), element.clone()]))]);
    sequence([element, more, optional(separator)])
}

fn comma_list(element: Value) -> Value {
    separated(element, string(","))
}

/// Precedences of tree-sitter are signed, and 0 is the one of rules without.
fn precedence(kind: &str, precedence: u32, content: Value) -> Value {
    let value = i32::try_from(precedence).map_or(i32::MAX, |it| it.saturating_add(1));
    rule(kind, [("value", value.into()), ("content", content)])
}

/// `LetExpr` as `let_expr`. A key without letters or digits of ASCII is `object`.
fn snake(name: &str) -> String {
    let mut result = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() && result.chars().last().is_some_and(|last| last.is_ascii_lowercase()) {
            result.push('_');
        }
        result.push(if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' });
    }
    if is_word(&result) && result.starts_with(|c: char| c.is_ascii_alphabetic()) {
        result
    } else {
        format!("object_{result}")
    }
}
