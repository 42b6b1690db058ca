//! Scopes that export bindings, in the language of relational operators: equality, hash, tables, diff, free variables and
//! substitution agree with plans whose columns have numbers instead of names.

use std::collections::HashMap;
use std::fmt::Write;

use object_core::lexical::{self, alpha_rename, free_vars, substitute};
use object_core::prelude::*;
use object_core::structural::{HashCache, Interner, MismatchReason, Scopes};
use proptest::prelude::*;

/// A column.
#[derive(Object)]
#[object(type_key = "exports.Column")]
#[structural_eq(var)]
pub struct ColumnNode {
    /// The name.
    #[field(ignore)]
    pub name: Str,
}

/// An operator with rows of columns.
#[derive(Object)]
#[object(type_key = "exports.Plan", base)]
pub struct PlanNode {}

/// Reads a table.
#[derive(Object)]
#[object(type_key = "exports.Scan", parent = PlanNode)]
#[structural_eq(tree, scope)]
pub struct ScanNode {
    /// The plan.
    pub base: PlanNode,
    /// The columns of the table.
    #[field(def, export)]
    pub columns: Array<Column>,
}

/// The rows for which a column is true. It has the columns of the input.
#[derive(Object)]
#[object(type_key = "exports.Filter", parent = PlanNode)]
#[structural_eq(tree)]
pub struct FilterNode {
    /// The plan.
    pub base: PlanNode,
    /// The rows.
    pub input: Plan,
    /// The condition.
    pub condition: Array<Column>,
}

/// Computes columns, and hides the columns of the input.
#[derive(Object)]
#[object(type_key = "exports.Project", parent = PlanNode)]
#[structural_eq(tree, scope)]
pub struct ProjectNode {
    /// The plan.
    pub base: PlanNode,
    /// The rows.
    #[field(outer)]
    pub input: Plan,
    /// The values of the columns.
    #[field(outer)]
    pub values: Array<Column>,
    /// The columns.
    #[field(def, export)]
    pub columns: Array<Column>,
}

/// All pairs of rows.
#[derive(Object)]
#[object(type_key = "exports.Join", parent = PlanNode)]
#[structural_eq(tree)]
pub struct JoinNode {
    /// The plan.
    pub base: PlanNode,
    /// The left rows.
    pub left: Plan,
    /// The right rows.
    pub right: Plan,
}

/// The rows of several plans.
#[derive(Object)]
#[object(type_key = "exports.Union", parent = PlanNode)]
#[structural_eq(tree, scope)]
pub struct UnionNode {
    /// The plan.
    pub base: PlanNode,
    /// The plans.
    #[field(outer)]
    pub inputs: Array<Plan>,
    /// The columns of all of them.
    #[field(def, export)]
    pub columns: Array<Column>,
}

/// Hides the columns of a plan, and has the columns of another one.
#[derive(Object)]
#[object(type_key = "exports.With", parent = PlanNode)]
#[structural_eq(tree, scope)]
pub struct WithNode {
    /// The plan.
    pub base: PlanNode,
    /// The hidden plan.
    pub value: Plan,
    /// The plan that uses its columns.
    #[field(export)]
    pub body: Plan,
    /// What the plan is not.
    pub unless: Option<Plan>,
}

fn column(name: &str) -> Column {
    Column::new(name)
}

fn scan(columns: &[&Column]) -> Plan {
    Scan::new(columns.iter().copied()).into()
}

fn filter(input: &Plan, condition: &Column) -> Plan {
    Filter::new(input, [condition.clone()]).into()
}

fn project(input: &Plan, value: &Column, column: &Column) -> Plan {
    Project::new(input, [value.clone()], [column.clone()]).into()
}

fn options() -> StructuralOptions {
    lexical::options()
}

