//! Mutations of good modules: each breaks one rule, and the checker reports this rule once.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::fs;

use object_core::json;
use object_core::prelude::*;
use object_core::rewrite::mutate;
use object_ir::ir::{
    BaseFunc, Binding, BindingBlock, Call, DataflowBlock, DictAttrs, Function, GlobalVar, IRModule, ObjectStructInfo,
    Op, RelaxExpr, SeqExpr, TupleGetItem, Var, VarBinding,
};
use object_relax::well_formed::{Checker, Diagnostic, Level, Profile, Report, Rule, all_rules, find_rule};
use object_tests::notation;

use crate::common::{corpus, fixture, report};

const FIXTURES: [&str; 2] = ["mlp.json.gz", "decoder.json.gz"];

/// The rules that a further function cannot break, with the reason.
const ONLY_WHOLE_PROGRAMS: [(&str, &str); 2] = [
    ("not-a-program", "the root is a module"),
    ("no-entry-point", "the module has an entry point; a mutation below removes it"),
];

fn module(name: &str) -> IRModule {
    json::from_slice(&fixture(name)).expect("the fixture is a module")
}

fn checker(rule: &'static Rule) -> Checker {
    if rule.level(Profile::Spec) == Level::Allow {
        Checker::new().deny(rule.name).expect("a rule")
    } else {
        Checker::new()
    }
}

/// The violations in `changed` that are not in `module`.
fn new_violations(checker: &Checker, module: &IRModule, changed: &Any) -> Vec<Diagnostic> {
    let key = |it: &Diagnostic| format!("{it}");
    let before: Report = checker.check(module);
    let known: BTreeSet<String> = before.diagnostics.iter().map(key).collect();
    checker.check(changed).diagnostics.into_iter().filter(|it| !known.contains(&key(it))).collect()
}

#[test]
fn the_fixtures_are_well_formed() {
    for name in FIXTURES {
        let report = Checker::new().check(&module(name));
        assert!(report.is_well_formed(), "{name}: {report}");
    }
}

/// The fixtures, and well-formed modules of the corpus if it is present. Their functions have other names than the ones of
/// the examples.
fn modules() -> Vec<(String, IRModule)> {
    let fixtures = FIXTURES.iter().map(|name| ((*name).to_owned(), with_host_names(&module(name))));
    let mut found: Vec<(String, IRModule)> = fixtures.collect();
    let Some(dir) = corpus() else { return found };
    let mut files: Vec<_> =
        fs::read_dir(dir.join("modules")).expect("a folder").flatten().map(|it| it.path()).collect();
    files.sort();
    // A part of the corpus, so that the test takes seconds.
    for path in files.iter().step_by(101) {
        let text = fs::read(path).expect("a file");
        let Ok(module) = json::from_slice::<IRModule>(&text) else { continue };
        if Checker::new().check(&module).is_well_formed() {
            found.push((path.file_name().unwrap_or_default().to_string_lossy().into_owned(), with_host_names(&module)));
        }
    }
    found
}

fn example(rule: &Rule) -> IRModule {
    notation::parse(rule.failing).and_then(|it| it.cast().map_err(|error| error.to_string())).expect("a module")
}

/// The module with these functions. A name stands for its last function.
fn with_functions(module: &IRModule, functions: Vec<(GlobalVar, BaseFunc)>) -> IRModule {
    let mut names: Vec<(Str, GlobalVar)> = Vec::new();
    for (var, _) in &functions {
        names.retain(|(name, _)| *name != var.name_hint);
        names.push((var.name_hint.clone(), var.clone()));
    }
    let mut changed = module.clone();
    changed.make_mut().functions = Map::new(functions);
    changed.make_mut().global_var_map = Map::new(names);
    changed
}

/// The module with other names of its functions.
fn with_host_names(module: &IRModule) -> IRModule {
    let host = |name: &str| Str::from(format!("host_{name}"));
    let renamed = mutate(module.clone(), |var: &GlobalVar, _| {
        Some(var.clone().with_changes(|var| var.name_hint = host(&var.name_hint)))
    });
    let symbol = Str::from("global_symbol");
    let renamed = mutate(renamed.expect("renamed variables"), |attrs: &DictAttrs, _| {
        let name: Str = attrs.dict.get(&symbol)?.cast().ok()?;
        let entries = attrs.dict.iter().map(|(key, value)| match key == symbol {
            true => (key, Any::from(host(&name))),
            false => (key, value),
        });
        Some(DictAttrs::new(Map::new(entries.collect::<Vec<_>>())))
    });
    let renamed = renamed.expect("renamed symbols");
    with_functions(&renamed, renamed.functions.iter().collect())
}

