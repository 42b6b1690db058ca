//! Reads an enum of numbers: a class with the base `IntEnum` and without a decorator.

use object_core::dynamic::{EnumDecl, VariantDecl};
use object_core::object::Any;
use ruff_python_ast::{Expr, Stmt, StmtClassDef};

use crate::python_input::annotation::{dotted, last_part};
use crate::python_input::class_draft::Placed;
use crate::python_input::constant::constant;
use crate::python_input::docstring::Docstring;
use crate::python_input::file_reader::FileReader;

/// Whether a class is an enum of numbers.
pub(super) fn is_enumeration(class: &StmtClassDef) -> bool {
    let mut bases = class.arguments.iter().flat_map(|arguments| arguments.args.iter());
    bases.any(|base| dotted(base).is_some_and(|path| last_part(&path) == "IntEnum"))
}

/// The enum of a class.
pub(super) fn enumeration(file: &FileReader<'_>, class: &StmtClassDef) -> Placed<EnumDecl> {
    let (mut variants, mut doc) = (Vec::<VariantDecl>::new(), String::new());
    for stmt in &class.body {
        match stmt {
            Stmt::Expr(it) => {
                if let Expr::StringLiteral(text) = &*it.value {
                    doc = Docstring::parse(text.value.to_str()).text;
                }
            }
            Stmt::Assign(assign) => {
                let [Expr::Name(name)] = assign.targets.as_slice() else {
                    file.error(assign, "a variant is `NAME = NUMBER`");
                    continue;
                };
                match constant(file, &assign.value) {
                    Some(Placed { value: Any::Int(number), .. }) => {
                        if variants.iter().any(|known| known.name == name.id.as_str()) {
                            file.error(name, format!("there are two variants `{}`", name.id));
                        } else if let Some(other) = variants.iter().find(|known| known.number == number) {
                            let other = &other.name;
                            file.error(name, format!("the variant `{other}` has the number {number} as well"));
                        } else {
                            variants.push(VariantDecl::new(name.id.as_str(), number));
                        }
                    }
                    Some(_) => file.error(&*assign.value, "the number of a variant is an integer"),
                    None => {}
                }
            }
            Stmt::Pass(_) => {}
            other => file.error(other, "an enum contains variants `NAME = NUMBER` only"),
        }
    }
    let mut decl = EnumDecl::new(class.name.as_str(), variants);
    decl.doc = doc;
    Placed { value: decl, place: file.place(&class.name) }
}
