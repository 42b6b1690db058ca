//! Declarations in Rust: aliases of types, migrations, and the files of programs that wrote no declarations.

use object_core::dynamic::Schema;
use object_core::evolution::{OldObject, fingerprint};
use object_core::json::{self, JsonReader, JsonWriter};
use object_core::prelude::*;
use object_core::structural::{Scopes, StructuralOptions};
use object_core::{ErrorKind, structural_equal, structural_hash};

/// The first version of the language.
mod v1 {
    use super::*;

    #[derive(Object, Clone, Copy, PartialEq, Debug)]
    pub enum Kind {
        A = 0,
        B = 1,
    }

    #[derive(Object, Clone, Debug)]
    pub enum Pay {
        I(i64),
        T(Str),
    }

    #[derive(Object)]
    #[object(type_key = "v1.Node", base)]
    pub struct NNode {
        #[field(ignore)]
        pub span: Option<Str>,
    }

    #[derive(Object)]
    #[object(type_key = "v1.Leaf", parent = NNode, base_args(span: Option<Str>))]
    #[structural_eq(tree)]
    pub struct LeafNode {
        base: NNode,
        pub a: i64,
        pub name: Str,
        pub kind: Kind,
        pub kinds: Array<Kind>,
        pub maybe: Option<Kind>,
        pub pay: Pay,
    }

    pub(super) fn leaf() -> Leaf {
        Leaf::new(Some("here".into()), 3, "x", Kind::B, Array::from([Kind::A]), Some(Kind::B), Pay::I(4))
    }
}

/// A later version: keys, fields and variants have other names, and the base another form.
mod v3 {
    use super::*;

    #[derive(Object, Clone, Copy, PartialEq, Debug)]
    pub enum Kind {
        #[object(alias = "A", alias = "First")]
        Alpha = 0,
        C = 2,
        B = 1,
    }

    #[derive(Object, Clone, Debug)]
    pub enum Pay {
        I(i64),
        T(Str),
        B(bool),
    }

    fn place(old: &mut OldObject) -> Result<(), Error> {
        let span: Option<Str> = old.take("span")?.cast()?;
        old.set("line", span.map_or(0, |span| span.len() as i64));
        Ok(())
    }

    #[derive(Object)]
    #[object(type_key = "v3.Base", alias = "old.Node", base, version = 2, migrate(from = 1, with = place))]
    pub struct NNode {
        pub line: i64,
    }

    fn doubled(old: &mut OldObject) -> Result<(), Error> {
        let a: i64 = old.take("a")?.cast()?;
        old.set("a", 2 * a);
        Ok(())
    }

    fn named(old: &mut OldObject) -> Result<(), Error> {
        old.rename("a", "double")?;
        let kind = old.get("kind").and_then(|kind| kind.view().as_str().map(str::to_owned));
        assert_eq!(kind.as_deref(), Some("B"), "a migration sees the name of a variant");
        Ok(())
    }

    #[derive(Object)]
    #[object(
        type_key = "v3.Leaf",
        alias = "old.Leaf",
        parent = NNode,
        base_args(line: i64),
        version = 3,
        migrate(from = 1, with = doubled),
        migrate(from = 2, with = named)
    )]
    #[structural_eq(tree)]
    pub struct LeafNode {
        base: NNode,
        pub double: i64,
        #[field(alias = "name", alias = "label")]
        pub title: Str,
        pub kind: Kind,
        pub kinds: Array<Kind>,
        pub maybe: Option<Kind>,
        pub pay: Pay,
        pub added: Option<i64>,
    }
}

/// The file of a program that has only the first version.
fn old_file() -> String {
    json::to_string(&v1::leaf()).expect("it is saved").replace("v1.", "old.")
}

