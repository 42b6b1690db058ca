//! The words of each attribute, and the suggestion for a word that an attribute does not have.

/// An attribute of the derive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Attr {
    Object,
    StructuralEq,
    Field,
}

impl Attr {
    pub(crate) const ALL: [Attr; 3] = [Attr::Object, Attr::StructuralEq, Attr::Field];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Attr::Object => "object",
            Attr::StructuralEq => "structural_eq",
            Attr::Field => "field",
        }
    }

    /// An example of the attribute.
    pub(crate) fn usage(self) -> &'static str {
        match self {
            Attr::Object => "#[object(type_key = \"...\")]",
            Attr::StructuralEq => "#[structural_eq(tree)]",
            Attr::Field => "#[field(ignore)]",
        }
    }

    /// Where the attribute belongs.
    pub(crate) fn place(self) -> &'static str {
        match self {
            Attr::Object => "on the type, beside `#[derive(Object)]`",
            Attr::StructuralEq => "on the struct, beside `#[derive(Object)]`",
            Attr::Field => "on a field of the struct",
        }
    }

    pub(crate) fn words(self) -> &'static [Keyword] {
        match self {
            Attr::Object => OBJECT,
            Attr::StructuralEq => STRUCTURAL_EQ,
            Attr::Field => FIELD,
        }
    }

    pub(crate) fn word(self, name: &str) -> Option<&'static Keyword> {
        self.words().iter().find(|word| word.name == name)
    }
}

/// The syntax after a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// Nothing.
    Flag,
    /// `= "text"`.
    Text,
    /// `= a::path`.
    Path,
    /// `= name`.
    Name,
    /// Nothing, or `= expression`.
    FlagOrExpr,
    /// A list in parentheses.
    List,
    /// `= 2`.
    Number,
    /// `= "text"`, any number of times.
    Texts,
    /// A list in parentheses, any number of times.
    Lists,
    /// `= 0..=64`.
    Range,
    /// `= [1, 2]`.
    Values,
}

impl Form {
    /// Whether a word of this form may stand more than once.
    pub(crate) fn repeats(self) -> bool {
        matches!(self, Form::Texts | Form::Lists)
    }
}

/// A word of an attribute.
pub(crate) struct Keyword {
    pub(crate) name: &'static str,
    pub(crate) form: Form,
    /// An example of its use.
    pub(crate) example: &'static str,
}

const fn word(name: &'static str, form: Form, example: &'static str) -> Keyword {
    Keyword { name, form, example }
}

const OBJECT: &[Keyword] = &[
    word("type_key", Form::Text, "type_key = \"demo.Expr\""),
    word("parent", Form::Path, "parent = ExprNode"),
    word("base", Form::Flag, "base"),
    word("base_args", Form::List, "base_args(dtype: DataType)"),
    word("json", Form::Name, "json = name"),
    word("label", Form::Text, "label = \"Var({name:?})\""),
    word("format", Form::Text, "format = \"let $var = $value in $body\""),
    word("precedence", Form::Number, "precedence = 6"),
    word("associativity", Form::Name, "associativity = right"),
    word("opaque", Form::Flag, "opaque"),
    word("crate", Form::Path, "crate = path::to::object_core"),
    word("handle", Form::Name, "handle = Expr"),
    word("may_contain", Form::List, "may_contain(var, dag)"),
    word("meta", Form::List, "meta(dialect = \"sql\")"),
    word("eq", Form::Name, "eq = structural"),
    word("new", Form::Name, "new = unchecked"),
    word("display", Form::Name, "display = none"),
    word("setters", Form::Name, "setters = ExprSetters"),
    word("alias", Form::Texts, "alias = \"demo.OldExpr\""),
    word("version", Form::Number, "version = 2"),
    word("migrate", Form::Lists, "migrate(from = 1, with = path::to::function)"),
    word("removed", Form::List, "removed(\"old_field\")"),
    word("files", Form::Name, "files = tvm"),
    word("verify", Form::Path, "verify = path::to::function"),
    word("same_len", Form::Lists, "same_len(params, args)"),
];

const STRUCTURAL_EQ: &[Keyword] = &[
    word("tree", Form::Flag, "tree"),
    word("const_tree", Form::Flag, "const_tree"),
    word("dag", Form::Flag, "dag"),
    word("var", Form::Flag, "var"),
    word("singleton", Form::Flag, "singleton"),
    word("none", Form::Flag, "none"),
    word("custom", Form::Flag, "custom"),
    word("scope", Form::Flag, "scope"),
    word("key", Form::Name, "key = name"),
    word("table", Form::Path, "table = path::to::function"),
];

const FIELD: &[Keyword] = &[
    word("ignore", Form::Flag, "ignore"),
    word("def", Form::Flag, "def"),
    word("def_simple", Form::Flag, "def_simple"),
    word("rename", Form::Text, "rename = \"__dict__\""),
    word("default", Form::FlagOrExpr, "default = 1"),
    word("meta", Form::List, "meta(unit = \"bytes\")"),
    word("may_contain", Form::List, "may_contain()"),
    word("outer", Form::Flag, "outer"),
    word("export", Form::Flag, "export"),
    word("skip", Form::Flag, "skip"),
    word("cache", Form::Flag, "cache"),
    word("alias", Form::Texts, "alias = \"old_name\""),
    word("required", Form::Flag, "required"),
    word("range", Form::Range, "range = 0..=64"),
    word("len", Form::Range, "len = 1.."),
    word("one_of", Form::Values, "one_of = [\"add\", \"sub\"]"),
];

