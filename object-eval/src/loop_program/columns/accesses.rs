//! Loads and stores of columns.

use object_core::prelude::*;

use super::domain::{Lanes, Part};
use super::scratch::{NOWHERE, Scratch};
use super::{ColumnAccess, ColumnDim};
use crate::loop_program::run::{Run, out_of_bounds};

/// Where the lanes of a column find their elements.
pub(super) enum Elements<'a> {
    /// The elements of all lanes of a run, the element of lane 0, and the number of the first lane of the column.
    Linear(&'a Lanes, i64, usize),
    /// The element of each lane; `None` for lanes without an access.
    Listed(&'a [Option<usize>]),
    /// The same in a plan, with [`NOWHERE`] for lanes without an access.
    Planned(&'a [u32]),
}

/// Lists the elements of the lanes of a column.
///
/// # Errors
/// [`OutOfRange`](ErrorKind::OutOfRange) for a lane out of bounds.
pub(super) fn list(
    run: &Run<'_>,
    access: &ColumnAccess,
    scratch: &Scratch,
    part: &Part<'_>,
    found: &mut Vec<Option<usize>>,
) -> Result<(), Error> {
    let (_, range) = run.memory.range(access.memory);
    let (elements, count) = ((range.len() / access.size) as u64, part.count);
    let (mut places, mut are_outside) = (vec![run.int(access.offset); count], vec![false; count]);
    for dim in &access.dims {
        let (stride, extent) = (run.int(dim.stride), run.int(dim.extent));
        let add = |(place, is_outside): (&mut i64, &mut bool), index: i64| {
            *is_outside |= index as u64 >= extent as u64;
            *place = place.wrapping_add(index.wrapping_mul(stride));
        };
        match dim.column {
            Some(column) => {
                let lanes = places.iter_mut().zip(&mut are_outside).zip(&scratch.ints[column as usize]);
                lanes.for_each(|(lane, index)| add(lane, *index));
            }
            None => part.rows(run.ints, &dim.index, |row, first, step| {
                let mut index = first;
                for lane in places[row.clone()].iter_mut().zip(&mut are_outside[row]) {
                    add(lane, index);
                    index = index.wrapping_add(step);
                }
            }),
        }
    }
    let mask = access.mask.map(|mask| &scratch.ints[mask as usize]);
    found.clear();
    for (lane, (place, is_outside)) in places.iter().zip(&are_outside).enumerate() {
        if mask.is_some_and(|mask| mask[lane] == 0) {
            found.push(None);
            continue;
        }
        if *is_outside || *place as u64 >= elements {
            return Err(outside(run, access, scratch, part, lane));
        }
        found.push(Some(*place as usize));
    }
    Ok(())
}

/// The error of a lane that is out of bounds.
#[cold]
fn outside(run: &Run<'_>, access: &ColumnAccess, scratch: &Scratch, part: &Part<'_>, lane: usize) -> Error {
    let values = part.domain.values(part, lane);
    let index = |dim: &ColumnDim| match dim.column {
        Some(column) => scratch.ints[column as usize][lane],
        None => values[..part.domain.rank]
            .iter()
            .zip(dim.index.coefficients)
            .fold(run.int(dim.index.base), |index, (value, coefficient)| {
                index.wrapping_add(run.int(coefficient).wrapping_mul(*value))
            }),
    };
    let indices: Vec<i64> = access.dims.iter().map(index).collect();
    let extents: Vec<i64> = access.dims.iter().map(|dim| run.int(dim.extent)).collect();
    out_of_bounds(run.code, access.name, &indices, &extents)
}

/// The elements of an access in a column.
///
/// # Errors
/// [`OutOfRange`](ErrorKind::OutOfRange) for a lane out of bounds.
pub(super) fn elements_of<'a>(
    run: &Run<'_>,
    (access, number): (&ColumnAccess, u32),
    scratch: &'a Scratch,
    part: &Part<'_>,
    listed: &'a mut Vec<Option<usize>>,
) -> Result<Elements<'a>, Error> {
    let resolved = &scratch.resolved[number as usize];
    if let Some(list) = &resolved.list {
        return Ok(Elements::Planned(&list[part.from..][..part.count]));
    }
    // A store leaves the other iterations unchanged; a load may load what nothing uses.
    if resolved.is_checked || access.is_store && access.mask.is_some() {
        list(run, access, scratch, part, listed)?;
        return Ok(Elements::Listed(listed));
    }
    let before = part.repeated[..part.domain.rank].iter().zip(resolved.steps).map(|(count, step)| count * step);
    Ok(Elements::Linear(&resolved.lanes, resolved.first + before.sum::<i64>(), part.from))
}

/// Loads a column from bytes. `load` makes a number of the bytes of an element.
pub(super) fn gather<const SIZE: usize, T: Copy + Default>(
    bytes: &[u8],
    elements: &Elements<'_>,
    to: &mut [T],
    load: impl Fn(&[u8; SIZE]) -> T,
) {
    gather_from(bytes.as_chunks::<SIZE>().0, elements, to, load);
}

/// Loads a column.
pub(super) fn gather_from<A, T: Copy + Default>(
    all: &[A],
    elements: &Elements<'_>,
    to: &mut [T],
    load: impl Fn(&A) -> T,
) {
    match *elements {
        Elements::Linear(lanes, first, from) => lanes.rows([first], (from, to.len()), |row, [first], [step]| {
            let (to, mut at) = (&mut to[row], first);
            match step {
                1 => to.iter_mut().zip(&all[first as usize..]).for_each(|(to, from)| *to = load(from)),
                0 => to.fill(load(&all[first as usize])),
                2.. => {
                    let from = &all[first as usize..];
                    // The last element may have less than a step behind it.
                    let Some((last, to)) = to.split_last_mut() else { return };
                    *last = load(&from[to.len() * step as usize]);
                    let from = from.chunks_exact(step as usize);
                    to.iter_mut().zip(from).for_each(|(to, from)| *to = load(&from[0]));
                }
                _ => {
                    for to in to {
                        *to = load(&all[at as usize]);
                        at += step;
                    }
                }
            }
        }),
        Elements::Listed(list) => {
            to.iter_mut().zip(list).for_each(|(to, at)| *to = at.map_or(T::default(), |at| load(&all[at])));
        }
        Elements::Planned(list) => {
            to.iter_mut().zip(list).for_each(|(to, at)| *to = all.get(*at as usize).map_or(T::default(), &load));
        }
    }
}

/// Stores a column.
pub(super) fn scatter<const SIZE: usize, T: Copy>(
    bytes: &mut [u8],
    elements: &Elements<'_>,
    from: &[T],
    store: impl Fn(T) -> [u8; SIZE],
) {
    let (all, _) = bytes.as_chunks_mut::<SIZE>();
    match *elements {
        Elements::Linear(lanes, first, begin) => lanes.rows([first], (begin, from.len()), |row, [first], [step]| {
            let (from, mut at) = (&from[row], first);
            if step == 1 {
                all[first as usize..].iter_mut().zip(from).for_each(|(to, from)| *to = store(*from));
            } else {
                for from in from {
                    all[at as usize] = store(*from);
                    at += step;
                }
            }
        }),
        Elements::Listed(list) => {
            list.iter()
                .zip(from)
                .filter_map(|(at, from)| Some(((*at)?, from)))
                .for_each(|(at, from)| all[at] = store(*from));
        }
        Elements::Planned(list) => {
            for (at, from) in list.iter().zip(from).filter(|(at, _)| **at != NOWHERE) {
                all[*at as usize] = store(*from);
            }
        }
    }
}