/// Whether two plans are equal, by every operation that says so.
#[track_caller]
fn are_equal(a: &Plan, b: &Plan) -> bool {
    let equal = lexical::structural_equal(a, b);
    assert_eq!(equal, lexical::structural_equal(b, a), "symmetry");
    assert!(lexical::structural_equal(a, a));
    assert_eq!(equal, lexical::structural_first_mismatch(a, b).unwrap().is_none(), "the first mismatch");
    assert_eq!(equal, lexical::structural_diff(a, b).unwrap().is_empty(), "the diff");
    if equal {
        assert_eq!(lexical::structural_hash(a), lexical::structural_hash(b));
    }
    let mut cache = HashCache::new();
    for plan in [a, b, a] {
        assert_eq!(options().hash_cached(plan, &mut cache).unwrap(), lexical::structural_hash(plan));
    }
    let interner = Interner::with_scopes(Scopes::Lexical);
    let [x, y] = [a, b].map(|plan| interner.intern_all(plan.clone()).unwrap());
    assert_eq!(equal, x.ptr_eq(&y), "the interner");
    for (plan, interned) in [(a, x), (b, y)] {
        assert!(lexical::structural_equal(plan, &interned), "an interned plan");
        let renamed = alpha_rename(plan.clone()).unwrap();
        assert!(lexical::structural_equal(plan, &renamed), "a renamed plan");
    }
    equal
}

#[test]
fn a_projection_hides_the_columns_of_its_input() {
    let (c, o) = (column("c"), column("o"));
    let projected = project(&scan(&[&c]), &c, &o);
    assert!(free_vars(&filter(&projected, &o)).is_empty());
    let of_hidden = filter(&projected, &c);
    assert_eq!(free_vars(&of_hidden), [ObjectRef::from(&c)]);
    // A free column gets a value, and the hidden one of the same name keeps its place.
    let d = column("d");
    let replaced = substitute(of_hidden.clone(), [(&c, &d)]).unwrap();
    assert!(are_equal(&replaced, &filter(&projected, &d)) && !are_equal(&replaced, &of_hidden));
    // A value of an exported column does not reach its uses.
    let used = filter(&projected, &o);
    assert!(are_equal(&substitute(used.clone(), [(&o, &d)]).unwrap(), &used));
}

#[test]
fn shared_branches_of_a_union_equal_rebuilt_ones() {
    let branch = || {
        let c = column("c");
        filter(&scan(&[&c]), &c)
    };
    let (o, shared) = (column("o"), branch());
    let union = |inputs: [Plan; 2], o: &Column| Plan::from(Union::new(inputs, [o.clone()]));
    let copies = union([branch(), branch()], &column("p"));
    assert!(are_equal(&union([shared.clone(), shared.clone()], &o), &copies));
    let (c, d) = (column("c"), column("d"));
    let swapped = union([filter(&scan(&[&c]), &c), filter(&scan(&[&d]), &c)], &o);
    assert!(!are_equal(&swapped, &copies));
}

#[test]
fn an_export_hides_the_earlier_export_of_a_column() {
    let [a, b, c] = ["a", "b", "c"].map(column);
    let join = |left: &Plan, right: &Plan| Plan::from(Join::new(left, right));
    // The second scan binds `a` anew.
    let twice = join(&scan(&[&a]), &scan(&[&a]));
    assert!(are_equal(&filter(&twice, &a), &filter(&join(&scan(&[&b]), &scan(&[&c])), &c)));
    assert!(!are_equal(&filter(&twice, &a), &filter(&join(&scan(&[&b]), &scan(&[&c])), &b)));
    // What hides an exported column after the field ends with the scope.
    let with = |value: &Column, body: &Column, unless: &Column| {
        Plan::from(With::new(scan(&[value]), scan(&[body]), Some(scan(&[unless]))))
    };
    assert!(are_equal(&filter(&with(&a, &a, &a), &a), &filter(&with(&a, &b, &c), &b)));
    assert!(!are_equal(&filter(&with(&a, &a, &a), &a), &filter(&with(&a, &b, &c), &c)));
}

