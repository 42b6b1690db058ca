//! Rust: the words of the language, and files of modules with structs.

use std::collections::BTreeMap;
use std::fmt::Write;

use object_core::dynamic::{EnumDecl, FieldDecl, NumberWidth, TypeDecl, TypeText};
use object_core::{Error, ErrorKind, is_name};
use serde::Serialize;

use crate::class_context::{ClassContext, FieldContext, class_context};
use crate::enum_context::EnumContext;
use crate::field_default::FieldDefault;
use crate::language::Language;
use crate::model::{Model, ROOT, blame};
use crate::names::{check_members, check_scopes};
use crate::plain_value::PlainValue;
use crate::reserved::{self, Reserved};
use crate::rust_contents;
use crate::templates::Template;

/// Rust with the types of `object-core`.
pub(crate) struct Rust;

/// The names that generated code uses without a path.
const USED: [&str; 13] =
    ["Option", "Some", "None", "bool", "f32", "f64", "i8", "i16", "i32", "i64", "u8", "u16", "u32"];

/// The variables in the output of the derive, which no tuple struct may shadow.
const VARIABLES: [&str; 6] = ["base", "copy", "handle", "node", "object", "parent"];

fn quoted(text: &str) -> String {
    format!("{text:?}")
}

fn value(value: &PlainValue) -> String {
    match value {
        PlainValue::None => "None".to_owned(),
        PlainValue::Bool(value) => value.to_string(),
        PlainValue::Int(value) => value.to_string(),
        PlainValue::Float(value) if value.is_nan() => "f64::NAN".to_owned(),
        PlainValue::Float(value) if value.is_infinite() => {
            if *value > 0.0 { "f64::INFINITY" } else { "f64::NEG_INFINITY" }.to_owned()
        }
        PlainValue::Float(value) => format!("{value:?}"),
        PlainValue::Text(text) => format!("::object_core::Str::from({})", quoted(text)),
        PlainValue::Bytes(bytes) => format!("::object_core::Bytes::from(&{bytes:?}[..])"),
        PlainValue::DataType(it) => format!(
            "::object_core::DataType {{ code: ::object_core::scalar::TypeCode({}), bits: {}, raw_lanes: {} }}",
            it.code.0, it.bits, it.raw_lanes
        ),
        PlainValue::Device(it) => {
            format!("::object_core::Device {{ device_type: {}, device_id: {} }}", it.device_type, it.device_id)
        }
        PlainValue::Shape(dims) => format!("::object_core::Shape::from({dims:?})"),
        // The type of the field decides about the elements.
        PlainValue::Array(..) | PlainValue::Map(..) => "::core::default::Default::default()".to_owned(),
    }
}

/// The value of a JSON graph: objects, and mutable containers, which have no type in Rust.
fn from_graph(ty: &str, graph: &str) -> String {
    format!("::object_core::json::from_slice::<{ty}>({graph:?}.as_bytes()).expect(\"a graph of registered types\")")
}

impl Rust {
    /// A container of the type `ty`, or another value.
    fn typed(&self, model: &Model<'_>, from: usize, ty: &TypeText, item: &PlainValue) -> Result<String, String> {
        let any = TypeText::leaf("Any");
        let arg = |index: usize| ty.args.get(index).unwrap_or(&any);
        let name = self.ty(model, from, ty)?;
        Ok(match item {
            PlainValue::Array(false, items) if ty.name == "ffi.Array" => {
                let items = items.iter().map(|item| self.typed(model, from, arg(0), item));
                format!("<{name}>::from_iter([{}])", items.collect::<Result<Vec<_>, _>>()?.join(", "))
            }
            PlainValue::Map(false, entries) if ty.name == "ffi.Map" => {
                let entry = |(key, item): &(PlainValue, PlainValue)| {
                    let (key, item) = (self.typed(model, from, arg(0), key)?, self.typed(model, from, arg(1), item)?);
                    Ok::<_, String>(format!("({key}, {item})"))
                };
                let entries = entries.iter().map(entry).collect::<Result<Vec<_>, _>>()?;
                format!("<{name}>::from_iter([{}])", entries.join(", "))
            }
            PlainValue::Array(..) | PlainValue::Map(..) => {
                return Err(
                    "Rust has no literal for a mutable container, or a container among values of any type".to_owned()
                );
            }
            PlainValue::None if name == "::object_core::Any" => "::object_core::Any::None".to_owned(),
            item if name == "::object_core::Any" => format!("::object_core::Any::new({})", value(item)),
            item => value(item),
        })
    }

