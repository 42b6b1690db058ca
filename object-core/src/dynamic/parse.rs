//! Reads a schema in the format of this project, which `object-schema.json` describes as a JSON Schema.

use serde_json::Value;

use super::{tvm_format, tvm_records};
use crate::dynamic::decl::Schema;
use crate::dynamic::enum_decl::EnumDecl;
use crate::dynamic::field_decl::FieldDecl;
use crate::dynamic::format::{FORMAT, VERSION};
use crate::dynamic::json_cursor::JsonCursor;
use crate::dynamic::method_decl::MethodDecl;
use crate::dynamic::pairs::parse_pairs;
use crate::dynamic::size::check_text;
use crate::dynamic::syntax_decl::SyntaxDecl;
use crate::dynamic::type_decl::{HandWritten, TypeDecl};
use crate::error::{Error, ErrorKind, Result};
use crate::limits::Limits;
use crate::object::Body;
use crate::object::model::evolution::FILE_FORMS;
use crate::object::model::keywords::{BODIES, KINDS};
use crate::text::brief::brief;

const TYPE_WORDS: [&str; 27] = [
    "key",
    "parent",
    "doc",
    "body",
    "kind",
    "scope",
    "custom",
    "base",
    "abstract",
    "syntax",
    "label",
    "json",
    "meta",
    "singleton_key",
    "node_class",
    "ref_class",
    "namespace",
    "version",
    "alias",
    "removed",
    "migrates_from",
    "files",
    "same_len",
    "verify",
    "hand_written",
    "methods",
    "fields",
];

impl Schema {
    /// The schema in `text`: in the format that [`to_json`](Self::to_json) writes, or in the format of
    /// `tvm_schema.json`, the recorded registry of TVM.
    ///
    /// The schema leaves out types of TVM that have no form in JSON graphs or depend on C++. The error of looking up
    /// such a type gives the reason.
    ///
    /// # Errors
    /// [`Malformed`](ErrorKind::Malformed) for text that is not JSON; else the kind of the fault, with its path in the
    /// text. [Loading](super::SchemaLoader::load) checks whether the types fit each other.
    pub fn parse(text: &[u8]) -> Result<Schema> {
        Schema::parse_with(text, &Limits::new())
    }

    /// [`parse`](Self::parse) with limits of bytes, nodes and messages. A JSON value of a schema counts as 16 nodes.
    ///
    /// # Errors
    /// As [`parse`](Self::parse), and [`LimitExceeded`](ErrorKind::LimitExceeded).
    pub fn parse_with(text: &[u8], limits: &Limits) -> Result<Schema> {
        let parsed = check_text(text, limits).and_then(|()| Schema::parse_text(text));
        parsed.map_err(|error| error.shorten(limits.max_message))
    }

    fn parse_text(text: &[u8]) -> Result<Schema> {
        let value: Value = serde_json::from_slice(text).map_err(|error| {
            Error::new(ErrorKind::Malformed, format!("not a schema: {}", brief(&error.to_string())))
        })?;
        let root = JsonCursor::root(&value);
        if root.find("format")?.is_none() && root.find("types")?.is_some_and(|types| types.value.is_object()) {
            return tvm_format::parse(&root);
        }
        if root.find("tvm_version")?.is_some() {
            return tvm_records::parse(&root);
        }
        let format = root.get("format")?;
        if format.text()? != FORMAT {
            return Err(format.error(ErrorKind::Malformed, format!("the format is not `{FORMAT}`")));
        }
        let version = root.get("version")?;
        match version.value.as_u64() {
            Some(1..=VERSION) => {}
            Some(newer) if newer > VERSION => {
                let message = format!(
                    "version {newer} is newer than this program, which reads versions 1 to {VERSION}: update the \
                     program, or write the schema with an older one"
                );
                return Err(version.error(ErrorKind::Malformed, message));
            }
            _ => {
                let given = brief(&version.value.to_string()).to_string();
                let message = format!("version {given} is unknown; this program reads versions 1 to {VERSION}");
                return Err(version.error(ErrorKind::Malformed, message));
            }
        }
        root.only(&["format", "version", "enums", "types", "functions"])?;
        let enums = match root.find("enums")? {
            Some(enums) => enums.items()?.map(|cursor| EnumDecl::parse(&cursor)).collect::<Result<_>>()?,
            None => Vec::new(),
        };
        let types = root.get("types")?.items()?.map(|cursor| parse_type(&cursor)).collect::<Result<_>>()?;
        let functions = match root.find("functions")? {
            Some(functions) => functions.items()?.map(|cursor| MethodDecl::parse(&cursor)).collect::<Result<_>>()?,
            None => Vec::new(),
        };
        Ok(Schema { functions, ..Schema::new(types, enums) })
    }
}

/// Reads the word `same_len`: a list of lists of names.
fn same_len(cursor: &JsonCursor<'_>) -> Result<Vec<Vec<String>>> {
    let Some(groups) = cursor.find("same_len")? else { return Ok(Vec::new()) };
    let names = |group: JsonCursor<'_>| group.items()?.map(|name| name.text().map(str::to_owned)).collect();
    groups.items()?.map(names).collect()
}

fn parse_type(cursor: &JsonCursor<'_>) -> Result<TypeDecl> {
    cursor.only(&TYPE_WORDS)?;
    let fields = match cursor.find("fields")? {
        Some(fields) => fields.items()?.map(|cursor| FieldDecl::parse(&cursor)).collect::<Result<_>>()?,
        None => Vec::new(),
    };
    let methods = match cursor.find("methods")? {
        Some(methods) => methods.items()?.map(|cursor| MethodDecl::parse(&cursor)).collect::<Result<_>>()?,
        None => Vec::new(),
    };
    Ok(TypeDecl {
        node_class: cursor.text_of("node_class")?,
        ref_class: cursor.text_of("ref_class")?,
        namespace: cursor.text_of("namespace")?,
        version: cursor.find("version")?.map_or(Ok(1), |version| version.version())?,
        aliases: cursor.texts_of("alias")?,
        removed: cursor.texts_of("removed")?,
        migrates_from: match cursor.find("migrates_from")? {
            Some(versions) => versions.items()?.map(|version| version.version()).collect::<Result<_>>()?,
            None => Vec::new(),
        },
        files: cursor.word_of("files", &FILE_FORMS)?.unwrap_or_default(),
        same_len: same_len(cursor)?,
        is_verified: cursor.flag("verify")?,
        hand_written: HandWritten::parse(cursor)?,
        methods,
        parent: cursor.text_of("parent")?,
        doc: cursor.text_of("doc")?.unwrap_or_default(),
        body: cursor.word_of("body", &BODIES)?.unwrap_or(Body::Node),
        kind: match cursor.word_of("kind", &KINDS)? {
            Some(kind) => kind,
            None => return Err(cursor.error(ErrorKind::MissingField, "there is no `kind`")),
        },
        is_scope: cursor.flag("scope")?,
        is_custom: cursor.flag("custom")?,
        is_base: cursor.flag("base")?,
        is_abstract: cursor.flag("abstract")?,
        syntax: SyntaxDecl::parse(cursor)?,
        label: cursor.text_of("label")?,
        meta: parse_pairs(cursor)?,
        json: cursor.text_of("json")?,
        singleton_key: cursor.text_of("singleton_key")?,
        fields,
        place: cursor.place.clone(),
        ..TypeDecl::new(cursor.get("key")?.text()?)
    })
}
