//! Writes a schema as JSON text.

use serde_json::{Map, Value};

use crate::dynamic::decl::Schema;
use crate::dynamic::field_decl::FieldDecl;
use crate::dynamic::format::{FORMAT, VERSION};
use crate::dynamic::method_decl::MethodDecl;
use crate::dynamic::pairs::pairs_json;
use crate::dynamic::syntax_decl::SyntaxDecl;
use crate::dynamic::type_decl::{HandWritten, TypeDecl};
use crate::error::Result;
use crate::object::{Body, FileForm};

impl Schema {
    /// The schema as JSON text, one type per line, in the order of the schema. The same types make the same text.
    ///
    /// The version is the lowest one that has all words of the schema, so that older programs read it.
    ///
    /// # Errors
    /// [`NotSerializable`](crate::ErrorKind::NotSerializable) if a default exists in memory only, or is a container
    /// with a number that JSON cannot represent.
    pub fn to_json(&self) -> Result<String> {
        let types = self.types.iter().map(|decl| type_json(decl).map(|json| json.to_string()));
        let types = types.collect::<Result<Vec<_>>>()?.join(",\n");
        let enums = self.enums.iter().map(|it| it.to_json().to_string()).collect::<Vec<_>>().join(",\n");
        let enums = if enums.is_empty() { enums } else { format!("\"enums\":[\n{enums}\n],") };
        let functions = self.functions.iter().map(|it| it.to_json().to_string()).collect::<Vec<_>>().join(",\n");
        let functions = if functions.is_empty() { functions } else { format!(",\"functions\":[\n{functions}\n]") };
        let version = if self.needs_version_5() {
            VERSION
        } else if self.needs_version_4() {
            4
        } else if self.needs_version_3() {
            3
        } else if self.needs_version_2() {
            2
        } else {
            1
        };
        Ok(format!("{{\"format\":\"{FORMAT}\",\"version\":{version},{enums}\"types\":[\n{types}\n]{functions}}}\n"))
    }
}

impl Schema {
    /// Whether the schema has words about values or texts, which version 4 does not have.
    fn needs_version_5(&self) -> bool {
        let is_new = |decl: &TypeDecl| {
            decl.is_verified
                || decl.syntax.is_some()
                || !decl.same_len.is_empty()
                || decl.fields.iter().any(|field| !field.checks.is_empty())
        };
        self.types.iter().any(is_new)
    }

    /// Whether the schema names enums in containers, which version 3 does not.
    fn needs_version_4(&self) -> bool {
        self.types.iter().flat_map(|decl| &decl.fields).any(|field| !field.ty.enums().is_empty())
    }

    /// Whether the schema has a word that version 2 does not have.
    fn needs_version_3(&self) -> bool {
        let is_new = |decl: &TypeDecl| {
            decl.version != 1
                || !decl.aliases.is_empty()
                || !decl.removed.is_empty()
                || !decl.migrates_from.is_empty()
                || decl.files != FileForm::default()
                || decl.fields.iter().any(|field| field.required || !field.aliases.is_empty())
        };
        self.enums.iter().any(|it| !it.aliases.is_empty()) || self.types.iter().any(is_new)
    }

    /// Whether the schema has a word that version 1 does not have.
    fn needs_version_2(&self) -> bool {
        let is_new = |decl: &TypeDecl| {
            decl.node_class.is_some()
                || decl.ref_class.is_some()
                || decl.namespace.is_some()
                || decl.hand_written != HandWritten::default()
                || !decl.methods.is_empty()
                || !decl.meta.is_empty()
                || decl.fields.iter().any(|field| field.width.is_some() || field.enumeration.is_some() || field.export)
        };
        !self.enums.is_empty() || !self.functions.is_empty() || self.types.iter().any(is_new)
    }
}

fn type_json(decl: &TypeDecl) -> Result<Value> {
    let mut entry = Map::new();
    let mut put = |name: &str, value: Value, is_written: bool| {
        if is_written {
            entry.insert(name.to_owned(), value);
        }
    };
    put("key", decl.key.as_str().into(), true);
    put("parent", decl.parent.as_deref().into(), decl.parent.is_some());
    put("doc", decl.doc.as_str().into(), !decl.doc.is_empty());
    put("body", decl.body.word().into(), decl.body != Body::Node);
    put("kind", decl.kind.word().into(), true);
    put("scope", true.into(), decl.is_scope);
    put("custom", true.into(), decl.is_custom);
    put("base", true.into(), decl.is_base);
    put("abstract", true.into(), decl.is_abstract);
    put("syntax", decl.syntax.as_ref().map(SyntaxDecl::to_json).into(), decl.syntax.is_some());
    put("label", decl.label.as_deref().into(), decl.label.is_some());
    put("json", decl.json.as_deref().into(), decl.json.is_some());
    put("singleton_key", decl.singleton_key.as_deref().into(), decl.singleton_key.is_some());
    put("meta", pairs_json(&decl.meta), !decl.meta.is_empty());
    put("node_class", decl.node_class.as_deref().into(), decl.node_class.is_some());
    put("ref_class", decl.ref_class.as_deref().into(), decl.ref_class.is_some());
    put("namespace", decl.namespace.as_deref().into(), decl.namespace.is_some());
    put("version", decl.version.into(), decl.version != 1);
    put("alias", decl.aliases.clone().into(), !decl.aliases.is_empty());
    put("removed", decl.removed.clone().into(), !decl.removed.is_empty());
    put("migrates_from", decl.migrates_from.clone().into(), !decl.migrates_from.is_empty());
    put("files", decl.files.word().into(), decl.files != FileForm::default());
    put("same_len", decl.same_len.clone().into(), !decl.same_len.is_empty());
    put("verify", true.into(), decl.is_verified);
    let by_hand = decl.hand_written.words();
    put("hand_written", by_hand.clone().into(), !by_hand.is_empty());
    let methods: Vec<Value> = decl.methods.iter().map(MethodDecl::to_json).collect();
    put("methods", methods.into(), !decl.methods.is_empty());
    let fields = decl.fields.iter().map(FieldDecl::to_json).collect::<Result<Vec<_>>>()?;
    put("fields", fields.into(), true);
    Ok(entry.into())
}
