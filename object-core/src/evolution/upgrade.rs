//! [`Upgrade`]: makes objects of a type from the fields of another declaration of the type.

use serde_json::Value;

use crate::error::{Error, ErrorKind, Result};
use crate::evolution::recorded_default::is_recorded;
use crate::evolution::recorded_type::{RecordedField, RecordedType, fingerprint};
use crate::evolution::renumbered::Renumbered;
use crate::evolution::term::Term;
use crate::object::{
    Any, AnyView, Enumeration, FieldInfo, FileForm, JsonForm, Migration, ObjectBuilder, OldField, OldObject, TypeInfo,
    object_by_field,
};
use crate::text::brief::brief;
use crate::text::did_you_mean::backticked;

/// The treatment of fields that the file declares and the program does not, and whose values are not their defaults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Newer {
    /// An error.
    #[default]
    Deny,
    /// The reader drops the values.
    Skip,
}

/// Makes objects of a type from the fields of another declaration of the type.
pub(crate) struct Upgrade {
    info: &'static TypeInfo,
    /// The key of the type in the file.
    key: String,
    record: RecordedType,
    /// The steps from the recorded versions to the ones of the program, the steps of the first ancestor first.
    migrations: Vec<Migration>,
}

impl Upgrade {
    /// From the declaration `record` of the type with the key `key` to the declaration of `info`.
    ///
    /// # Errors
    /// [`TypeMismatch`](ErrorKind::TypeMismatch) if the record has a newer version of the type or of an ancestor, or a version from
    /// which no migration leads on.
    pub(crate) fn new(info: &'static TypeInfo, key: &str, record: RecordedType) -> Result<Self> {
        let mut migrations = Vec::new();
        for ancestor in info.ancestors() {
            let known = record.ancestors.iter().find(|(key, _)| is_key_of(ancestor, key));
            migrations.extend(steps(ancestor, known.map_or(1, |(_, version)| *version))?);
        }
        migrations.extend(steps(info, record.version)?);
        Ok(Upgrade { info, key: key.to_owned(), record, migrations })
    }

    /// From the declaration `json` in a file, whose type has the key `key` there, to the declaration of `info`. `None` if they are
    /// the same.
    ///
    /// # Errors
    /// [`Malformed`](ErrorKind::Malformed) for a malformed declaration, and as [`new`](Self::new).
    pub(crate) fn from_file(info: &'static TypeInfo, key: &str, json: &Value) -> Result<Option<Self>> {
        if RecordedType::fingerprint_in(json) == Some(fingerprint(info)) {
            return Ok(None);
        }
        let record = RecordedType::parse(json)
            .map_err(|error| error.context(format_args!("`declarations`: `{}`", brief(key))))?;
        Self::new(info, key, record).map(Some)
    }

    /// The recorded declaration.
    pub(crate) fn record(&self) -> &RecordedType {
        &self.record
    }

    /// The field of the recorded declaration with the name `name`, and its index.
    pub(crate) fn field(&self, name: &str) -> Option<(usize, &RecordedField)> {
        self.record.fields.iter().enumerate().find(|(_, field)| field.name == name)
    }

