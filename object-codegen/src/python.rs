//! The words of Python: annotations, names and literals.

use object_core::dynamic::{FieldDecl, TypeDecl, TypeText};
use object_core::is_name;

use crate::documentation::docstring_lines;
use crate::field_default::FieldDefault;
use crate::language::Language;
use crate::model::{Model, ROOT};
use crate::plain_value::PlainValue;
use crate::reserved::{self, Reserved, Treatment};

/// Python 3 with classes of tvm-ffi.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Python {
    /// Classes that stand alone.
    Alone,
    /// Classes over the generated C++.
    Wrappers,
}

/// The names that generated modules use, and fields may have.
const USED_IN_MODULES: [&str; 6] = ["IntEnum", "Field", "INSTANCES", "dict", "tuple", "classmethod"];

fn quoted(text: &str) -> String {
    let escape = |c: char| match c {
        '"' => "\\\"".to_owned(),
        '\\' => "\\\\".to_owned(),
        '\n' => "\\n".to_owned(),
        '\r' => "\\r".to_owned(),
        '\t' => "\\t".to_owned(),
        c if c.is_control() || ('\u{80}'..='\u{ffff}').contains(&c) => format!("\\u{:04x}", u32::from(c)),
        c if !c.is_ascii() => format!("\\U{:08x}", u32::from(c)),
        c => c.to_string(),
    };
    format!("\"{}\"", text.chars().map(escape).collect::<String>())
}

fn value(value: &PlainValue) -> String {
    let list = |items: &[PlainValue]| items.iter().map(self::value).collect::<Vec<_>>().join(", ");
    match value {
        PlainValue::None => "None".to_owned(),
        PlainValue::Bool(true) => "True".to_owned(),
        PlainValue::Bool(false) => "False".to_owned(),
        PlainValue::Int(value) => value.to_string(),
        PlainValue::Float(value) if value.is_finite() => format!("{value:?}"),
        PlainValue::Float(value) => format!("float(\"{value}\")"),
        PlainValue::Text(text) => quoted(text),
        PlainValue::Bytes(bytes) => {
            let bytes: String = bytes.iter().map(|byte| format!("\\x{byte:02x}")).collect();
            format!("b\"{bytes}\"")
        }
        PlainValue::DataType(it) => format!("tvm_ffi.dtype({})", quoted(&it.to_string())),
        PlainValue::Device(it) => format!("tvm_ffi.Device({}, {})", it.device_type, it.device_id),
        PlainValue::Shape(dims) => {
            let dims: Vec<_> = dims.iter().map(i64::to_string).collect();
            format!("tvm_ffi.Shape([{}])", dims.join(", "))
        }
        PlainValue::Array(is_list, items) => {
            format!("{}([{}])", if *is_list { "tvm_ffi.List" } else { "tvm_ffi.Array" }, list(items))
        }
        PlainValue::Map(is_dict, entries) => {
            let entries: Vec<_> =
                entries.iter().map(|(key, item)| format!("{}: {}", self::value(key), self::value(item))).collect();
            format!("{}({{{}}})", if *is_dict { "tvm_ffi.Dict" } else { "tvm_ffi.Map" }, entries.join(", "))
        }
    }
}

impl Python {
    /// The type of a field, or of the argument for one: constructors take all sequences, mappings and names of data types.
    fn ty(&self, model: &Model<'_>, from: usize, ty: &TypeText, is_argument: bool) -> Result<String, String> {
        let arg = |index: usize| match ty.args.get(index) {
            Some(arg) => self.ty(model, from, arg, is_argument),
            None => Ok("typing.Any".to_owned()),
        };
        Ok(match ty.name.as_str() {
            // tvm-ffi has no annotation for shapes.
            "Any" | "ffi.Shape" => "typing.Any".to_owned(),
            "None" => "None".to_owned(),
            "bool" | "int" | "float" => ty.name.clone(),
            "DataType" if is_argument => "str".to_owned(),
            "DataType" => "tvm_ffi.dtype".to_owned(),
            "Device" => "tvm_ffi.Device".to_owned(),
            // A reference of C++ may be empty.
            ROOT => "tvm_ffi.Object".to_owned(),
            "Optional" if arg(0)? == "typing.Any" => arg(0)?,
            "Optional" => format!("typing.Optional[{}]", arg(0)?),
            "Variant" => {
                let types =
                    ty.args.iter().map(|arg| self.ty(model, from, arg, is_argument)).collect::<Result<Vec<_>, _>>()?;
                format!("typing.Union[{}]", types.join(", "))
            }
            "ffi.Array" | "ffi.List" if is_argument => format!("typing.Sequence[{}]", arg(0)?),
            "ffi.Map" | "ffi.Dict" if is_argument => format!("typing.Mapping[{}, {}]", arg(0)?, arg(1)?),
            "ffi.Array" => format!("tvm_ffi.Array[{}]", arg(0)?),
            "ffi.List" => format!("tvm_ffi.List[{}]", arg(0)?),
            "ffi.Map" => format!("tvm_ffi.Map[{}, {}]", arg(0)?, arg(1)?),
            "ffi.Dict" => format!("tvm_ffi.Dict[{}, {}]", arg(0)?, arg(1)?),
            "ffi.String" => "str".to_owned(),
            "ffi.Bytes" => "bytes".to_owned(),
            "ffi.Tensor" => "tvm_ffi.Tensor".to_owned(),
            "ffi.Function" => "tvm_ffi.Function".to_owned(),
            key => match model.find(key) {
                Some(index) => self.class(model, from, index, false),
                None => return Err(format!("the type `{key}` is unknown; add its schema as context")),
            },
        })
    }
}

