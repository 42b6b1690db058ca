//! [`Schema::changes_since`]: the changes from one schema to a later one, and which of them keep the meaning of files.

use std::collections::{HashMap, HashSet};
use std::fmt;

use crate::dynamic::check_words::CheckWords;
use crate::dynamic::decl::Schema;
use crate::dynamic::default_value::default_json;
use crate::dynamic::enum_decl::EnumDecl;
use crate::dynamic::field_decl::FieldDecl;
use crate::dynamic::type_decl::TypeDecl;
use crate::dynamic::type_text::TypeText;
use crate::object::{Body, FileForm};
use crate::text::did_you_mean::backticked;

/// The effect of a change of a declaration on the files of the earlier declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Compatibility {
    /// They load as the same values.
    Compatible,
    /// They are errors until the later declaration has a word, such as `alias` or `default`.
    NeedsWord,
    /// Some or all of them are errors until the later declaration has a migration.
    NeedsMigration,
}

impl Compatibility {
    /// The word in tables.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Compatibility::Compatible => "compatible",
            Compatibility::NeedsWord => "needs a word",
            Compatibility::NeedsMigration => "needs a migration",
        }
    }
}

/// A change from one schema to a later one. It displays as a line: the place, the change, and the words to write.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SchemaChange {
    /// The effect of the change on earlier files.
    pub compatibility: Compatibility,
    /// The key of the type in the later schema, or in the earlier one if the later one does not have it.
    pub type_key: String,
    /// The name of the field, in the same way; `None` for a change of the type itself.
    pub field: Option<String>,
    /// The change.
    pub change: String,
    /// The words to write, if the change is not compatible.
    pub help: Option<String>,
}

impl SchemaChange {
    /// Whether earlier files load as the same values.
    #[must_use]
    pub fn is_compatible(&self) -> bool {
        self.compatibility == Compatibility::Compatible
    }

    /// The type and the field: `demo.Call.args`.
    #[must_use]
    pub fn place(&self) -> String {
        match &self.field {
            Some(field) => format!("{}.{field}", self.type_key),
            None => self.type_key.clone(),
        }
    }
}

impl fmt::Display for SchemaChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}", self.compatibility.word(), self.place(), self.change)?;
        self.help.as_ref().map_or(Ok(()), |help| write!(f, "; {help}"))
    }
}

impl Schema {
    /// The changes from `old` to this schema, in the order of the types of `old` and then of the new types. Types in the form of TVM
    /// are left out, because their files have no declarations.
    ///
    /// A test of a crate keeps its files readable: it compares the declarations with the schema of a release.
    ///
    /// ```
    /// use object_core::dynamic::{Compatibility, Schema};
    /// let old = Schema::parse(br#"{"format": "object-schema", "version": 1, "types": [
    ///     {"key": "my.Add", "kind": "tree", "fields": [{"name": "a", "type": "int"}, {"name": "b", "type": "int"}]}]}"#)?;
    /// let new = Schema::parse(br#"{"format": "object-schema", "version": 1, "types": [
    ///     {"key": "my.Add", "kind": "tree", "fields": [{"name": "a", "type": "Optional<int>"}, {"name": "c", "type": "int"}]}]}"#)?;
    /// let changes = new.changes_since(&old);
    /// let lines: Vec<String> = changes.iter().map(|change| format!("{} {}", change.compatibility.word(), change.place())).collect();
    /// assert_eq!(lines, ["compatible my.Add.a", "needs a word my.Add.b", "needs a word my.Add.c"]);
    /// # Ok::<(), object_core::Error>(())
    /// ```
    #[must_use]
    pub fn changes_since(&self, old: &Schema) -> Vec<SchemaChange> {
        let is_in_files = |decl: &&TypeDecl| decl.files == FileForm::Declared && decl.body == Body::Node;
        let (old_index, new_index) = (Index::new(old), Index::new(self));
        let (old_keys, mut changes) = (&old_index.by_key, Vec::new());
        for before in old.types.iter().filter(is_in_files) {
            match new_index.successor(&before.key) {
                Some(now) => {
                    Comparison { old: &old_index, new: &new_index, before, now, changes: &mut changes }.types();
                }
                None => changes.push(SchemaChange {
                    compatibility: Compatibility::NeedsWord,
                    type_key: before.key.clone(),
                    field: None,
                    change: "the type is removed".to_owned(),
                    help: Some(format!("write `alias = \"{}\"` on the type in its place", before.key)),
                }),
            }
        }
        for now in self.types.iter().filter(is_in_files) {
            if !std::iter::once(&now.key).chain(&now.aliases).any(|key| old_keys.contains_key(key.as_str())) {
                changes.push(SchemaChange {
                    compatibility: Compatibility::Compatible,
                    type_key: now.key.clone(),
                    field: None,
                    change: "the type is new".to_owned(),
                    help: None,
                });
            }
        }
        changes
    }
}

