//! The words of C++ for tvm-ffi: types, names and literals.

use object_core::dynamic::{FieldDecl, NumberWidth, TypeDecl, TypeText};
use object_core::is_name;

use crate::documentation::block_comment_lines;
use crate::field_default::FieldDefault;
use crate::language::Language;
use crate::model::{Model, ROOT};
use crate::plain_value::PlainValue;
use crate::reserved::{self, Reserved};

/// C++17 with the types of tvm-ffi.
pub(crate) struct Cpp;

/// The names that generated code uses inside of the namespaces of classes.
const USED: [&str; 7] = ["ffi", "std", "refl", "Defaults", "DLDataType", "DLDevice", "DLDeviceType"];

impl Cpp {
    fn ty(&self, model: &Model<'_>, from: usize, ty: &TypeText) -> Result<String, String> {
        let any = || "ffi::Any".to_owned();
        let arg = |index: usize| ty.args.get(index).map_or_else(|| Ok(any()), |arg| self.ty(model, from, arg));
        let all = || ty.args.iter().map(|arg| self.ty(model, from, arg)).collect::<Result<Vec<_>, _>>();
        Ok(match ty.name.as_str() {
            "Any" => any(),
            "bool" => "bool".to_owned(),
            "int" => "int64_t".to_owned(),
            "float" => "double".to_owned(),
            "DataType" => "DLDataType".to_owned(),
            "Device" => "DLDevice".to_owned(),
            ROOT => "ffi::ObjectRef".to_owned(),
            "Optional" if ty.args.first().is_some_and(|arg| arg.name == "Any") => any(),
            "Optional" => format!("ffi::Optional<{}>", arg(0)?),
            "Variant" => format!("ffi::Variant<{}>", all()?.join(", ")),
            "ffi.Array" => format!("ffi::Array<{}>", arg(0)?),
            "ffi.List" => format!("ffi::List<{}>", arg(0)?),
            "ffi.Map" => format!("ffi::Map<{}, {}>", arg(0)?, arg(1)?),
            "ffi.Dict" => format!("ffi::Dict<{}, {}>", arg(0)?, arg(1)?),
            "ffi.String" => "ffi::String".to_owned(),
            "ffi.Bytes" => "ffi::Bytes".to_owned(),
            "ffi.Shape" => "ffi::Shape".to_owned(),
            "ffi.Tensor" => "ffi::Tensor".to_owned(),
            "ffi.Function" => "ffi::Function".to_owned(),
            key => match model.find(key) {
                Some(index) => self.class(model, from, index, false),
                None => return Err(format!("the type `{key}` is unknown; add its schema as context")),
            },
        })
    }
}

/// The C++ type of a width.
fn width(width: NumberWidth) -> String {
    match width {
        NumberWidth::Float32 => "float".to_owned(),
        width => format!("{}_t", width.word()),
    }
}

/// The name, or another one for a reserved name.
fn escaped(name: &str) -> String {
    if reserved::find(&reserved::CPP, name).is_some() { reserved::renamed(name) } else { name.to_owned() }
}

/// A path with dots as C++ writes it.
fn path(dotted: &str) -> String {
    dotted.split('.').map(escaped).collect::<Vec<_>>().join("::")
}

/// A text as a literal without its terminating zero. Octal escapes end after three digits, so no digit can extend them.
fn quoted(text: &[u8]) -> String {
    let escape = |byte: &u8| match byte {
        b'"' => "\\\"".to_owned(),
        b'\\' => "\\\\".to_owned(),
        b'\n' => "\\n".to_owned(),
        // `??` begins a trigraph.
        b'?' => "\\?".to_owned(),
        b' '..=b'~' => char::from(*byte).to_string(),
        byte => format!("\\{byte:03o}"),
    };
    format!("\"{}\"", text.iter().map(escape).collect::<String>())
}

fn int(value: i64) -> String {
    match value {
        // The literal without its sign does not fit.
        i64::MIN => "(-9223372036854775807 - 1)".to_owned(),
        value => value.to_string(),
    }
}

fn float(value: f64) -> String {
    match value {
        value if value.is_nan() => "std::numeric_limits<double>::quiet_NaN()".to_owned(),
        value if value.is_infinite() && value > 0.0 => "std::numeric_limits<double>::infinity()".to_owned(),
        value if value.is_infinite() => "-std::numeric_limits<double>::infinity()".to_owned(),
        value => format!("{value:?}"),
    }
}

impl Cpp {
    fn value(&self, ty: &str, value: &PlainValue) -> Result<String, String> {
        let items = |items: &[PlainValue]| {
            let items = items.iter().map(|item| self.value("", item));
            items.collect::<Result<Vec<_>, _>>().map(|items| items.join(", "))
        };
        Ok(match value {
            PlainValue::None => "nullptr".to_owned(),
            PlainValue::Bool(value) => value.to_string(),
            // A bare literal is an `int`, which is ambiguous as an element.
            PlainValue::Int(value) if ty.is_empty() => format!("int64_t({})", int(*value)),
            PlainValue::Int(value) => int(*value),
            PlainValue::Float(value) => float(*value),
            PlainValue::Text(text) => format!("ffi::String({}, {})", quoted(text.as_bytes()), text.len()),
            PlainValue::Bytes(bytes) => format!("ffi::Bytes({}, {})", quoted(bytes), bytes.len()),
            PlainValue::DataType(it) => {
                format!("DLDataType{{{}, {}, {}}}", it.code.0, it.bits, it.raw_lanes)
            }
            PlainValue::Device(it) => {
                format!("DLDevice{{static_cast<DLDeviceType>({}), {}}}", it.device_type, it.device_id)
            }
            PlainValue::Shape(dims) => {
                let dims: Vec<_> = dims.iter().map(|dim| int(*dim)).collect();
                format!("ffi::Shape({{{}}})", dims.join(", "))
            }
            PlainValue::Array(_, values) => format!("{ty}{{{}}}", items(values)?),
            PlainValue::Map(_, entries) => {
                let entry = |(key, value): &(PlainValue, PlainValue)| {
                    Ok::<_, String>(format!("{{{}, {}}}", self.value("", key)?, self.value("", value)?))
                };
                format!("{ty}{{{}}}", entries.iter().map(entry).collect::<Result<Vec<_>, _>>()?.join(", "))
            }
        })
    }
}

