//! [`Strided`]: places of elements that are a linear function of their index, for operators that move elements.

use std::array::from_fn;

use object_core::prelude::*;
use smallvec::SmallVec;

use super::dimensions::PerDimension;
use super::element::with_element;
use super::tensor::Tensor;
use object_core::meter::Meter;

/// The number of rows of the result that a pass over a transposed matrix writes.
const ROWS: usize = 8;

/// For each dimension of a result its size and the distance of two neighbours in the source, in elements.
#[derive(Clone, Debug)]
pub(crate) struct Strided {
    dims: Vec<usize>,
    strides: Vec<isize>,
    /// The place of the first element.
    first: isize,
}

impl Strided {
    /// All elements of an array of the shape `dims` in C order.
    pub(crate) fn new(dims: &[usize]) -> Self {
        let mut strides = vec![0; dims.len()];
        let mut stride = 1;
        for (place, size) in strides.iter_mut().zip(dims).rev() {
            *place = stride;
            stride *= (*size).max(1) as isize;
        }
        Strided { dims: dims.to_vec(), strides, first: 0 }
    }

    /// The elements from `first` on, with a distance for each dimension.
    pub(crate) fn with_strides(dims: Vec<usize>, strides: Vec<isize>, first: isize) -> Self {
        Strided { dims, strides, first }
    }

    /// The dimensions in another order, which names each of them once.
    pub(crate) fn permuted(self, order: &[usize]) -> Self {
        let dims = order.iter().map(|axis| self.dims[*axis]).collect();
        let strides = order.iter().map(|axis| self.strides[*axis]).collect();
        Strided { dims, strides, ..self }
    }

    /// The elements repeated to the shape `dims`. `None` if the shape does not broadcast to it.
    pub(crate) fn broadcast(self, dims: &[usize]) -> Option<Self> {
        let extra = dims.len().checked_sub(self.dims.len())?;
        let mut strides = vec![0; extra];
        for ((from, to), stride) in self.dims.iter().zip(&dims[extra..]).zip(&self.strides) {
            strides.push(if from == to { *stride } else { 0 });
            (from == to || *from == 1).then_some(())?;
        }
        Some(Strided { dims: dims.to_vec(), strides, ..self })
    }

    /// The elements from `begin` to `end` along a dimension, which has as many.
    pub(crate) fn sliced(mut self, axis: usize, begin: usize, end: usize) -> Self {
        self.first += begin as isize * self.strides[axis];
        self.dims[axis] = end - begin;
        self
    }

    /// Along a dimension the `count` elements from `begin` on of which neighbours have the distance `step`.
    pub(crate) fn stepped(mut self, axis: usize, begin: usize, count: usize, step: isize) -> Self {
        self.first += begin as isize * self.strides[axis];
        self.dims[axis] = count;
        // One element has no neighbours, and a step to them may leave the numbers that exist.
        self.strides[axis] *= if count > 1 { step } else { 1 };
        self
    }

    /// The elements in reverse along a dimension.
    pub(crate) fn reversed(mut self, axis: usize) -> Self {
        self.first += self.dims[axis].saturating_sub(1) as isize * self.strides[axis];
        self.strides[axis] = -self.strides[axis];
        self
    }

    /// The same places with as few dimensions as possible, as sizes and strides.
    fn merged(&self) -> SmallVec<[(usize, isize); 6]> {
        let mut merged: SmallVec<[(usize, isize); 6]> = SmallVec::new();
        for (size, stride) in self.dims.iter().copied().zip(self.strides.iter().copied()).filter(|(size, _)| *size != 1)
        {
            match merged.last_mut() {
                Some(outer) if outer.1 == stride * size as isize => *outer = (outer.0 * size, stride),
                _ => merged.push((size, stride)),
            }
        }
        merged
    }

    /// Copies the elements of `from` to `to` in C order of the result.
    pub(crate) fn copy<B: Copy>(&self, from: &[B], to: &mut [B]) {
        let mut outer = self.merged();
        let (run, stride) = outer.pop().unwrap_or((1, 1));
        // The number of elements that one step of the loop writes.
        let mut length = run.max(1);
        let is_transposed = stride > 1 && matches!(outer.last(), Some((_, 1)));
        if is_transposed && let Some((rows, _)) = outer.pop() {
            length *= rows.max(1);
        }
        let mut index: PerDimension = SmallVec::from_elem(0, outer.len());
        let mut begin = self.first;
        for to in to.chunks_exact_mut(length) {
            let first = begin as usize;
            match stride {
                1 => to.copy_from_slice(&from[first..first + run]),
                0 => to.fill(from[first]),
                _ if is_transposed => transpose(&from[first..], stride as usize, to, run),
                _ => {
                    let mut at = begin;
                    for to in to {
                        *to = from[at as usize];
                        at += stride;
                    }
                }
            }
            for (place, (size, stride)) in index.iter_mut().zip(&outer).rev() {
                *place += 1;
                begin += stride;
                if *place < *size {
                    break;
                }
                begin -= stride * *size as isize;
                *place = 0;
            }
        }
    }
}