/// The types and enums of a schema by their names.
struct Index<'s> {
    by_key: HashMap<&'s str, &'s TypeDecl>,
    by_alias: HashMap<&'s str, &'s TypeDecl>,
    enums: HashMap<&'s str, &'s EnumDecl>,
}

/// The number of ancestors of a type that count. It bounds the time for malformed schemas.
const MAX_CHAIN: usize = 256;

impl<'s> Index<'s> {
    fn new(schema: &'s Schema) -> Self {
        let aliases = schema.types.iter().flat_map(|decl| decl.aliases.iter().map(move |alias| (alias.as_str(), decl)));
        Index {
            by_key: schema.types.iter().map(|decl| (decl.key.as_str(), decl)).collect(),
            by_alias: aliases.collect(),
            enums: schema.enums.iter().map(|decl| (decl.name.as_str(), decl)).collect(),
        }
    }

    /// The type that has or had the key `key`. A key that a type has counts first.
    fn successor(&self, key: &str) -> Option<&'s TypeDecl> {
        self.by_key.get(key).or_else(|| self.by_alias.get(key)).copied()
    }

    /// A type and its ancestors in the schema, the type first.
    fn chain(&self, decl: &'s TypeDecl) -> impl Iterator<Item = &'s TypeDecl> {
        let parent = |decl: &&'s TypeDecl| self.by_key.get(decl.parent.as_deref()?).copied();
        std::iter::successors(Some(decl), parent).take(MAX_CHAIN)
    }

    /// All fields of a type.
    fn fields(&self, decl: &'s TypeDecl) -> impl Iterator<Item = &'s FieldDecl> {
        self.chain(decl).flat_map(|decl| &decl.fields)
    }

    fn enumeration(&self, field: &FieldDecl) -> Option<&'s EnumDecl> {
        self.enums.get(field.enumeration.as_deref()?).copied()
    }
}

fn is_successor(decl: &TypeDecl, key: &str) -> bool {
    decl.key == key || decl.aliases.iter().any(|alias| alias == key)
}

/// The comparison of two declarations of a type.
struct Comparison<'c, 's> {
    old: &'c Index<'s>,
    new: &'c Index<'s>,
    before: &'s TypeDecl,
    now: &'s TypeDecl,
    changes: &'c mut Vec<SchemaChange>,
}

impl Comparison<'_, '_> {
    fn add(&mut self, field: Option<&str>, compatibility: Compatibility, change: String, help: Option<String>) {
        let (type_key, field) = (self.now.key.clone(), field.map(str::to_owned));
        self.changes.push(SchemaChange { compatibility, type_key, field, change, help });
    }

    fn same(&mut self, field: Option<&str>, change: String) {
        self.add(field, Compatibility::Compatible, change, None);
    }

    fn word(&mut self, field: Option<&str>, change: String, help: String) {
        self.add(field, Compatibility::NeedsWord, change, Some(help));
    }

    fn migration(&mut self, field: Option<&str>, change: String) {
        let version = self.before.version;
        let help =
            format!("write `version = {}, migrate(from = {version}, with = function)`", version.saturating_add(1));
        self.add(field, Compatibility::NeedsMigration, change, Some(help));
    }

