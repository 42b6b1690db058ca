//! [`NodeType`]: the type of a node, and the meaning of the data of its nodes.

use super::tensor_blob;
use crate::error::{Error, ErrorKind, Result};
use crate::json::json_scalar::JsonScalar;
use crate::json::options::JsonReader;
use crate::json::tensor_store::TensorStore;
use crate::object::{Any, Body, JsonForm, TypeInfo, object_by_field};
use crate::scalar::Device;
use crate::value::{Bytes, Shape, Str};

/// The type of a node.
#[derive(Clone, Copy)]
pub(crate) enum NodeType {
    None,
    Bool,
    Int,
    Float,
    DataType,
    Device,
    Object(&'static TypeInfo),
}

impl NodeType {
    /// The type with the given key, by the options of `reader`. `declaration` is the text of the declaration in the file, or empty.
    pub(crate) fn of_key(type_key: &str, declaration: &str, reader: JsonReader<'_>) -> Result<Self> {
        Ok(match type_key {
            "None" => NodeType::None,
            "bool" => NodeType::Bool,
            "int" => NodeType::Int,
            "float" => NodeType::Float,
            "DataType" => NodeType::DataType,
            "Device" => NodeType::Device,
            _ => NodeType::Object(
                reader.type_info(type_key).or_else(|error| reader.kept_type(type_key, declaration, error))?,
            ),
        })
    }

    /// The type key.
    pub(crate) fn key(self) -> &'static str {
        match self {
            NodeType::None => "None",
            NodeType::Bool => "bool",
            NodeType::Int => "int",
            NodeType::Float => "float",
            NodeType::DataType => "DataType",
            NodeType::Device => "Device",
            NodeType::Object(info) => info.type_key,
        }
    }

    /// The table of the type, if the data of its nodes is a list of node indices.
    pub(crate) fn container(self) -> Option<&'static TypeInfo> {
        match self {
            NodeType::Object(info) if matches!(info.body, Body::Array | Body::Map) => Some(info),
            _ => None,
        }
    }

    /// The table of the type, if the data of its nodes is a map of fields.
    pub(crate) fn node_struct(self) -> Option<&'static TypeInfo> {
        match self {
            NodeType::Object(info) if info.body == Body::Node && info.json == JsonForm::Fields => Some(info),
            _ => None,
        }
    }

    /// The table of the type, if the reader keeps the data of its nodes as text.
    pub(crate) fn kept(self) -> Option<&'static TypeInfo> {
        match self {
            NodeType::Object(info) if info.json == JsonForm::Kept => Some(info),
            _ => None,
        }
    }

    /// The value of a node whose data is one scalar. The data of a large tensor goes to `tensors`.
    pub(crate) fn of_scalar(self, scalar: &JsonScalar<'_>, tensors: Option<&dyn TensorStore>) -> Result<Any> {
        match self {
            NodeType::None => Ok(Any::None),
            NodeType::Bool => scalar.bool().map(Any::Bool),
            NodeType::Int => scalar.int().map(Any::Int),
            NodeType::Float => scalar.float().map(Any::Float),
            NodeType::DataType => scalar.text()?.parse().map(Any::DataType),
            NodeType::Device => scalar.text().and(Err(Error::type_mismatch("a list of two ints", "string"))),
            NodeType::Object(info) => match (info.body, info.json) {
                (Body::Str, _) => Ok(Str::new(scalar.text()?).into()),
                (Body::Bytes, _) => Ok(match scalar {
                    JsonScalar::Bytes(bytes) => Bytes::from(bytes.to_vec()),
                    text => Bytes::from(tensor_blob::decode_base64(text.text()?)?),
                }
                .into()),
                (Body::Tensor, _) => Ok(match scalar {
                    JsonScalar::Bytes(blob) => tensor_blob::decode(blob)?,
                    text => tensor_blob::decode_text(text.text()?, tensors)?,
                }
                .into()),
                (Body::Node, JsonForm::Field(index)) => {
                    object_by_field(info, index, scalar.of_field(&info.fields[index])?)
                }
                _ => Err(self.unexpected("a single value")),
            },
        }
    }

    /// The value of a node whose data is a list of integers.
    pub(crate) fn of_list(self, list: &[i64]) -> Result<Any> {
        match (self, list) {
            (NodeType::Object(info), extents) if info.body == Body::Shape => Ok(Shape::new(extents).into()),
            (NodeType::Device, [device_type, device_id]) => {
                match (i32::try_from(*device_type), i32::try_from(*device_id)) {
                    (Ok(device_type), Ok(device_id)) => Ok(Any::Device(Device { device_type, device_id })),
                    _ => Err(Error::new(ErrorKind::OutOfRange, "the numbers of a device have 32 bits")),
                }
            }
            _ => Err(self.unexpected("a list")),
        }
    }

    /// The error for data in a form that the type does not have.
    pub(crate) fn unexpected(self, given: &str) -> Error {
        let expected = match self {
            NodeType::Device => "a list of two ints",
            NodeType::Object(info) => match info.body {
                Body::Array | Body::Map => "a list of node indices",
                Body::Shape => "a list of ints",
                Body::Node if info.json == JsonForm::Fields => "a map of fields",
                Body::Function | Body::Opaque => return in_memory_only(),
                _ => "a single value",
            },
            _ => "a single value",
        };
        Error::type_mismatch(expected, given)
    }
}

fn in_memory_only() -> Error {
    let message = "values of this type exist in memory only and have no form in JSON";
    Error::new(ErrorKind::NotSerializable, message)
}