#[test]
fn an_old_file_is_migrated() {
    let text = old_file();
    let new: v3::Leaf = json::from_str(&text).unwrap_or_else(|error| panic!("{error}"));
    let expected =
        v3::Leaf::new(4, 6, "x", v3::Kind::B, Array::from([v3::Kind::Alpha]), Some(v3::Kind::B), v3::Pay::I(4), None);
    assert!(structural_equal(&new, &expected), "{new:?}");
    // Any order of the keys of JSON maps, and a stream.
    let spaced = text.replace("\"data\":", " \"data\" : ");
    let again: v3::Leaf = json::from_reader(spaced.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
    assert!(structural_equal(&again, &expected));
}

#[test]
fn a_file_without_declarations_is_read_by_the_names() {
    let text = JsonWriter::new().tvm_form().to_string(&v1::leaf()).expect("it is saved");
    assert!(text.contains(r#""kind":1"#) && !text.contains("declarations"), "{text}");
    let back: v1::Leaf = json::from_str(&text).expect("numbers are read");
    assert!(structural_equal(&back, &v1::leaf()));
}

#[test]
fn declarations_after_the_nodes_have_to_be_current() {
    let text = json::to_string(&v1::leaf()).expect("it is saved");
    let (declarations, nodes) = text[1..].split_once(",\"root_index\"").expect("declarations come first");
    let last = format!("{{\"root_index\"{},{declarations}}}", nodes.strip_suffix('}').expect("a map"));
    assert!(json::from_str::<v1::Leaf>(&last).is_ok());
    let error = json::from_str::<v1::Leaf>(&last.replace("\"fingerprint\":\"", "\"fingerprint\":\"f"))
        .expect_err("they come too late");
    assert!(error.message().contains("put it before"), "{error}");
}

#[test]
fn a_newer_version_is_refused() {
    let leaf = v3::Leaf::new(0, 6, "x", v3::Kind::B, [], None, v3::Pay::B(true), Some(1));
    let text = json::to_string(&leaf).expect("it is saved").replace("v3.Leaf", "v1.Leaf");
    let error = json::from_str::<Any>(&text.replace("\"v3.Base\"", "\"v1.Node\"")).expect_err("it is newer");
    assert!(error.message().contains("a newer program"), "{error}");
}

/// The reader believes the declarations of a file: a lie gives an error or an object that it describes.
#[test]
fn changed_declarations_are_errors() {
    let text = json::to_string(&v1::leaf()).expect("it is saved");
    for (from, to) in [
        ("\"a\":\"int\"", "\"a\":\"ref int\""),
        ("\"a\":\"int\"", "\"a\":\"float\""),
        ("\"a\":\"int\"", "\"a\":3"),
        ("\"a\":\"int\"", "\"a\":\"enum K{X=1\""),
        ("\"a\":\"int\"", "\"a\":\"ffi.Array<\""),
        ("\"a\":\"int\",", ""),
        ("\"name\":\"ref ffi.String\"", "\"name\":\"int\""),
        ("\"fields\"", "\"felds\""),
        ("{\"v1.Leaf\":", "[{\"v1.Leaf\":"),
    ] {
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text, "{from}");
        let changed = changed.replacen("\"fingerprint\":\"", "\"fingerprint\":\"f", 1);
        let read = json::from_str::<v1::Leaf>(&changed);
        assert!(read.is_err(), "{to}: {read:?}");
    }
}

/// Numbers and node indices look alike; the declaration in the file says which of them a field has.
#[test]
fn an_integer_is_no_reference() {
    mod wide {
        use super::*;
        #[derive(Object)]
        #[object(type_key = "j.Wide", alias = "j.Narrow")]
        #[structural_eq(tree)]
        pub struct JNode {
            pub code: Any,
            pub secret: Str,
        }
    }
    mod narrow {
        use super::*;
        #[derive(Object)]
        #[object(type_key = "j.Narrow")]
        #[structural_eq(tree)]
        pub struct JNode {
            pub code: i64,
            pub secret: Str,
        }
    }
    let text = json::to_string(&narrow::J::new(0, "hello")).expect("it is saved").replace("j.Narrow", "j.Wide");
    let read: wide::J = json::from_str(&text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(read.code.clone().cast::<i64>().expect("a number"), 0);
}

#[test]
fn unknown_fields_are_newer_or_misspelt() {
    #[derive(Object)]
    #[object(type_key = "u.Old")]
    #[structural_eq(tree)]
    struct OldNode {
        #[field(default = 1)]
        step: i64,
    }
    let text = json::to_string(&Old::new().with_changes(|it| it.step = 2)).expect("it is saved");
    let strict = |text: &str| {
        JsonReader::new().deny_unknown_fields().read(text.as_bytes()).map(|_| ()).map_err(|it| it.to_string())
    };
    let misspelt = strict(&text.replace("\"data\":{\"step\"", "\"data\":{\"stp\"")).expect_err("no field");
    assert!(misspelt.contains("did you mean `step`?"), "{misspelt}");
    let newer = text
        .replace("\"fields\":{", "\"fields\":{\"stp\":[\"int\",0],")
        .replace("\"data\":{", "\"data\":{\"stp\":5,")
        .replace("\"fingerprint\":\"", "\"fingerprint\":\"f");
    let newer = [strict(&newer), JsonReader::new().read(newer.as_bytes()).map(|_| ()).map_err(|it| it.to_string())];
    for error in newer {
        let error = error.expect_err("the file declares it");
        assert!(error.contains("the file declares the field `stp: int`"), "{error}");
    }
    let skipped =
        text.replace("\"fields\":{", "\"fields\":{\"stp\":\"int\",").replace("\"data\":{", "\"data\":{\"stp\":5,");
    let skipped = skipped.replace("\"fingerprint\":\"", "\"fingerprint\":\"f");
    let read =
        JsonReader::new().skip_unknown_fields().read(skipped.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(read.root.cast::<Old>().expect("a node").step, 2);
}

#[test]
fn files_of_declared_types_are_strict_json() {
    #[derive(Object)]
    #[object(type_key = "f.Floats")]
    #[structural_eq(tree)]
    struct FloatsNode {
        a: f64,
        b: f32,
        c: Array<f64>,
        d: Option<f64>,
        e: Any,
    }
    let all = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1.5];
    let floats = Floats::new(f64::NAN, f32::NEG_INFINITY, Array::from(all), Some(f64::INFINITY), Any::from(f64::NAN));
    let text = json::to_string(&floats).expect("it is saved");
    serde_json::from_str::<serde_json::Value>(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    for text in [text.clone(), text.replace(':', " : ")] {
        assert!(structural_equal(&json::from_str::<Floats>(&text).expect("it is read"), &floats), "{text}");
    }
    let tvm = JsonWriter::new().tvm_form().to_string(&floats).expect("it is saved");
    assert!(tvm.contains("\"a\":NaN"), "{tvm}");
    assert!(structural_equal(&json::from_str::<Floats>(&tvm).expect("it is read"), &floats));
}

#[test]
fn a_fingerprint_is_of_the_declaration() {
    let prints = [fingerprint(v1::LeafNode::TYPE_INFO), fingerprint(v3::LeafNode::TYPE_INFO)];
    assert_ne!(prints[0], prints[1]);
    // Files have it, so it never changes.
    assert_eq!(format!("{:016x}", prints[0]), "0f9d7e79dd965568");
    let error = json::from_str::<v1::Leaf>(
        r#"{"declarations":{"v1.Leaf":{"fingerprint":"0","fields":[]}},"root_index":0,"nodes":[{"type":"v1.Leaf","data":{}}]}"#,
    );
    assert_eq!(error.expect_err("it is malformed").kind(), ErrorKind::Malformed);
}

/// A field with a default keeps the keys of caches, also below variables, sharing and binders.
#[test]
fn keys_survive_new_fields() {
    macro_rules! release {
        ($name:ident, $($more:tt)*) => {
            mod $name {
                use super::*;
                #[derive(Object)]
                #[object(type_key = "k.Var")]
                #[structural_eq(var)]
                pub struct VarNode {
                    #[field(ignore)]
                    pub name: Str,
                    pub width: i64,
                    $($more)*
                }
                #[derive(Object)]
                #[object(type_key = "k.Fn")]
                #[structural_eq(tree, scope)]
                pub struct FuncNode {
                    #[field(def)]
                    pub var: Var,
                    pub body: Array<Any>,
                    $($more)*
                }
                pub(super) fn graph(width: i64) -> Any {
                    let var = Var::new("x", width);
                    let inner = Func::new(&var, Array::from([Any::from(var.clone()), Any::from(1)]));
                    Any::from(Array::from([Any::from(inner.clone()), Any::from(inner), Any::from(var)]))
                }
            }
        };
    }
    release!(first,);
    release!(second,
        #[field(default = 3)] pub n: i64,
        #[field(default = "t")] pub t: Str,
        #[field(default)] pub o: Option<Var>,
        #[field(default = Array::from([]))] pub a: Array<i64>,
    );
    for scopes in [Scopes::Persistent, Scopes::Lexical] {
        let keys = StructuralOptions::new().scopes(scopes).skip_default_fields(true);
        let hash = |value: &Any| keys.hash_128(value).expect("comparable");
        assert_eq!(hash(&first::graph(8)), hash(&second::graph(8)));
        assert_ne!(hash(&first::graph(8)), hash(&first::graph(9)));
        let changed = second::Var::new("x", 8).with_changes(|var| var.n = 4);
        assert_ne!(hash(&second::Var::new("x", 8).into()), hash(&changed.clone().into()));
        let other = second::Var::new("x", 4).with_changes(|var| var.n = 8);
        assert_ne!(hash(&other.into()), hash(&changed.into()), "names tell fields apart");
    }
    assert_ne!(structural_hash(&first::graph(8)), structural_hash(&second::graph(8)));
}

/// The test that a crate writes about its declarations.
#[test]
fn declarations_are_compared_with_a_release() {
    let release = Schema::of(&[v1::NNode::TYPE_INFO, v1::LeafNode::TYPE_INFO]);
    let text = release.to_json().expect("plain defaults").replace("v1.", "old.");
    let release = Schema::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
    let now = Schema::of(&[v3::NNode::TYPE_INFO, v3::LeafNode::TYPE_INFO]);
    let lines: Vec<String> = now.changes_since(&release).iter().map(ToString::to_string).collect();
    assert_eq!(
        lines,
        [
            "compatible: v3.Leaf: the key was `old.Leaf`",
            "compatible: v3.Leaf: version 3 was version 1, and is migrated",
            "compatible: v3.Base: the key was `old.Node`",
            "compatible: v3.Base: version 2 was version 1, and is migrated",
        ]
    );
    let broken: Vec<_> = release.changes_since(&now).into_iter().filter(|change| !change.is_compatible()).collect();
    assert_eq!(broken.len(), 2, "{broken:?}");
}
