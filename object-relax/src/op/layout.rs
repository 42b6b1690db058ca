//! [`Layout`]: the dimensions of a tensor by name, such as `NCHW` or `NCHW16c`.

use object_core::prelude::*;
use object_ir::ir::PrimExpr;
use object_ir::tir::{ceil_div, mul};

use super::dims::{constant, dim};
use crate::arith::Analyzer;

/// The dimensions of a tensor by name. An upper-case letter is a dimension. A size with a lower-case letter is the inner
/// part of the dimension with that letter, as in `NCHW16c`. Parts in brackets share one dimension, as in `NCHW[2h8w]`.
///
/// The meaning is the meaning of `SLayout` in TVM 0.25 (`src/s_tir/data_layout.cc`), without layouts that name one
/// dimension twice.
pub(crate) struct Layout {
    dims: Vec<LayoutDim>,
}

enum LayoutDim {
    /// A whole dimension, or its outer part.
    Outer(char),
    /// The product of inner parts: the letter of each in upper case, and its size.
    Inner(Vec<(char, i64)>),
}

impl Layout {
    /// Reads a layout and checks that its dimensions are `names`, in any order.
    ///
    /// # Errors
    /// The reason why the text is not such a layout.
    pub(crate) fn parse(text: &str, names: &str) -> Result<Layout, String> {
        let layout = Layout { dims: read_dims(text)? };
        let mut outer = layout.outer_letters();
        let mut expected: Vec<char> = names.chars().collect();
        outer.sort_unstable();
        expected.sort_unstable();
        if outer != expected {
            return Err(format!("expected a layout of the dimensions `{names}`, got `{text}`"));
        }
        let mut parts = layout.parts();
        if let Some((letter, _)) = parts.iter().find(|(letter, _)| !expected.contains(letter)) {
            return Err(format!("`{text}` has a part of the dimension `{letter}`, which it does not have"));
        }
        parts.sort_unstable();
        if let Some(pair) = parts.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Err(format!("`{text}` has two parts of the dimension `{}`", pair[0].0));
        }
        Ok(layout)
    }

    /// The number of dimensions of a tensor in this layout.
    pub(crate) fn rank(&self) -> usize {
        self.dims.len()
    }

    fn outer_letters(&self) -> Vec<char> {
        let outer =
            self.dims.iter().filter_map(|it| if let LayoutDim::Outer(letter) = it { Some(*letter) } else { None });
        outer.collect()
    }

    fn parts(&self) -> Vec<(char, i64)> {
        let inner = self.dims.iter().filter_map(|it| if let LayoutDim::Inner(parts) = it { Some(parts) } else { None });
        inner.flatten().copied().collect()
    }

    /// The size of the inner part of a dimension; 1 if it has none.
    fn part(&self, letter: char) -> i64 {
        self.parts().iter().find(|(of, _)| *of == letter).map_or(1, |(_, size)| *size)
    }

    /// The sizes of the dimensions `names` of a tensor whose shape in this layout is `shape`.
    ///
    /// # Errors
    /// [`OutOfRange`](ErrorKind::OutOfRange) if a part in `shape` has another size than in the layout, or if the ranks
    /// differ.
    pub(crate) fn sizes(&self, shape: &[PrimExpr], names: &str) -> Result<Vec<PrimExpr>, Error> {
        if shape.len() != self.rank() {
            let message = format!("expected {} dimensions, got {}", self.rank(), shape.len());
            return Err(Error::new(ErrorKind::OutOfRange, message));
        }
        for (index, (it, size)) in self.dims.iter().zip(shape).enumerate() {
            let LayoutDim::Inner(parts) = it else { continue };
            let (expected, given) = (product(parts)?, constant(size));
            if given.is_some_and(|given| given != expected) {
                let given = given.unwrap_or_default();
                let message = format!("dimension {index}: the layout gives it the size {expected}, got {given}");
                return Err(Error::new(ErrorKind::OutOfRange, message));
            }
        }
        let size_of = |letter| {
            let place = self.dims.iter().position(|it| matches!(it, LayoutDim::Outer(other) if *other == letter));
            mul(&shape[place.unwrap_or_default()], self.part(letter))
        };
        names.chars().map(size_of).collect()
    }

    /// The shape in this layout of a tensor whose dimensions `names` have the sizes `sizes`.
    ///
    /// # Errors
    /// [`OutOfRange`](ErrorKind::OutOfRange) if a size in the layout is too large.
    pub(crate) fn shape(&self, sizes: &[PrimExpr], names: &str, analyzer: &Analyzer) -> Result<Vec<PrimExpr>, Error> {
        let dims = self.dims.iter().map(|it| match it {
            LayoutDim::Inner(parts) => product(parts).map(dim),
            LayoutDim::Outer(letter) => {
                let place = names.chars().position(|name| name == *letter).unwrap_or_default();
                match self.part(*letter) {
                    1 => Ok(sizes[place].clone()),
                    part => ceil_div(&sizes[place], part).map(|size| analyzer.simplify(&size)),
                }
            }
        });
        dims.collect()
    }
}

fn product(parts: &[(char, i64)]) -> Result<i64, Error> {
    let product = parts.iter().try_fold(1_i64, |product, (_, size)| product.checked_mul(*size));
    product.ok_or_else(|| Error::new(ErrorKind::OutOfRange, "the parts of a dimension of the layout are too large"))
}

fn read_dims(text: &str) -> Result<Vec<LayoutDim>, String> {
    let mut dims = Vec::new();
    let mut group: Option<Vec<(char, i64)>> = None;
    let mut size: Option<i64> = None;
    for letter in text.chars() {
        match letter {
            'A'..='Z' if size.is_none() && group.is_none() => dims.push(LayoutDim::Outer(letter)),
            '0'..='9' => {
                let digit = i64::from(letter.to_digit(10).unwrap_or_default());
                let next = size.unwrap_or(0).checked_mul(10).and_then(|tens| tens.checked_add(digit));
                size = Some(next.ok_or_else(|| format!("`{text}` has a size that is too large"))?);
            }
            'a'..='z' => {
                let size = size.take().filter(|size| *size > 0);
                let size = size.ok_or_else(|| format!("`{text}` has no size before `{letter}`"))?;
                let part = (letter.to_ascii_uppercase(), size);
                match &mut group {
                    Some(group) => group.push(part),
                    None => dims.push(LayoutDim::Inner(vec![part])),
                }
            }
            '[' if group.is_none() && size.is_none() => group = Some(Vec::new()),
            ']' if size.is_none() && group.as_ref().is_some_and(|group| group.len() > 1) => {
                dims.extend(group.take().map(LayoutDim::Inner));
            }
            _ => return Err(format!("`{text}` is not a layout: `{letter}` is not possible there")),
        }
    }
    if group.is_some() || size.is_some() || dims.is_empty() {
        return Err(format!("`{text}` is not a layout: it ends too early"));
    }
    Ok(dims)
}
