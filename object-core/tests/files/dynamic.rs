//! Types from schemas: alone, beside linked types and as children of linked types, under every operation.

use object_core::data::{value_equal, value_order};
use object_core::dynamic::{Schema, SchemaLoader};
use object_core::json::{self, JsonReader, JsonWriter};
use object_core::prelude::*;
use object_core::registry::{self, Types};
use object_core::stats::GraphStats;
use object_core::structural::{Scopes, StructuralOptions};
use object_core::{
    DataType, Error, ErrorKind, ObjectBuilder, SEqHashKind, structural_diff, structural_equal,
    structural_first_mismatch, structural_hash,
};

#[derive(Object)]
#[object(type_key = "dynamic.Expr", base)]
#[structural_eq(tree)]
pub struct ExprNode {
    #[field(ignore, default)]
    pub flag: bool,
    #[field(default = Str::from("here"))]
    pub span: Option<Str>,
    #[field(default = 7)]
    pub small: i8,
}

#[derive(Object)]
#[object(type_key = "dynamic.Pair", parent = ExprNode)]
#[structural_eq(tree)]
pub struct PairNode {
    pub base: ExprNode,
    pub first: Expr,
    pub second: Option<Expr>,
}

/// Types that extend a linked type, with every kind of storage, and types without a linked parent.
const SCHEMA: &str = r#"{"format": "object-schema", "version": 1, "types": [
    {"key": "dynamic.Lambda", "parent": "dynamic.Expr", "kind": "tree", "scope": true, "doc": "Binds.", "fields": [
        {"name": "params", "type": "ffi.Array<dynamic.Var>", "role": "def"},
        {"name": "body", "type": "dynamic.Expr"}]},
    {"key": "dynamic.Var", "parent": "dynamic.Expr", "kind": "var", "base": true, "label": "{name}",
     "meta": {"dialect": "lambda"}, "fields": [
        {"name": "name", "type": "ffi.String", "role": "ignore", "doc": "For people.", "meta": {"unit": "letters"}}]},
    {"key": "dynamic.TypedVar", "parent": "dynamic.Var", "kind": "var", "fields": [
        {"name": "dtype", "type": "DataType", "default": "int32"}]},
    {"key": "dynamic.All", "kind": "dag", "fields": [
        {"name": "int", "type": "int"},
        {"name": "bool", "type": "bool", "default": true},
        {"name": "float", "type": "float", "default": 1},
        {"name": "limit", "type": "float", "default": "-Infinity"},
        {"name": "dtype", "type": "DataType", "default": "float32x4"},
        {"name": "device", "type": "Device", "default": {"root_index": 0, "nodes": [{"type": "Device", "data": [2, 1]}]}},
        {"name": "any", "type": "Any", "default": null},
        {"name": "object", "type": "Optional<ffi.Object>", "default": null},
        {"name": "text", "type": "ffi.String", "default": "text"},
        {"name": "count", "type": "Optional<int>", "default": 3},
        {"name": "list", "type": "ffi.List<int>", "default": {"root_index": 0, "nodes": [{"type": "ffi.List", "data": []}]}},
        {"name": "map", "type": "ffi.Map<ffi.String,ffi.Array<dynamic.Expr>>",
         "default": {"root_index": 0, "nodes": [{"type": "ffi.Map", "data": []}]}}]},
    {"key": "dynamic.Op", "kind": "singleton", "singleton_key": "name", "fields": [
        {"name": "name", "type": "ffi.String"}, {"name": "level", "type": "int", "role": "ignore"}]},
    {"key": "dynamic.Call", "parent": "dynamic.Expr", "kind": "tree", "fields": [
        {"name": "op", "type": "dynamic.Op"}, {"name": "args", "type": "ffi.Array<dynamic.Expr>"}]},
    {"key": "dynamic.Source", "kind": "tree", "json": "name", "fields": [
        {"name": "name", "type": "ffi.String"}, {"name": "cache", "type": "Optional<ffi.Object>"}]}
]}"#;

