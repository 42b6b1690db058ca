//! `objir codegen`: C++, Python and Rust from schemas, as whole files or in place.

use std::collections::HashSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use object_codegen::checksum::{Origin, origin};
use object_codegen::diagnostic::Diagnostic;
use object_codegen::model::Model;
use object_codegen::python_input::{self, SourceFile};
use object_codegen::regions::{UpdateError, plan_updates, write_changes};
use object_codegen::{Target, generate, rename_namespaces};
use object_core::dynamic::{EnumDecl, Schema, TypeDecl};
use object_core::{Error, ErrorKind, Result};

use crate::codegen_args::CodegenArgs;
use crate::finding::{Fault, Faults, InFile};
use crate::format::Format;
use crate::input::Reading;
use crate::output::{Output, Verdict, print_remark, unwritten, write_file};
use crate::source::Source;

/// Runs the command.
pub(crate) fn run(args: &CodegenArgs, reading: &Reading, output: &Output) -> Result<Verdict> {
    let mut context = read(&args.context, &none(), reading)?;
    if args.linked {
        context = join(&[context, Schema::of(&reading.types.types()?.all()?)]);
    }
    let schema = match &args.inputs[..] {
        [] => Schema::of(&reading.types.types()?.all()?),
        inputs => read(inputs, &context, reading)?,
    };
    // Types that are not selected remain known.
    let is_selected = |key: &str| args.prefix.is_empty() || args.prefix.iter().any(|prefix| key.starts_with(prefix));
    let (selected, others): (Vec<_>, Vec<_>) = schema.types().iter().cloned().partition(|decl| is_selected(&decl.key));
    let fields = selected.iter().flat_map(|decl: &TypeDecl| &decl.fields);
    let used: HashSet<&String> = fields.filter_map(|field| field.enumeration.as_ref()).collect();
    let homes = if args.lang == Target::Cpp { &args.include } else { &args.module };
    let is_elsewhere = |name: &str| homes.iter().any(|(prefix, _)| name.starts_with(prefix.as_str()));
    let is_used = |it: &EnumDecl| is_selected(&it.name) || used.contains(&it.name) && !is_elsewhere(&it.name);
    let (used, unused) = schema.enums().iter().cloned().partition(is_used);
    let context = join(&[Schema::new(others, unused), context]);
    let schema = Schema::new(selected, used);
    let [schema, context] = renamed(&args.namespace, &[schema, context]);
    let model = Model::new(&schema, &context)?.meter(&reading.meter).homes(homes);
    if args.in_place.is_empty() {
        whole_file(args, &model, output)
    } else {
        let _texts = reading.meter.scope();
        in_place(args, &model)
    }
}

/// A schema without types.
pub(crate) fn none() -> Schema {
    Schema::new(Vec::new(), Vec::new())
}

/// The types of both schemas.
fn join(schemas: &[Schema; 2]) -> Schema {
    let types = schemas.iter().flat_map(|it| it.types().to_vec()).collect();
    let enums = schemas.iter().flat_map(|it| it.enums().to_vec()).collect();
    Schema::new(types, enums)
}

/// Both schemas with other namespaces. Types of the one may refer to types of the other.
pub(crate) fn renamed(namespaces: &[(String, String)], schemas: &[Schema; 2]) -> [Schema; 2] {
    let renames: Vec<(&str, &str)> = namespaces.iter().map(|(from, to)| (from.as_str(), to.as_str())).collect();
    let all = rename_namespaces(&join(schemas), &renames);
    let (types, other_types) = all.types().split_at(schemas[0].types().len());
    let (enums, other_enums) = all.enums().split_at(schemas[0].enums().len());
    [Schema::new(types.to_vec(), enums.to_vec()), Schema::new(other_types.to_vec(), other_enums.to_vec())]
}

/// The types of files: schemas, and files of Python, which may refer to the types of all files and of `context`.
pub(crate) fn read(sources: &[Source], context: &Schema, reading: &Reading) -> Result<Schema> {
    let is_python =
        |source: &Source| matches!(source, Source::File(path) if path.extension().is_some_and(|it| it == "py"));
    let (python, schemas): (Vec<_>, Vec<_>) = sources.iter().partition(|source| is_python(source));
    let mut found = none();
    for source in schemas {
        let text = source.read(&reading.limits)?;
        let schema = Schema::parse_with(&text, &reading.limits).map_err(|error| source.name_in(error))?;
        found = join(&[found, schema]);
    }
    if python.is_empty() {
        return Ok(found);
    }
    let mut texts = Vec::new();
    for source in &python {
        let text = source.read(&reading.limits)?.into_text().map_err(|error| source.name_in(error))?;
        texts.push((source.to_string(), text));
    }
    let files: Vec<SourceFile<'_>> = texts.iter().map(|(name, text)| SourceFile { name, text }).collect();
    let known = join(&[found.clone(), context.clone()]);
    let declarations = python_input::read(&files, &known).map_err(|faults| all(&faults))?;
    declarations.warnings.iter().for_each(print_remark);
    Ok(join(&[found, declarations.schema]))
}

