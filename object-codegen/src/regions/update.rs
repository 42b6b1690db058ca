//! Writes the classes into the regions of a file.

use object_core::dynamic::{FieldDecl, SourcePlace};
use object_core::nearest;

use crate::custom_parts::{self, ClassRegion, CustomPart};
use crate::diagnostic::{Diagnostic, Severity};
use crate::generate::class_text;
use crate::model::Model;
use crate::regions::markers::{Region, regions};
use crate::target::Target;

/// A file with current regions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Updated {
    /// The bytes of the file. Bytes outside of the regions are unchanged.
    pub text: Vec<u8>,
    /// The number of regions.
    pub regions: usize,
    /// The warnings about hand-written parts.
    pub warnings: Vec<Diagnostic>,
}

/// The copies of a class: in the file, and in the difference to the file before.
const COPIES: u64 = 3;

/// The line of a generated class that stands for the hand-written parts.
const CUSTOM: &str = "@tschema-custom@";

/// The file `text` with the class of `model` in each region. `file` is the name of the file in messages.
///
/// A region of [`Target::CppSource`] has the registration of the class, and a region of
/// every other target has the class. The update of an updated file changes nothing.
///
/// ```
/// use object_codegen::model::Model;
/// use object_codegen::{Target, regions};
/// use object_core::dynamic::Schema;
/// let schema = Schema::parse(br#"{"format": "object-schema", "version": 1, "types": [
///     {"key": "my.Num", "kind": "tree", "fields": [{"name": "value", "type": "int"}]}
/// ]}"#)?;
/// let none = Schema::new(Vec::new(), Vec::new());
/// let model = Model::new(&schema, &none)?;
/// let updated = regions::update(Target::Cpp, &model, "num.h", b"// tschema: NumNode\n// tschema: end\n").unwrap();
/// assert!(String::from_utf8(updated.text)?.contains("class NumNode : public ffi::Object"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// All faults of the markers, of the hand-written parts, and of the classes, with their places; among them a text beyond the
/// memory of [`Model::meter`].
pub fn update(target: Target, model: &Model<'_>, file: &str, text: &[u8]) -> Result<Updated, Vec<Diagnostic>> {
    let regions = regions(file, text, target.facts().comment)?;
    let (mut updated, mut end, mut found) = (Vec::with_capacity(text.len()), 0, Vec::new());
    for region in &regions {
        match class_of(target, model, file, text, region, &mut found) {
            Ok(class) => {
                updated.extend_from_slice(&text[end..region.inner.start]);
                updated.extend_from_slice(&class);
                end = region.inner.end;
            }
            Err(fault) => found.push(fault),
        }
    }
    updated.extend_from_slice(&text[end..]);
    if found.iter().any(|it| it.severity == Severity::Error) {
        return Err(found);
    }
    Ok(Updated { text: updated, regions: regions.len(), warnings: found })
}

/// The lines of the class of a region. Adds the faults of its hand-written parts to `found`.
fn class_of(
    target: Target,
    model: &Model<'_>,
    file: &str,
    text: &[u8],
    region: &Region<'_>,
    found: &mut Vec<Diagnostic>,
) -> Result<Vec<u8>, Diagnostic> {
    let fault = |message: String| {
        Diagnostic::error(SourcePlace { file: file.to_owned(), line: region.line, column: 1 }, message)
    };
    let (index, is_node) = find_class(target, model, region.name).map_err(fault)?;
    found.extend(check_parts(target, model, file, text, region, (index, is_node)));
    let custom = if region.custom.is_empty() { "" } else { CUSTOM };
    let class = class_text(target, model, index, is_node, custom).map_err(|error| fault(error.to_string()))?;
    model.meter.hold(COPIES * class.len() as u64).map_err(|error| fault(error.to_string()))?;
    let mut lines = Vec::with_capacity(class.len());
    for line in class.lines() {
        if line.trim() == CUSTOM {
            region.custom.iter().for_each(|custom| lines.extend_from_slice(&text[custom.whole.clone()]));
            continue;
        }
        if !line.is_empty() {
            lines.extend_from_slice(region.indent.as_bytes());
            lines.extend_from_slice(line.as_bytes());
        }
        lines.extend_from_slice(region.line_end.as_bytes());
    }
    if !region.custom.is_empty() && !class.lines().any(|line| line.trim() == CUSTOM) {
        return Err(fault(format!("the text for `{}` has no place for hand-written parts", region.name)));
    }
    Ok(lines)
}

/// The class called `name`, and whether it is the class of the data.
fn find_class(target: Target, model: &Model<'_>, name: &str) -> Result<(usize, bool), String> {
    let mut found = model.class(name);
    if !target.has_two_classes() {
        found.dedup_by_key(|(index, _)| *index);
    }
    match found[..] {
        [class] => Ok(class),
        [] => {
            let generated = model.generated();
            let names: Vec<String> = generated
                .iter()
                .flat_map(|index| [model.decl(*index).node_name(), model.decl(*index).ref_name().to_owned()])
                .collect();
            let hint = match nearest(name, names.iter().map(String::as_str)) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("the schema has {} types", generated.len()),
            };
            Err(format!("the schema has no class `{name}`; {hint}"))
        }
        _ => {
            let spaces: Vec<String> = found
                .iter()
                .map(|(index, _)| format!("`{}::{name}`", model.decl(*index).namespace_path().replace('.', "::")))
                .collect();
            Err(format!("several classes are called `{name}`; write {}", spaces.join(" or ")))
        }
    }
}

/// The faults of the hand-written parts of a region.
fn check_parts(
    target: Target,
    model: &Model<'_>,
    file: &str,
    text: &[u8],
    region: &Region<'_>,
    (index, is_node): (usize, bool),
) -> Vec<Diagnostic> {
    let Some((language, _)) = target.facts().language.zip(target.facts().hooks) else { return Vec::new() };
    let decl = model.decl(index);
    let texts: Vec<_> =
        region.custom.iter().map(|custom| String::from_utf8_lossy(&text[custom.inner.clone()])).collect();
    let parts: Vec<CustomPart<'_>> = region
        .custom
        .iter()
        .zip(&texts)
        .map(|(custom, text)| CustomPart { first_line: custom.first_line, text })
        .collect();
    let mut generated: Vec<&str> = Vec::new();
    if is_node || !target.has_two_classes() {
        generated.extend(language.generated_methods(decl));
        if language.declares_methods() {
            generated.extend(decl.methods.iter().map(|method| method.name.as_str()));
        }
    }
    if decl.singleton_key.is_some() && target == Target::Cpp && !is_node {
        generated.push("Get");
    }
    let fields: Vec<&FieldDecl> = model.inherited_fields(index).into_iter().chain(&decl.fields).collect();
    custom_parts::check(&ClassRegion {
        target,
        class_name: region.name,
        is_node,
        decl,
        fields: &fields,
        generated_methods: &generated,
        file,
        line: region.line,
        parts: &parts,
    })
}