fn load(schema: &str) -> Result<Types, Error> {
    SchemaLoader::new().name("test").load(&Schema::parse(schema.as_bytes())?)
}

fn types() -> Types {
    load(SCHEMA).unwrap_or_else(|error| panic!("{error}"))
}

fn make(types: &Types, key: &str, fields: Vec<(&str, Any)>) -> ObjectRef {
    let mut builder = types.get(key).and_then(ObjectBuilder::new).unwrap_or_else(|error| panic!("{error}"));
    for (name, value) in fields {
        builder.set(name, value).unwrap_or_else(|error| panic!("{error}"));
    }
    builder.build().unwrap_or_else(|error| panic!("{error}"))
}

fn var(types: &Types, name: &str) -> ObjectRef {
    make(types, "dynamic.Var", vec![("name", name.into())])
}

fn expr(object: &ObjectRef) -> Expr {
    Any::from(object.clone()).cast().expect("it extends a linked type")
}

/// `lambda x. (x, body)`, with the parts in linked types where there are some.
fn lambda(types: &Types, name: &str, body: impl FnOnce(Expr) -> Expr) -> ObjectRef {
    let x = var(types, name);
    let body = Pair::new(expr(&x), Some(body(expr(&x))));
    let params = Array::from([x]);
    make(types, "dynamic.Lambda", vec![("params", params.into()), ("body", body.into())])
}

#[test]
fn mixed_graphs_are_compared_and_hashed() {
    let types = types();
    let (a, b) = (lambda(&types, "x", |x| x), lambda(&types, "y", |y| y));
    assert!(structural_equal(&a, &b));
    assert_eq!(structural_hash(&a), structural_hash(&b));
    let c = lambda(&types, "z", |_| expr(&var(&types, "free")));
    assert!(!structural_equal(&a, &c));
    let mismatch = structural_first_mismatch(&a, &c).expect("comparable").expect("unequal");
    assert_eq!(mismatch.lhs.to_string(), "<root>.body.second");
    assert_eq!(structural_diff(&a, &c).expect("comparable").len(), 1);
    // The schema marks the type as a scope; bindings end with it only under lexical scopes.
    let shared = lambda(&types, "x", |x| x);
    let twice = |a: &ObjectRef, b: &ObjectRef| Pair::new(expr(a), Some(expr(b)));
    let (same, apart) = (twice(&shared, &shared), twice(&shared, &lambda(&types, "x", |x| x)));
    let lexical = StructuralOptions::new().scopes(Scopes::Lexical);
    assert!(lexical.equal(&same, &apart).expect("comparable"));
    let hash = |value| StructuralOptions::new().scopes(Scopes::Lexical).hash(value).expect("comparable");
    assert_eq!(hash(&same), hash(&apart));
    assert_ne!(structural_hash(&same), structural_hash(&apart));
}

#[test]
fn graphs_are_saved_and_loaded() {
    let types = types();
    let all = make(
        &types,
        "dynamic.All",
        vec![("int", 5.into()), ("object", lambda(&types, "x", |x| x).into()), ("any", var(&types, "v").into())],
    );
    let text = json::to_string(&all).expect("it can be saved");
    for stream in [false, true] {
        let reader = JsonReader::new().types(&types);
        let read = if stream { reader.read_from(text.as_bytes()) } else { reader.read(text.as_bytes()) };
        let root = read.unwrap_or_else(|error| panic!("{error}")).root;
        assert!(StructuralOptions::new().map_free_vars(true).equal(&all, &root).expect("comparable"));
        assert_eq!(json::to_string(&root).expect("it can be saved"), text);
        assert!(root.view().as_object().is_some_and(|root| std::ptr::eq(root.type_info(), all.type_info())));
        assert_eq!(GraphStats::of(&root).nodes, GraphStats::of(&all).nodes);
    }
    // The types are known only to readers that receive them.
    let error = JsonReader::new().read(text.as_bytes()).expect_err("the registry does not have them");
    assert_eq!(error.kind(), ErrorKind::UnknownType, "{error}");
}

