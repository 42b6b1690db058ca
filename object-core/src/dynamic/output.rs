//! Writes a schema as JSON text.

use serde_json::{Map, Value};

use crate::dynamic::decl::Schema;
use crate::dynamic::field_decl::FieldDecl;
use crate::dynamic::format::{FORMAT, VERSION};
use crate::dynamic::type_decl::TypeDecl;
use crate::error::Result;
use crate::object::Body;

impl Schema {
    /// The schema as JSON text, one type per line, in the order of the schema. The same types make the same text.
    ///
    /// # Errors
    /// [`NotSerializable`](crate::ErrorKind::NotSerializable) if a default exists in memory only, or is a container
    /// with a number that JSON cannot represent.
    pub fn to_json(&self) -> Result<String> {
        let types = self.types.iter().map(|decl| type_json(decl).map(|json| json.to_string()));
        let types = types.collect::<Result<Vec<_>>>()?.join(",\n");
        Ok(format!("{{\"format\":\"{FORMAT}\",\"version\":{VERSION},\"types\":[\n{types}\n]}}\n"))
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
    put("label", decl.label.as_deref().into(), decl.label.is_some());
    put("json", decl.json.as_deref().into(), decl.json.is_some());
    put("singleton_key", decl.singleton_key.as_deref().into(), decl.singleton_key.is_some());
    let fields = decl.fields.iter().map(FieldDecl::to_json).collect::<Result<Vec<_>>>()?;
    put("fields", fields.into(), true);
    Ok(entry.into())
}
