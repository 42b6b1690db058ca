//! Visitors: which methods a visit calls, in which order, and at which positions.

use crate::demo::{Add, Expr, Imm, Lambda, Let, Seq, Var, add, imm, ladder, var};
use object_core::object::DefRegionKind;
use object_core::prelude::*;
use object_core::visit::{Position, Visit, WalkOptions};

object_core::visitor! {
    /// Visits the language of the tests. `enter_expr` receives the expressions that have no other method.
    trait DemoVisitor {
        expr: Expr,
        var: Var,
        imm: Imm,
        lambda: Lambda,
        let_: Let,
    }
}

#[derive(Default)]
struct Trace(Vec<String>);

impl DemoVisitor for Trace {
    fn enter_expr(&mut self, node: &Expr, visit: &mut Visit<'_>) {
        self.0.push(format!("expr {}", visit.position().path()));
        self.super_enter_expr(node, visit);
    }

    fn leave_expr(&mut self, _: &Expr, at: &Position<'_>) {
        self.0.push(format!("left {}", at.path()));
    }

    fn enter_var(&mut self, node: &Var, visit: &mut Visit<'_>) {
        self.0.push(format!(
            "{} {} {}",
            node.name,
            visit.position().path(),
            visit.position().region() == DefRegionKind::None
        ));
    }

    fn enter_lambda(&mut self, _: &Lambda, visit: &mut Visit<'_>) {
        visit.field("body").field("params").field("span").field("none such");
    }
}

#[test]
fn visits_call_the_methods_of_the_nearest_ancestor_and_go_to_the_selected_children() {
    let (x, y) = (var("x"), var("y"));
    let e = add(Lambda::new([x], add(y, imm(1))), Seq::new([imm(2)]));
    let mut trace = Trace::default();
    trace.run(&e);
    let expected = [
        "expr <root>",
        "expr <root>.lhs.body",
        "y <root>.lhs.body.lhs true",
        "left <root>.lhs.body",
        "x <root>.lhs.params[0] false",
        "expr <root>.rhs",
        "left <root>.rhs",
        "left <root>",
    ];
    assert_eq!(trace.0, expected);
    let types: Vec<_> = Trace::node_types().into_iter().map(|info| info.type_key()).collect();
    assert_eq!(types, ["demo.Expr", "demo.Var", "demo.Imm", "demo.Lambda", "demo.Let"]);
}

/// Ends at the first number that is not less than the limit, and counts the numbers up to it.
struct Find(i64, usize);

impl DemoVisitor for Find {
    fn enter_imm(&mut self, node: &Imm, visit: &mut Visit<'_>) {
        self.1 += 1;
        if node.value >= self.0 {
            visit.stop();
        }
    }
}

#[test]
fn visits_stop_early_and_enter_each_object_once() {
    let mut find = Find(2, 0);
    find.run(&Seq::new([imm(1), imm(2), imm(3)]));
    assert_eq!(find.1, 2);
    let mut find = Find(2, 0);
    find.run(&ladder(60));
    assert_eq!(find.1, 1);
    find.run_with(&ladder(3), WalkOptions::new().every_occurrence(true));
    assert_eq!(find.1, 9);
    find.run(&7i64);
    assert_eq!(find.1, 9);
}

#[test]
fn visits_of_deep_graphs_do_not_overflow_the_stack() {
    struct Depth(usize, usize);
    impl DemoVisitor for Depth {
        fn enter_let_(&mut self, node: &Let, visit: &mut Visit<'_>) {
            self.0 += 1;
            self.1 = self.1.max(self.0);
            self.super_enter_let_(node, visit);
        }

        fn leave_let_(&mut self, _: &Let, _: &Position<'_>) {
            self.0 -= 1;
        }
    }
    let run = || {
        let x = var("x");
        let chain = (0..1_000_000).fold(imm(1), |below, _| Let::new(below, x.clone(), x.clone()).into());
        let mut depth = Depth(0, 0);
        depth.run(&chain);
        assert_eq!((depth.0, depth.1), (0, 1_000_000));
    };
    let thread = std::thread::Builder::new().stack_size(256 * 1024).spawn(run);
    thread.expect("a thread starts").join().expect("no overflow");
}

#[test]
fn enter_other_receives_containers() {
    struct Count(usize);
    impl DemoVisitor for Count {
        fn enter_other(&mut self, object: object_core::ObjectView<'_>, visit: &mut Visit<'_>) {
            self.0 += usize::from(object.as_array().is_some());
            visit.children();
        }
    }
    let mut count = Count(0);
    count.run(&Add::new(Seq::new([imm(1)]), Seq::new([])));
    assert_eq!(count.0, 2);
}

#[test]
fn visits_reach_ignored_fields_with_and_without_a_selection() {
    /// Counts texts. If `selects`, it visits the field `name` of a variable, which is marked `ignore`, and no other
    /// field.
    struct Texts {
        count: usize,
        selects: bool,
    }
    impl DemoVisitor for Texts {
        fn enter_var(&mut self, var: &Var, visit: &mut Visit<'_>) {
            if self.selects {
                visit.field("name");
            } else {
                self.super_enter_var(var, visit);
            }
        }

        fn enter_other(&mut self, object: object_core::ObjectView<'_>, _: &mut Visit<'_>) {
            self.count += usize::from(object.as_str().is_some());
        }
    }
    let count = |selects| {
        let mut texts = Texts { count: 0, selects };
        texts.run(&var("x"));
        texts.count
    };
    assert_eq!((count(false), count(true)), (1, 1));
}

mod names {
    pub(super) use crate::demo::Expr;
}

object_core::visitor! {
    /// Handles that accept some objects of a type, and every object.
    trait ContainerVisitor {
        vars: Array<Var>,
        exprs: Array<names::Expr>,
        /// A keyword as a name.
        let: Let,
        object: ObjectRef,
    }
}

#[derive(Default)]
struct Names(Vec<&'static str>);

impl ContainerVisitor for Names {
    fn enter_vars(&mut self, node: &Array<Var>, visit: &mut Visit<'_>) {
        self.0.push("vars");
        self.super_enter_vars(node, visit);
    }

    fn enter_exprs(&mut self, node: &Array<Expr>, visit: &mut Visit<'_>) {
        self.0.push("exprs");
        self.super_enter_exprs(node, visit);
    }

    fn leave_exprs(&mut self, _: &Array<Expr>, _: &Position<'_>) {
        self.0.push("left exprs");
    }

    fn enter_let(&mut self, node: &Let, visit: &mut Visit<'_>) {
        self.0.push("let");
        self.super_enter_let(node, visit);
    }

    fn enter_object(&mut self, node: &ObjectRef, visit: &mut Visit<'_>) {
        self.0.push(if node.is::<Expr>() { "expr" } else { "object" });
        self.super_enter_object(node, visit);
    }
}

#[test]
fn handles_of_containers_get_the_objects_that_they_accept() {
    let x = var("x");
    let root = Array::<Any>::from([
        Array::<Var>::from([x.clone()]).into(),
        Array::<Expr>::from([x.clone().into(), imm(1)]).into(),
        Array::<i64>::from([1]).into(),
    ]);
    let mut names = Names::default();
    names.run(&root);
    assert_eq!(names.0, ["object", "vars", "expr", "object", "exprs", "expr", "left exprs", "object"]);
    assert_eq!(
        Names::node_types().iter().map(|info| info.type_key()).collect::<Vec<_>>(),
        ["ffi.Array", "ffi.Array", "demo.Let"]
    );
}
