//! The operations of the module `lexical` agree with the options that they stand for.

use crate::demo::{Expr, Lambda, Let, Seq, Var, add, imm, var};
use object_core::lexical;
use object_core::prelude::*;
use object_core::structural::StructuralOptions;
use object_core::visit::ScopeTypes;

/// A type that takes no part in comparison.
#[derive(Object)]
#[object(type_key = "lexical_test.Uncompared")]
#[structural_eq(none)]
struct UncomparedNode {
    value: i64,
}

fn identity(var: &Var) -> Expr {
    Lambda::new([var.clone()], var).into()
}

#[test]
fn comparisons_follow_the_scopes() {
    let (x, y, z) = (var("x"), var("y"), var("z"));
    let shared = identity(&x);
    let values: [Expr; 5] = [
        Seq::new([shared.clone(), shared]).into(),
        Seq::new([identity(&y), identity(&z)]).into(),
        Seq::new([identity(&y), Expr::from(&y)]).into(),
        Let::new(add(&x, imm(1)), &x, identity(&x)).into(),
        Let::new(add(&x, imm(1)), &y, identity(&z)).into(),
    ];
    for a in &values {
        for b in &values {
            let expected = lexical::options().equal(a, b).unwrap();
            assert_eq!(lexical::structural_equal(a, b), expected, "{a} {b}");
            assert_eq!(lexical::structural_hash(a) == lexical::structural_hash(b), expected, "{a} {b}");
            assert_eq!(lexical::structural_first_mismatch(a, b).unwrap().is_none(), expected, "{a} {b}");
            assert_eq!(lexical::structural_diff(a, b).unwrap().is_empty(), expected, "{a} {b}");
        }
        assert_eq!(lexical::structural_hash(a), lexical::options().hash(a).unwrap());
        assert_eq!(lexical::free_vars(a).len(), ScopeTypes::marked().free_vars(a).len());
        assert_eq!(lexical::bound_vars(a).len(), ScopeTypes::marked().bound_vars(a).len());
        assert!(lexical::structural_equal(&lexical::alpha_rename(a.clone()).unwrap(), a));
    }
    assert!(
        lexical::structural_equal(&values[0], &values[1])
            && !StructuralOptions::new().equal(&values[0], &values[1]).unwrap()
    );
    let replaced = lexical::substitute(values[2].clone(), [(&y, imm(7))]).unwrap();
    assert!(lexical::structural_equal(&replaced, &Seq::new([identity(&z), imm(7)])));
}

#[test]
fn uncompared_objects_equal_themselves() {
    let (a, b) = (Uncompared::new(1), Uncompared::new(1));
    assert!(lexical::structural_equal(&a, &a) && !lexical::structural_equal(&a, &b));
    assert_eq!(lexical::structural_hash(&a), lexical::structural_hash(&b));
    assert!(lexical::options().hash(&a).is_err());
}