#[test]
fn fields_accept_the_values_that_the_schema_allows() {
    let types = types();
    let all = make(&types, "dynamic.All", vec![("int", true.into())]);
    assert_eq!(
        all.to_string(),
        "dynamic.All(int=1, bool=true, float=1.0, limit=-inf, dtype=float32x4, device=cuda:1, any=None, object=None, \
         text=\"text\", count=3, list=ffi.List[], map={})"
    );
    let refuse = |name: &str, value: Any| {
        let mut builder = ObjectBuilder::new(types.get("dynamic.All").expect("it is there")).expect("constructible");
        let error = builder.set(name, value).map(|_| ()).expect_err(name);
        assert_eq!(error.kind(), ErrorKind::TypeMismatch, "{error}");
        error.message().to_owned()
    };
    let field = "field `map` of `dynamic.All`: ";
    let exprs = "ffi.Map<ffi.String,ffi.Array<dynamic.Expr>>";
    let of = |value: Any| Any::from([(Str::from("k"), value)].into_iter().collect::<Map<Str, Any>>());
    assert_eq!(refuse("map", 1.into()), format!("{field}expected `{exprs}`, got `int`"));
    assert_eq!(refuse("map", of(Array::from([1]).into())), format!("{field}expected `{exprs}`, got `ffi.Map`"));
    refuse("list", Array::from([1]).into());
    refuse("count", "3".into());
    refuse("text", Any::None);
    refuse("object", 1.into());
    let holds = make(
        &types,
        "dynamic.All",
        vec![
            ("int", 1.into()),
            ("map", of(Array::from([expr(&var(&types, "x"))]).into())),
            ("count", Any::None),
            ("float", 2.into()),
        ],
    );
    assert_eq!(holds.view().get("map").and_then(|map| map.as_object()?.as_map().map(|map| map.len())), Some(1));
    // A linked type with the same key is a different type.
    let call = ObjectBuilder::new(types.get("dynamic.Lambda").expect("it is there"))
        .expect("constructible")
        .set("params", Array::from([var(&self::types(), "x")]))
        .map(|_| ())
        .expect_err("the variable is of another load of the schema");
    assert!(call.message().contains("another type with the same key"), "{call}");
}

#[test]
fn tables_contain_the_schema() {
    let types = types();
    let info = types.get("dynamic.TypedVar").expect("it is there");
    let expr = registry::type_info("dynamic.Expr").expect("it is linked");
    assert!(info.is_or_extends(expr) && info.parent().is_some_and(|parent| parent.type_key() == "dynamic.Var"));
    assert_eq!(
        info.fields().iter().map(|field| field.name()).collect::<Vec<_>>(),
        ["flag", "span", "small", "name", "dtype"]
    );
    let name = info.field("name").expect("it is inherited").1;
    assert_eq!(
        (name.meta().doc, name.meta().pairs, name.schema().to_string()),
        ("For people.", &[("unit", "letters")][..], "ffi.String".into())
    );
    let metas = [info.parent(), Some(info)].map(|info| info.map(|info| info.meta()));
    assert_eq!(metas, [Some(&[("dialect", "lambda")][..]), Some(&[])]);
    assert_eq!((info.kind(), info.location().0), (SEqHashKind::FreeVar, "test"));
    let lines = |types: &Types| Schema::of(&types.own()).to_json().expect("plain defaults");
    let again = load(&lines(&types)).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(lines(&again), lines(&types));
    assert_eq!(types.own().len(), 7);
    assert_eq!(types.all().expect("no duplicates").len(), registry::types().expect("no duplicates").len() + 7);
}

#[test]
fn defaults_are_not_shared() {
    let types = types();
    let [a, b] = [1, 2].map(|int| make(&types, "dynamic.All", vec![("int", int.into())]));
    let address =
        |object: &ObjectRef, name| object.view().get(name).and_then(|it| it.as_object()).map(|it| it.address());
    for name in ["list", "map"] {
        assert!(address(&a, name).is_some() && address(&a, name) != address(&b, name), "{name}");
    }
}

