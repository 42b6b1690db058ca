//! [`Workload`]: the graphs of the benchmarks; and modules from files.
//!
//! `measure/workloads.py` builds graphs of the same shapes with TVM.

#![forbid(unsafe_code)]

pub mod circuits;

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use fastrand::Rng;
use flate2::read::GzDecoder;
use object_core::data::deep_copy;
use object_core::prelude::*;
use object_core::stats::GraphStats;
use object_core::structural::Scopes;
use object_ir::ir::{
    self, BaseFunc, GlobalVar, IntImm, PrimExpr, PrimType, RelaxExpr, SourceMap, TensorStructInfo, VarBinding,
};
use object_ir::tir;

/// The allocator of `objir`, so that benchmarks measure what users get.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// A graph to measure.
pub struct Workload {
    /// The shape and the size.
    pub name: String,
    /// The number of nodes: all visits of a tree, or else the distinct nodes.
    pub nodes: usize,
    /// Builds one of two equal graphs, 0 or 1, that share nothing.
    build: Box<dyn Fn(u64) -> Any>,
}

impl Workload {
    /// A workload with the number of its distinct nodes.
    pub fn new(name: impl Into<String>, build: impl Fn(u64) -> Any + 'static) -> Self {
        let nodes = GraphStats::of(&build(0)).nodes;
        Workload { name: name.into(), nodes, build: Box::new(build) }
    }

    /// Builds one of two equal graphs, 0 or 1, that share nothing.
    #[must_use]
    pub fn build(&self, side: u64) -> Any {
        (self.build)(side)
    }
}

/// One step of building a tree: a leaf, or a node over the last two results.
#[derive(Clone, Copy)]
pub enum Step {
    /// A variable, by its number.
    Var(u32),
    /// An integer.
    Int(i64),
    /// A sum.
    Add,
    /// A product.
    Mul,
}

/// The number of variables of a tree.
const VARS: u32 = 64;

/// A random tree of `nodes` nodes, an odd number, as the steps that build it, children first. Splits are uniform, so a
/// tree of a million nodes is about 60 deep.
#[must_use]
pub fn random_tree(nodes: usize, seed: u64) -> Vec<Step> {
    enum Task {
        Leaves(usize),
        Emit(Step),
    }
    let mut rng = Rng::with_seed(seed);
    let mut steps = Vec::with_capacity(nodes);
    let mut tasks = vec![Task::Leaves(nodes.div_ceil(2))];
    while let Some(task) = tasks.pop() {
        match task {
            Task::Emit(step) => steps.push(step),
            Task::Leaves(0 | 1) if rng.bool() => steps.push(Step::Var(rng.u32(..VARS))),
            Task::Leaves(0 | 1) => steps.push(Step::Int(rng.i64(0..1000))),
            Task::Leaves(count) => {
                let left = rng.usize(1..count);
                tasks.push(Task::Emit(if rng.bool() { Step::Add } else { Step::Mul }));
                tasks.push(Task::Leaves(count - left));
                tasks.push(Task::Leaves(left));
            }
        }
    }
    steps
}

fn int32() -> DataType {
    DataType::int(32)
}

fn prim_var(name: &str) -> tir::Var {
    tir::Var::new(int32(), name, PrimType::new(int32()))
}

/// Runs the steps of a tree; `make` builds a node from a step and its two children, if it has any.
pub(crate) fn run<T>(steps: &[Step], mut make: impl FnMut(Step, Option<(T, T)>) -> T) -> T {
    let mut stack = Vec::new();
    for step in steps {
        let below = match step {
            Step::Add | Step::Mul => stack.pop().zip(stack.pop()).map(|(b, a)| (a, b)),
            Step::Var(_) | Step::Int(_) => None,
        };
        stack.push(make(*step, below));
    }
    stack.pop().expect("a tree has a root")
}

/// The tree as expressions of `object-ir`.
#[must_use]
pub fn expr_tree(steps: &[Step]) -> PrimExpr {
    let vars: Vec<PrimExpr> = (0..VARS).map(|i| prim_var(&format!("v{i}")).into()).collect();
    run(steps, |step, below| match (step, below) {
        (Step::Add, Some((a, b))) => tir::Add::new(int32(), a, b).into(),
        (Step::Mul, Some((a, b))) => tir::Mul::new(int32(), a, b).into(),
        (Step::Int(value), _) => IntImm::new(int32(), value).into(),
        (Step::Var(number), _) => vars[number as usize].clone(),
        (Step::Add | Step::Mul, None) => unreachable!("the children come before their node"),
    })
}

