//! `+`, `-` and `*` on scalar expressions and variables.

use std::ops;

use crate::ir::expr::PrimExpr;
use crate::tir::expr::{SizeVar, Var};
use crate::tir::operand::IntoPrimExpr;
use crate::tir::operations::{add, mul, neg, sub};

/// The result of an operation that has no error for numbers.
#[track_caller]
fn number(result: object_core::Result<PrimExpr>) -> PrimExpr {
    result.unwrap_or_else(|error| panic!("{error}"))
}

macro_rules! operators {
    ($lefts:tt $($Trait:ident $method:ident $operation:ident)+) => {
        $(operators!(@one $Trait $method $operation $lefts);)+
    };
    (@one $Trait:ident $method:ident $operation:ident [$($Left:ty),+]) => {
        $(
            /// Folds constants as TVM's operator does.
            ///
            /// # Panics
            /// If the types of the operands have no common type. All types of numbers but the kinds of narrow floats have
            /// one. The function of the module returns an error instead.
            impl<T: IntoPrimExpr> ops::$Trait<T> for $Left {
                type Output = PrimExpr;

                #[track_caller]
                fn $method(self, rhs: T) -> PrimExpr {
                    number($operation(self, rhs))
                }
            }
        )+
    };
}
operators! { [PrimExpr, &PrimExpr, Var, &Var, SizeVar, &SizeVar] Add add add Sub sub sub Mul mul mul }

macro_rules! left_numbers {
    ($pairs:tt $($Trait:ident $method:ident $operation:ident)+) => {
        $(left_numbers!(@one $Trait $method $operation $pairs);)+
    };
    (@one $Trait:ident $method:ident $operation:ident [$($Number:ident $Right:ty),+]) => {
        $(
            impl ops::$Trait<$Right> for $Number {
                type Output = PrimExpr;

                #[track_caller]
                fn $method(self, rhs: $Right) -> PrimExpr {
                    number($operation(self, rhs))
                }
            }
        )+
    };
}
left_numbers! {
    [i64 PrimExpr, i64 &PrimExpr, i64 Var, i64 &Var]
    Add add add Sub sub sub Mul mul mul
}

macro_rules! negation {
    ($($Operand:ty),+) => {
        $(
            impl ops::Neg for $Operand {
                type Output = PrimExpr;

                #[track_caller]
                fn neg(self) -> PrimExpr {
                    number(neg(self))
                }
            }
        )+
    };
}
negation! { PrimExpr, &PrimExpr, Var, &Var }

#[cfg(test)]
mod tests {
    use object_core::prelude::*;

    use super::*;
    use crate::ir::expr::{FloatImm, IntImm};
    use crate::ir::ty::PrimType;
    use crate::tir::arith::{Add, Mul};
    use crate::tir::compare::LT;
    use crate::tir::expr::Cast;
    use crate::tir::operations::{ceil_div, div, equal, floor_div, floor_mod, less, max, min, not, select, trunc_mod};

    fn value(expr: &PrimExpr) -> i64 {
        expr.downcast_ref::<IntImm>().unwrap_or_else(|| panic!("{expr} is not a constant")).value
    }

    #[test]
    fn numbers_take_the_type_of_the_variable() {
        let int64 = DataType::int(64);
        let n = Var::dim("n");
        let expected = Add::new(int64, Mul::new(int64, &n, IntImm::new(int64, 2)), IntImm::new(int64, 1));
        assert!(structural_equal(&(n.clone() * 2 + 1), &expected));
        assert!(structural_equal(&(&n * 2_i64 + 1), &expected));
        assert!(structural_equal(&(2 * n.clone()), &Mul::new(int64, IntImm::new(int64, 2), &n)));
        let short = Var::new(DataType::int(32), "i", PrimType::new(DataType::int(32)));
        assert_eq!((3 * &short).dtype, DataType::int(32));
        assert_eq!((&short + &n).dtype, int64);
        let wide: PrimExpr = Cast::new(int64, &short).into();
        assert!(structural_equal(&(&short + &n), &Add::new(int64, wide, &n)));
        // A number that the type does not have keeps its own.
        assert_eq!((&short + (1_i64 << 40)).dtype, int64);
    }

    #[test]
    fn constants_are_folded() {
        let n = Var::dim("n");
        for same in [&n + 0, 0 + &n, &n - 0, &n * 1, 1 * &n] {
            assert!(same.ptr_eq(&n), "{same}");
        }
        assert_eq!(value(&mul(&n, 0).unwrap()), 0);
        assert_eq!(value(&(-tir_int(7))), -7);
        type Operation = fn(i64, i64) -> object_core::Result<PrimExpr>;
        let cases: [(Operation, [i64; 4]); 7] = [
            (|a, b| floor_div(a, b), [3, -4, -4, 3]),
            (|a, b| floor_mod(a, b), [1, 1, -1, -1]),
            (|a, b| div(a, b), [3, -3, -3, 3]),
            (|a, b| trunc_mod(a, b), [1, -1, 1, -1]),
            (|a, b| min(a, b), [2, -7, -2, -7]),
            (|a, b| max(a, b), [7, 2, 7, -2]),
            (|a, b| sub(a, b), [5, -9, 9, -5]),
        ];
        for (function, expected) in cases {
            let found = [(7, 2), (-7, 2), (7, -2), (-7, -2)].map(|(a, b)| value(&function(a, b).unwrap()));
            assert_eq!(found, expected);
        }
        assert_eq!([7, -7, 6].map(|a| value(&ceil_div(a, 2).unwrap())), [4, -3, 3]);
        assert_eq!(value(&less(1, 2).unwrap()), 1);
        assert_eq!(value(&not(&equal(2, 2).unwrap()).unwrap()), 0);
        assert_eq!(value(&select(&less(1, 2).unwrap(), 5, 6).unwrap()), 5);
    }

    #[test]
    fn undefined_results_are_not_folded() {
        let most = tir_int(i64::MAX);
        assert!((&most + 1).is::<Add>() && (most * 2).is::<Mul>());
        for function in [div, floor_div, trunc_mod, floor_mod] {
            let by_zero = function(tir_int(1), tir_int(0)).unwrap();
            assert!(!by_zero.is::<IntImm>(), "{by_zero}");
        }
    }

    #[test]
    fn other_types_have_no_common_type() {
        let address = Var::new(DataType::handle(), "p", PrimType::new(DataType::handle()));
        let error = add(&address, Var::dim("n")).unwrap_err();
        assert!(error.message().contains("`handle` and `int64`"), "{error}");
        let condition = less(Var::dim("n"), 3).unwrap();
        assert!(condition.is::<LT>() && condition.dtype == DataType::boolean());
        assert!(select(&Var::dim("n").into(), 1, 2).is_err());
        let half: PrimExpr = FloatImm::new(DataType::float(16), 0.5).into();
        assert_eq!((half * FloatImm::new(DataType::float(32), 0.5)).dtype, DataType::float(32));
    }

    fn tir_int(value: i64) -> PrimExpr {
        IntImm::new(DataType::int(64), value).into()
    }
}
