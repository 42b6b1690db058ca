//! Reads classes with the decorators `py_class` and `c_class` of tvm-ffi.

use object_core::dynamic::HandWritten;
use object_core::object::{FieldRole, SEqHashKind};
use ruff_python_ast::{Decorator, Expr, Stmt, StmtClassDef, StmtFunctionDef};

use crate::python_input::annotation::{Annotation, Shape, dotted, last_part};
use crate::python_input::class_draft::{ClassDraft, FieldDraft, Form, MethodDraft, Placed};
use crate::python_input::declare::{bases, docstring, field, kind};
use crate::python_input::file_reader::FileReader;
use crate::python_input::words::did_you_mean;

/// The words of `py_class`, in both versions.
const PY_CLASS: [&str; 11] = [
    "type_key",
    "structural_eq",
    "kw_only",
    "frozen",
    "init",
    "repr",
    "eq",
    "order",
    "unsafe_hash",
    "match_args",
    "slots",
];
/// The words of `c_class`, in both versions.
const C_CLASS: [&str; 8] = ["type_key", "frozen", "init", "repr", "eq", "order", "unsafe_hash", "match_args"];

/// The words of a decorator.
struct Words {
    key: Option<Placed<String>>,
    kind: Option<SEqHashKind>,
    kw_only: bool,
}

/// The class with the decorator `py_class`, or `c_class` and `register_object` for the form of C++. Its errors are noted
/// in `file`.
pub(super) fn registered(file: &FileReader<'_>, class: &StmtClassDef, form: Form, decorator: &Decorator) -> ClassDraft {
    let words = words(file, form, decorator);
    let docs = docstring(file, &class.body);
    let mut body = Body { kw_only: words.kw_only, ..Body::default() };
    for stmt in &class.body {
        body.add(file, stmt);
    }
    let hand_written = body.hooks(file);
    let structural_kind = match (form, words.kind) {
        (_, Some(kind)) => kind,
        (Form::PyClass, None) => {
            file.warning(
                &class.name,
                "`structural_eq` is not given, and its default is `None` in tvm-ffi 0.1.12 and \"tree\" in 0.1.15: the \
                 type is read as \"tree\"; write the kind",
            );
            SEqHashKind::TreeNode
        }
        _ => {
            file.warning(
                &class.name,
                "the kind and the flags of this type are in its C++: the type is read with the kind `None`; give its \
                 schema as context instead",
            );
            SEqHashKind::Unsupported
        }
    };
    if words.key.is_none() {
        let message = format!(
            "`{}` has no type key, so the key depends on the module that Python imports; write \
             `@py_class(\"NAMESPACE.{0}\")`",
            class.name
        );
        file.error(&class.name, message);
    }
    let Placed { value: docs, place: docs_place } = docs;
    ClassDraft {
        form,
        name: Placed { value: class.name.to_string(), place: file.place(&class.name) },
        bases: bases(file, class),
        key: words.key.unwrap_or_else(|| Placed { value: class.name.to_string(), place: file.place(&class.name) }),
        doc: docs.text,
        see_also: docs.see_also,
        field_docs: docs.attributes.into_iter().map(|value| Placed { value, place: docs_place.clone() }).collect(),
        kind: structural_kind,
        hand_written,
        meta: Vec::new(),
        fields: body.fields,
        methods: body.methods,
    }
}

fn words(file: &FileReader<'_>, form: Form, decorator: &Decorator) -> Words {
    let mut words = Words { key: None, kind: None, kw_only: false };
    let Expr::Call(call) = &decorator.expression else { return words };
    let mut set_key = |value: &Expr| match value {
        Expr::StringLiteral(text) => {
            if words.key.is_some() {
                file.error(value, "the type key is given twice");
            }
            words.key = Some(Placed { value: text.value.to_str().to_owned(), place: file.place(value) });
        }
        Expr::NoneLiteral(_) => {}
        _ => file.error(value, "the type key is a text, such as \"demo.Point\""),
    };
    for (index, argument) in call.arguments.args.iter().enumerate() {
        match index {
            0 => set_key(argument),
            _ => file.error(argument, "only the type key has no name before it"),
        }
    }
    let known: &[&str] = if form == Form::PyClass { &PY_CLASS } else { &C_CLASS };
    for keyword in &call.arguments.keywords {
        let Some(word) = &keyword.arg else {
            file.error(keyword, "`**` hides the words of the decorator; write them out");
            continue;
        };
        match word.as_str() {
            "type_key" => set_key(&keyword.value),
            "structural_eq" if form == Form::PyClass => words.kind = Some(kind(file, &keyword.value)),
            "kw_only" => words.kw_only = matches!(&keyword.value, Expr::BooleanLiteral(flag) if flag.value),
            word if known.contains(&word) => {}
            unknown => {
                let hint = did_you_mean(unknown, known);
                file.error(word, format!("`{unknown}` is not a word of this decorator{hint}"));
            }
        }
    }
    words
}

