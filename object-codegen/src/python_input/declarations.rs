//! [`read`]: files as a schema.

use std::collections::HashSet;

use object_core::dynamic::{EnumDecl, Schema};
use object_core::nearest;
use object_python_syntax::with_tree;
use ruff_python_ast::{Decorator, Expr, Stmt, StmtClassDef};

use crate::diagnostic::{Diagnostic, Severity};
use crate::python_input::annotation::{dotted, last_part};
use crate::python_input::class_draft::{ClassDraft, Form, Placed};
use crate::python_input::class_names::ClassNames;
use crate::python_input::declare::declared;
use crate::python_input::enumeration::{enumeration, is_enumeration};
use crate::python_input::file_reader::FileReader;
use crate::python_input::py_class::registered;
use crate::python_input::schema_of_drafts;

/// The decorators of declarations.
const DECORATORS: [(&str, Form); 4] = [
    ("declare", Form::Declare),
    ("py_class", Form::PyClass),
    ("c_class", Form::CClass),
    ("register_object", Form::CClass),
];

/// A source file in memory.
#[derive(Clone, Copy, Debug)]
pub struct SourceFile<'a> {
    /// The name for messages.
    pub name: &'a str,
    /// The text.
    pub text: &'a str,
}

/// The declarations of files.
#[derive(Clone, Debug)]
pub struct Declarations {
    /// The types and the enums that the files declare.
    pub schema: Schema,
    /// Notes about places that an author should look at.
    pub warnings: Vec<Diagnostic>,
}

/// Reads the declarations of `files`. Names of classes refer to classes of all `files` and of `context`.
///
/// # Errors
/// All faults of the files, errors and warnings, in the order of the text.
pub fn read(files: &[SourceFile<'_>], context: &Schema) -> Result<Declarations, Vec<Diagnostic>> {
    let mut names = ClassNames::default();
    names.add_context(context);
    let (mut faults, mut drafts, mut enums, mut is_broken) = (Vec::new(), Vec::new(), Vec::new(), false);
    for source in files {
        let mut contents = contents(source, &mut names);
        is_broken |= contents.is_broken;
        enums.extend(contents.enums_in_namespace());
        faults.extend(contents.faults);
        drafts.extend(contents.classes);
    }
    if is_broken {
        // Names of the other files may mean classes of the broken one.
        sort(&mut faults, files);
        return Err(faults);
    }
    for class in &drafts {
        names.add_class(class);
    }
    let enums = enums_by_name(enums, context, &mut names, &mut faults);
    let types = schema_of_drafts::types(drafts, &names, context, &mut faults);
    sort(&mut faults, files);
    if faults.iter().any(|fault| fault.severity == Severity::Error) {
        return Err(faults);
    }
    Ok(Declarations { schema: Schema::new(types, enums), warnings: faults })
}

/// Sorts faults by their places in `files`.
fn sort(faults: &mut Vec<Diagnostic>, files: &[SourceFile<'_>]) {
    let order = |fault: &Diagnostic| files.iter().position(|file| file.name == fault.place.file);
    faults.sort_by_key(|fault| (order(fault), fault.place.line, fault.place.column));
    faults.dedup();
}

/// The enums, without the second one of a name.
fn enums_by_name(
    read: Vec<Placed<EnumDecl>>,
    context: &Schema,
    names: &mut ClassNames,
    faults: &mut Vec<Diagnostic>,
) -> Vec<EnumDecl> {
    let mut enums: Vec<EnumDecl> = Vec::new();
    let mut seen: HashSet<String> = context.enums().iter().map(|other| other.name.clone()).collect();
    for Placed { value, place } in read {
        if !seen.insert(value.name.clone()) {
            faults.push(Diagnostic::error(place, format!("there are two enums `{}`", value.name)));
        } else {
            names.add_enum(&value, Some(&place.file));
            enums.push(value);
        }
    }
    enums
}

/// The declarations of one file.
#[derive(Default)]
struct Contents {
    classes: Vec<ClassDraft>,
    enums: Vec<Placed<EnumDecl>>,
    faults: Vec<Diagnostic>,
    /// Whether the text is not Python, so that its declarations are not known.
    is_broken: bool,
}

fn contents(source: &SourceFile<'_>, names: &mut ClassNames) -> Contents {
    let file = FileReader::new(source.name, source.text);
    let mut contents = Contents::default();
    let found = with_tree(source.text, |tree, syntax| {
        for fault in &syntax {
            file.push(Diagnostic::error(file.place_of(fault.range.start), fault.message.clone()));
        }
        if !syntax.is_empty() {
            contents.is_broken = true;
            return true;
        }
        let mut found = false;
        for stmt in &tree.body {
            match stmt {
                Stmt::ClassDef(class) => found |= contents.add_class(&file, class),
                Stmt::ImportFrom(import) => {
                    for alias in &import.names {
                        if let Some(name) = &alias.asname {
                            names.add_alias(source.name, name.to_string(), alias.name.to_string());
                        }
                    }
                }
                _ => {}
            }
        }
        found
    });
    if !found {
        let message = "the file declares no type; write `@declare` or `@py_class(\"demo.Point\", structural_eq=\"tree\")` \
                       before a class";
        file.push(Diagnostic::error(file.place_of(0), message));
    }
    contents.faults = file.finish();
    contents
}

impl Contents {
    /// The enums in the namespace of the first class of the file: an `IntEnum` has no place for a key.
    fn enums_in_namespace(&mut self) -> Vec<Placed<EnumDecl>> {
        let mut enums = std::mem::take(&mut self.enums);
        let namespace = self.classes.first().and_then(|class| class.key.value.rsplit_once('.'));
        if let Some((namespace, _)) = namespace {
            enums.iter_mut().for_each(|it| it.value.name = format!("{namespace}.{}", it.value.name));
        }
        enums
    }

    /// Adds the declaration of a class, if it is one. Other classes are code of Python.
    fn add_class(&mut self, file: &FileReader<'_>, class: &StmtClassDef) -> bool {
        let decorators = class.decorator_list.iter().filter_map(|decorator| form(file, decorator));
        let decorators: Vec<(Form, &Decorator)> = decorators.collect();
        match decorators.as_slice() {
            [] if is_enumeration(class) => self.enums.push(enumeration(file, class)),
            [] => return !class.decorator_list.is_empty(),
            [(Form::Declare, decorator)] => {
                if let Expr::Call(call) = &decorator.expression
                    && !call.arguments.is_empty()
                {
                    file.error(
                        &call.arguments,
                        "`declare` has no arguments; the class has the words `type_key` and others",
                    );
                }
                self.classes.push(declared(file, class));
            }
            [(form, decorator)] => self.classes.push(registered(file, class, *form, decorator)),
            [_, (_, second), ..] => file.error(*second, "a class has one decorator that declares a type"),
        }
        true
    }
}

/// The form that a decorator declares. A name that is nearly one is an error.
fn form<'d>(file: &FileReader<'_>, decorator: &'d Decorator) -> Option<(Form, &'d Decorator)> {
    let called = match &decorator.expression {
        Expr::Call(call) => &call.func,
        other => other,
    };
    let path = dotted(called)?;
    let name = last_part(&path);
    if let Some((_, form)) = DECORATORS.iter().find(|(known, _)| *known == name) {
        return Some((*form, decorator));
    }
    if let Some(near) = nearest(name, DECORATORS.map(|(known, _)| known)) {
        file.error(called, format!("`{name}` does not declare a type; did you mean `{near}`?"));
    }
    None
}
