//! A value with new bound variables is structurally equal to the original, for random graphs of binders under both
//! kinds of scopes; and all of its bound variables are new that can be.

use object_core::prelude::*;
use object_core::rewrite::{Substitution, alpha_rename};
use object_core::structural::Scopes;
use object_core::visit::{ScopeTypes, bound_vars};
use object_core::{StructuralOptions, structural_equal, structural_hash};
use proptest::prelude::*;

/// A variable.
#[derive(Object)]
#[object(type_key = "rename.Var")]
#[structural_eq(var)]
pub struct VarNode {
    /// The name, for messages.
    #[field(ignore)]
    pub name: Str,
    /// The type of the values.
    pub ty: Any,
}

/// A function.
#[derive(Object)]
#[object(type_key = "rename.Lambda")]
#[structural_eq(tree, scope)]
pub struct LambdaNode {
    /// The bound variables.
    #[field(def)]
    pub params: Array<Var>,
    /// The result.
    pub body: Any,
}

/// A name for a value.
#[derive(Object)]
#[object(type_key = "rename.Let")]
#[structural_eq(tree, scope)]
pub struct LetNode {
    /// The value, outside of the scope of the variable.
    #[field(outer)]
    pub value: Any,
    /// The bound variable.
    #[field(def_simple)]
    pub var: Var,
    /// The scope of the variable.
    pub body: Any,
}

/// A definition that is in force for everything after it.
#[derive(Object)]
#[object(type_key = "rename.Bind")]
#[structural_eq(tree)]
pub struct BindNode {
    /// The value, which is outside of the scope.
    #[field(outer)]
    pub value: Any,
    /// The bound variable.
    #[field(def)]
    pub var: Var,
}

/// Binds all variables in a value.
#[derive(Object)]
#[object(type_key = "rename.Define")]
#[structural_eq(tree)]
pub struct DefineNode {
    /// The value.
    #[field(def)]
    pub target: Any,
}

/// A node that is equal by the way that it is shared.
#[derive(Object)]
#[object(type_key = "rename.Node")]
#[structural_eq(dag)]
pub struct NodeNode {
    /// The content.
    pub content: Any,
}

/// Two values that are compared in the reverse order.
#[derive(Object)]
#[object(type_key = "rename.Swapped")]
#[structural_eq(tree, custom)]
pub struct SwappedNode {
    /// The value that is compared second.
    pub second: Any,
    /// The value that is compared first.
    pub first: Any,
    /// A value that is not compared.
    #[field(ignore)]
    pub note: Any,
}

impl StructuralHook for SwappedNode {
    fn structural_contents<'a>(&'a self, contents: &mut HookContents<'a>) {
        contents.add("first", &self.first);
        contents.add("second", &self.second);
    }
}

/// A variable whose name is part of its structure.
#[derive(Object)]
#[object(type_key = "rename.Named")]
#[structural_eq(var)]
pub struct NamedNode {
    /// The name.
    pub name: Str,
}

/// Builds an object. The numbers are earlier objects, counted from the end, and variables.
#[derive(Clone, Debug)]
enum Step {
    Var(usize),
    /// A new variable with a type.
    TypedVar(usize),
    Pair(usize, usize),
    Lambda(usize, usize),
    Lambda2(usize, usize, usize),
    Let(usize, usize, usize),
    Bind(usize, usize),
    Define(usize),
    Node(usize),
    Swapped(usize, usize, usize),
    Map(usize, usize, usize),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let (var, at) = (0..6usize, 0..6usize);
    let step = prop_oneof![
        3 => var.clone().prop_map(Step::Var),
        1 => at.clone().prop_map(Step::TypedVar),
        4 => (at.clone(), at.clone()).prop_map(|(a, b)| Step::Pair(a, b)),
        2 => (var.clone(), at.clone()).prop_map(|(var, body)| Step::Lambda(var, body)),
        1 => (var.clone(), var.clone(), at.clone()).prop_map(|(a, b, body)| Step::Lambda2(a, b, body)),
        2 => (at.clone(), var.clone(), at.clone()).prop_map(|(value, var, body)| Step::Let(value, var, body)),
        2 => (at.clone(), var).prop_map(|(value, var)| Step::Bind(value, var)),
        1 => at.clone().prop_map(Step::Define),
        1 => at.clone().prop_map(Step::Node),
        1 => (at.clone(), at.clone(), at.clone()).prop_map(|(a, b, note)| Step::Swapped(a, b, note)),
        1 => (at.clone(), at.clone(), at).prop_map(|(key, a, b)| Step::Map(key, a, b)),
    ];
    prop::collection::vec(step, 1..16)
}

