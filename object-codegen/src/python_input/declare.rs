//! Reads classes with the decorator `declare`.

use object_core::dynamic::HandWritten;
use object_core::object::SEqHashKind;
use ruff_python_ast::{Expr, Stmt, StmtAnnAssign, StmtClassDef};

use crate::python_input::annotation::{Annotation, dotted};
use crate::python_input::class_draft::{ClassDraft, FieldDraft, Form, Placed};
use crate::python_input::docstring::Docstring;
use crate::python_input::field_call::{FieldWords, metadata};
use crate::python_input::file_reader::FileReader;
use crate::python_input::words::did_you_mean;

/// The words of a class, before `=`.
const WORDS: [&str; 6] =
    ["type_key", "structural_eq", "metadata", "default_visit_attrs", "default_sequal_reduce", "default_shash_reduce"];

/// The words of the kind of a type, in Python.
const KINDS: [(&str, SEqHashKind); 5] = [
    ("tree", SEqHashKind::TreeNode),
    ("const-tree", SEqHashKind::ConstTreeNode),
    ("dag", SEqHashKind::DagNode),
    ("var", SEqHashKind::FreeVar),
    ("singleton", SEqHashKind::UniqueInstance),
];

/// The kind in a text, or none for `None`. A wrong word is an error, and the kind `tree`.
pub(super) fn kind(file: &FileReader<'_>, value: &Expr) -> SEqHashKind {
    let word = match value {
        Expr::NoneLiteral(_) => return SEqHashKind::Unsupported,
        Expr::StringLiteral(text) => text.value.to_str(),
        _ => {
            file.error(value, "`structural_eq` is a text such as \"tree\", or `None`");
            return SEqHashKind::TreeNode;
        }
    };
    match KINDS.iter().find(|(known, _)| *known == word) {
        Some((_, kind)) => *kind,
        None => {
            let words: Vec<&str> = KINDS.iter().map(|(word, _)| *word).collect();
            file.error(value, format!("`{word}` is not a kind{}", did_you_mean(word, &words)));
            SEqHashKind::TreeNode
        }
    }
}

/// The bases of a class.
pub(super) fn bases(file: &FileReader<'_>, class: &StmtClassDef) -> Vec<Placed<String>> {
    let Some(arguments) = &class.arguments else { return Vec::new() };
    for keyword in &arguments.keywords {
        file.error(keyword, "the bases of a declaration have no words with `=`");
    }
    let base = |base: &Expr| {
        let path = dotted(base);
        if path.is_none() {
            file.error(base, format!("`{}` is not the name of a class", file.excerpt(base)));
        }
        path.map(|value| Placed { value, place: file.place(base) })
    };
    arguments.args.iter().filter_map(base).collect()
}

/// The docstring of a class or a function.
pub(super) fn docstring(file: &FileReader<'_>, body: &[Stmt]) -> Placed<Docstring> {
    match body.first() {
        Some(Stmt::Expr(it)) => match &*it.value {
            Expr::StringLiteral(text) => {
                Placed { value: Docstring::parse(text.value.to_str()), place: file.place(text) }
            }
            other => Placed { value: Docstring::default(), place: file.place(other) },
        },
        _ => Placed { value: Docstring::default(), place: file.place_of(0) },
    }
}

/// A field `name: TYPE` or `name: TYPE = VALUE`.
///
/// # Errors
/// `None`, after the errors are noted in `file`.
pub(super) fn field(file: &FileReader<'_>, stmt: &StmtAnnAssign) -> Option<FieldDraft> {
    let Expr::Name(name) = &*stmt.target else {
        file.error(&*stmt.target, "a field has a plain name");
        return None;
    };
    let words = FieldWords::read(file, stmt.value.as_deref());
    let FieldWords { role, default, doc, meta } = words;
    let annotation = Annotation::read(file, &stmt.annotation)?;
    let name = Placed { value: name.id.to_string(), place: file.place(name) };
    Some(FieldDraft { name, annotation, role, default, doc, meta })
}

