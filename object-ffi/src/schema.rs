//! The metadata of fields and functions, as tvm-ffi writes it: JSON with the type as JSON in a text.

use std::borrow::Cow;

use crate::foreign::prefixed;
use crate::tensor_view::TensorViewNode;
use object_core::Object;
use object_core::function::Signature;
use object_core::object::TypeSchema;
use serde_json::{Map, Value, json};

/// The key of a view of a tensor, which is a tensor for tvm-ffi.
const VIEW: &str = TensorViewNode::TYPE_INFO.type_key();

/// The metadata of a field of the type `schema` with the annotations `pairs`.
pub(crate) fn metadata(schema: &TypeSchema, pairs: &[(&str, &str)]) -> String {
    let mut all: Map<_, _> = pairs.iter().map(|(key, value)| ((*key).to_owned(), json!(value))).collect();
    all.insert("type_schema".to_owned(), json!(to_json(schema).to_string()));
    Value::Object(all).to_string()
}

/// The metadata of a function.
pub(crate) fn function_metadata(signature: Option<&Signature>) -> String {
    let mut schema = json!({"type": "ffi.Function"});
    if let Some(signature) = signature {
        let types = std::iter::once(&signature.result).chain(signature.args.iter().map(|arg| &arg.schema));
        schema["args"] = types.map(to_json).collect();
    }
    json!({"type_schema": schema.to_string()}).to_string()
}

fn to_json(schema: &TypeSchema) -> Value {
    let name = match schema.name {
        VIEW => Cow::Borrowed("ffi.Tensor"),
        name => prefixed(name),
    };
    match schema.args.as_slice() {
        [] => json!({"type": name}),
        args => json!({"type": name, "args": args.iter().map(to_json).collect::<Vec<_>>()}),
    }
}
