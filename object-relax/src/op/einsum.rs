//! [`Equation`]: the subscripts of `einsum`, and the shape of its result.

use std::collections::BTreeMap;

use object_core::prelude::*;
use object_ir::ir::PrimExpr;
use object_ir::tir::max;

use super::describe::describe_expr;
use super::dims::{Dims, constant};
use super::op_call::OpCall;

/// A dimension of an operand or of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Label {
    /// Any number of dimensions, which broadcast.
    Ellipsis,
    /// A dimension with a letter.
    Letter(char),
}

/// The subscripts of `einsum`, such as `ij,jk->ik` (TVM 0.25 `src/topi/einsum.cc`).
#[derive(Debug)]
pub struct Equation {
    /// The dimensions of each operand.
    pub inputs: Vec<Vec<Label>>,
    /// The dimensions of the result.
    pub output: Vec<Label>,
}

impl Equation {
    /// Reads subscripts. Without an arrow, the result has the dimensions that occur once, in the order of the letters.
    ///
    /// # Errors
    /// The reason why the text has no meaning.
    pub fn parse(text: &str) -> Result<Equation, String> {
        let compact: String = text.chars().filter(|letter| *letter != ' ').collect();
        let (inputs, output) = match compact.split_once("->") {
            Some((inputs, output)) => (inputs, Some(output)),
            None => (&*compact, None),
        };
        let inputs = inputs.split(',').map(|input| labels(input, text)).collect::<Result<Vec<_>, _>>()?;
        let mut counts = BTreeMap::new();
        for label in inputs.iter().flatten() {
            *counts.entry(*label).or_insert(0) += 1;
        }
        let output = match output {
            Some(output) => labels(output, text)?,
            None => counts
                .iter()
                .filter(|(label, count)| **label == Label::Ellipsis || **count == 1)
                .map(|it| *it.0)
                .collect(),
        };
        match output.iter().find(|label| !counts.contains_key(label)) {
            Some(Label::Letter(letter)) => Err(format!("the result of `{text}` has `{letter}`, which no operand has")),
            Some(Label::Ellipsis) => Err(format!("the result of `{text}` has `...`, which no operand has")),
            None => Ok(Equation { inputs, output }),
        }
    }

    /// The shape of the result for operands of the given shapes. Its dimensions are known if all shapes are known, its
    /// rank if the ranks are known.
    ///
    /// # Errors
    /// Names the member of the tuple that contradicts the equation.
    pub(crate) fn result(&self, call: &OpCall<'_>, shapes: &[Dims]) -> Result<Dims, Error> {
        if self.inputs.len() != shapes.len() {
            let message =
                format!("expected {} operands, as `subscripts` says, got {}", self.inputs.len(), shapes.len());
            return Err(call.argument_error(ErrorKind::TypeMismatch, 0, message));
        }
        let Some(known) = shapes.iter().map(Dims::known).collect::<Option<Vec<_>>>() else {
            return Ok(self.rank(shapes).into());
        };
        let mut sizes: BTreeMap<char, PrimExpr> = BTreeMap::new();
        let mut broadcast: Vec<PrimExpr> = Vec::new();
        for (place, (labels, shape)) in self.inputs.iter().zip(known).enumerate() {
            let others = labels.iter().filter(|label| **label != Label::Ellipsis).count();
            let has_ellipsis = others < labels.len();
            if shape.len() < others || (!has_ellipsis && shape.len() > others) {
                let message =
                    format!("member {place}: expected {others} dimensions, as `subscripts` says, got {}", shape.len());
                return Err(call.argument_error(ErrorKind::TypeMismatch, 0, message));
            }
            let mut rest = shape;
            for label in labels {
                match label {
                    Label::Ellipsis => {
                        let (covered, after) = rest.split_at(shape.len() - others);
                        broadcast = broadcast_shapes(call, place, &broadcast, covered)?;
                        rest = after;
                    }
                    Label::Letter(letter) => {
                        let size = match sizes.get(letter) {
                            Some(size) => broadcast_sizes(call, place, size, &rest[0])?,
                            None => rest[0].clone(),
                        };
                        sizes.insert(*letter, size);
                        rest = &rest[1..];
                    }
                }
            }
        }
        let of_label = |label: &Label| match label {
            Label::Ellipsis => broadcast.clone(),
            Label::Letter(letter) => sizes.get(letter).cloned().into_iter().collect(),
        };
        Ok(Dims::Known(self.output.iter().flat_map(of_label).collect()))
    }

    /// The rank of the result, if the ranks of all operands are known.
    fn rank(&self, shapes: &[Dims]) -> Option<usize> {
        let letters = self.output.iter().filter(|label| **label != Label::Ellipsis).count();
        let mut covered = 0;
        for (labels, shape) in self.inputs.iter().zip(shapes) {
            let others = labels.iter().filter(|label| **label != Label::Ellipsis).count();
            let rank = shape.rank()?;
            if others < labels.len() {
                covered = covered.max(rank.checked_sub(others)?);
            }
        }
        Some(if letters < self.output.len() { letters + covered } else { letters })
    }
}

/// The labels of one operand.
fn labels(text: &str, all: &str) -> Result<Vec<Label>, String> {
    let (before, after) = text.split_once("...").map_or((text, None), |(before, after)| (before, Some(after)));
    let mut labels = Vec::with_capacity(text.len());
    let add = |text: &str, labels: &mut Vec<Label>| {
        for letter in text.chars() {
            if !letter.is_ascii_alphabetic() {
                return Err(format!("`{all}` is not possible: `{letter}` is not a letter, `,`, `->` or one `...`"));
            }
            labels.push(Label::Letter(letter));
        }
        Ok(())
    };
    add(before, &mut labels)?;
    if let Some(after) = after {
        labels.push(Label::Ellipsis);
        add(after, &mut labels)?;
    }
    Ok(labels)
}

/// The shape to which two shapes broadcast, aligned at their ends.
fn broadcast_shapes(call: &OpCall<'_>, place: usize, a: &[PrimExpr], b: &[PrimExpr]) -> Result<Vec<PrimExpr>, Error> {
    let (longer, shorter) = if a.len() >= b.len() { (a, b) } else { (b, a) };
    let (front, back) = longer.split_at(longer.len() - shorter.len());
    let mut result = front.to_vec();
    for (x, y) in back.iter().zip(shorter) {
        result.push(broadcast_sizes(call, place, x, y)?);
    }
    Ok(result)
}

/// The size to which two sizes broadcast: the size that is not 1.
fn broadcast_sizes(call: &OpCall<'_>, place: usize, a: &PrimExpr, b: &PrimExpr) -> Result<PrimExpr, Error> {
    match (constant(a), constant(b)) {
        (Some(1), _) => Ok(b.clone()),
        (_, Some(1)) => Ok(a.clone()),
        (Some(x), Some(y)) if x != y => {
            let message = format!(
                "member {place}: expected sizes that broadcast, got {} and {}",
                describe_expr(a),
                describe_expr(b)
            );
            Err(call.argument_error(ErrorKind::TypeMismatch, 0, message))
        }
        // A constant other than 1 is the result, whatever the other size is.
        (Some(_), _) => Ok(a.clone()),
        (_, Some(_)) => Ok(b.clone()),
        _ if call.analyzer().prove_equal(a, b).is_true() => Ok(a.clone()),
        _ => max(a, b),
    }
}