/// The class with the decorator `declare`. Its errors are noted in `file`.
pub(super) fn declared(file: &FileReader<'_>, class: &StmtClassDef) -> ClassDraft {
    let docs = docstring(file, &class.body);
    let mut key = None;
    let mut structural_kind = SEqHashKind::TreeNode;
    let (mut hand_written, mut meta) = (HandWritten::default(), Vec::new());
    let (mut fields, mut seen) = (Vec::new(), Vec::<String>::new());
    for stmt in &class.body {
        match stmt {
            Stmt::Assign(assign) => {
                let [Expr::Name(word)] = assign.targets.as_slice() else {
                    file.error(assign, "a line with `=` has one name before it");
                    continue;
                };
                let (word, value) = (word.id.as_str(), &*assign.value);
                if seen.iter().any(|known| known == word) {
                    file.error(assign, format!("`{word}` is given twice"));
                }
                seen.push(word.to_owned());
                match word {
                    "type_key" => match value {
                        Expr::StringLiteral(text) => {
                            let text = text.value.to_str().to_owned();
                            key.get_or_insert(Placed { value: text, place: file.place(value) });
                        }
                        _ => file.error(value, "the type key is a text, such as \"demo.Point\""),
                    },
                    "structural_eq" => structural_kind = kind(file, value),
                    "metadata" => meta = metadata(file, value),
                    "default_visit_attrs" => hand_written.visit_attrs = !flag(file, word, value),
                    "default_sequal_reduce" => hand_written.sequal_reduce = !flag(file, word, value),
                    "default_shash_reduce" => hand_written.shash_reduce = !flag(file, word, value),
                    unknown => file.error(
                        assign,
                        format!(
                            "`{unknown}` is not a word of a declaration{}; a field has a type, as in \
                             `{unknown}: ty.int64_t`",
                            did_you_mean(unknown, &WORDS)
                        ),
                    ),
                }
            }
            Stmt::AnnAssign(stmt) => match &*stmt.target {
                Expr::Name(name) if WORDS.contains(&name.id.as_str()) => {
                    file.error(stmt, format!("`{}` is a word of the declaration: write it without a type", name.id));
                    seen.push(name.id.to_string());
                }
                _ => fields.extend(field(file, stmt)),
            },
            Stmt::Pass(_) => {}
            Stmt::Expr(it) if matches!(&*it.value, Expr::StringLiteral(_) | Expr::EllipsisLiteral(_)) => {}
            Stmt::FunctionDef(function) => file.error(
                &function.name,
                format!(
                    "`{}`: a declaration has no methods; write them into a custom section of the generated file",
                    function.name
                ),
            ),
            other => file.error(other, "a declaration has a docstring, words with `=`, and fields with types only"),
        }
    }
    let name = class.name.as_str();
    let short = name.strip_suffix("Node").unwrap_or(name);
    if hand_written.sequal_reduce != hand_written.shash_reduce {
        let (given, missing) = match hand_written.sequal_reduce {
            true => ("default_sequal_reduce", "default_shash_reduce"),
            false => ("default_shash_reduce", "default_sequal_reduce"),
        };
        let message = format!(
            "`{given} = False` needs `{missing} = False`: equal objects must have equal hashes, so both are written by \
             hand or none"
        );
        file.error(&class.name, message);
    }
    if key.is_none() && !seen.iter().any(|word| word == "type_key") {
        file.error(&class.name, format!("`{name}` has no type key; write for example `type_key = \"{short}\"`"));
    }
    let Placed { value: docs, place: docs_place } = docs;
    ClassDraft {
        form: Form::Declare,
        name: Placed { value: class.name.to_string(), place: file.place(&class.name) },
        bases: bases(file, class),
        // The errors of the fields count as well, so a class without a key has another name of its own.
        key: key.unwrap_or_else(|| Placed { value: short.to_owned(), place: file.place(&class.name) }),
        doc: docs.text,
        see_also: docs.see_also,
        field_docs: docs.attributes.into_iter().map(|value| Placed { value, place: docs_place.clone() }).collect(),
        kind: structural_kind,
        hand_written,
        meta,
        fields,
        methods: Vec::new(),
    }
}

/// A value `True` or `False`; anything else is an error and `True`.
fn flag(file: &FileReader<'_>, word: &str, value: &Expr) -> bool {
    match value {
        Expr::BooleanLiteral(literal) => literal.value,
        _ => {
            file.error(value, format!("`{word}` is `True` or `False`, not `{}`", file.excerpt(value)));
            true
        }
    }
}