#[test]
fn make_mut_copies_dynamic_objects_with_linked_parents() {
    let types = types();
    let call = make(
        &types,
        "dynamic.TypedVar",
        vec![("name", "x".into()), ("span", "there".into()), ("dtype", DataType::int(8).into())],
    );
    let mut changed = expr(&call);
    changed.make_mut().span = None;
    changed.make_mut().small = -1;
    assert_eq!(changed.to_string(), "dynamic.TypedVar(flag=false, span=None, small=-1, name=\"x\", dtype=int8)");
    assert_eq!(call.to_string(), "dynamic.TypedVar(flag=false, span=\"there\", small=7, name=\"x\", dtype=int8)");
}

#[test]
fn singletons_are_found_by_key() {
    let types = types();
    let call = |op: &str| {
        let text = format!(
            r#"{{"root_index":3,"nodes":[{{"type":"dynamic.Op","data":"{op}"}},{{"type":"ffi.Array","data":[]}},
            {{"type":"None"}},{{"type":"dynamic.Call","data":{{"span":2,"op":0,"args":1}}}}]}}"#
        );
        JsonReader::new().types(&types).read(text.as_bytes()).unwrap_or_else(|error| panic!("{error}")).root
    };
    let (add, again, sub) = (call("add"), call("add"), call("sub"));
    assert!(structural_equal(&add, &again) && !structural_equal(&add, &sub));
    assert_eq!(structural_hash(&add), structural_hash(&again));
    let op = |call: &Any| call.view().as_object().and_then(|call| call.get("op")?.as_object().map(|op| op.address()));
    assert_eq!(op(&add), op(&again));
    let error = ObjectBuilder::new(types.get("dynamic.Op").expect("it is there")).map(|_| ()).expect_err("by key only");
    assert_eq!(error.kind(), ErrorKind::NotConstructible);
    let text = r#"{"root_index":0,"nodes":[{"type":"dynamic.Source","data":"a.py"}]}"#;
    let source = JsonReader::new().types(&types).read(text.as_bytes()).unwrap_or_else(|error| panic!("{error}")).root;
    assert_eq!(source.to_string(), "dynamic.Source(\"a.py\")");
    assert_eq!(JsonWriter::new().tvm_form().to_string(&source).expect("it can be saved"), text);
}

#[test]
fn deep_chains_need_no_stack() {
    let types = types();
    let work = || {
        let info = types.get("dynamic.Call").expect("it is there");
        let op = JsonReader::new()
            .types(&types)
            .read(br#"{"root_index":0,"nodes":[{"type":"dynamic.Op","data":"f"}]}"#)
            .expect("an operator")
            .root;
        let chain = || {
            let mut last: Array<Expr> = Array::default();
            for _ in 0..100_000 {
                let mut builder = ObjectBuilder::new(info).expect("constructible");
                builder.set("op", op.clone()).and_then(|builder| builder.set("args", last)).expect("it fits");
                last = Array::from([expr(&builder.build().expect("all is set"))]);
            }
            last
        };
        let (a, b) = (chain(), chain());
        assert!(structural_equal(&a, &b));
        assert_eq!(structural_hash(&a), structural_hash(&b));
        let text = json::to_string(&a).expect("it can be saved");
        let read = JsonReader::new().types(&types).read(text.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
        assert!(structural_equal(&a, &read.root));
    };
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(256 << 10).spawn_scoped(scope, work).expect("a thread");
        thread.join().expect("no panic");
    });
}

