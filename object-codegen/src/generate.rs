//! Whole files and single classes: [`generate`].

use object_core::dynamic::EnumDecl;
use object_core::{Error, ErrorKind};

use crate::checksum::with_note;
use crate::class_context::class_context;
use crate::enum_context::EnumContext;
use crate::model::Model;
use crate::module_context::ModuleContext;
use crate::names::{check_class, check_enum, check_members};
use crate::needs::is_recursive;
use crate::rust;
use crate::target::{Form, Macros, Target};
use crate::templates::Template;

/// The text of a whole file with the types of `model`. `name` is the name of the header, as `#include` writes it. The first
/// line has the checksum by which [`origin`](crate::checksum::origin) finds edits; a schema has no comments and no checksum.
///
/// ```
/// use object_codegen::model::Model;
/// use object_codegen::{Target, generate};
/// use object_core::dynamic::Schema;
/// let schema = Schema::parse(br#"{"format": "object-schema", "version": 1, "types": [
///     {"key": "my.Num", "kind": "tree", "fields": [{"name": "value", "type": "int"}]}
/// ]}"#)?;
/// let none = Schema::new(Vec::new(), Vec::new());
/// let model = Model::new(&schema, &none)?;
/// let header = generate(Target::Cpp, &model, "my/num.h")?;
/// assert!(header.contains("class NumNode : public ffi::Object"));
/// assert!(generate(Target::Python, &model, "")?.contains("value: int"));
/// # Ok::<(), object_core::Error>(())
/// ```
///
/// # Errors
/// [`Malformed`](ErrorKind::Malformed) for a name, a type or a default that the language cannot write, and
/// [`LimitExceeded`](ErrorKind::LimitExceeded), with the class, for a text beyond the memory of [`Model::meter`]. A
/// constructor takes all inherited fields, so the text of a chain of types is quadratic in its length.
pub fn generate(target: Target, model: &Model<'_>, name: &str) -> Result<String, Error> {
    let facts = target.facts();
    let text = match (facts.form, facts.language) {
        (Form::Classes(macros), Some(language)) => {
            let mut template = Template::new(macros.template)?;
            let (module, _charge) = ModuleContext::new(language, model, name, macros.class, &mut template)?;
            template.fill(macros.file, module)?
        }
        (Form::Rust, _) => rust::file(model)?,
        (Form::Schema | Form::Classes(_), _) => return model.schema.to_json(),
    };
    Ok(with_note(facts.comment, &text))
}

/// The text of one enum, without its namespace.
pub(crate) fn enum_text(target: Target, decl: &EnumDecl) -> Result<String, Error> {
    let facts = target.facts();
    if let Some(language) = facts.language {
        check_enum(language, decl)?;
    }
    match (facts.form, facts.language) {
        (Form::Rust, _) => rust::enumeration(decl),
        (Form::Classes(Macros { template, file, .. }), Some(language)) if file != "source" => {
            Template::new(template)?.fill("enumeration", EnumContext::new(language, decl))
        }
        _ => Err(Error::new(ErrorKind::Malformed, format!("{target} has no enums; remove the region"))),
    }
}

/// The text of one class: the class of the data, or the reference class.
pub(crate) fn class_text(
    target: Target,
    model: &Model<'_>,
    index: usize,
    is_node: bool,
    custom: &str,
) -> Result<String, Error> {
    let Some(language) = target.facts().language else {
        return Err(Error::new(ErrorKind::Malformed, "a schema has no classes"));
    };
    check_class(language, model.decl(index))?;
    check_members(language, model, &[index])?;
    let mut class = class_context(language, model, index)?;
    custom.clone_into(&mut class.custom);
    class.is_recursive = target.has_two_classes() && is_recursive(model, index);
    match target.facts().form {
        Form::Classes(macros) => {
            let [node, reference] = macros.in_place;
            Template::new(macros.template)?.fill(if is_node { node } else { reference }, class)
        }
        Form::Rust => rust::class(model, index, &class),
        Form::Schema => Ok(String::new()),
    }
}