#[test]
fn a_definition_region_binds_an_exported_column_anew() {
    let [a, b, c] = ["a", "b", "c"].map(column);
    let passed = |a: &Column, b: &Column| project(&scan(&[a]), a, b);
    assert!(are_equal(&filter(&passed(&a, &a), &a), &filter(&passed(&b, &c), &c)));
    assert!(free_vars(&filter(&passed(&a, &a), &a)).is_empty());
}

#[test]
fn a_diff_names_where_an_export_was_bound() {
    let [a, b] = ["a", "b"].map(column);
    let side = |used: &Column| {
        let tower = (0..6).fold(scan(&[&a, &b]), |plan, _| Join::new(&plan, &plan).into());
        filter(&tower, used)
    };
    let found = lexical::structural_diff(&side(&a), &side(&b)).unwrap();
    assert_eq!(found.len(), 1, "{found:?}");
    let MismatchReason::Binding { lhs: Some(lhs), rhs: Some(rhs) } = &found[0].reason else { panic!("{found:?}") };
    let rights = ".right".repeat(6);
    assert_eq!(lhs.lhs.to_string(), format!("<root>.input{rights}.columns[0]"));
    assert_eq!(rhs.rhs.to_string(), format!("<root>.input{rights}.columns[1]"));
}

/// A plan as a list of operators, each over earlier ones, with columns by number.
#[derive(Clone, Copy, Debug)]
enum Step {
    Scan(u8, u8),
    Filter(u8, u8),
    Project(u8, u8, u8),
    Join(u8, u8),
    Union(u8, u8, u8),
    With(u8, u8, Option<u8>),
}

/// The number of different columns.
const COLUMNS: u8 = 4;

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let (plan, column) = (any::<u8>(), 0..COLUMNS);
    let step = prop_oneof![
        2 => (column.clone(), column.clone()).prop_map(|(a, b)| Step::Scan(a, b)),
        2 => (plan, column.clone()).prop_map(|(input, a)| Step::Filter(input, a)),
        2 => (plan, column.clone(), column.clone()).prop_map(|(input, a, b)| Step::Project(input, a, b)),
        2 => (plan, plan).prop_map(|(left, right)| Step::Join(left, right)),
        1 => (plan, plan, column).prop_map(|(left, right, a)| Step::Union(left, right, a)),
        1 => (plan, plan, prop::option::of(plan)).prop_map(|(value, body, unless)| Step::With(value, body, unless)),
    ];
    prop::collection::vec(step, 1..14)
}

fn build(steps: &[Step], columns: &[Column]) -> Plan {
    let mut plans = vec![scan(&[&columns[0]])];
    for step in steps {
        let column = |number: u8| &columns[usize::from(number)];
        // Late plans, so that most of them are parts of the last one.
        let plan = |number: u8| &plans[plans.len() - 1 - usize::from(number) % plans.len().min(3)];
        let next = match *step {
            Step::Scan(a, b) => scan(&[column(a), column(b)]),
            Step::Filter(input, a) => filter(plan(input), column(a)),
            Step::Project(input, a, b) => project(plan(input), column(a), column(b)),
            Step::Join(left, right) => Join::new(plan(left), plan(right)).into(),
            Step::Union(left, right, a) => {
                let inputs = [plan(left), plan(right)];
                Union::new(inputs.into_iter(), [column(a).clone()]).into()
            }
            Step::With(value, body, unless) => {
                With::new(plan(value), plan(body), unless.map(|unless| plan(unless).clone())).into()
            }
        };
        plans.push(next);
    }
    plans.pop().expect("a plan")
}

/// A plan with a new column for each binding, so that no two places bind one column.
#[derive(Default)]
struct Nameless {
    text: String,
    /// The columns that have a number, by address, with their numbers.
    scope: HashMap<usize, usize>,
    bound: usize,
    free: Vec<ObjectRef>,
}