/// The same expressions as a plain enum. Its derived equality and hash are the reference for ours.
#[derive(Clone, Debug, PartialEq, Hash)]
pub enum NativeExpr {
    /// A sum.
    Add(DataType, Arc<NativeExpr>, Arc<NativeExpr>),
    /// A product.
    Mul(DataType, Arc<NativeExpr>, Arc<NativeExpr>),
    /// An integer.
    Int(DataType, i64),
    /// A variable, by its number.
    Var(DataType, u32),
}

/// The tree as native expressions.
#[must_use]
pub fn native_tree(steps: &[Step]) -> Arc<NativeExpr> {
    let vars: Vec<_> = (0..VARS).map(|i| Arc::new(NativeExpr::Var(int32(), i))).collect();
    run(steps, |step, below| match (step, below) {
        (Step::Add, Some((a, b))) => Arc::new(NativeExpr::Add(int32(), a, b)),
        (Step::Mul, Some((a, b))) => Arc::new(NativeExpr::Mul(int32(), a, b)),
        (Step::Int(value), _) => Arc::new(NativeExpr::Int(int32(), value)),
        (Step::Var(number), _) => vars[number as usize].clone(),
        (Step::Add | Step::Mul, None) => unreachable!("the children come before their node"),
    })
}

/// A workload of a random tree.
#[must_use]
pub fn tree(nodes: usize) -> Workload {
    let steps = random_tree(nodes, 1);
    assert_eq!(steps.len(), nodes, "a binary tree has an odd number of nodes");
    Workload { name: format!("tree-{nodes}"), nodes, build: Box::new(move |_| expr_tree(&steps).into()) }
}

/// A Relax function of `count` bindings, each the sum of two of the latest variables. As in TVM, a variable and its
/// value share their structural information.
#[must_use]
pub fn relax_function(count: usize) -> ir::Function {
    let mut rng = Rng::with_seed(2);
    let n: PrimExpr = tir::Var::new(DataType::int(64), "n", PrimType::new(DataType::int(64))).into();
    let info = || {
        let values = Array::from([n.clone(), IntImm::new(DataType::int(64), 128).into()]);
        let mut shape = ir::ShapeExpr::new(values.clone());
        shape.make_mut().base.base.struct_info = Some(ir::ShapeStructInfo::new(Some(values), 2).into());
        TensorStructInfo::new(Some(shape.into()), DataType::float(32), None, 2)
    };
    let var = |name: String, known: TensorStructInfo| {
        let mut var = ir::Var::new(ir::Id::new(name));
        var.make_mut().base.base.struct_info = Some(known.into());
        var
    };
    let params = ["x", "y"].map(|name| var(name.into(), info()));
    let mut vars = params.to_vec();
    let op: RelaxExpr = ir::Op::get("relax.add").expect("an operator of Relax").into();
    let bindings: Array<ir::Binding> = (0..count)
        .map(|i| {
            let latest = vars.len().saturating_sub(32)..vars.len();
            let args = [0, 1].map(|_| RelaxExpr::from(vars[rng.usize(latest.clone())].clone()));
            let mut value = ir::Call::new(op.clone(), args, None, []);
            let known = info();
            value.make_mut().base.struct_info = Some(known.clone().into());
            vars.push(var(format!("lv{i}"), known));
            VarBinding::new(vars[i + 2].clone(), value).into()
        })
        .collect();
    let last = vars[vars.len() - 1].clone();
    let body = ir::SeqExpr::new([ir::BindingBlock::new(bindings)], last);
    ir::Function::new(ir::DictAttrs::new([]), params, body, info(), true)
}

/// A workload of a Relax function.
#[must_use]
pub fn relax(bindings: usize) -> Workload {
    Workload::new(format!("relax-{bindings}"), move |_| relax_function(bindings).into())
}

