//! Values for the arguments of a call.
//!
//! The elements of a tensor are random numbers of its domain: quarters from -3 to 3 for floating-point numbers and small
//! integers by default, else `a..b` numbers from `a` to before `b`, or one of the words of [`Domain`].

use fastrand::Rng;
use object_core::Function;
use object_core::prelude::*;
use object_core::scalar::TypeCode;
use object_eval::value::ElementType;
use object_eval::{Meter, Storage, Tensor};
use object_ir::ir::{IntImm, PrimExpr, ShapeExpr, StructInfo, TensorStructInfo};

/// The numbers of an argument.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) enum Domain {
    /// Small numbers.
    #[default]
    Any,
    /// Integers from the first number to before the second one.
    Range(i64, i64),
    /// Small numbers above 0.
    Positive,
    /// Numbers between -1 and 1.
    Unit,
    /// Small numbers in ascending order.
    Sorted,
    /// The numbers below the number of elements in random order.
    Permutation,
    /// Numbers, infinities and NaN.
    Special,
    /// Boxes: two corners, the lower one first, in the last dimension after `0` or more other numbers.
    Boxes(usize),
    /// Memory of this number of bytes, in place of a tensor.
    Storage(usize),
    /// A function that returns its first argument, in place of a tensor.
    Function,
}

impl Domain {
    /// The domain with the text `text`.
    pub(super) fn parse(text: &str, bound: &mut impl FnMut(&str) -> i64) -> Self {
        match text.split_once("..") {
            Some((least, end)) => Domain::Range(bound(least), bound(end)),
            None => match text.split_once(' ').map_or((text, 0), |(word, number)| (word, bound(number))) {
                ("positive", _) => Domain::Positive,
                ("unit", _) => Domain::Unit,
                ("sorted", _) => Domain::Sorted,
                ("permutation", _) => Domain::Permutation,
                ("special", _) => Domain::Special,
                ("boxes", first) => Domain::Boxes(usize::try_from(first).unwrap_or_default()),
                ("function", _) => Domain::Function,
                ("storage", size) => Domain::Storage(usize::try_from(size).unwrap_or_default()),
                _ => panic!("`{text}` is not a domain"),
            },
        }
    }

    /// The numbers of a tensor in order.
    fn numbers(&self, dims: &[usize], element: ElementType, random: &mut Rng) -> Vec<f64> {
        let count = dims.iter().product();
        let quarter = |random: &mut Rng, least: i32, most: i32| f64::from(random.i32(least..=most)) / 4.0;
        let is_unsigned = element.dtype().code == TypeCode::UINT;
        let small = |random: &mut Rng| match element.is_float() {
            true => quarter(random, -12, 12),
            false if is_unsigned => f64::from(random.i32(0..=8)),
            false => f64::from(random.i32(-4..=4)),
        };
        let last = dims.last().copied().unwrap_or(1).max(1);
        let mut numbers: Vec<f64> = (0..count)
            .map(|_| match self {
                Domain::Range(least, end) => random.i64(*least..(*end).max(least + 1)) as f64,
                Domain::Positive if element.is_float() => quarter(random, 1, 12),
                Domain::Positive => f64::from(random.i32(1..=5)),
                Domain::Unit => f64::from(random.i32(-7..=7)) / 8.0,
                Domain::Special => [f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 0.0, 1.5][random.usize(..5)],
                Domain::Boxes(_) => quarter(random, 0, 12),
                _ => small(random),
            })
            .collect();
        match self {
            Domain::Sorted => numbers.sort_by(f64::total_cmp),
            Domain::Permutation => {
                numbers = (0..count).map(|number| number as f64).collect();
                random.shuffle(&mut numbers);
            }
            Domain::Boxes(first) if last >= first + 4 => {
                for row in numbers.chunks_exact_mut(last) {
                    row[..*first].iter_mut().for_each(|number| *number = number.trunc().min(1.0));
                    row[first + 2] += row[*first];
                    row[first + 3] += row[first + 1];
                }
            }
            _ => {}
        }
        numbers
    }
}

fn constant(dim: &PrimExpr) -> Option<i64> {
    dim.downcast_ref::<IntImm>().map(|int| int.value)
}

/// A value with the structural information `info`, a tensor of constant shape or, with its domain, memory; the reason if
/// the generator makes none.
pub(super) fn value(info: &StructInfo, domain: &Domain, random: &mut Rng) -> Result<Any, String> {
    let meter = Meter::unlimited();
    if let Domain::Storage(size) = domain {
        return Storage::zeros(*size, &meter).map(Any::from).map_err(|error| error.to_string());
    }
    if *domain == Domain::Function {
        return Ok(Function::from_packed(|args| Ok(args[0].to_any())).into());
    }
    let unknown = || format!("no values with the structural information {info}");
    let tensor = info.downcast_ref::<TensorStructInfo>().ok_or_else(unknown)?;
    let shape = tensor.shape.as_ref().and_then(|shape| shape.downcast_ref::<ShapeExpr>()).ok_or_else(unknown)?;
    let dims = shape.values.iter().map(|dim| constant(&dim).and_then(|dim| usize::try_from(dim).ok()));
    let dims: Vec<usize> = dims.collect::<Option<_>>().ok_or_else(unknown)?;
    if matches!(domain, Domain::Range(least, end) if least >= end && !dims.contains(&0)) {
        return Err("the domain is empty".to_owned());
    }
    let element = ElementType::of(tensor.dtype).map_err(|error| error.to_string())?;
    let numbers = domain.numbers(&dims, element, random);
    let array = ndarray::ArrayD::from_shape_vec(dims, numbers).map_err(|error| error.to_string())?;
    Tensor::from_floats(tensor.dtype, &array, &meter).map(Any::from).map_err(|error| error.to_string())
}