fn build(steps: &[Step]) -> Any {
    let mut vars: Vec<Var> = ["x", "y", "z"].map(|name| Var::new(name, Any::None)).to_vec();
    let mut made: Vec<Any> = vec![Any::Int(0)];
    for step in steps {
        let at = |back: usize| made[made.len() - 1 - back % made.len()].clone();
        let var = |number: usize| vars[number % vars.len()].clone();
        let next = match step {
            Step::Var(number) => var(*number).into(),
            Step::TypedVar(ty) => {
                let var = Var::new(format!("t{}", vars.len()), at(*ty));
                vars.push(var.clone());
                var.into()
            }
            Step::Pair(a, b) => Array::from([at(*a), at(*b)]).into(),
            Step::Lambda(param, body) => Lambda::new([var(*param)], at(*body)).into(),
            Step::Lambda2(a, b, body) => Lambda::new([var(*a), var(*b)], at(*body)).into(),
            Step::Let(value, bound, body) => Let::new(at(*value), var(*bound), at(*body)).into(),
            Step::Bind(value, bound) => Bind::new(at(*value), var(*bound)).into(),
            Step::Define(target) => Define::new(at(*target)).into(),
            Step::Node(content) => Node::new(at(*content)).into(),
            Step::Swapped(a, b, note) => Swapped::new(at(*a), at(*b), at(*note)).into(),
            Step::Map(key, a, b) => Map::<Any, Any>::from([(at(*key), at(*a)), (Any::from("k"), at(*b))]).into(),
        };
        made.push(next);
    }
    made.swap_remove(made.len() - 1)
}

/// Steps without the types, maps, `dag` nodes and hooks that keep further variables.
fn plain_steps() -> impl Strategy<Value = Vec<Step>> {
    let is_plain =
        |step: &Step| matches!(step, Step::Var(_) | Step::Pair(..) | Step::Lambda(..) | Step::Let(..) | Step::Bind(..));
    steps().prop_map(move |steps| steps.into_iter().filter(is_plain).collect())
}

/// The definition of free and bound variables, over the unfolded value.
#[derive(Default)]
struct Occurrences {
    in_force: Vec<Var>,
    free: Vec<Var>,
    bound: Vec<Var>,
    /// The variables whose binding no scope ends.
    bound_to_the_end: Vec<Var>,
    /// How many open scopes end bindings.
    depth: usize,
    scopes_end: bool,
}

impl Occurrences {
    fn of(value: &Any, scopes_end: bool) -> Self {
        let mut all = Occurrences { scopes_end, ..Occurrences::default() };
        all.add(value);
        all
    }

    fn bind(&mut self, var: &Var) {
        self.in_force.push(var.clone());
        self.bound.push(var.clone());
        if self.depth == 0 {
            self.bound_to_the_end.push(var.clone());
        }
    }

    fn scope(&mut self, content: impl FnOnce(&mut Self)) {
        let before = self.in_force.len();
        self.depth += usize::from(self.scopes_end);
        content(self);
        if self.scopes_end {
            self.depth -= 1;
            self.in_force.truncate(before);
        }
    }

    fn add(&mut self, value: &Any) {
        if let Ok(var) = value.clone().cast::<Var>() {
            if !has(&self.in_force, &var) {
                self.free.push(var);
            }
        } else if let Ok(items) = value.clone().cast::<Array<Any>>() {
            items.iter().for_each(|item| self.add(&item));
        } else if let Ok(lambda) = value.clone().cast::<Lambda>() {
            self.scope(|this| {
                lambda.params.iter().for_each(|param| this.bind(&param));
                this.add(&lambda.body);
            });
        } else if let Ok(node) = value.clone().cast::<Let>() {
            self.scope(|this| {
                this.add(&node.value);
                this.bind(&node.var);
                this.add(&node.body);
            });
        } else if let Ok(node) = value.clone().cast::<Bind>() {
            self.add(&node.value);
            self.bind(&node.var);
        }
    }
}

fn has(vars: &[Var], var: &Var) -> bool {
    vars.iter().any(|it| it.ptr_eq(var))
}

