//! [`Maker`]: random values of the types of a schema.

use object_core::dynamic::{FieldDecl, NumberWidth, Schema, TypeDecl, TypeText};
use object_core::object::{Any, ObjectRef};
use object_core::prelude::{Array, DataType, Device, Map, Shape};
use object_core::registry::Types;
use object_core::{Bytes, ObjectBuilder, Str, json};

/// The number of objects after which a graph takes leaves only.
const OBJECTS: usize = 25;

/// Makes random values of the types of a schema. The same seed makes the same value, except for one choice.
pub(crate) struct Maker<'s> {
    schema: &'s Schema,
    types: &'s Types,
    rng: fastrand::Rng,
    choices: usize,
    /// The choice that is made in another way.
    changed: Option<usize>,
    made: Vec<(&'s TypeDecl, ObjectRef)>,
}

impl<'s> Maker<'s> {
    /// An array of two expressions, which share the objects outside of both. The second one is equal to the first one,
    /// or differs by one choice.
    pub(crate) fn pair(schema: &'s Schema, types: &'s Types, seed: u64) -> Array<Any> {
        let maker = |seed, made: &[(&'s TypeDecl, ObjectRef)], changed| Maker {
            schema,
            types,
            rng: fastrand::Rng::with_seed(seed),
            choices: 0,
            changed,
            made: made.to_vec(),
        };
        let mut outside = maker(seed, &[], None);
        let var = outside.decl("live.Var");
        let world: Vec<_> = (0..3).map(|_| (var, outside.object(var, 1))).collect();
        let expr = TypeText::leaf("live.Expr");
        let mut first = maker(seed + 1_000_000, &world, None);
        let a = first.value(&expr, None, 5);
        let changed = (!seed.is_multiple_of(3)).then(|| fastrand::Rng::with_seed(seed).usize(0..first.choices.max(1)));
        let b = maker(seed + 1_000_000, &world, changed).value(&expr, None, 5);
        [a, b].into_iter().collect()
    }

    fn decl(&self, key: &str) -> &'s TypeDecl {
        self.schema.types().iter().find(|decl| decl.key == key).unwrap_or_else(|| panic!("no type {key}"))
    }

    /// A number below `count`.
    fn choose(&mut self, count: usize) -> usize {
        self.choices += 1;
        let chosen = self.rng.usize(0..count);
        if self.changed == Some(self.choices - 1) { (chosen + 1) % count } else { chosen }
    }

