//! Comparison and hashing with several threads have the results of one thread.

mod common;

use std::sync::LazyLock;

use object_core::Any;
use object_core::prelude::*;
use object_core::structural::{HashCache, Scopes, StructuralOptions};
use object_ir as _;
use proptest::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// A variable.
#[derive(Object)]
#[object(type_key = "parallel.Var")]
#[structural_eq(var)]
pub struct VarNode {
    /// The name to print.
    #[field(ignore)]
    pub name: Str,
}

/// A shared value.
#[derive(Object)]
#[object(type_key = "parallel.Cell")]
#[structural_eq(dag)]
pub struct CellNode {
    /// The content.
    pub value: Any,
}

/// A function.
#[derive(Object)]
#[object(type_key = "parallel.Function")]
#[structural_eq(tree, scope)]
pub struct FunctionNode {
    /// The parameter.
    #[field(def)]
    pub param: Var,
    /// The body.
    pub body: Array<Any>,
}

/// A `dag` function.
#[derive(Object)]
#[object(type_key = "parallel.Procedure")]
#[structural_eq(dag, scope)]
pub struct ProcedureNode {
    /// The parameter.
    #[field(def)]
    pub param: Var,
    /// The body.
    pub body: Array<Any>,
}

/// Functions, with variables as names, which the functions may use.
#[derive(Object)]
#[object(type_key = "parallel.Module")]
#[structural_eq(tree)]
pub struct ModuleNode {
    /// The names.
    #[field(def)]
    pub names: Array<Var>,
    /// The functions.
    pub functions: Map<Var, Any>,
    /// More functions.
    pub others: Array<Any>,
}

/// The kind of a value in a module.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Function,
    Procedure,
    /// Only the body, as it is: its cells are bound between the functions, outside of all scopes.
    Values,
    /// A list of the previous value and the body.
    Inside,
}

/// A module as numbers: for each function, its kind, its parameter, and its body, from small pools.
type Recipe = Vec<(Kind, u8, Vec<u8>)>;

fn recipes() -> impl Strategy<Value = Recipe> {
    let kind = prop_oneof![Just(Kind::Function), Just(Kind::Procedure), Just(Kind::Values), Just(Kind::Inside)];
    prop::collection::vec((kind, 0..6u8, prop::collection::vec(0..12u8, 0..5)), 0..16)
}

/// Builds a module over variables. All modules share the variables of `shared`.
fn build(recipe: &Recipe, shared: &[Var]) -> Any {
    let mut vars = shared.to_vec();
    vars.extend((shared.len()..6).map(|number| Var::new(format!("v{number}"))));
    let cells: Vec<Cell> = (0..3).map(|number| Cell::new(Any::new(vars[number].clone()))).collect();
    let names: Vec<Var> = (0..recipe.len()).map(|number| Var::new(format!("f{number}"))).collect();
    let leaf = |number: &u8| match *number as usize {
        number @ 0..6 => Any::new(vars[number].clone()),
        number @ 6..9 => Any::new(cells[number - 6].clone()),
        number => names.get(number - 9).map_or(Any::None, |name| Any::new(name.clone())),
    };
    let mut functions: Vec<Any> = Vec::new();
    for (kind, param, body) in recipe {
        let (param, body) = (vars[usize::from(*param)].clone(), body.iter().map(leaf).collect::<Array<Any>>());
        functions.push(match kind {
            Kind::Procedure => Any::new(Procedure::new(param, body)),
            Kind::Function => Any::new(Function::new(param, body)),
            Kind::Values => Any::new(body),
            Kind::Inside => Any::new(functions.last().cloned().into_iter().chain(body.iter()).collect::<Array<Any>>()),
        });
    }
    let half = functions.len() / 2;
    let entries = names.iter().cloned().zip(functions[..half].iter().cloned());
    let others = functions[half..].iter().chain(functions.first()).cloned();
    module(&names, entries.collect(), others.collect())
}

fn module(names: &[Var], functions: Map<Var, Any>, others: Array<Any>) -> Any {
    Any::new(Module::new(names.iter().cloned().collect::<Array<Var>>(), functions, others))
}