fn cases(count: u32) -> ProptestConfig {
    let cases = std::env::var("RENAME_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(count);
    ProptestConfig { cases, failure_persistence: None, max_shrink_iters: 100_000, ..ProptestConfig::default() }
}

fn lexical() -> StructuralOptions {
    StructuralOptions::new().scopes(Scopes::Lexical)
}

fn rename_in_scopes(root: &Any) -> Any {
    Substitution::new().scopes(ScopeTypes::marked()).rename_bound(true).run(root.clone()).expect("renamed")
}

proptest! {
    #![proptest_config(cases(3_000))]

    #[test]
    fn a_renamed_value_is_equal(steps in steps()) {
        let root = build(&steps);
        let renamed = alpha_rename(root.clone()).expect("renamed");
        prop_assert!(structural_equal(&root, &renamed), "{root:?}\n{renamed:?}");
        prop_assert_eq!(structural_hash(&root), structural_hash(&renamed));
    }

    #[test]
    fn a_renamed_value_is_equal_in_scopes(steps in steps()) {
        let root = build(&steps);
        let renamed = rename_in_scopes(&root);
        prop_assert!(lexical().equal(&root, &renamed).expect("comparable"), "{root:?}\n{renamed:?}");
        prop_assert_eq!(lexical().hash(&root).expect("comparable"), lexical().hash(&renamed).expect("comparable"));
    }

    #[test]
    fn all_variables_are_new_that_can_be(steps in plain_steps(), scopes_end in any::<bool>()) {
        let root = build(&steps);
        let renamed = if scopes_end { rename_in_scopes(&root) } else { alpha_rename(root.clone()).expect("renamed") };
        let (old, new) = (Occurrences::of(&root, scopes_end), Occurrences::of(&renamed, scopes_end));
        for var in &old.bound {
            let stays = has(&old.bound_to_the_end, var) && has(&old.free, var);
            prop_assert_eq!(has(&new.bound, var), stays, "{:?}: {:?}\n{:?}", var, root, renamed);
        }
        prop_assert!(old.free.iter().all(|var| has(&new.free, var)));
        prop_assert!(new.free.iter().all(|var| has(&old.free, var)));
    }
}

/// Checks a value that keeps the bound variables `kept` and no others, under both kinds of scopes.
fn check(root: impl Into<Any>, kept: &[&Var]) {
    let root = root.into();
    let (renamed, in_scopes) = (alpha_rename(root.clone()).expect("renamed"), rename_in_scopes(&root));
    assert!(structural_equal(&root, &renamed), "{root:?}\n{renamed:?}");
    assert!(lexical().equal(&root, &in_scopes).expect("comparable"), "{root:?}\n{in_scopes:?}");
    let old = bound_vars(&root);
    let same: Vec<ObjectRef> =
        bound_vars(&renamed).into_iter().filter(|var| old.iter().any(|old| old.ptr_eq(var))).collect();
    assert_eq!(same.len(), kept.len(), "{root:?}\n{renamed:?}");
    assert!(kept.iter().all(|var| same.iter().any(|same| same.ptr_eq(var.as_object()))), "{renamed:?}");
}

fn var(name: &str) -> Var {
    Var::new(name, Any::None)
}

fn id(var: &Var) -> Any {
    Any::new(Lambda::new([var.clone()], var.clone()))
}

fn pair(a: impl Into<Any>, b: impl Into<Any>) -> Any {
    Any::new(Array::from([a.into(), b.into()]))
}

#[test]
fn a_variable_that_is_used_before_its_binder_stays() {
    let (x, y) = (var("x"), var("y"));
    check(pair(x.clone(), pair(id(&x), id(&y))), &[&x]);
    check(pair(id(&x), x.clone()), &[]);
    // In a scope, the binder is another variable.
    let renamed = rename_in_scopes(&pair(x.clone(), id(&x)));
    assert_eq!(bound_vars(&renamed).len(), 1);
    assert!(!bound_vars(&renamed)[0].ptr_eq(x.as_object()));
}

#[test]
fn a_free_variable_stays_with_the_binders_in_its_type() {
    let (x, y) = (var("x"), var("y"));
    let typed = Var::new("t", id(&x));
    check(pair(id(&y), typed.clone()), &[&x]);
    check(pair(id(&x), pair(typed.clone(), x.clone())), &[&x]);
    // A variable that is bound gets a new type with its new identity.
    check(Lambda::new([typed.clone()], pair(typed, x.clone())), &[]);
}

#[test]
fn keys_of_maps_and_what_is_in_them_stay() {
    let (x, y) = (var("x"), var("y"));
    let keyed = |key: Any| Any::new(Map::<Any, Any>::from([(key, Any::Int(1))]));
    check(pair(keyed(id(&x)), id(&y)), &[&x]);
    check(Lambda::new([x.clone()], keyed(x.clone().into())), &[]);
}

#[test]
fn a_compared_name_stays() {
    let x = Named::new("x");
    let root = pair(Define::new(Any::new(x.clone())), x.clone());
    let renamed = alpha_rename(root.clone()).expect("renamed");
    assert!(structural_equal(&root, &renamed));
    assert!(!bound_vars(&renamed)[0].ptr_eq(x.as_object()));
}

#[test]
fn a_binder_in_the_type_of_a_binder_binds_the_variables_of_its_type() {
    let x = var("x");
    let inner = Let::new(0, Var::new("inner", x.clone()), Any::None);
    let outer = Var::new("outer", inner);
    check(Lambda::new([outer.clone()], Any::None), &[]);
    check(Lambda::new([outer, x.clone()], x), &[]);
}