    fn types(&mut self) {
        let (before, now) = (self.before, self.now);
        if before.key != now.key {
            self.same(None, format!("the key was `{}`", before.key));
        }
        if now.is_abstract && !before.is_abstract {
            self.migration(None, "no object has exactly this type any more".to_owned());
        }
        if before.kind != now.kind || before.is_scope != now.is_scope || before.is_custom != now.is_custom {
            self.same(None, "equality changes, and structural hashes with it".to_owned());
        }
        if before.syntax != now.syntax {
            self.same(None, "texts of the language change; files stay as they are".to_owned());
        }
        if self.versions() {
            // The functions of migrations say what happens to the fields.
            return;
        }
        for group in now.same_len.iter().filter(|group| !before.same_len.contains(group)) {
            self.migration(
                None,
                format!("the values of {} have one length", backticked(group.iter().map(String::as_str))),
            );
        }
        if now.is_verified && !before.is_verified {
            self.same(None, "code verifies the objects, where a program asks for it".to_owned());
        }
        let (old, new) = (self.old, self.new);
        let mut targets: HashMap<&str, &FieldDecl> =
            new.fields(now).map(|field| (field.name.as_str(), field)).collect();
        for field in new.fields(now) {
            for alias in &field.aliases {
                targets.entry(alias).or_insert(field);
            }
        }
        let removed: HashSet<&String> = new.chain(now).flat_map(|decl| &decl.removed).collect();
        for field in &before.fields {
            match targets.get(field.name.as_str()) {
                Some(other) => self.field(field, other),
                None => self.removed(field, removed.contains(&field.name)),
            }
        }
        let had: HashSet<&String> = old.fields(before).map(|field| &field.name).collect();
        for field in &now.fields {
            if !std::iter::once(&field.name).chain(&field.aliases).any(|name| had.contains(name)) {
                self.added(field);
            }
        }
    }

    /// Compares the versions of the type and of its ancestors. Returns whether migrations make the new objects.
    fn versions(&mut self) -> bool {
        let mut migrated = false;
        for now in self.new.chain(self.now) {
            let before = self.old.chain(self.before).find(|before| is_successor(now, &before.key));
            let Some(before) = before.filter(|before| before.version != now.version) else { continue };
            let is_own = std::ptr::eq(now, self.now);
            let missing = (before.version..now.version).find(|version| !now.migrates_from.contains(version));
            match missing {
                _ if now.version < before.version && is_own => {
                    let change = format!("version {} was version {}", now.version, before.version);
                    let help = format!("write `version = {}` or a higher one", before.version);
                    self.word(None, change, help);
                }
                Some(from) if is_own => {
                    let change =
                        format!("version {} was version {}, from which none leads on", now.version, before.version);
                    let help = format!("write `migrate(from = {from}, with = function)`");
                    self.add(None, Compatibility::NeedsMigration, change, Some(help));
                }
                None if is_own => {
                    self.same(None, format!("version {} was version {}, and is migrated", now.version, before.version));
                }
                _ => {}
            }
            migrated = true;
        }
        migrated
    }

    fn removed(&mut self, field: &FieldDecl, is_declared: bool) {
        let name = &field.name;
        if is_declared {
            return self.same(Some(name), "the field is removed, and readers drop its values".to_owned());
        }
        let help = format!(
            "write `#[field(alias = \"{name}\")]` on the field that has its values now, or `#[object(removed(\"{name}\"))]`"
        );
        self.word(Some(name), "the field is removed".to_owned(), help);
    }

    fn added(&mut self, field: &FieldDecl) {
        let name = &field.name;
        if field.default.is_some() {
            self.same(Some(name), "the field is new, and has a default".to_owned());
        } else if field.ty.name == "Optional" && !field.required {
            self.same(Some(name), "the field is new, and is `None` in earlier files".to_owned());
        } else {
            let help = "write `#[field(default = ...)]`, or `alias` if the field had another name".to_owned();
            self.word(Some(name), "the field is new".to_owned(), help);
        }
    }