    /// The type of the objects.
    pub(crate) fn info(&self) -> &'static TypeInfo {
        self.info
    }

    /// Makes an object from values of fields, by their indices in the recorded declaration. The value of an inline enum is the
    /// name of a variant.
    ///
    /// # Errors
    /// The errors of migrations; [`UnknownField`](ErrorKind::UnknownField) for a field that the program does not declare;
    /// [`TypeMismatch`](ErrorKind::TypeMismatch) for a value that the field of the program does not have; and
    /// [`MissingField`](ErrorKind::MissingField) for a required field without a value. The messages have both declarations and the words to write.
    pub(crate) fn object(&self, fields: Vec<(usize, Any)>, newer: Newer) -> Result<Any> {
        let name = |index: usize| self.record.fields.get(index).map_or_else(String::new, |field| field.name.clone());
        let fields = fields.into_iter().map(|(at, value)| OldField { name: name(at), value, recorded: Some(at) });
        let mut old = OldObject::of_fields(self.key.clone(), self.record.version, fields.collect());
        for migration in &self.migrations {
            (migration.with)(&mut old).map_err(|error| {
                error.context(format_args!("the migration of `{}` from version {}", brief(&self.key), migration.from))
            })?;
        }
        let mut values: Vec<Option<Any>> = self.info.fields.iter().map(|_| None).collect();
        for field in old.into_fields() {
            match index_of(self.info, &field.name) {
                None => self.check_dropped(&field, newer)?,
                Some(index) => {
                    let value = self.fit(&field, &self.info.fields[index])?;
                    if values[index].replace(value).is_some() {
                        let (key, name) = (brief(&self.key), self.info.fields[index].name);
                        let message = format!("`{key}` has two values for the field `{name}`; write a migration");
                        return Err(Error::new(ErrorKind::Malformed, message));
                    }
                }
            }
        }
        self.build(values)
    }

    fn build(&self, values: Vec<Option<Any>>) -> Result<Any> {
        // JSON has the value of one field for the whole object, so the other fields have their defaults.
        if let (JsonForm::Field(index), Some(_)) = (self.info.json, &self.record.json) {
            let value = values.into_iter().nth(index).flatten();
            let value = value.ok_or_else(|| self.missing(&self.info.fields[index]))?;
            return object_by_field(self.info, index, value);
        }
        let mut builder = ObjectBuilder::new(self.info)?;
        for (index, value) in values.into_iter().enumerate() {
            if let Some(value) = value {
                builder.set_index(index, value)?;
            }
        }
        set_absent_options(&mut builder)?;
        if let Some(field) = builder.first_missing() {
            return Err(self.missing(field));
        }
        builder.build().map(Any::Object)
    }

    /// Checks that no value of a field that the program does not declare is lost.
    fn check_dropped(&self, field: &OldField, newer: Newer) -> Result<()> {
        let recorded = field.recorded.and_then(|at| self.record.fields.get(at));
        let is_removed = self.chain().any(|info| info.evolution.removed.contains(&field.name.as_str()));
        let is_default =
            recorded.and_then(|it| it.default.as_ref()).is_some_and(|it| is_recorded(field.value.view(), it));
        if is_removed || is_default || (newer == Newer::Skip && recorded.is_some()) {
            return Ok(());
        }
        let (key, name, place) = (self.info.type_key, brief(&field.name), self.place());
        let names = backticked(self.info.fields.iter().map(|field| field.name));
        let (file, help) = match recorded {
            Some(recorded) => (
                format!(
                    "the file declares the field `{name}: {}` of `{}`",
                    brief(&recorded.term.to_string()),
                    brief(&self.key)
                ),
                format!(
                    "write `#[field(alias = \"{name}\")]` on the field that has its values now, \
                     `#[object(removed(\"{name}\"))]` to drop them, or a migration; or the file is of a newer program, and \
                     `JsonReader::skip_unknown_fields` drops them"
                ),
            ),
            None => (
                format!("a migration of `{}` leaves the field `{name}`", brief(&self.key)),
                "take the field away in the migration".to_owned(),
            ),
        };
        let message = format!("{file}, and `{key}`, declared at {place}, has the fields {names}; {help}");
        Err(Error::new(ErrorKind::UnknownField, message))
    }

    /// The value of a field in the declaration of the program.
    fn fit(&self, old: &OldField, field: &FieldInfo) -> Result<Any> {
        let recorded = old.recorded.and_then(|at| self.record.fields.get(at)).map(|recorded| &recorded.term);
        let value = old.value.clone();
        let current = Term::of(field);
        let variants = recorded.and_then(Term::variants);
        match (recorded, variants, field.enumeration()) {
            (_, _, Some(_)) if matches!(value, Any::None) && field.accepts(AnyView::None) => Ok(value),
            // Migrations write names, or numbers of the program.
            (None, _, Some(enumeration)) | (Some(_), Some(_), Some(enumeration)) => {
                let name = match (&value, variants) {
                    (Any::Int(number), Some(variants)) => variants.iter().find(|(_, it)| it == number).map(|it| &*it.0),
                    (Any::Int(_), None) => return Ok(value),
                    (value, _) => value.view().as_str(),
                };
                match name.and_then(|name| enumeration.number_of_name(name)) {
                    Some(number) => Ok(Any::Int(number)),
                    None => Err(self.unknown_variant(old, field, enumeration, name)),
                }
            }
            (None, _, None) => Ok(value),
            (Some(recorded), None, None) if *recorded == current && !recorded.has_enums() => Ok(value),
            (Some(recorded), None, None) if has_same_numbers(recorded, field) => match value {
                value if field.accepts(value.view()) => Ok(value),
                Any::Int(number) => exact_float(number)
                    .filter(|number| recorded.name() == "int" && field.accepts(AnyView::Float(*number)))
                    .map(Any::Float)
                    .ok_or_else(|| self.misfit(old, recorded, field, &current)),
                _ => Err(self.misfit(old, recorded, field, &current)),
            },
            (Some(recorded), None, None) => Renumbered::default()
                .value(value.view(), recorded, &field.schema())
                .filter(|value| field.accepts(value.view()))
                .ok_or_else(|| self.misfit(old, recorded, field, &current)),
            (Some(recorded), ..) => Err(self.misfit(old, recorded, field, &current)),
        }
    }

    fn unknown_variant(&self, old: &OldField, field: &FieldInfo, to: Enumeration, name: Option<&str>) -> Error {
        let names = backticked(to.variants.iter().map(|(name, _)| *name));
        let given = name.map_or_else(|| given(&old.value), |name| format!("`{}`", brief(name)));
        let message = format!(
            "field `{}` of `{}`: the file has the variant {given}, and the enum `{}` of the field `{}` has {names}; write \
             `#[object(alias = \"...\")]` on the variant that has another name now, or a migration",
            brief(&old.name),
            brief(&self.key),
            to.name,
            field.name,
        );
        Error::new(ErrorKind::OutOfRange, message)
    }

    fn misfit(&self, old: &OldField, recorded: &Term, field: &FieldInfo, current: &Term) -> Error {
        let version = self.info.evolution.version;
        // A schema before version 4 does not name the enums in containers.
        let enums = match !recorded.has_enums() && current.has_enums() && current.variants().is_none() {
            true => format!(
                "if the release had variants of an enum there, write `\"enum\": \"{}\"` at the field in the schema of the \
                 release; else ",
                current.with_enum_names()
            ),
            false => String::new(),
        };
        let message = format!(
            "field `{}` of `{}`: the file declares `{}` and has {}, and this program declares `{}: {current}` at {}, \
             which does not have this value; {enums}write `version = {}, migrate(from = {version}, with = function)` in \
             `#[object(...)]`",
            brief(&old.name),
            brief(&self.key),
            brief(&recorded.to_string()),
            given(&old.value),
            field.name,
            self.place(),
            version.saturating_add(1),
        );
        Error::new(ErrorKind::TypeMismatch, message)
    }

    fn missing(&self, field: &FieldInfo) -> Error {
        let names = backticked(self.record.fields.iter().map(|field| field.name.as_str()));
        let message = format!(
            "this program declares the field `{}: {}` of `{}` at {}, and the file declares the fields {names} of `{}`; write \
             `#[field(default = ...)]` on the field, `#[field(alias = \"...\")]` if it had another name, or a migration",
            field.name,
            Term::of(field),
            self.info.type_key,
            self.place(),
            brief(&self.key),
        );
        Error::new(ErrorKind::MissingField, message)
    }

    /// The type and its ancestors.
    fn chain(&self) -> impl Iterator<Item = &'static TypeInfo> {
        self.info.ancestors().chain([self.info])
    }

    /// The source place of the declaration in the program.
    fn place(&self) -> String {
        format!("{}:{}", self.info.location.0, self.info.location.1)
    }
}