/// Adds the functions of a rule's failing example to the module.
fn graft(module: &IRModule, rule: &Rule) -> Option<IRModule> {
    Some(with_functions(module, module.functions.iter().chain(example(rule).functions.iter()).collect()))
}

/// Continues the first function of the module with the first function of a rule's failing example: its parameters, its
/// blocks and its result, which becomes the value of a binding. The other functions of the example come too.
fn splice(module: &IRModule, rule: &Rule) -> Option<IRModule> {
    let example = example(rule);
    let (guest_var, guest) = example.functions.iter().next()?;
    let guest = guest.downcast_ref::<Function>()?;
    let mut functions: Vec<(GlobalVar, BaseFunc)> = module.functions.iter().collect();
    // A function whose calls may have side effects hides violations of the rules about purity.
    let is_host = |function: &BaseFunc| {
        let is_pure = function.downcast_ref::<Function>().is_some_and(|function| function.is_pure);
        is_pure && !function.attrs.dict.contains_key(&Str::from("relax.force_pure"))
    };
    let at = functions.iter().position(|(_, function)| is_host(function))?;
    let mut host = functions[at].1.downcast_ref::<Function>()?.clone();
    let mut blocks: Vec<BindingBlock> = host.body.blocks.iter().collect();
    let is_dataflow = |block: &BindingBlock| block.is::<DataflowBlock>();
    for (index, block) in guest.body.blocks.iter().enumerate() {
        match blocks.last_mut() {
            // The first block continues the last one of the host, which the normal form demands.
            Some(last) if index == 0 && is_dataflow(last) == is_dataflow(&block) && !block.bindings.is_empty() => {
                let bindings: Vec<Binding> = last.bindings.iter().chain(block.bindings.iter()).collect();
                last.make_mut().bindings = Array::new(bindings);
            }
            _ => blocks.push(block),
        }
    }
    let result = guest.body.body.clone();
    if !guest.params.iter().any(|param| result.ptr_eq(&param)) {
        let mut var = Var::named("result");
        var.make_mut().struct_info = Some(result.struct_info.clone().unwrap_or_else(|| ObjectStructInfo::new().into()));
        let binding: Binding = VarBinding::new(var, result).into();
        match blocks.last_mut().filter(|block| !is_dataflow(block)) {
            Some(last) => {
                let bindings: Vec<Binding> = last.bindings.iter().chain([binding]).collect();
                last.make_mut().bindings = Array::new(bindings);
            }
            None => blocks.push(BindingBlock::new([binding])),
        }
    }
    let params: Vec<Var> = host.params.iter().chain(guest.params.iter()).collect();
    let node = host.make_mut();
    node.params = Array::new(params);
    node.body.make_mut().blocks = Array::new(blocks);
    node.is_pure &= guest.is_pure;
    if rule.failing.contains("forced fn") {
        let entries = node.attrs.dict.iter().chain([(Str::from("relax.force_pure"), Any::from(true))]);
        node.attrs = DictAttrs::new(Map::new(entries.collect::<Vec<_>>()));
    }
    functions[at].1 = host.into();
    functions.extend(example.functions.iter().filter(|(var, _)| !var.ptr_eq(&guest_var)));
    Some(with_functions(module, functions))
}

/// The rules whose example does not break them in another function, with the reason.
const NOT_SPLICED: &[(&str, &str)] = &[
    ("recursion-in-dataflow", "the example calls the function around the block by its own name"),
    ("duplicate-function-name", "about the names of functions"),
    ("global-symbol-name", "about the name of a function"),
    ("missing-return-annotation", "about the annotation of the result of a function"),
    ("return-shape-var-unbound", "about the annotation of the result of a function"),
    ("result-annotation", "about the annotation of the result of a function"),
    ("possible-result", "about the annotation of the result of a function"),
];