    fn ty(&self, model: &Model<'_>, from: usize, ty: &TypeText) -> Result<String, String> {
        let arg = |index: usize| match ty.args.get(index) {
            Some(arg) => self.ty(model, from, arg),
            None => Ok("::object_core::Any".to_owned()),
        };
        let library = |name: &str| Ok(format!("::object_core::{name}"));
        match ty.name.as_str() {
            "Any" => library("Any"),
            "bool" => Ok("bool".to_owned()),
            "int" => Ok("i64".to_owned()),
            "float" => Ok("f64".to_owned()),
            ROOT => library("ObjectRef"),
            "Optional" if ty.args.first().is_some_and(|arg| ["Any", "Optional"].contains(&arg.name.as_str())) => arg(0),
            "Optional" => Ok(format!("Option<{}>", arg(0)?)),
            "ffi.Array" => Ok(format!("::object_core::Array<{}>", arg(0)?)),
            "ffi.Map" => Ok(format!("::object_core::Map<{}, {}>", arg(0)?, arg(1)?)),
            // Rust has no type of its own for some types, and `Any` holds their values.
            "Variant" | "ffi.List" | "ffi.Dict" => library("Any"),
            "ffi.String" => library("Str"),
            "DataType" | "Device" => library(&ty.name),
            "ffi.Bytes" | "ffi.Shape" | "ffi.Tensor" | "ffi.Function" => library(&ty.name["ffi.".len()..]),
            key => match model.find(key) {
                Some(index) => Ok(self.class(model, from, index, false)),
                None => Err(format!("the type `{key}` is unknown; add its schema as context")),
            },
        }
    }
}

/// The path of an item of the namespace `to`, from a module of the namespace `from`. `home` is the module of an item of
/// another file.
fn path(home: Option<&str>, from: &str, to: &str, name: &str) -> String {
    let up = match home {
        Some(home) => format!("{home}::"),
        None if from == to => return name.to_owned(),
        None => Rust.namespace(from).iter().map(|_| "super::").collect(),
    };
    let down = Rust.namespace(to).iter().map(|part| format!("{part}::")).collect::<String>();
    format!("{up}{down}{name}")
}

/// The name of a module for a part of a namespace.
fn module_name(part: &str) -> String {
    ident(&part.to_lowercase()).unwrap_or_else(|_| format!("{part}_"))
}

/// Whether the type is an `Option`. An optional `Any` is an `Any`.
fn is_option(ty: &TypeText) -> bool {
    let is_inner = |arg: &TypeText| if arg.name == "Optional" { is_option(arg) } else { arg.name != "Any" };
    ty.name == "Optional" && ty.args.first().is_none_or(is_inner)
}

/// The identifier for a name, raw for a word of Rust.
fn ident(name: &str) -> Result<String, String> {
    if syn::parse_str::<syn::Ident>(name).is_ok() {
        return Ok(name.to_owned());
    }
    let raw = format!("r#{name}");
    match syn::parse_str::<syn::Ident>(&raw) {
        Ok(_) => Ok(raw),
        // `self`, `super` and `crate` have no raw form.
        Err(_) if is_name(name) => Ok(format!("{name}_")),
        Err(_) => Err(format!("`{name}` is not a name")),
    }
}

impl Language for Rust {
    fn declares_checks(&self) -> bool {
        true
    }