/// A pool of one thread, which compares several scopes in turn with one set of tables.
static ONE_THREAD: LazyLock<ThreadPool> =
    LazyLock::new(|| ThreadPoolBuilder::new().num_threads(1).build().expect("the system has a thread left"));

/// Checks that comparisons and hashes of two values have the same result with several threads as with one.
fn check(left: &Any, right: &Any) {
    let mut cache = HashCache::new();
    for scopes in [Scopes::Persistent, Scopes::Lexical] {
        let hasher = StructuralOptions::new().scopes(scopes);
        for value in [left, right] {
            let hash = hasher.hash(value).unwrap();
            assert_eq!(hasher.parallel(true).hash(value).unwrap(), hash);
            assert_eq!(hasher.parallel(true).hash_cached(value, &mut cache).unwrap(), hash);
        }
        for mapped in [false, true] {
            let options = StructuralOptions::new().scopes(scopes).map_free_vars(mapped);
            let equal = options.equal(left, right).unwrap();
            let in_tasks = || options.parallel(true).equal(left, right).unwrap();
            assert_eq!(in_tasks(), equal);
            assert_eq!(ONE_THREAD.install(in_tasks), equal);
        }
    }
}

#[test]
fn a_cell_that_is_bound_before_a_scope_counts_in_the_scope() {
    let name = |text: &str| Var::new(text);
    let function = |param: &Var, body: &[&Cell]| -> Any {
        let body = body.iter().map(|cell| Any::new((*cell).clone())).collect::<Array<Any>>();
        Any::new(Function::new(param.clone(), body))
    };
    let list = |items: Vec<Any>| items.into_iter().collect::<Array<Any>>();
    let cells = |count: usize| -> Vec<Cell> { (0..count).map(|_| Cell::new(Any::Int(1))).collect() };
    let x = name("x");
    let (one, two) = (cells(1), cells(2));
    // The tasks begin before the first cell. In the first function, the one value refers to this cell and the other to a
    // cell of its own.
    let before = |first: &Cell, second: &Cell| {
        let items = vec![Any::new(first.clone()), function(&x, &[second]), function(&x, &[])];
        module(&[], Map::new([]), list(items))
    };
    let (left, right) = (before(&one[0], &one[0]), before(&two[0], &two[1]));
    assert!(!StructuralOptions::new().scopes(Scopes::Lexical).parallel(true).equal(&left, &right).unwrap());
    check(&left, &right);
    // Here the first function is in a list with the cell, which the comparison reaches before its own turn.
    let inside = |first: &Cell, second: &Cell| {
        let f = function(&x, &[second]);
        let inner = list(vec![Any::new(first.clone()), f.clone()]);
        let items = vec![function(&x, &[]), Any::new(inner.clone()), f, Any::new(inner)];
        module(&[], Map::new([]), list(items))
    };
    check(&inside(&one[0], &one[0]), &inside(&two[0], &two[1]));
    check(&inside(&one[0], &one[0]), &inside(&two[0], &two[0]));
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: std::env::var("PARALLEL_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(1_000),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn threads_have_the_results_of_one_thread(a in recipes(), b in recipes(), same in any::<bool>(), shared in 0..6usize) {
        let pool: Vec<Var> = (0..shared).map(|number| Var::new(format!("v{number}"))).collect();
        let (left, right) = (build(&a, &pool), build(if same { &a } else { &b }, &pool));
        check(&left, &right);
    }
}

#[test]
fn modules_of_tvm() {
    for name in ["decoder.json.gz", "decoder_legalized.json.gz"] {
        let read = || object_core::json::from_slice::<Any>(&common::fixture(name)).unwrap();
        let (x, y) = (read(), read());
        assert!(StructuralOptions::new().map_free_vars(true).parallel(true).equal(&x, &y).unwrap(), "{name}");
        let hasher = StructuralOptions::new().scopes(Scopes::Lexical);
        assert_eq!(hasher.parallel(true).hash(&y).unwrap(), hasher.hash(&x).unwrap(), "{name}");
    }
}