    /// The declaration and all that it extends, the type itself first.
    fn family(&self, decl: &'s TypeDecl) -> Vec<&'s TypeDecl> {
        let mut family = vec![decl];
        while let Some(parent) = family.last().and_then(|last| last.parent.as_deref()) {
            family.push(self.decl(parent));
        }
        family
    }

    /// All fields, the inherited ones first.
    fn fields(&self, decl: &'s TypeDecl) -> Vec<&'s FieldDecl> {
        self.family(decl).into_iter().rev().flat_map(|decl| &decl.fields).collect()
    }

    /// An object of a type that is `key` or extends it: one that exists already, or a new one.
    fn instance(&mut self, key: &str, levels: usize) -> ObjectRef {
        let fits = |maker: &Self, decl| maker.family(decl).iter().any(|it| it.key == key);
        let existing: Vec<ObjectRef> =
            self.made.iter().filter(|(decl, _)| fits(self, decl)).map(|(_, object)| object.clone()).collect();
        if !existing.is_empty() && self.choose(3) == 0 {
            let index = self.choose(existing.len());
            return existing[index].clone();
        }
        let types: Vec<&TypeDecl> =
            self.schema.types().iter().filter(|decl| !decl.is_base && fits(self, decl)).collect();
        let is_leaf = |decl: &&&'s TypeDecl| {
            self.fields(decl).iter().all(|field| field.default.is_some() || !field.ty.name.starts_with("live."))
        };
        let leaves: Vec<&TypeDecl> = types.iter().filter(is_leaf).copied().collect();
        let types = if levels == 0 || self.made.len() > OBJECTS { leaves } else { types };
        let index = self.choose(types.len());
        let decl = types[index];
        let object = self.object(decl, levels);
        self.made.push((decl, object.clone()));
        object
    }

    /// A new object.
    fn object(&mut self, decl: &'s TypeDecl, levels: usize) -> ObjectRef {
        if decl.singleton_key.is_some() {
            return self.singleton(&decl.key);
        }
        let mut builder =
            ObjectBuilder::new(self.types.get(&decl.key).expect("a loaded type")).expect("a type of nodes");
        for field in self.fields(decl) {
            if field.default.is_some() && self.choose(3) == 0 {
                continue;
            }
            let value = match &field.enumeration {
                Some(_) => Any::Int([0, 3][self.choose(2)]),
                None => self.value(&field.ty, field.width, levels.saturating_sub(1)),
            };
            builder.set(&field.name, value).unwrap_or_else(|error| panic!("{}: {error}", decl.key));
        }
        builder.build().unwrap_or_else(|error| panic!("{}: {error}", decl.key))
    }

    /// An instance of a singleton. Only a graph names the instances of a type that is not linked.
    fn singleton(&mut self, key: &str) -> ObjectRef {
        let name = ["add", "call", "\u{e4}"][self.choose(3)];
        let graph = serde_json::json!({"root_index": 0, "nodes": [{"type": key, "data": name}]}).to_string();
        let graph = json::JsonReader::new().types(self.types).read(graph.as_bytes()).expect("an instance");
        graph.root.try_into().expect("an object")
    }

    /// A value of a type.
    fn value(&mut self, ty: &TypeText, width: Option<NumberWidth>, levels: usize) -> Any {
        let arg = |index: usize| &ty.args[index];
        match ty.name.as_str() {
            "bool" => Any::Bool(self.choose(2) == 1),
            "int" => Any::Int(self.int(width)),
            "float" => self.float(width),
            "DataType" => {
                let texts = ["float32", "int8x4", "bool", "bfloat16", "uint1", "float8_e4m3fn"];
                Any::DataType(texts[self.choose(texts.len())].parse::<DataType>().expect("a data type"))
            }
            "Device" => {
                let texts = ["cpu:0", "cpu:3", "cuda:1"];
                Any::Device(texts[self.choose(texts.len())].parse::<Device>().expect("a device"))
            }
            "ffi.String" => Str::new(self.text()).into(),
            "ffi.Bytes" => {
                let bytes: [&[u8]; 4] = [b"", b"ab", b"\x00\xff\x80", b"longer than a small text"];
                Bytes::new(bytes[self.choose(bytes.len())]).into()
            }
            "ffi.Shape" => Shape::new([&[][..], &[1], &[2, 3, -1]][self.choose(3)]).into(),
            "Optional" if matches!(arg(0).name.as_str(), "ffi.Tensor" | "ffi.Function") || self.choose(2) == 0 => {
                Any::None
            }
            "Optional" => self.value(arg(0), None, levels),
            "Variant" => {
                let index = self.choose(ty.args.len());
                self.value(arg(index), None, levels)
            }
            "ffi.Array" => self.items(arg(0), levels).into(),
            "ffi.List" => {
                let items = self.items(arg(0), levels).into();
                self.retyped(&items, "ffi.List")
            }
            "ffi.Map" => self.entries(arg(0), arg(1), levels).into(),
            "ffi.Dict" => {
                let entries = self.entries(arg(0), arg(1), levels).into();
                self.retyped(&entries, "ffi.Dict")
            }
            "ffi.Object" => self.instance("live.Expr", levels).into(),
            "Any" => match self.choose(9) {
                0 => Any::None,
                1 => Any::Bool(true),
                2 => Any::Int(self.int(None)),
                3 => self.float(None),
                4 => Str::new(self.text()).into(),
                5 => self.value(&TypeText::leaf("DataType"), None, 0),
                6 => self.value(&TypeText::leaf("Device"), None, 0),
                7 if levels > 0 => self.items(ty, levels - 1).into(),
                _ => self.instance("live.Expr", levels.saturating_sub(1)).into(),
            },
            key => self.instance(key, levels).into(),
        }
    }

    fn int(&mut self, width: Option<NumberWidth>) -> i64 {
        let values: &[i64] = match width {
            Some(NumberWidth::Int8) => &[0, 1, -1, 127, -128],
            Some(NumberWidth::Int16) => &[0, 1, -1, 32767, -32768],
            Some(NumberWidth::Int32) => &[0, 1, -1, 2_147_483_647, -2_147_483_648],
            Some(NumberWidth::UInt8) => &[0, 1, 255],
            Some(NumberWidth::UInt16) => &[0, 1, 65535],
            Some(NumberWidth::UInt32) => &[0, 1, 4_294_967_295],
            Some(NumberWidth::UInt64) => &[0, 1, i64::MAX],
            _ => &[0, 1, -1, i64::MAX, i64::MIN],
        };
        values[self.choose(values.len())]
    }

    fn float(&mut self, width: Option<NumberWidth>) -> Any {
        let values: &[f64] = match width {
            Some(_) => &[0.0, -0.0, 0.5, -1.25, 16_777_216.0, 0.100_000_001_490_116_12, f64::NAN, f64::INFINITY],
            None => &[0.0, -0.0, 0.1, 1.0, -2.5e-9, 1e300, 123_456_789.125, 3e20, f64::NAN, f64::NEG_INFINITY],
        };
        Any::Float(values[self.choose(values.len())])
    }

    fn text(&mut self) -> &'static str {
        let texts = ["", "x", "a \"quoted\" \\ text", "\u{e4}\u{20ac}\u{1f600}\n\t", "longer than a small text"];
        texts[self.choose(texts.len())]
    }

    fn items(&mut self, ty: &TypeText, levels: usize) -> Array<Any> {
        let count = if levels == 0 && ty.name.starts_with("live.") { 0 } else { self.choose(4) };
        (0..count).map(|_| self.value(ty, None, levels.saturating_sub(1))).collect()
    }

    /// Entries in the order of their keys: the peer compares in the order of the left map, and Rust in a canonical one.
    fn entries(&mut self, key: &TypeText, value: &TypeText, levels: usize) -> Map<Any, Any> {
        let count = if levels == 0 && value.name.starts_with("live.") { 0 } else { self.choose(4) };
        let keys: Vec<Any> = match key.name.as_str() {
            "int" => (0..count).map(|index| Any::Int(index as i64 * 5 - 3)).collect(),
            _ => ["a", "bb", "ccc"].into_iter().take(count).map(|text| Str::new(text).into()).collect(),
        };
        keys.into_iter().map(|key| (key, self.value(value, None, levels.saturating_sub(1)))).collect()
    }

    /// A container as the mutable one of tvm-ffi, with copies of its objects.
    fn retyped(&self, value: &Any, key: &str) -> Any {
        let (is, becomes) = (
            format!("\"type\":\"{}\"", key.replace("List", "Array").replace("Dict", "Map")),
            format!("\"type\":\"{key}\""),
        );
        // The container is the last node, and texts contain no quotes without backslashes.
        let text = json::JsonWriter::new().tvm_form().to_string(value).expect("a graph");
        let at = text.rfind(&is).expect("the container");
        let text = format!("{}{becomes}{}", &text[..at], &text[at + is.len()..]);
        json::JsonReader::new().types(self.types).read(text.as_bytes()).expect("a graph").root
    }
}
