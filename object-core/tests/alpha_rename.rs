//! A value with new bound variables is structurally equal to the original, for random graphs of binders under both
//! kinds of scopes; and it has new variables in all places where the documentation promises them.

use object_core::prelude::*;
use object_core::rewrite::{Substitution, alpha_rename};
use object_core::structural::Scopes;
use object_core::visit::{ScopeTypes, bound_vars, free_vars};
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
}
