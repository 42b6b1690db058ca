//! Objects of types that the program does not know: a reader keeps them with their text, and a writer writes the same bytes.

use object_core::dynamic::{Schema, SchemaLoader};
use object_core::json::{self, JsonReader};
use object_core::prelude::*;
use object_core::rewrite::mutate;
use object_core::visit::{Position, walk};
use object_core::{ErrorKind, ObjectBuilder, ObjectRef, StructuralOptions, structural_equal};
use proptest::prelude::{ProptestConfig, any, prop_assert, prop_assert_eq, proptest};

#[derive(Object)]
#[object(type_key = "kept.Plan", base)]
#[structural_eq(tree)]
pub struct PlanNode {
    pub columns: Array<Str>,
    pub rows: i64,
}

#[derive(Object)]
#[object(type_key = "kept.Scan", parent = PlanNode, base_args(columns: Array<Str>, rows: i64))]
#[structural_eq(tree)]
pub struct ScanNode {
    pub base: PlanNode,
    pub table: Str,
}

#[derive(Object)]
#[object(type_key = "kept.Join", parent = PlanNode, base_args(columns: Array<Str>, rows: i64))]
#[structural_eq(tree)]
pub struct JoinNode {
    pub base: PlanNode,
    pub left: Plan,
    pub right: Option<Plan>,
    pub others: Array<Plan>,
    pub named: Map<Str, Plan>,
}

/// The plug-in. The texts of the tests name its types as `lost`, which no type is.
#[derive(Object)]
#[object(type_key = "plug.Nearest", parent = PlanNode, base_args(columns: Array<Str>, rows: i64))]
#[structural_eq(tree)]
pub struct NearestNode {
    pub base: PlanNode,
    pub input: Plan,
    pub count: i64,
    pub more: Array<Plan>,
    pub any: Any,
}

#[derive(Object)]
#[object(type_key = "plug.Srid")]
#[structural_eq(tree)]
pub struct SridNode {
    pub number: i64,
    pub plan: Option<Plan>,
}

/// How to make a plan: the shape, two plans before it, and a number.
type Recipe = (u8, usize, usize, i64);

fn plans(recipes: &[Recipe]) -> Vec<Any> {
    let columns = Array::from(["a", "b"].map(Str::from));
    let mut plans: Vec<Plan> = vec![Scan::new(columns.clone(), 0, "t").into()];
    let mut values: Vec<Any> = vec![plans[0].clone().into()];
    for (shape, first, second, number) in recipes {
        let [a, b] = [first, second].map(|index| plans[index % plans.len()].clone());
        let columns = if number % 2 == 0 { columns.clone() } else { Array::from([Str::from("a")]) };
        let plan: Plan = match shape {
            0 => Scan::new(columns, *number, format!("t{number}")).into(),
            1 => Join::new(columns, *number, a, Some(b), Array::<Plan>::default(), Map::<Str, Plan>::default()).into(),
            2 => Join::new(
                columns,
                *number,
                a.clone(),
                None,
                Array::from([b.clone(), a]),
                Map::from([(Str::from("x"), b)]),
            )
            .into(),
            3 => Nearest::new(columns, *number, a, *number, Array::from([b]), Any::None).into(),
            4 => {
                Nearest::new(columns, *number, b, *number, Array::<Plan>::default(), Srid::new(*number, Some(a))).into()
            }
            _ => {
                values.push(Srid::new(*number, Some(a)).into());
                continue;
            }
        };
        plans.push(plan.clone());
        values.push(plan.into());
    }
    values
}

fn lost(text: &str) -> String {
    text.replace("\"plug.", "\"lost.")
}