/// Words of other frameworks and other spellings, folded, with the words of this crate.
const FOREIGN: &[(Attr, &str, &str)] = &[
    (Attr::Object, "key", "type_key"),
    (Attr::Object, "name", "type_key"),
    (Attr::Object, "type", "type_key"),
    (Attr::Object, "extends", "parent"),
    (Attr::Object, "inherits", "parent"),
    (Attr::Object, "super", "parent"),
    (Attr::Object, "open", "base"),
    (Attr::Object, "abstract", "base"),
    (Attr::Object, "krate", "crate"),
    (Attr::Object, "equality", "eq"),
    (Attr::Object, "no_eq", "eq"),
    (Attr::Object, "partial_eq", "eq"),
    (Attr::Object, "hash", "eq"),
    (Attr::Object, "no_new", "new"),
    (Attr::Object, "constructor", "new"),
    (Attr::Object, "no_display", "display"),
    (Attr::Object, "builder", "setters"),
    (Attr::Object, "with", "setters"),
    (Attr::Object, "transparent", "json"),
    (Attr::Object, "metadata", "meta"),
    (Attr::Object, "syntax", "format"),
    (Attr::Object, "assembly_format", "format"),
    (Attr::Object, "prec", "precedence"),
    (Attr::Object, "assoc", "associativity"),
    (Attr::Object, "aliases", "alias"),
    (Attr::Object, "old_key", "alias"),
    (Attr::Object, "reserved", "removed"),
    (Attr::Object, "migration", "migrate"),
    (Attr::Object, "upgrade", "migrate"),
    (Attr::Object, "verifier", "verify"),
    (Attr::Object, "validate", "verify"),
    (Attr::Object, "same_length", "same_len"),
    (Attr::StructuralEq, "free_var", "var"),
    (Attr::StructuralEq, "freevar", "var"),
    (Attr::StructuralEq, "unique_instance", "singleton"),
    (Attr::StructuralEq, "uniqueinstance", "singleton"),
    (Attr::StructuralEq, "treenode", "tree"),
    (Attr::StructuralEq, "tree_node", "tree"),
    (Attr::StructuralEq, "consttree", "const_tree"),
    (Attr::StructuralEq, "consttreenode", "const_tree"),
    (Attr::StructuralEq, "const_tree_node", "const_tree"),
    (Attr::StructuralEq, "dagnode", "dag"),
    (Attr::StructuralEq, "dag_node", "dag"),
    (Attr::StructuralEq, "unsupported", "none"),
    (Attr::StructuralEq, "skip", "none"),
    (Attr::StructuralEq, "hook", "custom"),
    (Attr::StructuralEq, "hooks", "custom"),
    (Attr::Field, "seqhash_ignore", "ignore"),
    (Attr::Field, "s_eq_hash_ignore", "ignore"),
    (Attr::Field, "recursive", "def"),
    (Attr::Field, "def_recursive", "def"),
    (Attr::Field, "pattern", "def"),
    (Attr::Field, "def_pattern", "def"),
    (Attr::Field, "binds", "def"),
    (Attr::Field, "exclude", "ignore"),
    (Attr::Field, "transient", "skip"),
    (Attr::Field, "no_reflect", "skip"),
    (Attr::Field, "cached", "cache"),
    (Attr::Field, "memo", "cache"),
    (Attr::Field, "hidden", "ignore"),
    (Attr::Field, "bind", "def"),
    (Attr::Field, "non_recursive", "def_simple"),
    (Attr::Field, "def_non_recursive", "def_simple"),
    (Attr::Field, "simple", "def_simple"),
    (Attr::Field, "name", "rename"),
    (Attr::Field, "metadata", "meta"),
    (Attr::Field, "aliases", "alias"),
    (Attr::Field, "old_name", "alias"),
    (Attr::Field, "mandatory", "required"),
    (Attr::Field, "bounds", "range"),
    (Attr::Field, "length", "len"),
    (Attr::Field, "choices", "one_of"),
    (Attr::Field, "allowed", "one_of"),
];

/// Words without a counterpart in this crate, and the help to show.
const ADVICE: &[(&str, &str)] = &[
    ("final", "leave it out: a type is final unless it says `base`"),
    ("mutable", "leave it out: a node that is not shared can always be changed, by `make_mut`"),
    ("optional", "give the field the type `Option<...>`, and `default` if it may be left out"),
    ("doc", "write a documentation comment, which reflection keeps"),
];

/// How to do without a word that no attribute has.
fn advice(folded: &str) -> Option<&'static str> {
    ADVICE.iter().find(|(word, _)| *word == folded).map(|(_, advice)| *advice)
}