/// A workload of a module of equal Relax functions without shared nodes.
#[must_use]
pub fn relax_module(functions: usize, bindings: usize) -> Workload {
    Workload::new(format!("module-{functions}x{bindings}"), move |_| {
        let function = |i| (GlobalVar::new(format!("f{i}")), relax_function(bindings).into());
        let functions: Map<GlobalVar, BaseFunc> = (0..functions).map(function).collect();
        let names: Map<Str, GlobalVar> = functions.iter().map(|(var, _)| (var.name_hint.clone(), var)).collect();
        ir::IRModule::new(functions, names, SourceMap::new([]), ir::DictAttrs::new([]), []).into()
    })
}

/// The module with its last function replaced by a deep copy that is not pure.
///
/// # Errors
/// If `module` is not a module, if it has no function, or if its last function is not a Relax function.
pub fn with_one_function_changed(module: &Any) -> Result<Any, Error> {
    let mut module: ir::IRModule = module.view().cast()?;
    let (name, last) = module.functions.iter().next_back().ok_or_else(|| {
        let message = "expected a module with a function, given one without; make it with `relax_module`";
        Error::new(ErrorKind::MissingField, message)
    })?;
    let mut function = ir::Function::try_from(deep_copy(&last)?)?;
    function.make_mut().is_pure = false;
    let functions = module.functions.iter().chain([(name, function.into())]).collect();
    module.make_mut().functions = functions;
    Ok(module.into())
}

/// The module after `count` edits at random places of its functions: another operator, a new binding, and a call around a value, in
/// turn. The functions have one block, whose bindings are calls.
///
/// # Errors
/// If `module` is not a module of such functions.
pub fn with_edits(module: &Any, count: usize) -> Result<Any, Error> {
    let mut module: ir::IRModule = module.view().cast()?;
    let functions = module.functions.iter().map(|(name, function)| Ok((name, ir::Function::try_from(function)?)));
    let mut functions = functions.collect::<Result<Vec<_>, Error>>()?;
    let mut rng = Rng::with_seed(5);
    for edit in 0..count {
        let index = rng.usize(..functions.len());
        let function = &mut functions[index].1;
        let mut bindings: Vec<ir::Binding> =
            function.body.blocks.iter().flat_map(|block| block.bindings.clone()).collect();
        let at = rng.usize(..bindings.len());
        let mut binding = ir::VarBinding::try_from(bindings[at].clone())?;
        let mut call = ir::Call::try_from(binding.value.clone())?;
        call.make_mut().op = ir::Op::get(["relax.multiply", "relax.subtract", "relax.exp"][edit % 3])?.into();
        if edit % 3 == 1 {
            bindings.insert(at, VarBinding::new(ir::Var::new(ir::Id::new("new")), call).into());
        } else {
            if edit % 3 == 2 {
                call.make_mut().args = Array::from([binding.value.clone()]);
            }
            binding.make_mut().value = call.into();
            bindings[at] = binding.into();
        }
        let body = function.body.body.clone();
        function.make_mut().body = ir::SeqExpr::new([ir::BindingBlock::new(bindings)], body);
    }
    module.make_mut().functions = functions.into_iter().map(|(name, function)| (name, function.into())).collect();
    Ok(module.into())
}

/// The hash for a [`HashCache`](object_core::structural::HashCache).
#[must_use]
pub fn cached_hash() -> StructuralOptions {
    StructuralOptions::new().scopes(Scopes::Lexical)
}

/// Nested binders: `let v0 = 0 in let v1 = v0 + 1 in ...`.
#[must_use]
pub fn lets(count: usize) -> Workload {
    Workload::new(format!("lets-{count}"), move |_| {
        let vars: Vec<tir::Var> = (0..count).map(|i| prim_var(&format!("v{i}"))).collect();
        let value = |i: usize| -> PrimExpr {
            let number = IntImm::new(int32(), i as i64);
            if i == 0 { number.into() } else { tir::Add::new(int32(), vars[i - 1].clone(), number).into() }
        };
        let last: PrimExpr = vars.last().map_or_else(|| value(0), |var| var.clone().into());
        let all = (0..count).rev();
        all.fold(last, |body, i| tir::Let::new(int32(), vars[i].clone(), value(i), body).into()).into()
    })
}

fn add(a: PrimExpr, b: PrimExpr) -> PrimExpr {
    tir::Add::new(int32(), a, b).into()
}

fn leaf() -> PrimExpr {
    IntImm::new(int32(), 1).into()
}

