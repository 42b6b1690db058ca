//! Builds a workload twice, runs an operation on it `TIMES` times, and prints the number of its nodes.
//! `measure/instructions.sh` counts the instructions. `walk` visits the integers; so does `mutate`, which changes none.
//!
//!     instructions tree-100001|relax-5000|module-200x100|lets-1000|chain-100000|shared-100000|wires-10000|.. OPERATION TIMES
//!     instructions FILE.json OPERATION TIMES
//!
//! An operation is `equal`, `edits`, `hash`, `rehash`, `walk`, `mutate`, `replace`, `rules`, `substitute`, `copy`, `drop`, `save`, `load`, `build` or `derive`. `objir bench` measures the others.
//!
//! `edits` makes the script of the edits between a module and itself with a hundred edits.
//! `drop` releases deep copies.
//! `save` writes JSON, and `load` reads it.
//! `build` calls the constructors of all objects.
//! `derive` computes the structural information of a function or module of Relax, which may have it already.
//! `substitute` replaces one free variable of a tree, or the first parameter in the body of a function of Relax.
//! `replace` replaces sums and casts by closures, and `rules` does the same by rules.
//! `rehash` hashes a module with one new function, while a cache has the hashes of the other functions.

#![forbid(unsafe_code)]

use std::hint::black_box;
use std::process::ExitCode;

use object_benches as workloads;
use object_benches::Workload;
use object_core::data::deep_copy;
use object_core::edit::edits;
use object_core::json::{JsonReader, JsonWriter};
use object_core::prelude::*;
use object_core::rewrite::{Mutate, Pattern, RewriteRule, RewriteRules, Substitution, mutate};
use object_core::structural::HashCache;
use object_core::visit::walk;
use object_ir::ir::{Function, IRModule, IntImm, PrimType};
use object_ir::tir;
use object_relax::derivation::Derivation;