fn keep(text: &str) -> Result<Any, Error> {
    JsonReader::new().keep_unknown_types().read(text.as_bytes()).map(|graph| graph.root)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// Whatever numbers the values have that are no nodes, and however nodes are shared.
    #[test]
    fn kept_objects_are_written_as_they_were_read(
        recipes in proptest::collection::vec((0..6u8, any::<usize>(), any::<usize>(), 0..40i64), 1..30),
        last in any::<usize>(),
    ) {
        let values = plans(&recipes);
        let root = match last % 3 {
            0 => Any::from(Array::<Any>::from_iter(values)),
            1 => Any::from(Array::<Any>::from_iter(values.into_iter().rev())),
            _ => values.last().cloned().unwrap_or_default(),
        };
        let text = json::to_string(&root).expect("a text");
        let kept = keep(&lost(&text)).expect("a graph");
        let written = json::to_string(&kept).expect("a text");
        prop_assert_eq!(&written, &lost(&text));
        // No edit of a part leads to another meaning: the file stays as it is, changes as the typed graph does, or is an error.
        let longer = |text: &Str, _: &Position<'_>| (text.as_str() == "t").then(|| Str::from("longer"));
        let split = |join: &Join, _: &Position<'_>| join.right.is_some().then(|| join.clone().with_changes(|it| it.rows += 1));
        for (edited, typed) in [
            (mutate(kept.clone(), longer), mutate(root.clone(), longer)),
            (mutate(kept.clone(), split), mutate(root.clone(), split)),
        ] {
            let typed = typed.expect("a graph of known types");
            match edited.and_then(|edited| json::to_string(&edited)) {
                Ok(text) => {
                    let read: Any = json::from_str(&text.replace("\"lost.", "\"plug.")).expect("a graph");
                    prop_assert!(structural_equal(&read, &typed), "{read:?} is not {typed:?}");
                }
                Err(error) => prop_assert!(error.message().contains("`lost."), "{error}"),
            }
        }
    }
}

/// A join over a kept object and a scan that both share.
fn shared() -> Any {
    let columns = || Array::from([Str::from("a")]);
    let scan = Plan::from(Scan::new(columns(), 3, "t"));
    let nearest = Nearest::new(columns(), 3, scan.clone(), 7, Array::<Plan>::default(), Any::None);
    let join = Join::new(columns(), 3, nearest, Some(scan), Array::<Plan>::default(), Map::<Str, Plan>::default());
    keep(&lost(&json::to_string(&join).expect("a text"))).expect("a graph")
}