    fn title(&self) -> &'static str {
        "Rust"
    }

    fn is_taken(&self, name: &str) -> bool {
        syn::parse_str::<syn::Ident>(name).is_err() || USED.contains(&name) || VARIABLES.contains(&name)
    }

    fn namespace(&self, path: &str) -> Vec<String> {
        path.split('.').filter(|part| !part.is_empty()).map(module_name).collect()
    }

    fn variant(&self, name: &str) -> String {
        ident(name).unwrap_or_else(|_| name.to_owned())
    }

    fn generated_methods(&self, _: &TypeDecl) -> Vec<&'static str> {
        Vec::new()
    }

    /// The constructor takes the required fields.
    fn shown_inherited(&self) -> Option<fn(&FieldDecl) -> bool> {
        Some(|field| field.default.is_none() && !is_option(&field.ty))
    }

    fn reserved(&self) -> &'static [Reserved] {
        &reserved::RUST
    }

    fn identifier(&self, name: &str) -> Result<String, String> {
        match reserved::find(&reserved::RUST, name) {
            Some(_) => Ok(reserved::renamed(name)),
            None if is_name(name) => ident(name),
            None => Err(format!("`{name}` is not a name of Rust")),
        }
    }

    fn class(&self, model: &Model<'_>, from: usize, to: usize, is_node: bool) -> String {
        let decl = model.decl(to);
        let name = if is_node { decl.node_name() } else { decl.ref_name().to_owned() };
        path(model.home(&decl.key), model.decl(from).namespace_path(), decl.namespace_path(), &name)
    }

    fn field_type(&self, model: &Model<'_>, from: usize, field: &FieldDecl) -> Result<String, String> {
        let ty = self.ty(model, from, &field.ty)?;
        if let Some(full) = &field.enumeration {
            let (space, name) = full.rsplit_once('.').unwrap_or(("", full));
            return Ok(ty.replace("i64", &path(model.home(full), model.decl(from).namespace_path(), space, name)));
        }
        let word = match field.width {
            None => return Ok(ty),
            Some(NumberWidth::UInt64) => return Err("no field of Rust has 64 bits without a sign".to_owned()),
            Some(NumberWidth::Float32) => "f32".to_owned(),
            Some(width) => width.word().replace("uint", "u").replace("int", "i"),
        };
        Ok(ty.replace("i64", &word).replace("f64", &word))
    }

    fn plain_type(&self, model: &Model<'_>, from: usize, ty: &TypeText) -> Result<String, String> {
        self.ty(model, from, ty)
    }

    fn default(
        &self,
        model: &Model<'_>,
        from: usize,
        field: &FieldDecl,
        default: &FieldDefault<'_>,
    ) -> Result<String, String> {
        let ty = self.field_type(model, from, field)?;
        let graph = || Ok(from_graph(&ty, &default.graph()?));
        let Some(plain) = default.plain() else { return graph() };
        if let Some(variant) = model.variant(field, plain.number())? {
            let inner = ty.strip_prefix("Option<").and_then(|ty| ty.strip_suffix('>'));
            let value = format!("{}::{}", inner.unwrap_or(&ty), self.variant(&variant.name));
            return Ok(if inner.is_some() { format!("Some({value})") } else { value });
        }
        let literal = match plain {
            PlainValue::None if ty != "::object_core::Any" => Ok("None".to_owned()),
            plain if ty.starts_with("Option<") => {
                let inner = field.ty.args.first().unwrap_or(&field.ty);
                self.typed(model, from, inner, plain).map(|value| format!("Some({value})"))
            }
            plain => self.typed(model, from, &field.ty, plain),
        };
        literal.or_else(|_| graph())
    }

    fn attribute(&self, key: &str) -> String {
        ident(key).unwrap_or_else(|_| quoted(key))
    }

    fn text(&self, text: &str) -> String {
        quoted(text)
    }
}

/// A field with the facts that only Rust needs.
#[derive(Serialize)]
struct RustField<'a> {
    #[serde(flatten)]
    field: &'a FieldContext,
    is_renamed: bool,
    needs_default: bool,
    /// The words about the contents of the field.
    words: Vec<String>,
}

/// A class with the facts that only Rust needs.
#[derive(Serialize)]
struct RustClass<'a> {
    #[serde(flatten)]
    class: &'a ClassContext,
    fields: Vec<RustField<'a>>,
    /// The name of the handle, if the derive does not find it.
    handle: Option<&'a str>,
}