    /// Compares two declarations of a field.
    fn field(&mut self, before: &FieldDecl, now: &FieldDecl) {
        let name = now.name.as_str();
        if before.name != now.name {
            self.same(Some(name), format!("the name was `{}`", before.name));
        }
        if before.ty != now.ty {
            let change = format!("the type was `{}` and is `{}`", before.ty.with_enums(), now.ty.with_enums());
            match fit(self.new, &before.ty, &now.ty) {
                true => self.same(Some(name), change),
                false => self.migration(Some(name), change),
            }
        }
        match (self.old.enumeration(before), self.new.enumeration(now)) {
            (None, None) => {}
            (Some(_), None) => self.migration(Some(name), "the field holds no variants of an enum any more".to_owned()),
            (None, Some(it)) => {
                self.migration(Some(name), format!("the field holds variants of the enum `{}`", it.name));
            }
            (Some(before), Some(now)) => self.variants(name, before, now),
        }
        for (before, now) in before.ty.enums().into_iter().zip(now.ty.enums()) {
            if let (Some(before), Some(now)) = (self.old.enums.get(before), self.new.enums.get(now)) {
                self.variants(name, before, now);
            }
        }
        if before.width != now.width {
            let word = |field: &FieldDecl| field.width.map_or("64 bits", |width| width.word());
            let change = format!("the width was {} and is {}", word(before), word(now));
            match now.width {
                None => self.same(Some(name), change),
                Some(_) => self.migration(Some(name), change),
            }
        }
        if before.checks != now.checks {
            let shown = |words: &CheckWords| match words.is_empty() {
                true => "any values".to_owned(),
                false => words.to_string(),
            };
            let change = format!("the field had {} and has {}", shown(&before.checks), shown(&now.checks));
            match now.checks.allow_all_of(&before.checks) {
                true => self.same(Some(name), change),
                false => self.migration(Some(name), change),
            }
        }
        let default = |field: &FieldDecl| field.default.as_ref().map(|default| default_json(default, &field.ty).ok());
        if default(before) != default(now) && now.default.is_some() {
            self.same(Some(name), "the default changes, for files that do not have the field".to_owned());
        }
        if before.role != now.role {
            self.same(Some(name), "equality changes, and structural hashes with it".to_owned());
        }
    }

    fn variants(&mut self, name: &str, before: &EnumDecl, now: &EnumDecl) {
        let number = |decl: &EnumDecl, name: &str| {
            let variant = decl.variants.iter().find(|variant| variant.name == name).map(|variant| variant.number);
            variant.or_else(|| decl.aliases.iter().find(|(alias, _)| alias == name).map(|(_, number)| *number))
        };
        let missing: Vec<&str> =
            before.variants.iter().map(|it| it.name.as_str()).filter(|name| number(now, name).is_none()).collect();
        if !missing.is_empty() {
            let change = format!("the enum `{}` has no variants {}", now.name, backticked(missing.iter().copied()));
            let help = "write `#[object(alias = \"...\")]` on the variants that have other names now, or a migration";
            return self.word(Some(name), change, help.to_owned());
        }
        let is_same = before.variants.iter().all(|it| number(now, &it.name) == Some(it.number));
        if !is_same || before.variants.len() != now.variants.len() {
            self.same(
                Some(name),
                format!("the enum `{}` has other variants or numbers, and files have names", now.name),
            );
        }
    }
}

/// Whether each value of the type `before` is a value of the type `now`.
fn fit(index: &Index<'_>, before: &TypeText, now: &TypeText) -> bool {
    let all = |before: &[TypeText], now: &[TypeText]| {
        before.len() == now.len() && before.iter().zip(now).all(|(before, now)| fit(index, before, now))
    };
    let is_value =
        |ty: &TypeText| matches!(&*ty.name, "int" | "bool" | "float" | "DataType" | "Device" | "None" | "Any");
    match (&*before.name, &*now.name) {
        (_, "Any") => true,
        ("int", "int") => before.enumeration.is_some() == now.enumeration.is_some(),
        ("Optional", "Optional") => all(&before.args, &now.args),
        (_, "Optional") => now.args.first().is_some_and(|now| before.name == "None" || fit(index, before, now)),
        ("Variant", _) => before.args.iter().all(|before| fit(index, before, now)),
        (_, "Variant") => now.args.iter().any(|now| fit(index, before, now)),
        ("int", "float") => before.enumeration.is_none(),
        ("Optional", _) => false,
        (_, "ffi.Object") => !is_value(before),
        (a, b) if a == b => before.args.is_empty() || now.args.is_empty() || all(&before.args, &now.args),
        (a, b) => match index.successor(a) {
            Some(decl) => index.chain(decl).any(|decl| is_successor(decl, b)),
            None => false,
        },
    }
}