impl Language for Python {
    fn title(&self) -> &'static str {
        "Python"
    }

    fn is_taken(&self, name: &str) -> bool {
        reserved::find(&reserved::PYTHON, name).is_some() || USED_IN_MODULES.contains(&name)
    }

    fn has_node_classes(&self) -> bool {
        false
    }

    fn has_namespaces(&self) -> bool {
        false
    }

    fn import_option(&self) -> Option<&'static str> {
        Some("--module")
    }

    /// tvm-ffi makes the constructor, and declares its types for classes that stand alone.
    fn shown_inherited(&self) -> Option<fn(&FieldDecl) -> bool> {
        (*self == Python::Wrappers).then_some(|_| true)
    }

    fn variant(&self, name: &str) -> String {
        // `Enum` has a method `mro`.
        let is_reserved = reserved::find(&reserved::PYTHON, name).is_some() || name == "mro";
        if is_reserved { reserved::renamed(name) } else { name.to_owned() }
    }

    fn generated_methods(&self, decl: &TypeDecl) -> Vec<&'static str> {
        match (&decl.singleton_key, &decl.json) {
            (Some(_), _) => vec!["__data_to_json__", "__data_from_json__", "get"],
            (None, Some(_)) => vec!["__data_to_json__", "__data_from_json__", "from_json_data"],
            (None, None) => Vec::new(),
        }
    }

    fn reserved(&self) -> &'static [Reserved] {
        &reserved::PYTHON
    }

    fn identifier(&self, name: &str) -> Result<String, String> {
        let row = reserved::find(&reserved::PYTHON, name).filter(|_| is_name(name));
        match (row, self.detour(name)) {
            (_, Some(_)) => Ok(name.to_owned()),
            (Some(row), None) => {
                let is_only_alone = row.treatment != Treatment::Refused;
                let advice = if is_only_alone { "generate `python-wrappers`, or rename it" } else { "rename it" };
                Err(format!("its name {}, and classes of Python cannot rename a field; {advice}", row.reason))
            }
            (None, None) if is_name(name) => Ok(name.to_owned()),
            (None, None) => Err(format!("`{name}` is not a name of Python")),
        }
    }

    fn detour(&self, name: &str) -> Option<Treatment> {
        let row = reserved::find(&reserved::PYTHON, name).filter(|_| *self == Python::Wrappers && is_name(name))?;
        (row.treatment != Treatment::Refused).then_some(row.treatment)
    }

    fn class(&self, model: &Model<'_>, _from: usize, to: usize, _is_node: bool) -> String {
        let decl = model.decl(to);
        match model.home(&decl.key) {
            Some(module) => format!("{module}.{}", decl.ref_name()),
            None => decl.ref_name().to_owned(),
        }
    }

    fn field_type(&self, model: &Model<'_>, from: usize, field: &FieldDecl) -> Result<String, String> {
        // An enum of numbers is an integer in objects, and tvm-ffi refuses other annotations of it.
        self.ty(model, from, &field.ty, false)
    }

    fn parameter_type(&self, model: &Model<'_>, from: usize, field: &FieldDecl) -> Result<String, String> {
        self.ty(model, from, &field.ty, true)
    }

    fn plain_type(&self, model: &Model<'_>, from: usize, ty: &TypeText) -> Result<String, String> {
        self.ty(model, from, ty, false)
    }

    fn default(
        &self,
        model: &Model<'_>,
        _: usize,
        field: &FieldDecl,
        default: &FieldDefault<'_>,
    ) -> Result<String, String> {
        let Some(plain) = default.plain() else {
            return Ok(format!("tvm_ffi.serialization.from_json_graph_str({})", quoted(&default.graph()?)));
        };
        match (self.enum_class(model, field), model.variant(field, plain.number())?) {
            (Some(class), Some(variant)) => Ok(format!("{class}.{}", self.variant(&variant.name))),
            _ => Ok(value(plain)),
        }
    }

    fn enum_class(&self, model: &Model<'_>, field: &FieldDecl) -> Option<String> {
        let name = field.enumeration.as_deref()?;
        let class = name.rsplit_once('.').map_or(name, |(_, class)| class);
        Some(model.home(name).map_or_else(|| class.to_owned(), |module| format!("{module}.{class}")))
    }

    fn class_doc(&self, text: &str) -> Vec<String> {
        docstring_lines(text)
    }

    fn text(&self, text: &str) -> String {
        quoted(text)
    }
}