/// The statements of a class.
#[derive(Default)]
struct Body {
    fields: Vec<FieldDraft>,
    methods: Vec<MethodDraft>,
    kw_only: bool,
    /// The ranges of the hooks `__s_equal__` and `__s_hash__`.
    hooks: [Option<ruff_text_size::TextRange>; 2],
}

impl Body {
    fn add(&mut self, file: &FileReader<'_>, stmt: &Stmt) {
        match stmt {
            Stmt::AnnAssign(assign) => {
                let named = |word: &str| {
                    let base = match &*assign.annotation {
                        Expr::Subscript(subscript) => &subscript.value,
                        other => other,
                    };
                    dotted(base).is_some_and(|path| last_part(&path) == word)
                };
                if named("ClassVar") {
                } else if named("KW_ONLY") {
                    self.kw_only = true;
                } else if let Some(mut field) = field(file, assign) {
                    if self.kw_only && !field.meta.iter().any(|(key, _)| key == "kw_only") {
                        field.meta.push(("kw_only".to_owned(), "true".to_owned()));
                    }
                    self.fields.push(field);
                }
            }
            Stmt::FunctionDef(function) => self.add_function(file, function),
            // Other statements are code of Python, which no other language shares.
            _ => {}
        }
    }

    fn add_function(&mut self, file: &FileReader<'_>, function: &StmtFunctionDef) {
        let has = |word: &str| {
            let mut decorators = function.decorator_list.iter().filter_map(|it| dotted(&it.expression));
            decorators.any(|path| last_part(&path) == word)
        };
        match function.name.as_str() {
            "__s_equal__" => self.hooks[0] = Some(function.name.range),
            "__s_hash__" => self.hooks[1] = Some(function.name.range),
            _ if has("init_property") => {
                let place = file.place(&function.name);
                let annotation = match &function.returns {
                    Some(returns) => Annotation::read(file, returns),
                    None => Some(Annotation {
                        place: place.clone(),
                        shape: Shape::Name { path: "Any".to_owned(), args: None },
                    }),
                };
                // The class computes such a field itself, so it never counts for equality.
                self.fields.extend(annotation.map(|annotation| FieldDraft {
                    name: Placed { value: function.name.to_string(), place },
                    annotation,
                    role: FieldRole::Ignore,
                    default: None,
                    doc: docstring(file, &function.body).value.text,
                    meta: vec![("init".to_owned(), "false".to_owned())],
                }));
            }
            _ if has("method") => {
                if has("classmethod") {
                    file.error(&function.name, "tvm-ffi registers no class methods; write `@staticmethod`");
                }
                self.methods.push(method(file, function, has("staticmethod")));
            }
            _ => {}
        }
    }

    /// The hooks. One without the other is an error.
    fn hooks(&self, file: &FileReader<'_>) -> HandWritten {
        if let [Some(alone), None] | [None, Some(alone)] = &self.hooks {
            let (given, missing) =
                if self.hooks[0].is_some() { ("__s_equal__", "__s_hash__") } else { ("__s_hash__", "__s_equal__") };
            file.error(
                alone,
                format!("`{given}` needs `{missing}`: equal objects must have equal hashes, so both are written by hand or none"),
            );
        }
        let mut hand_written = HandWritten::default();
        hand_written.sequal_reduce = self.hooks[0].is_some();
        hand_written.shash_reduce = self.hooks[1].is_some();
        hand_written
    }
}

fn method(file: &FileReader<'_>, function: &StmtFunctionDef, is_static: bool) -> MethodDraft {
    let parameters = &function.parameters;
    if let Some(rest) = parameters.vararg.as_ref().or(parameters.kwarg.as_ref()) {
        file.error(&**rest, "a registered method has a fixed number of arguments");
    }
    let positional = parameters.posonlyargs.iter().chain(&parameters.args).chain(&parameters.kwonlyargs);
    let arguments = positional.skip(usize::from(!is_static));
    let argument = |parameter: &ruff_python_ast::ParameterWithDefault| {
        let annotation = parameter.parameter.annotation.as_ref();
        (parameter.parameter.name.to_string(), annotation.and_then(|annotation| Annotation::read(file, annotation)))
    };
    MethodDraft {
        name: function.name.to_string(),
        doc: docstring(file, &function.body).value.text,
        is_static,
        arguments: arguments.map(argument).collect(),
        result: function.returns.as_ref().and_then(|returns| Annotation::read(file, returns)),
    }
}