/// `e = e + e`, `depth` times.
#[must_use]
pub fn ladder(depth: usize) -> Workload {
    Workload::new(format!("ladder-{depth}"), move |_| (0..depth).fold(leaf(), |e, _| add(e.clone(), e)).into())
}

/// A ladder that shares on every other level only: one side on odd levels, the other side on even levels.
#[must_use]
pub fn alternating(depth: usize) -> Workload {
    Workload::new(format!("alternating-{depth}"), move |side| {
        let twice = |e: PrimExpr, level: usize| {
            let twin = match e.downcast_ref::<tir::Add>() {
                Some(sum) if level % 2 == side as usize => add(sum.a.clone(), sum.b.clone()),
                _ => e.clone(),
            };
            add(e, twin)
        };
        (0..depth).fold(leaf(), twice).into()
    })
}

/// Layers of sums of two random nodes of the layer below, with different random choices on the two sides.
#[must_use]
pub fn butterfly(width: usize, depth: usize) -> Workload {
    Workload::new(format!("butterfly-{width}x{depth}"), move |side| {
        let mut rng = Rng::with_seed(side);
        let mut layer: Vec<PrimExpr> = (0..width).map(|_| leaf()).collect();
        for _ in 0..depth {
            layer =
                (0..width).map(|_| add(layer[rng.usize(..width)].clone(), layer[rng.usize(..width)].clone())).collect();
        }
        Array::from(layer).into()
    })
}

/// Sums of two random nodes among the latest hundred, so that almost all nodes are shared.
#[must_use]
pub fn shared(nodes: usize) -> Workload {
    Workload::new(format!("shared-{nodes}"), move |_| {
        let mut rng = Rng::with_seed(3);
        let mut all: Vec<PrimExpr> = (0..100).map(|value| IntImm::new(int32(), value).into()).collect();
        while all.len() < nodes {
            let latest = all.len() - 100..all.len();
            let [a, b] = [0, 1].map(|_| all[rng.usize(latest.clone())].clone());
            all.push(add(a, b));
        }
        Array::from(all.split_off(nodes - 100)).into()
    })
}

/// A chain of nodes with one child each.
#[must_use]
pub fn chain(depth: usize) -> Workload {
    Workload::new(format!("chain-{depth}"), move |_| {
        (0..depth).fold(leaf(), |e, _| tir::Cast::new(int32(), e).into()).into()
    })
}

/// A module in a file.
pub struct Module {
    /// The name of the file.
    pub name: String,
    /// The JSON graph.
    pub text: Vec<u8>,
}

/// Modules outside of the workspace, from its root.
const CORPUS: &str = "../shared/corpus/dev.tar.gz";

/// Reads a file, and unpacks it if its name ends in `.gz`.
///
/// # Errors
/// Errors of reading and unpacking.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut file = File::open(path)?;
    match path.extension().is_some_and(|extension| extension == "gz") {
        true => GzDecoder::new(file).read_to_end(&mut bytes)?,
        false => file.read_to_end(&mut bytes)?,
    };
    Ok(bytes)
}

/// The decoders of the fixtures, and the large modules of the corpus if it is present.
///
/// # Errors
/// Errors of reading and unpacking.
pub fn modules() -> io::Result<Vec<Module>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut modules = Vec::new();
    for name in ["decoder", "decoder_legalized"] {
        let text = read(&root.join("fixtures").join(name).with_extension("json.gz"))?;
        modules.push(Module { name: name.to_owned(), text });
    }
    let corpus = root.join(CORPUS);
    if !corpus.exists() {
        println!("skipped the large modules: there is no {CORPUS}");
        return Ok(modules);
    }
    for entry in tar::Archive::new(GzDecoder::new(File::open(corpus)?)).entries()? {
        let entry = entry?;
        let path = entry.path()?.to_string_lossy().into_owned();
        let name = path.rsplit_once("bench/").and_then(|(_, file)| file.strip_suffix(".json.gz"));
        if let Some(name) = name.map(str::to_owned) {
            let mut text = Vec::new();
            GzDecoder::new(entry).read_to_end(&mut text)?;
            modules.push(Module { name, text });
        }
    }
    modules.sort_by_key(|module| module.text.len());
    Ok(modules)
}