impl Nameless {
    fn of(plan: &Plan) -> Self {
        let mut nameless = Nameless::default();
        nameless.plan(plan);
        nameless
    }

    fn word(&mut self, word: impl std::fmt::Display) {
        write!(self.text, "{word} ").expect("a text grows");
    }

    fn use_all(&mut self, columns: &Array<Column>) {
        for column in columns {
            match self.scope.get(&column.as_object().view().address()) {
                Some(number) => self.word(*number),
                None => {
                    self.word(format_args!("free {}", column.name));
                    let free = column.as_object().clone();
                    if !self.free.contains(&free) {
                        self.free.push(free);
                    }
                }
            }
        }
    }

    /// Binds the columns in a new scope that exports them to `outer`.
    fn bind_all(&mut self, columns: &Array<Column>, outer: &mut HashMap<usize, usize>) {
        let mut own = HashMap::new();
        for column in columns {
            let next = self.bound;
            let number = *own.entry(column.as_object().view().address()).or_insert(next);
            self.bound = self.bound.max(number + 1);
            self.word(number);
        }
        outer.extend(own);
    }

    /// Leaves the columns that `plan` has in the scope.
    fn plan(&mut self, plan: &Plan) {
        self.word(plan.as_object().view().type_key());
        if let Some(plan) = plan.downcast_ref::<Scan>() {
            let mut scope = std::mem::take(&mut self.scope);
            self.bind_all(&plan.columns, &mut scope);
            self.scope = scope;
        } else if let Some(plan) = plan.downcast_ref::<Filter>() {
            self.plan(&plan.input);
            self.use_all(&plan.condition);
        } else if let Some(plan) = plan.downcast_ref::<Project>() {
            let mut outer = self.scope.clone();
            self.plan(&plan.input);
            self.use_all(&plan.values);
            self.bind_all(&plan.columns, &mut outer);
            self.scope = outer;
        } else if let Some(plan) = plan.downcast_ref::<Join>() {
            self.plan(&plan.left);
            self.plan(&plan.right);
        } else if let Some(plan) = plan.downcast_ref::<Union>() {
            let mut outer = self.scope.clone();
            for input in &plan.inputs {
                self.plan(input);
            }
            self.bind_all(&plan.columns, &mut outer);
            self.scope = outer;
        } else if let Some(plan) = plan.downcast_ref::<With>() {
            let outer = self.scope.clone();
            self.plan(&plan.value);
            let before = self.bound;
            self.plan(&plan.body);
            let exported: Vec<(usize, usize)> =
                self.scope.iter().map(|(column, number)| (*column, *number)).filter(|it| it.1 >= before).collect();
            match &plan.unless {
                Some(unless) => self.plan(unless),
                None => self.word("always"),
            }
            self.scope = outer;
            self.scope.extend(exported);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(
        object_tests::setting("EXPORTS_CASES", 64)
    ))]

    #[test]
    fn operations_agree_with_plans_without_names(steps in steps(), others in steps(), renamed in any::<bool>()) {
        let columns: Vec<Column> = (0..COLUMNS).map(|number| column(&format!("c{number}"))).collect();
        let turned: Vec<Column> = (0..columns.len()).map(|at| columns[(at + 1) % columns.len()].clone()).collect();
        let plan = build(&steps, &columns);
        let other = if renamed { build(&steps, &turned) } else { build(&others, &columns) };
        let (nameless, of_other) = (Nameless::of(&plan), Nameless::of(&other));
        prop_assert_eq!(are_equal(&plan, &other), nameless.text == of_other.text);
        prop_assert_eq!(free_vars(&plan), nameless.free);
        // Each binding has its own column in a copy, and the copy equals the plan.
        let new = column("new");
        let substituted = substitute(plan.clone(), [(&columns[0], &new)]).unwrap();
        let expected = nameless.text.replace("free c0 ", "free new ");
        prop_assert_eq!(Nameless::of(&substituted).text, expected);
    }
}
