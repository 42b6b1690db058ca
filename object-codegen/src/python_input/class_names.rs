//! [`ClassNames`]: the classes that annotations and bases name.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use object_core::dynamic::{EnumDecl, Schema};

use crate::python_input::annotation::last_part;
use crate::python_input::class_draft::{ClassDraft, Form};
use crate::python_input::words::{backticked, did_you_mean, near_name};

/// A type or an enum that a name refers to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Referent {
    /// The type with this key.
    Type(String),
    /// The enum with this name.
    Enum(String),
}

/// The classes of all files and of the context, by their names.
#[derive(Default)]
pub(super) struct ClassNames {
    by_name: BTreeMap<String, BTreeSet<(Option<String>, Referent)>>,
    /// The names that files import under other names: (file, name) to the imported name.
    aliases: HashMap<(String, String), String>,
    enums: HashMap<String, EnumDecl>,
}

impl ClassNames {
    /// Adds the names of a type of the context.
    pub(super) fn add_context(&mut self, schema: &Schema) {
        for decl in schema.types() {
            for name in [decl.key.clone(), decl.node_name(), decl.ref_name().to_owned()] {
                self.add(name, None, Referent::Type(decl.key.clone()));
            }
        }
        schema.enums().iter().for_each(|decl| self.add_enum(decl, None));
    }

    /// Adds the names of a declared class.
    pub(super) fn add_class(&mut self, class: &ClassDraft) {
        let (key, file) = (&class.key.value, Some(class.name.place.file.clone()));
        let mut names = vec![key.clone(), class.name.value.clone()];
        if class.form == Form::Declare {
            names.push(last_part(key).to_owned());
        }
        for name in names {
            self.add(name, file.clone(), Referent::Type(key.clone()));
        }
    }

    /// Adds the names of an enum, which a file or the context declares.
    pub(super) fn add_enum(&mut self, decl: &EnumDecl, file: Option<&str>) {
        for name in [&decl.name, last_part(&decl.name)] {
            self.add(name.to_owned(), file.map(str::to_owned), Referent::Enum(decl.name.clone()));
        }
        self.enums.insert(decl.name.clone(), decl.clone());
    }

    /// The enum and the number of a variant, which is written as `Mode.PLAIN`.
    ///
    /// # Errors
    /// A message, if no enum or several enums have the name, or the enum has no such variant.
    pub(super) fn variant(&self, file: &str, path: &str) -> Result<(&str, i64), String> {
        let (class, variant) = path.rsplit_once('.').unwrap_or(("", path));
        let Referent::Enum(name) = self.find(file, class, [])? else {
            return Err(format!("`{path}` is not a constant: `{class}` is not an enum"));
        };
        let variants = self.enums.get(name).map_or(&[][..], |decl| &decl.variants);
        match variants.iter().find(|it| it.name == variant) {
            Some(found) => Ok((name, found.number)),
            None => {
                let known: Vec<&str> = variants.iter().map(|it| it.name.as_str()).collect();
                Err(format!("the enum `{class}` has no variant `{variant}`{}", did_you_mean(variant, &known)))
            }
        }
    }

    /// Adds the name that a file gives to an imported name.
    pub(super) fn add_alias(&mut self, file: &str, name: String, imported: String) {
        self.aliases.insert((file.to_owned(), name), imported);
    }

    fn add(&mut self, name: String, file: Option<String>, referent: Referent) {
        self.by_name.entry(name).or_default().insert((file, referent));
    }

    /// The name that `file` imports as `name`, or `name`.
    pub(super) fn imported<'n>(&'n self, file: &str, name: &'n str) -> &'n str {
        self.aliases.get(&(file.to_owned(), name.to_owned())).map_or(name, String::as_str)
    }

    /// The referent of a name with dots in `file`: a type key, or a name after any module. A class of the same file is
    /// preferred.
    ///
    /// # Errors
    /// A message, if no class or several classes have the name.
    pub(super) fn find(
        &self,
        file: &str,
        path: &str,
        more: impl IntoIterator<Item = &'static str>,
    ) -> Result<&Referent, String> {
        let short = self.imported(file, last_part(path));
        let Some(found) = self.by_name.get(path).or_else(|| self.by_name.get(short)) else {
            let known = self.by_name.keys().map(String::as_str).chain(more.into_iter().map(|name| -> &str { name }));
            let hint = near_name(short, known);
            return Err(format!(
                "no class `{short}` is declared in the given files{hint}{}",
                if hint.is_empty() { "; give its file or its schema as well" } else { "" }
            ));
        };
        let mut own = found.iter().filter(|(place, _)| place.as_deref() == Some(file)).map(|(_, referent)| referent);
        let all: BTreeSet<&Referent> = found.iter().map(|(_, referent)| referent).collect();
        match (all.len(), own.next()) {
            (1, _) => all.into_iter().next().ok_or_else(String::new),
            (_, Some(referent)) if own.next().is_none() => Ok(referent),
            _ => {
                let keys = all.iter().map(|referent| match referent {
                    Referent::Type(key) | Referent::Enum(key) => key.as_str(),
                });
                let keys: Vec<&str> = keys.collect();
                Err(format!("`{path}` may be {}; write the type key as a text", backticked(&keys)))
            }
        }
    }
}