impl Language for Cpp {
    fn title(&self) -> &'static str {
        "C++"
    }

    fn is_taken(&self, name: &str) -> bool {
        reserved::find(&reserved::CPP, name).is_some() || USED.contains(&name)
    }

    fn import_option(&self) -> Option<&'static str> {
        Some("--include")
    }

    fn namespace(&self, path: &str) -> Vec<String> {
        path.split('.').filter(|part| !part.is_empty()).map(escaped).collect()
    }

    fn namespace_fault(&self, path: &str) -> Option<String> {
        // Only `tvm::ffi` itself means the library by `ffi`.
        let inner =
            path.strip_prefix("tvm.ffi").filter(|rest| rest.is_empty() || rest.starts_with('.')).unwrap_or(path);
        let mut parts = inner.split('.').filter(|part| !part.is_empty());
        parts.find_map(|part| match part {
            "ffi" | "std" => Some(format!("inside of a namespace `{part}`, generated C++ does not find `::{part}`")),
            part => (!is_name(part)).then(|| format!("`{part}` is not a name of C++")),
        })
    }

    fn variant(&self, name: &str) -> String {
        escaped(name)
    }

    fn generated_methods(&self, decl: &TypeDecl) -> Vec<&'static str> {
        let is_shown = decl.singleton_key.is_some() || decl.json.is_some();
        std::iter::once("RegisterReflection").chain(is_shown.then_some("FromJSONData")).collect()
    }

    fn declares_methods(&self) -> bool {
        true
    }

    fn reserved(&self) -> &'static [Reserved] {
        &reserved::CPP
    }

    fn class(&self, model: &Model<'_>, from: usize, to: usize, is_node: bool) -> String {
        let decl = model.decl(to);
        let name = if is_node { decl.node_name() } else { decl.ref_name().to_owned() };
        // A member hides the class of its name.
        let is_hidden =
            model.has_field(from, &name) || model.decl(from).methods.iter().any(|method| method.name == name);
        match path(decl.namespace_path()) {
            space if space == path(model.decl(from).namespace_path()) && !is_hidden => name,
            space if space.is_empty() => format!("::{name}"),
            space => format!("::{space}::{name}"),
        }
    }

    fn field_type(&self, model: &Model<'_>, from: usize, field: &FieldDecl) -> Result<String, String> {
        let ty = self.ty(model, from, &field.ty)?;
        if let Some(name) = &field.enumeration {
            return match model.enumeration(name) {
                Some(_) => Ok(ty.replace("int64_t", &format!("::{}", path(name)))),
                None => Err(format!("the enum `{name}` is not in the schema")),
            };
        }
        Ok(field.width.map_or(ty.clone(), |it| ty.replace("int64_t", &width(it)).replace("double", &width(it))))
    }

    fn plain_type(&self, model: &Model<'_>, from: usize, ty: &TypeText) -> Result<String, String> {
        match ty.name.as_str() {
            "None" => Ok("void".to_owned()),
            _ => self.ty(model, from, ty),
        }
    }

    fn default(
        &self,
        model: &Model<'_>,
        from: usize,
        field: &FieldDecl,
        value: &FieldDefault<'_>,
    ) -> Result<String, String> {
        let ty = self.field_type(model, from, field)?;
        let Some(value) = value.plain() else {
            let (graph, cast) =
                (value.graph()?, if ty == "ffi::Any" { String::new() } else { format!(".cast<{ty}>()") });
            return Ok(format!("ffi::FromJSONGraph(ffi::json::Parse({})){cast}", quoted(graph.as_bytes())));
        };
        if let (Some(name), Some(variant)) = (&field.enumeration, model.variant(field, value.number())?) {
            return Ok(format!("::{}::{}", path(name), self.variant(&variant.name)));
        }
        // A value of one of several types says its own type.
        if ["Any", "Variant", "Optional", ROOT].contains(&field.ty.name.as_str()) {
            let inner = match field.ty.args.first() {
                Some(arg) if field.ty.name == "Optional" => self.ty(model, from, arg)?,
                _ => String::new(),
            };
            return Ok(match value {
                PlainValue::None if field.ty.name == "Optional" => format!("{ty}(std::nullopt)"),
                PlainValue::Array(..) | PlainValue::Map(..) => format!("{ty}({})", self.value(&inner, value)?),
                value => format!("{ty}({})", self.value("", value)?),
            });
        }
        self.value(&ty, value)
    }

    fn initial(&self, model: &Model<'_>, from: usize, ty: &TypeText) -> Option<String> {
        let is_reference = |ty: &TypeText| model.find(&ty.name).is_some() || ty.name == "ffi.Tensor";
        match ty.name.as_str() {
            "Variant" => match ty.args.iter().find(|arg| !is_reference(arg)) {
                Some(arg) => Some(format!("{}{{}}", self.ty(model, from, arg).ok()?)),
                None => Some("tag".to_owned()),
            },
            _ => is_reference(ty).then(|| "tag".to_owned()),
        }
    }

    fn comment(&self, text: &str) -> Vec<String> {
        block_comment_lines(text)
    }

    fn text(&self, text: &str) -> String {
        quoted(text.as_bytes())
    }
}
