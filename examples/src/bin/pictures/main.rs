//! Draws the pictures of the guide into a folder: values of the language `calc`, an object in memory, the crates, and a chart of speed.
//!
//! `docs/pictures/make.sh` runs it, and `tests/pictures.rs` compares its pictures with the ones in the repository.

mod chart;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{env, fs};

use object_core::ObjectBuilder;
use object_core::dynamic::{Schema, SchemaLoader};
use object_core::picture::Picture;
use object_core::prelude::*;
use object_examples::calc::{Add, Expr, Int, Lambda, Var};

/// What a handle points to.
#[derive(Object)]
#[object(type_key = "node.LambdaNode")]
#[structural_eq(dag)]
struct MemoryNode {
    references: i64,
    param: Str,
    body: Str,
    #[field(rename = "type")]
    info: Table,
}

/// The constant table of a type.
#[derive(Object)]
#[object(type_key = "table.TypeInfo")]
#[structural_eq(dag)]
struct TableNode {
    key: Str,
    kind: Str,
    fields: Array<Str>,
}

/// A handle.
#[derive(Object)]
#[object(type_key = "handle.Lambda")]
#[structural_eq(dag)]
struct PointerNode {
    points_to: Memory,
}

/// Two variables of a program.
#[derive(Object)]
#[object(type_key = "program.Variables")]
#[structural_eq(dag)]
struct VariablesNode {
    a: Pointer,
    b: Pointer,
}

/// `λx. x + 1`: the place that binds `x` and the place that uses it have one object.
fn binding() -> Any {
    let x = Var::new("x");
    Any::from(Lambda::new(&x, Add::new(&x, Int::new(1))))
}

/// Two sums of the same numbers: one shares its parts, the other has them twice.
fn sharing() -> Any {
    let (part, one) =
        (|| Expr::from(Add::new(Int::new(1), Int::new(2))), Expr::from(Add::new(Int::new(1), Int::new(2))));
    Any::from(Array::from([Expr::from(Add::new(&one, &one)), Add::new(part(), part()).into()]))
}

/// Two handles of one node, and the table of its type.
fn memory() -> Any {
    let table = Table::new("calc.Lambda", "tree, scope", ["param: def", "body"].map(Str::from));
    let node = Memory::new(2, "a handle of Var", "a handle of Expr", table);
    Any::from(Variables::new(Pointer::new(&node), Pointer::new(&node)))
}

/// The crates of the family, as objects of a schema: a type for each crate, with a field for each crate that it uses itself.
fn crates(root: &Path) -> Result<Any, Box<dyn std::error::Error>> {
    let mut uses: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for entry in fs::read_dir(root)? {
        let folder = entry?.file_name().to_string_lossy().into_owned();
        if folder.starts_with("object-") {
            uses.insert(folder.clone(), used_crates(&fs::read_to_string(root.join(&folder).join("Cargo.toml"))?));
        }
    }
    // Crates that a used crate uses are clear from the picture.
    let all = uses.clone();
    for used in uses.values_mut() {
        let indirect: BTreeSet<String> = used.iter().flat_map(|name| below(&all, name)).collect();
        used.retain(|name| !indirect.contains(name));
    }
    let types: Vec<String> = uses.iter().map(|(name, used)| declaration(name, used)).collect();
    let schema = format!(r#"{{"format":"object-schema","version":1,"types":[{}]}}"#, types.join(","));
    let types_of_crates = SchemaLoader::new().load(&Schema::parse(schema.as_bytes())?)?;
    let mut objects: BTreeMap<String, Any> = BTreeMap::new();
    while objects.len() < uses.len() {
        for (name, used) in &uses {
            if !objects.contains_key(name) && used.iter().all(|it| objects.contains_key(it)) {
                let mut builder = ObjectBuilder::new(types_of_crates.get(&key(name))?)?;
                for it in used {
                    builder.set(&field(it), objects[it].clone())?;
                }
                objects.insert(name.clone(), builder.build()?.into());
            }
        }
    }
    let tops = uses.keys().filter(|name| !uses.values().any(|used| used.contains(*name)));
    Ok(Any::from(tops.map(|name| objects[name].clone()).collect::<Array<Any>>()))
}

/// The crates of the family in the section `[dependencies]` of a manifest.
fn used_crates(manifest: &str) -> BTreeSet<String> {
    let section = manifest.split("\n[dependencies]\n").nth(1).unwrap_or_default();
    let lines = section.lines().take_while(|line| !line.starts_with('['));
    let names = lines.filter_map(|line| line.split(['.', ' ']).next()).filter(|name| name.starts_with("object-"));
    names.map(str::to_owned).collect()
}

/// The crates that a crate uses, itself and through others.
fn below(uses: &BTreeMap<String, BTreeSet<String>>, name: &str) -> BTreeSet<String> {
    let direct = uses.get(name).into_iter().flatten();
    direct.flat_map(|used| below(uses, used).into_iter().chain([used.clone()])).collect()
}

/// The name of a field for a crate.
fn field(name: &str) -> String {
    name.replace('-', "_")
}

/// The type key of a crate.
fn key(name: &str) -> String {
    format!("crate.{}", field(name))
}

fn declaration(name: &str, used: &BTreeSet<String>) -> String {
    let fields: Vec<String> = used.iter().map(|it| format!(r#"{{"name":"{}","type":"Any"}}"#, field(it))).collect();
    format!(r#"{{"key":"{}","kind":"dag","fields":[{}]}}"#, key(name), fields.join(","))
}

/// The picture without the texts at arrows, which repeat the names of the crates.
fn without_labels(svg: &str) -> String {
    let lines = svg.lines().map(|line| line.split("<text class=\"label\"").next().unwrap_or_default());
    lines.fold(String::new(), |text, line| text + line + "\n")
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = PathBuf::from(env::args().nth(1).ok_or("the first argument is the folder for the pictures")?);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for (name, value) in [("binding", binding()), ("sharing", sharing()), ("memory", memory())] {
        fs::write(folder.join(format!("{name}.svg")), Picture::new(&value).to_svg())?;
    }
    fs::write(folder.join("crates.svg"), without_labels(&Picture::new(&crates(&root)?).to_svg()))?;
    fs::write(folder.join("speed.svg"), chart::draw(&fs::read_to_string(root.join("measure/README.md"))?)?)?;
    Ok(())
}