/// Changes each module by the failing example of each rule, and checks that the example's rule is violated, once, and no
/// other rule. Prints the number of checked modules for each rule.
fn check_mutants(what: &str, exempt: &[(&str, &str)], mutate: impl Fn(&IRModule, &Rule) -> Option<IRModule>) {
    let (mut wrong, mut checked) = (Vec::new(), 0);
    let modules = modules();
    for rule in all_rules() {
        if ONLY_WHOLE_PROGRAMS.iter().chain(exempt).any(|(name, _)| *name == rule.name) {
            continue;
        }
        let mut count = 0;
        for (name, module) in &modules {
            let Some(changed) = mutate(module, rule) else { continue };
            count += 1;
            let found = new_violations(&checker(rule), module, &changed.into());
            if !matches!(found.as_slice(), [only] if only.rule == rule) {
                let texts: Vec<String> = found.iter().map(ToString::to_string).collect();
                wrong.push(format!("{} in {name}: {texts:#?}", rule.name));
            }
        }
        let has_function = example(rule).functions.iter().any(|(_, function)| function.is::<Function>());
        assert!(count >= FIXTURES.len() || !has_function, "{}: the example fits no module", rule.name);
        println!("{what}: {}: {count}", rule.name);
        checked += count;
    }
    report(&wrong, checked);
}

#[test]
fn a_further_function_breaks_its_rule() {
    check_mutants("a further function", &[], graft);
}

#[test]
fn further_bindings_of_a_function_break_their_rule() {
    check_mutants("further bindings", NOT_SPLICED, splice);
}

/// Changes the first object for which `change` has a result.
fn first<H>(module: &IRModule, change: impl Fn(&H) -> Option<H>) -> Option<Any>
where
    H: object_core::ObjectHandle + object_core::FieldType,
    Any: From<H>,
{
    let is_done = Cell::new(false);
    let changed = mutate(module.clone(), |object: &H, _| {
        if is_done.get() {
            return None;
        }
        let changed = change(object)?;
        is_done.set(true);
        Some(changed)
    });
    Some(object_core::FieldType::into_any(changed.ok()?)).filter(|_| is_done.get())
}

/// Changes the bindings of the first block with a result.
fn first_block(module: &IRModule, change: impl Fn(&[Binding]) -> Option<Vec<Binding>>) -> Option<Any> {
    first(module, |block: &BindingBlock| {
        let changed = change(block.bindings.as_slice())?;
        let mut block = block.clone();
        block.make_mut().bindings = Array::new(changed);
        Some(block)
    })
}

fn first_sequence(module: &IRModule, change: impl Fn(&SeqExpr) -> SeqExpr) -> Option<Any> {
    first(module, |sequence: &SeqExpr| (!sequence.blocks.is_empty()).then(|| change(sequence)))
}