/// The probable meaning of an unknown word.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Guess {
    /// The word of the same attribute for a word of another framework, or with another spelling.
    Foreign(&'static Keyword),
    /// The nearest word of the same attribute.
    Near(&'static Keyword),
    /// The same word in another attribute.
    Elsewhere(Attr, &'static Keyword),
    /// No word is needed, for the reason in the text.
    Superfluous(&'static str),
    /// Nothing near.
    Nothing,
}

impl PartialEq for Keyword {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Keyword {}

impl std::fmt::Debug for Keyword {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// The probable meaning of `given`, which is not a word of `attr`.
pub(crate) fn guess(attr: Attr, given: &str) -> Guess {
    let folded = fold(given);
    if let Some(word) = attr.word(&folded) {
        return Guess::Foreign(word);
    }
    let peers = FOREIGN.iter().find(|(of, word, _)| *of == attr && *word == folded);
    if let Some(word) = peers.and_then(|(_, _, ours)| attr.word(ours)) {
        return Guess::Foreign(word);
    }
    for other in Attr::ALL {
        if let Some(word) = other.word(&folded) {
            return Guess::Elsewhere(other, word);
        }
    }
    let names = attr.words().iter().map(|word| word.name);
    match nearest(&folded, names).and_then(|name| attr.word(name)) {
        Some(word) => Guess::Near(word),
        None => advice(&folded).map_or(Guess::Nothing, Guess::Superfluous),
    }
}

/// The probable meaning of `structural_eq = "word"`, as declarations of tvm-ffi spell the role of a field and the kind of
/// a type.
pub(crate) fn guess_peer_spelling(attr: Attr, given: &str, value: &str) -> Option<Guess> {
    let of = if attr == Attr::Field { Attr::Field } else { Attr::StructuralEq };
    if fold(given) != Attr::StructuralEq.name() {
        return None;
    }
    match guess(of, value) {
        Guess::Foreign(word) | Guess::Near(word) if of != attr => Some(Guess::Elsewhere(of, word)),
        guess @ (Guess::Foreign(_) | Guess::Near(_)) => Some(guess),
        _ => None,
    }
}

/// `given` without case, and with `_` for `-`.
fn fold(given: &str) -> String {
    given.to_lowercase().replace('-', "_")
}

/// The candidate within an edit distance of two (of one, for words of up to three letters).
pub(crate) fn nearest<'a>(given: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let limit = if given.chars().count() <= 3 { 1 } else { 2 };
    candidates
        .map(|candidate| (distance(given, candidate), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min()
        .map(|(_, candidate)| candidate)
}

/// Edit distance, with a swap of neighbours as one edit.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let last = &rows[i - 1];
            let mut best = (last[j - 1] + usize::from(a[i - 1] != b[j - 1])).min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

/// `a`, `b` and `c`.
pub(crate) fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let quoted: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guesses() {
        let check = |attr, given, expected| match guess(attr, given) {
            Guess::Foreign(word) | Guess::Near(word) => assert_eq!(word.name, expected, "{given}"),
            other => panic!("{given}: {other:?}"),
        };
        check(Attr::Field, "ignroe", "ignore");
        check(Attr::Field, "transient", "skip");
        check(Attr::Field, "Default", "default");
        check(Attr::StructuralEq, "tre", "tree");
        check(Attr::StructuralEq, "const-tree", "const_tree");
        check(Attr::StructuralEq, "free_var", "var");
        check(Attr::StructuralEq, "unique_instance", "singleton");
        check(Attr::Object, "typekey", "type_key");
        assert_eq!(guess(Attr::Field, "tree"), Guess::Elsewhere(Attr::StructuralEq, &STRUCTURAL_EQ[0]));
        assert_eq!(guess(Attr::Field, "whatever"), Guess::Nothing);
    }

    /// The reference has a section for every word, with an example of its use and one that is refused.
    #[test]
    fn every_word_is_in_the_reference() {
        let reference = include_str!("../docs/reference.md");
        for attr in Attr::ALL {
            let heading = format!("# `#[{}(...)]`", attr.name());
            let part = reference.split(&heading).nth(1).and_then(|rest| rest.split("\n\n# ").next());
            let sections: Vec<&str> = part.expect("a part for each attribute").split("\n#### `").skip(1).collect();
            for word in attr.words() {
                let is_of_word = |section: &&&str| {
                    let name = |char: char| char == '_' || char.is_alphanumeric();
                    section.strip_prefix(word.name).is_some_and(|rest| !rest.starts_with(name))
                };
                let section = sections.iter().find(is_of_word);
                let section = section.unwrap_or_else(|| panic!("no section `{}` of {}", word.name, attr.name()));
                assert!(section.contains("\n```rust\n") && section.contains("\n```rust,compile_fail"), "{}", word.name);
            }
            assert_eq!(sections.len(), attr.words().len(), "sections without a word in `{}`", attr.name());
        }
    }

    #[test]
    fn every_word_of_a_peer_maps_to_one_of_ours() {
        for (attr, theirs, ours) in FOREIGN {
            assert!(attr.word(ours).is_some() && attr.word(theirs).is_none(), "{theirs}");
            assert_eq!(fold(theirs), *theirs);
        }
    }
}