/// The text of a class, without layout.
///
/// # Errors
/// [`Malformed`](ErrorKind::Malformed) for a key without a namespace, which the derive refuses.
fn class_text(template: &mut Template, model: &Model<'_>, index: usize, class: &ClassContext) -> Result<String, Error> {
    if !class.key.contains('.') {
        let message = "its key has no namespace, and the key of a Rust type has one; give it one by `--namespace =NAME`, such as \
                       `--namespace =demo`";
        return Err(blame(model.decl(index), ErrorKind::Malformed, message));
    }
    // JSON shows a singleton by its key, so its other fields need values.
    let words = rust_contents::words(model, model.decl(index));
    let fields = class.fields.iter().zip(words).map(|(field, words)| RustField {
        words,
        is_renamed: field.name.trim_start_matches("r#") != field.reflected,
        needs_default: class.singleton_key.as_ref().is_some_and(|key| *key != field.reflected),
        field,
    });
    let is_named = class.node.strip_suffix("Node") == Some(class.reference.as_str());
    let class = RustClass { fields: fields.collect(), handle: (!is_named).then_some(class.reference.as_str()), class };
    template.fill("node", &class)
}

/// The items of a module, and its inner modules.
#[derive(Default)]
struct Space {
    items: Vec<String>,
    spaces: BTreeMap<String, Space>,
}

impl Space {
    /// The module of a namespace.
    fn at(&mut self, path: &str) -> &mut Space {
        Rust.namespace(path).into_iter().fold(self, |space, part| space.spaces.entry(part).or_default())
    }

    fn write(&self, path: &str, text: &mut String) {
        self.items.iter().for_each(|item| text.push_str(item));
        for (name, space) in &self.spaces {
            let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
            let _ = write!(text, "/// Types of the namespace `{path}`.\npub mod {name} {{\n");
            space.write(&path, text);
            text.push_str("}\n");
        }
    }
}

/// The memory of a byte of the text while it is laid out, as tokens and as a syntax tree.
const LAYOUT: u64 = 64;

/// The text of a file with all generated types.
///
/// # Errors
/// [`Malformed`](ErrorKind::Malformed) for a name, a type or a default that Rust cannot write, and
/// [`LimitExceeded`](ErrorKind::LimitExceeded) for a text beyond the memory.
pub(crate) fn file(model: &Model<'_>) -> Result<String, Error> {
    check_scopes(&Rust, model)?;
    let (mut root, mut template) = (Space::default(), Template::new("rust")?);
    for it in model.enums() {
        let path = it.name.rsplit_once('.').map_or("", |(path, _)| path);
        root.at(path).items.push(template.fill("enumeration", EnumContext::new(&Rust, it))?);
    }
    let generated = model.generated();
    check_members(&Rust, model, &generated)?;
    let (mut charge, mut bytes) = (model.meter.nothing(), 0);
    for index in generated {
        let text = class_text(&mut template, model, index, &class_context(&Rust, model, index)?)?;
        bytes += LAYOUT * text.len() as u64;
        charge.cover(bytes).map_err(|error| error.context(format_args!("`{}`", model.decl(index).key)))?;
        root.at(model.decl(index).namespace_path()).items.push(text);
    }
    let mut text = String::new();
    root.write("", &mut text);
    lay_out(&text)
}

/// The text of one class.
///
/// # Errors
/// As [`file`].
pub(crate) fn class(model: &Model<'_>, index: usize, class: &ClassContext) -> Result<String, Error> {
    lay_out(&class_text(&mut Template::new("rust")?, model, index, class)?)
}

/// The text of one enum.
///
/// # Errors
/// As [`file`].
pub(crate) fn enumeration(decl: &EnumDecl) -> Result<String, Error> {
    lay_out(&Template::new("rust")?.fill("enumeration", EnumContext::new(&Rust, decl))?)
}

fn lay_out(text: &str) -> Result<String, Error> {
    let file = syn::parse_file(text).map_err(|error| {
        let start = error.span().start();
        let line = text.lines().nth(start.line.saturating_sub(1)).unwrap_or_default();
        Error::new(ErrorKind::Malformed, format!("the schema has no form in Rust: {error}, in `{}`", line.trim()))
    })?;
    Ok(prettyplease::unparse(&file))
}
