//! [`MethodDecl`]: a method of a type of a schema, or a function.

use serde_json::{Map, Value};

use crate::dynamic::json_cursor::JsonCursor;
use crate::dynamic::type_text::TypeText;
use crate::error::Result;
use crate::function::{Function, Method};

/// A method of a type, or a function, which callers reach by name.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MethodDecl {
    /// The name.
    pub name: String,
    /// The documentation.
    pub doc: String,
    /// Whether the method is called without an object.
    pub is_static: bool,
    /// The names and types of the arguments, without the object; a name may be empty.
    pub arguments: Vec<(String, TypeText)>,
    /// The type of the result.
    pub result: TypeText,
    /// Whether the function is declared to be pure or to have side effects.
    pub purity: Option<bool>,
}

impl MethodDecl {
    /// A method of objects with these arguments and this result, without documentation.
    #[must_use]
    pub fn new(name: impl Into<String>, arguments: Vec<(String, TypeText)>, result: TypeText) -> Self {
        MethodDecl { name: name.into(), doc: String::new(), is_static: false, arguments, result, purity: None }
    }

    /// The description of a registered method.
    pub(super) fn of(method: &Method) -> Self {
        // The first argument of a method is the object.
        let skipped = usize::from(!method.is_static());
        MethodDecl { is_static: method.is_static(), ..Self::of_function(method.name(), method.function(), skipped) }
    }

    /// The description of a function without its first `skipped` arguments.
    pub(super) fn of_function(name: &str, function: &Function, skipped: usize) -> Self {
        let (arguments, result) = match function.signature() {
            Some(signature) => {
                let arguments = signature.args.iter().skip(skipped);
                let arguments = arguments.map(|it| (it.name.to_string(), TypeText::from(&it.schema))).collect();
                (arguments, TypeText::from(&signature.result))
            }
            None => (Vec::new(), TypeText::leaf("Any")),
        };
        let (doc, purity) = (function.doc().to_owned(), function.purity());
        MethodDecl { doc, purity, ..MethodDecl::new(name, arguments, result) }
    }

    /// Reads the JSON form.
    pub(super) fn parse(cursor: &JsonCursor<'_>) -> Result<Self> {
        cursor.only(&["name", "doc", "static", "pure", "arguments", "result"])?;
        let ty = |cursor: &JsonCursor<'_>| -> Result<TypeText> {
            TypeText::parse(cursor.text()?).map_err(|error| error.at(cursor.place.clone()))
        };
        let argument = |cursor: JsonCursor<'_>| -> Result<(String, TypeText)> {
            cursor.only(&["name", "type"])?;
            Ok((cursor.text_of("name")?.unwrap_or_default(), ty(&cursor.get("type")?)?))
        };
        let arguments = match cursor.find("arguments")? {
            Some(arguments) => arguments.items()?.map(argument).collect::<Result<_>>()?,
            None => Vec::new(),
        };
        Ok(MethodDecl {
            name: cursor.get("name")?.text()?.to_owned(),
            doc: cursor.text_of("doc")?.unwrap_or_default(),
            is_static: cursor.flag("static")?,
            purity: cursor.find("pure")?.is_some().then(|| cursor.flag("pure")).transpose()?,
            arguments,
            result: ty(&cursor.get("result")?)?,
        })
    }

    /// The JSON form.
    pub(super) fn to_json(&self) -> Value {
        let MethodDecl { name, doc, is_static, arguments, result, purity } = self;
        let mut entry = Map::new();
        entry.insert("name".to_owned(), name.as_str().into());
        if !doc.is_empty() {
            entry.insert("doc".to_owned(), doc.as_str().into());
        }
        if *is_static {
            entry.insert("static".to_owned(), true.into());
        }
        if let Some(is_pure) = purity {
            entry.insert("pure".to_owned(), (*is_pure).into());
        }
        let argument = |(name, ty): &(String, TypeText)| {
            let mut entry = Map::new();
            if !name.is_empty() {
                entry.insert("name".to_owned(), name.as_str().into());
            }
            entry.insert("type".to_owned(), ty.to_string().into());
            Value::from(entry)
        };
        entry.insert("arguments".to_owned(), arguments.iter().map(argument).collect());
        entry.insert("result".to_owned(), result.to_string().into());
        entry.into()
    }
}