#[test]
fn a_kept_object_extends_the_base_that_its_place_demands() {
    let join: Join = shared().cast().expect("a join");
    assert_eq!(
        (join.left.as_object().view().type_key(), join.left.rows, join.left.columns[0].as_str()),
        ("lost.Nearest", 3, "a")
    );
    let repr = join.to_string();
    assert!(repr.contains("lost.Nearest(") && repr.contains(r#"\"count\":7"#), "{repr}");
    // The shared scan is one object.
    let mut scans = 0;
    walk(&join, |_: &Scan, _| scans += 1);
    assert_eq!(scans, 1);
}

#[test]
fn operations_inside_of_a_kept_object_are_errors_that_name_its_key() {
    let root = shared();
    let names =
        |error: &Error| error.message().contains("`lost.Nearest`") && error.message().contains("link the crate");
    let at = |error: &Error| error.path().map(ToString::to_string);

    for error in [
        StructuralOptions::new().equal(&root, &shared()).expect_err("a comparison"),
        StructuralOptions::new().hash(&root).expect_err("a hash"),
    ] {
        assert_eq!(error.kind(), ErrorKind::NotComparable);
        assert!(names(&error), "{error}");
        assert_eq!(at(&error).as_deref(), Some("<root>.left"));
    }
    let error = mutate(root.clone(), |scan: &Scan, _| Some(Scan::new(scan.columns.clone(), 1, "u")))
        .expect_err("a change below");
    assert!(names(&error), "{error}");
    assert_eq!((error.kind(), at(&error).as_deref()), (ErrorKind::NotConstructible, Some("<root>.left")));

    let mut join: Join = root.cast().expect("a join");
    let error = join.make_mut().left.try_make_mut().err().expect("a change");
    assert!(names(&error), "{error}");
    let error = ObjectBuilder::from_object(join.left.as_object().view()).err().expect("a copy");
    assert!(names(&error), "{error}");
}

#[test]
fn known_parts_change_while_the_nodes_below_keep_their_numbers() {
    let root = shared();
    let wider = |join: &Join, _: &Position<'_>| Some(join.clone().with_changes(|it| it.rows = 9));
    let changed = json::to_string(&mutate(root.clone(), wider).expect("a graph")).expect("a text");
    let text = json::to_string(&root).expect("a text");
    assert_eq!(changed.matches("\"rows\":9").count(), 1);
    assert_eq!(changed.replace("\"rows\":9", "\"rows\":3"), text);
    // A value before all others moves the nodes.
    let error = json::to_string(&Array::<Any>::from([Any::from("first"), root])).expect_err("other numbers");
    assert_eq!(error.kind(), ErrorKind::NotSerializable);
    assert!(error.message().contains("`lost.Nearest`"), "{error}");
}

#[test]
fn known_types_and_readers_without_the_option_stay_strict() {
    let text = json::to_string(&shared()).expect("a text");
    assert_eq!(json::from_str::<Any>(&text).expect_err("an unknown type").kind(), ErrorKind::UnknownType);
    // A plug-in that the program links is typed.
    let root = keep(&text.replace("\"lost.", "\"plug.")).expect("a graph");
    assert!(root.cast::<Join>().expect("a join").left.downcast_ref::<Nearest>().is_some());
}

/// Each wrong text, with the kind of its error and a part of the message.
#[test]
fn wrong_texts_are_errors() {
    let columns = r#"{"type":"ffi.Array","data":[]}"#;
    let join = r#"{"type":"kept.Join","data":{"columns":0,"rows":1,"left":1,"right":2,"others":0,"named":3}}"#;
    let in_join = |node: &str| {
        format!(
            r#"{{"root_index":4,"nodes":[{columns},{node},{{"type":"None"}},{{"type":"ffi.Map","data":[]}},{join}]}}"#
        )
    };
    let key = "k".repeat(257);
    for (text, kind, part) in [
        (in_join(r#"{"type":"lost.A","data":{"rows":1}}"#), ErrorKind::MissingField, "`columns`"),
        (in_join(r#"{"type":"lost.A","data":"key"}"#), ErrorKind::MissingField, "`lost.A`"),
        (in_join(r#"{"type":"lost.A","data":{"columns":0,"rows":"x"}}"#), ErrorKind::TypeMismatch, "field `rows`"),
        (in_join(r#"{"type":"lost.A","data":{"columns":3,"rows":1}}"#), ErrorKind::BadReference, "node 3"),
        (in_join(r#"{"type":"lost.A","data":{"columns":[0],"rows":1}}"#), ErrorKind::Malformed, "field `columns`"),
        (in_join(r#"{"type":"lost.A"}"#), ErrorKind::Malformed, "no `data`"),
        (format!(r#"{{"root_index":0,"nodes":[{{"type":"{key}","data":1}}]}}"#), ErrorKind::LimitExceeded, "256 bytes"),
    ] {
        let error = keep(&text).expect_err(&text);
        assert_eq!(error.kind(), kind, "{error}");
        assert!(error.message().contains(part), "{error}");
    }
    assert!(keep(&in_join(r#"{"type":"lost.A","data":{"columns":0,"rows":1}}"#)).is_ok());
}

#[test]
fn data_in_every_form_stays() {
    for data in [
        "1",
        "\"text\\/\"",
        "[1,[2,{\"a\":NaN}]]",
        "{}",
        "{\"a\":-0,\"b\":\"\\u0000x\",\"a\":[ 1 ]}",
        "-Infinity",
        "null",
    ] {
        let text = format!(r#"{{"root_index":0,"nodes":[{{"type":"lost.\/A","data":{data}}}]}}"#);
        assert_eq!(json::to_string(&keep(&text).expect("a graph")).expect("a text"), text);
    }
}

#[test]
fn a_schema_makes_the_types_known() {
    let schema = br#"{"format":"object-schema","version":1,"types":[
        {"key":"lost.Nearest","parent":"kept.Plan","kind":"tree","fields":[{"name":"input","type":"kept.Plan"},
         {"name":"count","type":"int"},{"name":"more","type":"ffi.Array<kept.Plan>"},{"name":"any","type":"Any"}]}]}"#;
    let types = SchemaLoader::new().load(&Schema::parse(schema).expect("a schema")).expect("types");
    let text = json::to_string(&shared()).expect("a text");
    let read = || JsonReader::new().types(&types).keep_unknown_types().read(text.as_bytes()).expect("a graph").root;
    assert!(structural_equal(&read(), &read()));
    let _: ObjectRef = read().cast().expect("an object");
}