/// Whether `key` is or was the key of `info`.
fn is_key_of(info: &TypeInfo, key: &str) -> bool {
    info.type_key == key || info.evolution.aliases.contains(&key)
}

/// The steps from version `from` of `info` to the version of the program.
fn steps(info: &'static TypeInfo, from: u32) -> Result<&'static [Migration]> {
    let (key, version, migrations) = (info.type_key, info.evolution.version, info.evolution.migrations);
    if from > version {
        let message = format!(
            "the file has version {from} of `{key}`, and this program declares version {version} at {}:{}; read the file with \
             a newer program",
            info.location.0, info.location.1
        );
        return Err(Error::new(ErrorKind::TypeMismatch, message));
    }
    let first = migrations.iter().position(|migration| migration.from == from);
    match first {
        _ if from == version => Ok(&[]),
        Some(first) => Ok(&migrations[first..]),
        None => {
            let message = format!(
                "the file has version {from} of `{key}`, and this program declares version {version} at {}:{}; write \
                 `migrate(from = {from}, with = function)` in `#[object(...)]`",
                info.location.0, info.location.1
            );
            Err(Error::new(ErrorKind::TypeMismatch, message))
        }
    }
}

/// The index of the field that has or had the name `name`.
pub(crate) fn index_of(info: &TypeInfo, name: &str) -> Option<usize> {
    let named = info.fields.iter().position(|field| field.name == name);
    named.or_else(|| info.fields.iter().position(|field| field.meta.aliases.contains(&name)))
}

/// Sets the optional fields without a value and without a default to `None`, where the declaration does not forbid it.
///
/// # Errors
/// The errors of the fields.
pub(crate) fn set_absent_options(builder: &mut ObjectBuilder) -> Result<()> {
    let info = builder.type_info();
    for (index, field) in info.fields.iter().enumerate() {
        if builder.vacant(index).is_some() && field.default().is_none() && may_be_absent(info, field) {
            builder.set_index(index, Any::None)?;
        }
    }
    Ok(())
}

/// Whether a file may lack a field of a type: the field has a default, or it is optional and the declaration does not forbid it.
pub(crate) fn may_be_absent(info: &TypeInfo, field: &FieldInfo) -> bool {
    let is_optional =
        || info.evolution.files != FileForm::Tvm && !field.meta.required && field.schema().name == "Optional";
    field.default().is_some() || is_optional()
}

/// Whether the numbers of enums inside of a recorded type mean the same in the type of the program.
fn has_same_numbers(recorded: &Term, field: &FieldInfo) -> bool {
    let (mut before, now) = (Vec::new(), field.schema().enumerations());
    recorded.all_variants(&mut before);
    let is_same = |(before, now): (&&[(String, i64)], &Enumeration)| {
        before.iter().all(|(name, number)| now.number_of_name(name) == Some(*number))
    };
    // Types of a schema before version 4 know no enums in containers, and keep the numbers.
    now.is_empty() && field.runtime.is_some() || before.len() == now.len() && before.iter().zip(&now).all(is_same)
}

/// The number as a float, if a float has it.
#[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "the result is checked")]
fn exact_float(number: i64) -> Option<f64> {
    let float = number as f64;
    (float < 9.3e18 && float as i64 == number).then_some(float)
}

/// A value, for messages.
fn given(value: &Any) -> String {
    match value {
        Any::None => "no value".to_owned(),
        Any::Bool(value) => format!("`{value}`"),
        Any::Int(value) => format!("`{value}`"),
        Any::Float(value) => format!("`{value:?}`"),
        other => match other.view().as_str() {
            Some(text) => format!("the text `{}`", brief(text)),
            None => format!("a `{}`", brief(other.type_key())),
        },
    }
}