/// The rule, and a mutation that breaks it.
type Mutation = (&'static str, fn(&IRModule) -> Option<Any>);

const MUTATIONS: &[Mutation] = &[
    ("no-entry-point", |module| {
        // The mutation changes functions of Relax only.
        let is_entry = |function: &BaseFunc| function.attrs.dict.contains_key(&Str::from("global_symbol"));
        let entries: Vec<BaseFunc> = module.functions.iter().map(|it| it.1).filter(is_entry).collect();
        if entries.is_empty() || !entries.iter().all(|entry| entry.is::<Function>()) {
            return None;
        }
        mutate(module.clone(), |function: &Function, _| {
            let mut function = function.clone();
            function.make_mut().attrs = DictAttrs::new(Map::<Str, Any>::new([]));
            Some(function)
        })
        .ok()
        .map(Any::from)
    }),
    ("unbound-var", |module| {
        first(module, |call: &Call| {
            let mut args: Vec<RelaxExpr> = call.args.iter().collect();
            let at = args.iter().position(|it| it.downcast_ref::<Var>().is_some())?;
            let mut free = Var::named("free");
            free.make_mut().struct_info = args[at].struct_info.clone();
            args[at] = free.into();
            let mut call = call.clone();
            call.make_mut().args = Array::new(args);
            Some(call)
        })
    }),
    ("var-bound-twice", |module| {
        first_block(module, |bindings| {
            let mut bindings = bindings.to_vec();
            bindings.push(bindings.last()?.clone());
            Some(bindings)
        })
    }),
    ("empty-block", |module| {
        first_sequence(module, |sequence| {
            let mut blocks: Vec<BindingBlock> = sequence.blocks.iter().collect();
            blocks.push(BindingBlock::new([]));
            let mut sequence = sequence.clone();
            sequence.make_mut().blocks = Array::new(blocks);
            sequence
        })
    }),
    ("unmerged-blocks", |module| {
        first_sequence(module, |sequence| {
            let block = |name| {
                let mut var = Var::named(name);
                var.make_mut().struct_info = sequence.body.struct_info.clone();
                BindingBlock::new([VarBinding::new(var, sequence.body.clone()).into()])
            };
            let mut blocks: Vec<BindingBlock> = sequence.blocks.iter().collect();
            let is_dataflow = blocks.last().is_some_and(|it| it.downcast_ref::<DataflowBlock>().is_some());
            blocks.extend(if is_dataflow { vec![block("p"), block("q")] } else { vec![block("p")] });
            let mut sequence = sequence.clone();
            sequence.make_mut().blocks = Array::new(blocks);
            sequence
        })
    }),
    ("nested-expression", |module| {
        first(module, |binding: &VarBinding| {
            let mut call = binding.value.downcast_ref::<Call>()?.clone();
            call.op.downcast_ref::<Op>().filter(|op| &*op.name == "relax.add")?;
            let inner = call.args.get(0)?.clone();
            let mut exp = Call::new(Op::get("relax.exp").ok()?, Array::new([inner.clone()]), None, []);
            exp.make_mut().struct_info = inner.struct_info.clone();
            let mut args: Vec<RelaxExpr> = call.args.iter().collect();
            args[0] = exp.into();
            call.make_mut().args = Array::new(args);
            Some(VarBinding::new(&binding.var, call))
        })
    }),
    ("sequence-as-value", |module| {
        first(module, |binding: &VarBinding| {
            let call = binding.value.downcast_ref::<Call>()?.clone();
            call.op.downcast_ref::<Op>()?;
            let mut inner = Var::named("inner");
            inner.make_mut().struct_info = call.struct_info.clone();
            let block = BindingBlock::new([VarBinding::new(&inner, call.clone()).into()]);
            let mut value = SeqExpr::new([block], &inner);
            value.make_mut().struct_info = call.struct_info.clone();
            Some(VarBinding::new(&binding.var, value))
        })
    }),
    ("op-not-callee", |module| {
        first_sequence(module, |sequence| {
            let mut blocks: Vec<BindingBlock> = sequence.blocks.iter().collect();
            let op = Op::get("relax.add").expect("an operator");
            if let Some(last) = blocks.last_mut() {
                let mut bindings: Vec<Binding> = last.bindings.iter().collect();
                let mut var = Var::named("op");
                var.make_mut().struct_info = Some(object_ir::ir::ObjectStructInfo::new().into());
                bindings.push(VarBinding::new(var, op).into());
                last.make_mut().bindings = Array::new(bindings);
            }
            let mut sequence = sequence.clone();
            sequence.make_mut().blocks = Array::new(blocks);
            sequence
        })
    }),
    ("global-symbol-name", |module| {
        first(module, |function: &Function| {
            let mut function = function.clone();
            let other: (Str, Any) = (Str::from("global_symbol"), Str::from("other").into());
            function.make_mut().attrs = DictAttrs::new(Map::new([other]));
            Some(function)
        })
    }),
    ("call-annotation", |module| {
        first(module, |binding: &VarBinding| {
            let mut call = binding.value.downcast_ref::<Call>()?.clone();
            call.op.downcast_ref::<Op>().filter(|op| &*op.name == "relax.add")?;
            call.make_mut().struct_info = Some(object_ir::ir::ShapeStructInfo::unknown().into());
            let mut binding = binding.clone();
            binding.make_mut().value = call.into();
            Some(binding)
        })
    }),
    ("expression-annotation", |module| {
        first(module, |binding: &VarBinding| {
            let mut item = binding.value.downcast_ref::<TupleGetItem>()?.clone();
            item.make_mut().struct_info = Some(object_ir::ir::ShapeStructInfo::unknown().into());
            let mut binding = binding.clone();
            binding.make_mut().value = item.into();
            Some(binding)
        })
    }),
    ("expression-annotation", |module| {
        first(module, |function: &Function| {
            let mut function = function.clone();
            function.make_mut().body.make_mut().struct_info = Some(object_ir::ir::ShapeStructInfo::unknown().into());
            Some(function)
        })
    }),
];

#[test]
fn mutations_break_one_rule_once() {
    let mut wrong = Vec::new();
    let mut applied = 0;
    let modules = modules();
    for (name, mutation) in MUTATIONS {
        let rule = find_rule(name).expect("a rule");
        let mut count = 0;
        for (file, module) in &modules {
            let Some(changed) = mutation(module) else { continue };
            count += 1;
            let found = new_violations(&checker(rule), module, &changed);
            if !matches!(found.as_slice(), [only] if only.rule == rule) {
                let texts: Vec<String> = found.iter().map(ToString::to_string).collect();
                wrong.push(format!("{name} in {file}: {texts:#?}"));
            }
        }
        if count == 0 {
            wrong.push(format!("{name}: the mutation fits no module"));
        }
        println!("a change in place: {name}: {count}");
        applied += count;
    }
    report(&wrong, applied);
}