fn main() -> ExitCode {
    match run() {
        Ok(nodes) => {
            println!("{nodes}");
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("instructions: {message}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<usize, String> {
    const USAGE: &str = "usage: instructions SHAPE-SIZE equal|edits|hash|rehash|walk|mutate|replace|rules|substitute|copy|drop|save|load|build|derive TIMES, where a \
        shape is tree with an odd size, relax, module with two sizes (200x100), lets, chain, wires, or shared with a size of at \
        least 100; or a file in place of a shape";
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, operation, times] = &arguments[..] else { return Err(USAGE.into()) };
    let times: usize = times.parse().map_err(|_| USAGE)?;
    let sizes = |sizes: &str| sizes.split('x').map(|size| size.parse().ok()).collect::<Option<Vec<usize>>>();
    let shape_and_sizes = name.split_once('-').and_then(|(shape, text)| Some((shape, sizes(text)?)));
    let workload = match shape_and_sizes.as_ref().map(|(shape, sizes)| (*shape, &sizes[..])) {
        Some(("tree", [nodes])) if nodes % 2 == 1 => workloads::tree(*nodes),
        Some(("relax", [bindings])) => workloads::relax(*bindings),
        Some(("module", [functions, bindings])) => workloads::relax_module(*functions, *bindings),
        Some(("lets", [count])) => workloads::lets(*count),
        Some(("chain", [depth])) => workloads::chain(*depth),
        Some(("shared", [nodes])) if *nodes >= 100 => workloads::shared(*nodes),
        Some(("wires", [operations])) => workloads::circuits::wires(*operations),
        _ => file(name).map_err(|error| format!("no workload `{name}`: {error}; {USAGE}"))?,
    };
    let (a, b) = (workload.build(0), workload.build(1));
    let equal = StructuralOptions::new().map_free_vars(true);
    let address = |root: &Any| root.view().as_object().map(|object| object.address());
    let as_expected = match operation.as_str() {
        "equal" => (0..times).all(|_| equal.equal(black_box(&a), black_box(&b)).is_ok_and(|equal| equal)),
        "edits" => {
            let edited = workloads::with_edits(&b, EDITS).map_err(|error| error.to_string())?;
            (0..times).all(|_| edits(black_box(&a), black_box(&edited)).is_ok_and(|script| !script.edits().is_empty()))
        }
        "hash" => (0..times).all(|_| StructuralOptions::new().hash(black_box(&a)).is_ok()),
        "walk" => (0..times).all(|_| {
            let mut integers = 0;
            walk(black_box(&a), |_: &IntImm, _| integers += 1);
            integers > 0
        }),
        "mutate" => {
            let unchanged = |root: Any| mutate(root, |_: &IntImm, _| None::<IntImm>).ok();
            (0..times).all(|_| unchanged(black_box(&a).clone()).is_some_and(|same| address(&same) == address(&a)))
        }
        "replace" => {
            let new = |root: Any| {
                let mut replace = Mutate::new()
                    .leave(|sum: &tir::Add, _| Some(tir::Sub::new(int32(), &sum.a, &sum.b)))
                    .leave(|cast: &tir::Cast, _| Some(tir::Sub::new(int32(), &cast.value, IntImm::new(int32(), 1))));
                replace.run(root).ok()
            };
            (0..times).all(|_| new(black_box(&a).clone()).is_some_and(|new| address(&new) != address(&a)))
        }
        "rules" => {
            let rules = rules().map_err(|error| error.to_string())?;
            let new = |root: Any| rules.run(root).ok();
            (0..times).all(|_| new(black_box(&a).clone()).is_some_and(|new| address(&new) != address(&a)))
        }
        "substitute" => {
            let (root, var, value) = with_free_variable(&a).map_err(|error| error.to_string())?;
            let substitution = Substitution::new().replace(&var, value);
            (0..times)
                .all(|_| substitution.run(black_box(&root).clone()).is_ok_and(|new| address(&new) != address(&root)))
        }
        "drop" => drops(&a, times).map_err(|error| error.to_string())?,
        "copy" => (0..times).all(|_| deep_copy(black_box(&a)).is_ok()),
        "save" => (0..times).all(|_| JsonWriter::new().to_string(black_box(&a)).is_ok()),
        "load" => {
            let text = JsonWriter::new().to_string(&a).map_err(|error| error.to_string())?;
            (0..times).all(|_| JsonReader::new().read(black_box(text.as_bytes())).is_ok())
        }
        "build" => (0..times).all(|side| black_box(workload.build(side as u64)).view().as_object().is_some()),
        "derive" => {
            let derivation = Derivation::new();
            if let Ok(module) = a.view().cast::<IRModule>() {
                (0..times).all(|_| derivation.module(black_box(&module)).is_ok())
            } else {
                let function: Function = a.clone().cast().map_err(|error| error.to_string())?;
                (0..times).all(|_| derivation.function(black_box(&function)).is_ok())
            }
        }
        "rehash" => rehash(&a, times).map_err(|error| error.to_string())?,
        _ => return Err(USAGE.into()),
    };
    if as_expected { Ok(workload.nodes) } else { Err(format!("{operation} of {name} failed")) }
}

fn int32() -> DataType {
    DataType::int(32)
}

/// The rules that replace as the operation `replace` does.
fn rules() -> Result<RewriteRules, Error> {
    let [a, b] = ["a", "b"].map(|name| tir::Var::new(int32(), name, PrimType::new(int32())));
    let sum = Pattern::new(tir::Add::new(int32(), &a, &b)).with_holes([&a, &b])?;
    let cast = Pattern::new(tir::Cast::new(int32(), &a)).hole(&a)?;
    Ok(RewriteRules::new()
        .rule(RewriteRule::new(sum, tir::Sub::new(int32(), &a, &b))?)
        .rule(RewriteRule::new(cast, tir::Sub::new(int32(), &a, IntImm::new(int32(), 1)))?))
}

/// The graph in a file.
fn file(path: &str) -> Result<Workload, String> {
    let text = workloads::read(path.as_ref()).map_err(|error| error.to_string())?;
    let read = move || JsonReader::new().read(&text).map(|graph| graph.root);
    read().map_err(|error| error.to_string())?;
    Ok(Workload::new(path, move |_| read().expect("the text was read before")))
}

/// The tree with one of its variables, or the body of the function with its first parameter; and a new variable.
fn with_free_variable(value: &Any) -> Result<(Any, ObjectRef, Any), Error> {
    let Ok(function) = value.view().cast::<Function>() else {
        let mut first: Option<tir::Var> = None;
        walk(value, |var: &tir::Var, _| first = first.take().or_else(|| Some(var.clone())));
        let var = first.ok_or_else(|| Error::new(ErrorKind::MissingField, "expected a tree with a variable"))?;
        return Ok((value.clone(), var.clone().into(), deep_copy(&var)?.into()));
    };
    let var = function.params.first().ok_or_else(|| Error::new(ErrorKind::MissingField, "expected a parameter"))?;
    Ok((function.body.clone().into(), var.clone().into(), deep_copy(&var)?.into()))
}

/// The number of edits of a module.
const EDITS: usize = 100;

/// The number of copies that are made for drops. It does not depend on `TIMES`, so that two runs differ only in the drops.
const COPIES: usize = 3;

/// Drops `times` copies of the graph. Returns whether there are so many.
fn drops(graph: &Any, times: usize) -> Result<bool, Error> {
    let copies = (0..COPIES).map(|_| deep_copy(graph)).collect::<Result<Vec<_>, _>>()?;
    let (dropped, kept): (Vec<_>, Vec<_>) = copies.into_iter().enumerate().partition(|(index, _)| *index < times);
    drop(black_box(dropped));
    std::mem::forget(kept);
    Ok(times <= COPIES)
}

/// The number of changed modules. It does not depend on `TIMES`, so that two runs differ only in the number of hashes.
const CHANGES: usize = 3;

/// Hashes `times` modules, each with one other function than `module`, with a cache. Returns whether each hash equals
/// the hash without a cache.
fn rehash(module: &Any, times: usize) -> Result<bool, Error> {
    let (hash, mut cache) = (workloads::cached_hash(), HashCache::new());
    hash.hash_cached(module, &mut cache)?;
    let changed = (0..CHANGES).map(|_| workloads::with_one_function_changed(module)).collect::<Result<Vec<_>, _>>()?;
    let expected = hash.hash(&changed[0])?;
    let mut hashes = changed.iter().take(times).map(|module| hash.hash_cached(black_box(module), &mut cache));
    Ok(times <= CHANGES && hashes.all(|found| found.is_ok_and(|found| found == expected)))
}
