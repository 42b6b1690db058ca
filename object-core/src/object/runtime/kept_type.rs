//! [`kept_type`]: types of objects that a reader keeps with their text, because the program does not know their type.
//!
//! Such a type adds two fields to the fields of its base: the text of the data, and the nodes to which numbers in the text may
//! refer.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

use crate::error::{Error, ErrorKind, Result};
use crate::object::model::any::{Any, AnyView};
use crate::object::model::evolution::Evolution;
use crate::object::model::field_info::FieldMeta;
use crate::object::model::keywords::SEqHashKind;
use crate::object::model::object_ref::ObjectView;
use crate::object::model::runtime_field::{FieldRule, RuntimeField};
use crate::object::model::type_info::{JsonForm, TypeInfo};
use crate::object::model::type_schema::TypeSchema;
use crate::object::runtime::runtime_type::{FieldSpec, RuntimeStorage, RuntimeTypeSpec};

/// The field with the text of the data.
const TEXT: &str = "text";
/// The field with the nodes to which the text may refer: a map from their numbers in the file.
pub(crate) const NODES: &str = "nodes";

/// The most types of this form in a process, because types live as long as the process.
const MAX_TYPES: usize = 4096;
/// The most bytes of their keys.
const MAX_KEY: usize = 256;

/// The most bytes of the declaration of a type in a file.
const MAX_DECLARATION: usize = 1 << 16;

/// The key of the pair of the type with the declaration of the file.
const DECLARATION: &str = "declaration";

/// Types by their key, the declaration of the file and the address of their parent.
type KeptTypes = HashMap<(&'static str, &'static str, Option<usize>), &'static TypeInfo>;

/// The types so far.
static TYPES: LazyLock<Mutex<KeptTypes>> = LazyLock::new(Mutex::default);

/// The type with the key `type_key`, and a declaration or an empty text, of objects that a reader keeps in a place for objects
/// of the type `parent`, or for all objects.
///
/// # Errors
/// [`NotConstructible`](ErrorKind::NotConstructible) if no type can extend the parent, and
/// [`LimitExceeded`](ErrorKind::LimitExceeded) if the key is too long or the process has too many of these types.
pub(crate) fn kept_type(
    type_key: &str,
    declaration: &str,
    parent: Option<&'static TypeInfo>,
) -> Result<&'static TypeInfo> {
    let address = parent.map(|parent| std::ptr::from_ref(parent) as usize);
    let mut types = TYPES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(info) = types.get(&(type_key, declaration, address)) {
        return Ok(info);
    }
    if types.len() >= MAX_TYPES || type_key.len() > MAX_KEY || declaration.len() > MAX_DECLARATION {
        let message = format!(
            "a process keeps objects of at most {MAX_TYPES} unknown types, with keys of at most {MAX_KEY} bytes and \
             declarations of at most {MAX_DECLARATION}"
        );
        return Err(Error::new(ErrorKind::LimitExceeded, message));
    }
    if parent.is_some_and(|parent| parent.kind == SEqHashKind::UniqueInstance) {
        let message = format!("`{type_key}`: the text of a singleton of an unknown type is its key alone");
        return Err(Error::new(ErrorKind::NotConstructible, message));
    }
    let declaration: &'static str = declaration.to_owned().leak();
    let info = spec(type_key.to_owned().leak(), declaration, parent).leak()?;
    types.insert((info.type_key, declaration, address), info);
    Ok(info)
}

/// The declaration of the type in its file; empty if the file has none.
pub(crate) fn kept_declaration(info: &TypeInfo) -> &'static str {
    info.meta.iter().find(|(key, _)| *key == DECLARATION).map_or("", |(_, text)| text)
}

fn spec(type_key: &'static str, declaration: &'static str, parent: Option<&'static TypeInfo>) -> RuntimeTypeSpec {
    RuntimeTypeSpec {
        type_key,
        doc: "",
        location: ("an unknown type of a file", 0),
        syntax: None,
        kind: SEqHashKind::Unsupported,
        is_scope: false,
        same_len: Vec::new(),
        meta: if declaration.is_empty() { &[] } else { vec![(DECLARATION, declaration)].leak() },
        evolution: Evolution::NONE,
        label: None,
        is_base: false,
        is_abstract: false,
        parent,
        fields: vec![any_field(TEXT), any_field(NODES)],
        json: None,
        is_kept: true,
        singleton_key: None,
        hook: None,
    }
}

/// A field for any value. Only the reader fills it.
fn any_field(name: &'static str) -> FieldSpec {
    let field =
        RuntimeField { rule: Box::new(AnyValue), schema: TypeSchema::leaf("Any"), enumeration: None, default: None };
    FieldSpec { name, meta: FieldMeta::NONE, storage: RuntimeStorage::Any, field }
}

struct AnyValue;

impl FieldRule for AnyValue {
    fn accepts(&self, _: AnyView<'_>) -> bool {
        true
    }

    fn convert(&self, value: Any) -> Result<Any> {
        Ok(value)
    }
}

/// The text of an object of such a type, and the map of its nodes by their numbers. `None` for objects of other types.
#[inline]
pub(crate) fn kept_parts(object: ObjectView<'_>) -> Option<(&str, ObjectView<'_>)> {
    if object.type_info().json != JsonForm::Kept {
        return None;
    }
    let nodes = object.type_info().fields.len() - 1;
    Some((object.field_at(nodes - 1)?.as_str()?, object.field_at(nodes)?.as_object()?))
}