fn with_types(types: &str) -> String {
    format!(r#"{{"format": "object-schema", "version": 1, "types": [{types}]}}"#)
}

#[test]
fn no_change_of_one_byte_makes_the_loader_panic() {
    for text in [SCHEMA, TVM].map(str::as_bytes) {
        let (mut read, mut refused) = (0, 0);
        let mut attempt = |text: &[u8]| match Schema::parse(text).and_then(|schema| SchemaLoader::new().load(&schema)) {
            Ok(_) => read += 1,
            Err(error) => {
                assert!(!error.message().is_empty());
                refused += 1;
            }
        };
        // One change at each place, so that the test takes seconds.
        for (at, byte) in
            (0..text.len()).zip([None, Some(b'0'), Some(b'"'), Some(b'<'), Some(b',')].into_iter().cycle())
        {
            let mut changed = text.to_vec();
            match byte {
                Some(byte) => changed[at] = byte,
                None => drop(changed.remove(at)),
            }
            attempt(&changed);
        }
        assert!(read > 100 && refused > text.len() / 5, "{read} read, {refused} refused");
    }
}

#[test]
fn options_prefer_or_replace_linked_types() {
    let schema = with_types(
        r#"{"key": "dynamic.Expr", "kind": "tree", "base": true, "fields": [{"name": "other", "type": "int", "default": 1}]},
           {"key": "dynamic.New", "kind": "tree", "parent": "dynamic.Expr"}"#,
    );
    let schema = Schema::parse(schema.as_bytes()).expect("a schema");
    let names = |types: &Types, key: &str| {
        types.get(key).expect("it is there").fields().iter().map(|field| field.name()).collect::<Vec<_>>()
    };
    let linked = SchemaLoader::new().prefer_linked(true).load(&schema).expect("it fits");
    assert_eq!(names(&linked, "dynamic.New"), ["flag", "span", "small"]);
    // The loader also replaces a linked type that extends the replaced parent, although the schema does not contain it.
    let replaced = SchemaLoader::new().replace_linked("dynamic.Expr").load(&schema).expect("it fits");
    assert_eq!(names(&replaced, "dynamic.New"), ["other"]);
    assert_eq!(names(&replaced, "dynamic.Pair"), ["other", "first", "second"]);
    assert!(replaced.get("dynamic.Pair").is_ok_and(|info| info.location().0 == "<schema>"));
    // A program can also register such types globally, under keys that are free.
    let free = Schema::parse(with_types(r#"{"key": "dynamic.Free", "kind": "tree"}"#).as_bytes()).expect("a schema");
    let first = SchemaLoader::new().load(&free).expect("it is free").own();
    let second = SchemaLoader::new().load(&free).expect("it is free").own();
    registry::register(&first).expect("it is free");
    assert_eq!(registry::register(&second).expect_err("it is taken").kind(), ErrorKind::DuplicateKey);
    assert!(SchemaLoader::new().load(&free).is_err());
    assert_eq!(Types::linked().insert(second[0]).expect_err("it is taken").kind(), ErrorKind::DuplicateKey);
}

/// The types of two schemas are different types, also if they have the same key.
#[test]
fn values_of_two_types_with_one_key_are_not_equal() {
    let source = |types: &Types| Any::from(make(types, "dynamic.Source", vec![("name", "a".into())]));
    let [a, b] = [types(), types()].map(|types| source(&types));
    assert!(!value_equal(&a, &b) && !structural_equal(&a, &b) && value_equal(&a, &a));
    assert_eq!(value_order(&a, &b), value_order(&b, &a).reverse());
}

#[test]
fn an_option_compares_custom_types_by_fields() {
    let schema =
        with_types(r#"{"key": "a.B", "kind": "tree", "custom": true, "fields": [{"name": "x", "type": "int"}]}"#);
    let schema = Schema::parse(schema.as_bytes()).expect("a schema");
    let types = SchemaLoader::new().custom_by_fields(true).load(&schema).expect("by fields");
    let [a, b] = [1, 2].map(|x| make(&types, "a.B", vec![("x", x.into())]));
    assert!(structural_equal(&a, &a.clone()) && !structural_equal(&a, &b));
}

/// The format of TVM's recorded registry.
const TVM: &str = r#"{"tvm_version": "0.25.0", "types": {
    "int": {"parent": null, "seq_hash_kind": null, "has_creator": false, "own_fields": []},
    "t.Expr": {"parent": "ffi.Object", "seq_hash_kind": null, "has_creator": false, "own_fields": [
        {"name": "span", "schema": {"type": "t.Span"}, "flags": ["SEqHashIgnore", "has_default"],
         "default": {"none": true}, "accepts_null": true}]},
    "t.Var": {"parent": "t.Expr", "seq_hash_kind": "free_var", "has_creator": true, "own_fields": [
        {"name": "dtype", "schema": {"type": "DataType"}, "flags": ["has_default"], "default": {"dtype_raw": 81920},
         "accepts_null": false}]},
    "t.Let": {"parent": "t.Expr", "seq_hash_kind": "tree", "has_creator": true, "own_fields": [
        {"name": "var", "schema": {"type": "t.Var"}, "flags": ["SEqHashDefRecursive"], "default": null},
        {"name": "names", "schema": {"type": "ffi.Array", "args": [{"type": "std::string"}]}, "flags": ["has_default"],
         "default": {"type_index": 65}},
        {"name": "message", "schema": {"type": "NestedMsg", "args": [{"type": "t.Var"}]}, "flags": [], "default": null}]},
    "t.Op": {"parent": "t.Expr", "seq_hash_kind": "unique_instance", "has_creator": true, "custom_data_to_json": true,
        "own_fields": [{"name": "name", "schema": {"type": "ffi.String"}, "flags": [], "default": null}]},
    "t.Hooked": {"parent": "t.Expr", "seq_hash_kind": "tree", "has_creator": true, "custom_s_equal": true, "own_fields": []},
    "t.Coded": {"parent": "t.Expr", "seq_hash_kind": "tree", "has_creator": true, "custom_data_to_json": true, "own_fields": []},
    "t.Typed": {"parent": "ffi.Object", "seq_hash_kind": "tree", "has_creator": true, "own_fields": [
        {"name": "ty", "schema": {"type": "t.Empty"}, "flags": ["has_default"], "accepts_null": false,
         "default": {"type_index": 195, "type": "object"}},
        {"name": "size", "schema": {"type": "ffi.BigInt"}, "flags": [], "default": null, "accepts_null": false}]},
    "t.Empty": {"parent": "ffi.Object", "seq_hash_kind": "tree", "has_creator": true, "own_fields": []},
    "t.Orphan": {"parent": "t.Gone", "seq_hash_kind": "tree", "has_creator": true, "own_fields": []}
}}"#;

#[test]
fn the_format_of_tvm_is_read() {
    let types = load(TVM).unwrap_or_else(|error| panic!("{error}"));
    let line = |key: &str| {
        let text = Schema::of(&[types.get(key).unwrap_or_else(|error| panic!("{error}"))]).to_json().expect("plain");
        text.lines().nth(1).expect("one type").to_owned()
    };
    assert_eq!(
        line("t.Expr"),
        r#"{"key":"t.Expr","kind":"none","base":true,"abstract":true,"files":"tvm","fields":[{"name":"span","type":"Optional<t.Span>","role":"ignore","default":null}]}"#
    );
    assert_eq!(
        line("t.Var"),
        r#"{"key":"t.Var","parent":"t.Expr","kind":"var","files":"tvm","fields":[{"name":"dtype","type":"DataType","default":"int64"}]}"#
    );
    assert_eq!(
        line("t.Let"),
        r#"{"key":"t.Let","parent":"t.Expr","kind":"tree","files":"tvm","fields":[{"name":"var","type":"t.Var","role":"def"},{"name":"names","type":"ffi.Array<ffi.String>"},{"name":"message","type":"NestedMsg<t.Var>"}]}"#
    );
    // The registry does not record which object a default is; here, only one object is possible.
    assert_eq!(
        line("t.Typed"),
        r#"{"key":"t.Typed","kind":"tree","files":"tvm","fields":[{"name":"ty","type":"t.Empty","default":{"root_index":0,"nodes":[{"type":"t.Empty","data":{}}]}},{"name":"size","type":"Variant<int,ffi.BigInt>"}]}"#
    );
    for (size, kind) in [("12345678901234567890123", "ffi.BigInt"), ("7", "int")] {
        let data = if kind == "int" { size.to_owned() } else { format!("\"{size}\"") };
        let text = format!(
            r#"{{"root_index":2,"nodes":[{{"type":"t.Empty","data":{{}}}},{{"type":"{kind}","data":{data}}},{{"type":"t.Typed","data":{{"ty":0,"size":1}}}}]}}"#
        );
        let root = JsonReader::new().types(&types).read(text.as_bytes()).unwrap_or_else(|error| panic!("{error}")).root;
        assert_eq!(json::to_string(&root).expect("it can be saved"), text);
    }
    assert!(line("t.Op").contains(r#""singleton_key":"name""#));
    let left_out: Vec<&str> = types.left_out().map(|(key, _)| key).collect();
    assert_eq!(left_out, ["t.Coded", "t.Hooked", "t.Orphan"]);
    let error = types.get("t.Hooked").expect_err("it has hooks");
    assert!(error.message().contains("its comparison needs a hook"), "{error}");
}

#[test]
fn schemas_in_the_format_of_tvm_can_be_written_or_are_rejected() {
    let schema = |key: &str, by_name: bool, ty: &str| {
        format!(
            r#"{{"types": {{"{key}": {{"parent": null, "seq_hash_kind": "tree", "has_creator": true,
                "custom_data_to_json": {by_name}, "own_fields": [{{"name": "name", "schema": {ty}, "flags": []}}]}}}}}}"#
        )
    };
    for ty in ["int,bool", "a<b", ""] {
        let text = schema("t.A", false, &format!(r#"{{"type": "{ty}"}}"#));
        let error = Schema::parse(text.as_bytes()).expect_err(ty);
        assert_eq!(error.path().expect("a place").to_string(), r#"<root>.types["t.A"].own_fields[0].schema"#);
    }
    let deep =
        (0..20).fold(r#"{"type": "int"}"#.to_owned(), |ty, _| format!(r#"{{"type": "Optional", "args": [{ty}]}}"#));
    let error = Schema::parse(schema("t.A", false, &deep).as_bytes()).expect_err("too deep");
    assert!(error.message().contains("more than 16 levels deep"), "{error}");
    // Only a text can take the place of an object.
    let types = load(&schema("t.A", true, r#"{"type": "t.Unknown"}"#)).expect("it is passed over");
    assert_eq!(types.left_out().map(|(key, _)| key).collect::<Vec<_>>(), ["t.A"]);
}

#[test]
fn a_field_in_place_of_an_object_is_saved_or_rejected() {
    let types = load(
        r#"{"format": "object-schema", "version": 1, "types": [
            {"key": "d.Base", "kind": "tree", "base": true, "fields": [{"name": "x", "type": "Any"}]},
            {"key": "d.Shown", "parent": "d.Base", "kind": "tree", "json": "x"},
            {"key": "d.Named", "kind": "tree", "json": "name", "fields": [{"name": "name", "type": "ffi.String"}]}]}"#,
    )
    .unwrap_or_else(|error| panic!("{error}"));
    let read = |text: &str| JsonReader::new().types(&types).read(text.as_bytes()).map(|graph| graph.root);
    let shown = |value: Any| Any::from(make(&types, "d.Shown", vec![("x", value)]));
    let named = |name: &str| Any::from(make(&types, "d.Named", vec![("name", name.into())]));
    for value in
        [shown(1.into()), shown(f64::NAN.into()), shown("text".into()), shown(Any::None), named("NaN"), named("7")]
    {
        let text = json::to_string(&value).expect("it can be saved");
        assert!(structural_equal(&value, &read(&text).unwrap_or_else(|error| panic!("{error}: {text}"))), "{text}");
    }
    // A value with parts has no form in place of an object, so a saved file would lose it.
    let error = json::to_string(&Array::from([shown(Array::from([1]).into())])).expect_err("a list");
    assert_eq!(error.kind(), ErrorKind::NotSerializable);
    assert_eq!(error.path().expect("a place").to_string(), "<root>[0]");
    assert!(error.message().contains("`x` stands there for all of it"), "{error}");
}