/// The error of a file.
fn in_file(file: &Path, error: Error) -> Error {
    InFile::named(file.display().to_string(), None, error)
}

/// One error with all faults, one on each line.
fn all(faults: &[Diagnostic]) -> Error {
    let lines: Vec<String> = faults.iter().map(ToString::to_string).collect();
    let list = faults.iter().map(|Diagnostic { place, message, .. }| Fault {
        file: Some(place.file.clone()),
        place: (place.line as usize, place.column as usize),
        message: message.clone(),
        help: None,
    });
    let list = list.collect();
    Error::new(ErrorKind::Malformed, lines.join("\n")).with_source(Faults { list, styled: None })
}

fn whole_file(args: &CodegenArgs, model: &Model<'_>, output: &Output) -> Result<Verdict> {
    let name = match (&args.header, &args.output) {
        (Some(header), _) => header.clone(),
        (None, Some(file)) => header_of(args.lang, file),
        (None, None) => "types.h".to_owned(),
    };
    let text = generate(args.lang, model, &name)?;
    let Some(file) = &args.output else {
        output.show_text(text.trim_end())?;
        return Ok(Verdict::Same);
    };
    if !args.check {
        if !args.overwrite && args.lang != Target::Schema {
            check_origin(file)?;
        }
        write_file(file, text)?;
        return Ok(Verdict::Same);
    }
    let old = std::fs::read(file).map_err(|error| in_file(file, error.into()))?;
    if old == text.as_bytes() {
        return Ok(Verdict::Same);
    }
    output.show_text(format_args!("{} is not current", file.display()))?;
    Ok(Verdict::Different)
}

/// Checks that the generation of a file replaces nothing that people wrote.
///
/// # Errors
/// [`Malformed`](ErrorKind::Malformed) for a file that somebody edited, or that another program wrote.
pub(crate) fn check_origin(file: &Path) -> Result<()> {
    if !file.is_file() {
        return Ok(());
    }
    let old = std::fs::read(file).map_err(|error| in_file(file, error.into()))?;
    let reason = match origin(&old) {
        Origin::Generator => return Ok(()),
        Origin::Other if old.trim_ascii().is_empty() => return Ok(()),
        Origin::Edited => {
            "somebody edited the file after its generation; move the edit into the declaration, or the class into a region of \
             another file (`--in-place`), and then replace the file by `--overwrite`"
        }
        Origin::Other => {
            "the file has no checksum of objir codegen; replace it by `--overwrite`, or write another file"
        }
    };
    Err(in_file(file, Error::new(ErrorKind::Malformed, reason)))
}

/// The name by which a source file includes its header: the name of the file, with the ending of a header.
fn header_of(target: Target, file: &Path) -> String {
    let header = if target.includes_header() { file.with_extension("h") } else { file.to_path_buf() };
    header.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

fn in_place(args: &CodegenArgs, model: &Model<'_>) -> Result<Verdict> {
    let changes = plan_updates(args.lang, model, &args.in_place).map_err(|error| match error {
        UpdateError::Io(path, error) => in_file(&path, error.into()),
        UpdateError::Faults(faults) => all(&faults),
        other => Error::new(ErrorKind::Io, format!("{other:?}")),
    })?;
    let mut stale: Vec<&PathBuf> = Vec::new();
    let mut diffs = String::new();
    for change in &changes {
        change.warnings.iter().for_each(print_remark);
        if change.regions == 0 {
            print_remark(format_args!("{}: it has no `tschema: NAME`", change.path.display()));
        }
        if change.is_stale() {
            stale.push(&change.path);
            let _ = write!(diffs, "{}", change.diff());
        }
    }
    if args.check {
        if !stale.is_empty() {
            Output::new(Format::Text).show_text(diffs.trim_end())?;
            print_remark(format_args!("{} of {} files are not current", stale.len(), changes.len()));
        }
        return Ok(Verdict::of(stale.is_empty()));
    }
    let edits: Vec<Diagnostic> = changes.iter().flat_map(|change| change.edits.clone()).collect();
    if !edits.is_empty() && !args.overwrite {
        return Err(all(&edits));
    }
    write_changes(&changes).map_err(unwritten)?;
    Ok(Verdict::Same)
}
