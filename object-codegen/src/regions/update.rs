//! Writes the classes into the regions of a file.

use object_core::dynamic::{EnumDecl, FieldDecl, SourcePlace};
use object_core::nearest;

use crate::checksum::checksum;
use crate::custom_parts::{self, ClassRegion, CustomPart};
use crate::diagnostic::{Diagnostic, Severity};
use crate::generate::{class_text, enum_text};
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
    /// An error for each region whose generated lines somebody edited: the text does not contain the edit.
    pub edits: Vec<Diagnostic>,
}

/// The copies of a class: in the file, and in the difference to the file before.
const COPIES: u64 = 3;

/// The line of a generated class that stands for the hand-written parts.
const CUSTOM: &str = "@tschema-custom@";

/// The file `text` with the class of `model` in each region. `file` is the name of the file in messages.
///
/// A region of [`Target::CppSource`] has the registration of the class, and a region of
/// every other target has the class or the enum. The update of an updated file changes nothing. The first line of a region
/// has the checksum of its generated lines.
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
    let (mut updated, mut end) = (Vec::with_capacity(text.len()), 0);
    let (mut found, mut edits) = (Vec::new(), Vec::new());
    let source = File { target, model, name: file, text };
    for region in &regions {
        match source.lines_of(region, &mut found) {
            Ok(lines) => {
                edits.extend(source.edit(region, lines.checksum));
                updated.extend_from_slice(&text[end..region.inner.start]);
                updated.extend_from_slice(&lines.text);
                end = region.inner.end;
            }
            Err(message) => found.push(source.fault(region, message)),
        }
    }
    updated.extend_from_slice(&text[end..]);
    if found.iter().any(|it| it.severity == Severity::Error) {
        return Err(found);
    }
    Ok(Updated { text: updated, regions: regions.len(), warnings: found, edits })
}

/// A file whose regions are updated.
struct File<'a> {
    target: Target,
    model: &'a Model<'a>,
    /// The name for messages.
    name: &'a str,
    text: &'a [u8],
}

/// The new lines between the markers of a region.
struct Lines {
    text: Vec<u8>,
    /// The checksum of the generated ones among them.
    checksum: u64,
}

/// The declaration for which a region has the name.
#[derive(Clone, Copy)]
enum Item<'s> {
    /// A type, and whether the class is the class of the data.
    Class(usize, bool),
    Enum(&'s EnumDecl),
}

impl<'a> File<'a> {
    /// An error at the marker of a region.
    fn fault(&self, region: &Region<'_>, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(SourcePlace { file: self.name.to_owned(), line: region.line, column: 1 }, message)
    }

    /// The fault of a region whose generated lines differ from the ones that the checksum states. New lines that are the
    /// same replace no edit.
    fn edit(&self, region: &Region<'_>, new: u64) -> Option<Diagnostic> {
        let present = checksum(region.generated(self.text));
        let is_known = match region.checksum {
            Some((_, stated)) => present == stated,
            None => present == checksum([]),
        };
        (!is_known && present != new).then(|| {
            let reason = if region.checksum.is_some() { "were edited after the generation" } else { "have no checksum" };
            self.fault(
                region,
                format!(
                    "the lines of `{}` {reason}; move the edit into a custom section or the declaration, and then replace \
                     the lines by `--overwrite`",
                    region.name
                ),
            )
        })
    }

    /// The lines of a region. Adds the faults of its hand-written parts to `found`.
    ///
    /// # Errors
    /// The message of a fault of the whole region.
    fn lines_of(&self, region: &Region<'_>, found: &mut Vec<Diagnostic>) -> Result<Lines, String> {
        let item = self.find(region.name)?;
        let custom = if region.custom.is_empty() { "" } else { CUSTOM };
        let shown = |error: object_core::Error| error.to_string();
        let generated = match item {
            Item::Enum(decl) => enum_text(self.target, decl).map_err(shown)?,
            Item::Class(index, is_node) => {
                found.extend(check_parts(self.target, self.model, self.name, self.text, region, (index, is_node)));
                class_text(self.target, self.model, index, is_node, custom).map_err(shown)?
            }
        };
        self.model.meter.hold(COPIES * generated.len() as u64).map_err(shown)?;
        let is_generated = |line: &&str| line.trim() != CUSTOM;
        if !region.custom.is_empty() && generated.lines().all(|line| is_generated(&line)) {
            return Err(format!("the text for `{}` has no place for hand-written parts", region.name));
        }
        let checksum = checksum(generated.lines().filter(is_generated).map(str::as_bytes));
        let marker = format!("{} tschema: checksum {checksum:016x}", self.target.facts().comment);
        let mut text = Vec::with_capacity(generated.len());
        for line in std::iter::once(&*marker).chain(generated.lines()) {
            if line.trim() == CUSTOM {
                region.custom.iter().for_each(|custom| text.extend_from_slice(&self.text[custom.whole.clone()]));
                continue;
            }
            if !line.is_empty() {
                text.extend_from_slice(region.indent.as_bytes());
                text.extend_from_slice(line.as_bytes());
            }
            text.extend_from_slice(region.line_end.as_bytes());
        }
        Ok(Lines { text, checksum })
    }

    /// The declaration of the class or the enum called `name`.
    ///
    /// # Errors
    /// A message, if none or several have the name.
    fn find(&self, name: &str) -> Result<Item<'a>, String> {
        let model = self.model;
        let mut found = model.class(name);
        if !self.target.has_two_classes() {
            found.dedup_by_key(|(index, _)| *index);
        }
        let namespace = |index: usize| model.decl(index).namespace_path();
        let enums = model.enums().iter().filter(|decl| is_called(decl, name));
        let mut items: Vec<(Item<'a>, &str)> = enums.map(|decl| (Item::Enum(decl), namespace_of(decl))).collect();
        items.extend(found.into_iter().map(|(index, is_node)| (Item::Class(index, is_node), namespace(index))));
        match items[..] {
            [(item, _)] => Ok(item),
            [] => {
                let generated = model.generated();
                let decls = generated.iter().map(|index| model.decl(*index));
                let names: Vec<String> =
                    decls.flat_map(|decl| [decl.node_name(), decl.ref_name().to_owned()]).collect();
                let hint = match nearest(name, names.iter().map(String::as_str)) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("the schema has {} types", generated.len()),
                };
                Err(format!("the schema has no class `{name}`; {hint}"))
            }
            _ => {
                let spaces = items.iter().map(|(_, space)| format!("`{}::{name}`", space.replace('.', "::")));
                let spaces = spaces.collect::<Vec<_>>().join(" or ");
                Err(format!("several classes are called `{name}`; write {spaces}"))
            }
        }
    }
}

/// The namespace of an enum.
fn namespace_of(decl: &EnumDecl) -> &str {
    decl.name.rsplit_once('.').map_or("", |(namespace, _)| namespace)
}

/// Whether an enum has this name, alone or after its namespace.
fn is_called(decl: &EnumDecl, name: &str) -> bool {
    let path = decl.name.replace('.', "::");
    path == name || path.rsplit("::").next() == Some(name)
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