/// Writes a matrix of rows of `width` elements. Neighbours in a column are neighbours in `from` too, and neighbours in a row
/// have the distance `stride` there. Some rows at a time, because a line of the cache has elements of all of them. A function
/// of its own has enough registers for the rows.
#[inline(never)]
fn transpose<B: Copy>(from: &[B], stride: usize, to: &mut [B], width: usize) {
    let mut groups = to.chunks_exact_mut(ROWS * width);
    let mut row = 0;
    for group in &mut groups {
        let mut rows = group.chunks_exact_mut(width);
        // All slices have this length, so the loop checks no index of them.
        let mut rows: [&mut [B]; ROWS] = from_fn(|_| &mut rows.next().unwrap_or_default()[..width]);
        let mut at = row;
        for column in 0..width {
            let line = &from[at..][..ROWS];
            rows.iter_mut().zip(line).for_each(|(to, from)| to[column] = *from);
            at += stride;
        }
        row += ROWS;
    }
    for to in groups.into_remainder().chunks_exact_mut(width) {
        to.iter_mut().zip(from[row..].iter().step_by(stride)).for_each(|(to, from)| *to = *from);
        row += 1;
    }
}

impl Tensor {
    /// A tensor with the elements of this one at `places`.
    ///
    /// # Errors
    /// Like [`zeros`](Tensor::zeros).
    pub(crate) fn strided(&self, places: &Strided, meter: &Meter) -> Result<Self, Error> {
        let shape: Shape = places.dims.iter().map(|size| *size as i64).collect();
        self.strided_as(places, shape, meter)
    }

    /// A tensor of the shape `shape`, which has as many elements as `places`, with the elements of this one at `places`.
    ///
    /// # Errors
    /// Like [`zeros`](Tensor::zeros).
    pub(super) fn strided_as(&self, places: &Strided, shape: Shape, meter: &Meter) -> Result<Self, Error> {
        with_element!(self.element(), T => {
            let from = self.read::<T>()?;
            Tensor::filled::<T>(shape, meter, |to| places.copy(&from, to))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(places: &Strided, from: &[u8]) -> Vec<u8> {
        let mut to = vec![0; places.dims.iter().product()];
        places.copy(from, &mut to);
        to
    }

    #[test]
    fn elements_move_as_the_names_of_the_changes_say() {
        let from: Vec<u8> = (0..24).collect();
        let all = || Strided::new(&[2, 3, 4]);
        assert_eq!(listed(&all(), &from), from);
        let expected: Vec<u8> =
            (0..4).flat_map(|c| (0..2).flat_map(move |a| (0..3).map(move |b| a * 12 + b * 4 + c))).collect();
        assert_eq!(listed(&all().permuted(&[2, 0, 1]), &from), expected);
        let expected: Vec<u8> = [4, 5, 6, 7, 8, 9, 10, 11, 16, 17, 18, 19, 20, 21, 22, 23].to_vec();
        assert_eq!(listed(&all().sliced(1, 1, 3), &from), expected);
        let expected: Vec<u8> = (0..6).flat_map(|row| (0..4).rev().map(move |c| row * 4 + c)).collect();
        assert_eq!(listed(&all().reversed(2), &from), expected);
        let expected: Vec<u8> = [11, 9, 7, 5, 23, 21, 19, 17].to_vec();
        let merged = Strided::new(&[2, 12]).stepped(1, 11, 4, -2);
        assert_eq!(listed(&merged, &from), expected);
        assert_eq!(listed(&all().stepped(2, 3, 1, isize::MAX).stepped(0, 1, 1, 5), &from), [15, 19, 23]);
        assert!(listed(&all().stepped(1, 0, 0, 1), &from).is_empty());
        let wide: Vec<u8> = (0..19 * 11).collect();
        let expected: Vec<u8> = (0..19).flat_map(|column| (0..11).map(move |row| row * 19 + column)).collect();
        assert_eq!(listed(&Strided::new(&[11, 19]).permuted(&[1, 0]), &wide), expected);
        let rows = Strided::new(&[3, 1]).broadcast(&[2, 3, 2]).expect("it broadcasts");
        assert_eq!(listed(&rows, &from[..3]), [0, 0, 1, 1, 2, 2, 0, 0, 1, 1, 2, 2]);
        assert!(Strided::new(&[3]).broadcast(&[2]).is_none());
        assert!(Strided::new(&[3]).broadcast(&[]).is_none());
        assert!(listed(&Strided::new(&[2, 0, 3]).permuted(&[2, 1, 0]), &[]).is_empty());
        assert_eq!(listed(&Strided::new(&[]), &[7]), [7]);
    }
}
