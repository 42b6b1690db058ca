//! Accesses of columns: which elements they use, and whether iterations are independent.

use object_core::prelude::*;

use super::{ColumnAccess, ColumnId, Resolved, Scratch};
use crate::eval::loop_program::elements;
use crate::eval::loop_program::memory::Memory;
use crate::eval::loop_program::run::{Run, out_of_bounds};
use crate::eval::value::ElementType;

impl Run<'_> {
    /// Finds the elements of an access in `count` iterations from `begin` on. `None` if an iteration is out of bounds.
    fn resolve(&self, access: &ColumnAccess, begin: i64, count: usize) -> Option<Resolved> {
        let (number, range) = self.memory.range(access.memory);
        let elements = range.len() / access.size;
        let last = i64::try_from(count).ok()? - 1;
        let (mut first, mut step, mut is_linear, mut is_inside) = (self.int(access.offset), 0_i64, true, true);
        for dim in &access.dims {
            let (coefficient, stride, extent) = (self.int(dim.coefficient), self.int(dim.stride), self.int(dim.extent));
            is_linear &= dim.column.is_none();
            let at = self.int(dim.base).checked_add(coefficient.checked_mul(begin)?)?;
            let end = at.checked_add(coefficient.checked_mul(last)?)?;
            is_inside &= (0..extent).contains(&at) && (0..extent).contains(&end);
            first = first.checked_add(at.checked_mul(stride)?)?;
            step = step.checked_add(coefficient.checked_mul(stride)?)?;
        }
        let end = first.checked_add(step.checked_mul(last)?)?;
        let fits = |element: i64| usize::try_from(element).is_ok_and(|element| element < elements);
        if is_linear && is_inside && fits(first) && fits(end) {
            let (low, high) = (first.min(end) as usize, first.max(end) as usize);
            let range = range.start + low * access.size..range.start + (high + 1) * access.size;
            return Some(Resolved { first, step, is_checked: false, bytes: (number, range) });
        }
        if is_linear && access.mask.is_none() {
            return None;
        }
        Some(Resolved { first, step, is_checked: true, bytes: (number, range) })
    }

    /// Finds the elements of all accesses. Whether the result is the same as if the iterations ran one after the other.
    pub(super) fn resolve_all(&mut self, accesses: &[ColumnAccess], begin: i64, count: usize) -> bool {
        let mut resolved = std::mem::take(&mut self.scratch.resolved);
        resolved.clear();
        for access in accesses {
            match self.resolve(access, begin, count) {
                Some(it) => resolved.push(it),
                None => break,
            }
        }
        let is_complete = resolved.len() == accesses.len();
        let is_independent = is_complete && are_independent(accesses, &resolved);
        self.scratch.resolved = resolved;
        is_independent
    }
}

/// Whether no iteration uses an element that another iteration writes.
fn are_independent(accesses: &[ColumnAccess], resolved: &[Resolved]) -> bool {
    let overlap = |a: &Resolved, b: &Resolved| {
        a.bytes.0 == b.bytes.0 && a.bytes.1.start < b.bytes.1.end && b.bytes.1.start < a.bytes.1.end
    };
    accesses.iter().zip(resolved).enumerate().filter(|(_, (access, _))| access.is_store).all(|(number, (store, at))| {
        let is_distinct = !at.is_checked && at.step != 0;
        let own = store.is_fold && !at.is_checked || is_distinct;
        own && accesses.iter().zip(resolved).enumerate().all(|(other, (access, it))| {
            // The same elements in the same iterations are in order.
            let is_same = !it.is_checked
                && is_distinct
                && !store.is_fold
                && (store.size, at.first, at.step) == (access.size, it.first, it.step)
                && store.memory == access.memory;
            other == number || is_same || !overlap(at, it)
        })
    })
}

/// Where the iterations of a column find their elements.
pub(super) enum Elements<'a> {
    /// The element of the first iteration of the column, and the distance of two iterations.
    Linear(i64, i64),
    /// The element of each iteration; `None` for iterations without an access.
    Listed(&'a [Option<usize>]),
}

/// Lists the elements of the iterations from `done` on.
///
/// # Errors
/// [`OutOfRange`](ErrorKind::OutOfRange) for an iteration out of bounds.
pub(super) fn list(
    run: &Run<'_>,
    access: &ColumnAccess,
    scratch: &Scratch,
    begin: i64,
    count: usize,
    found: &mut Vec<Option<usize>>,
) -> Result<(), Error> {
    found.clear();
    let (_, range) = run.memory.range(access.memory);
    let elements = (range.len() / access.size) as u64;
    let column = |column: ColumnId, lane: usize| scratch.ints[column as usize][lane];
    for lane in 0..count {
        if access.mask.is_some_and(|mask| column(mask, lane) == 0) {
            found.push(None);
            continue;
        }
        let index = |dim: &super::ColumnDim| match dim.column {
            Some(indices) => column(indices, lane),
            None => {
                run.int(dim.base).wrapping_add(run.int(dim.coefficient).wrapping_mul(begin.wrapping_add(lane as i64)))
            }
        };
        let mut at = run.int(access.offset);
        let mut is_inside = true;
        for dim in &access.dims {
            let index = index(dim);
            is_inside &= (index as u64) < run.int(dim.extent) as u64;
            at = at.wrapping_add(index.wrapping_mul(run.int(dim.stride)));
        }
        if !is_inside || at as u64 >= elements {
            let indices: Vec<i64> = access.dims.iter().map(index).collect();
            let extents: Vec<i64> = access.dims.iter().map(|dim| run.int(dim.extent)).collect();
            return Err(out_of_bounds(run.code, access.name, &indices, &extents));
        }
        found.push(Some(at as usize));
    }
    Ok(())
}

/// The elements of an access in a column that begins at iteration `begin + done`.
pub(super) fn elements_of<'a>(
    run: &Run<'_>,
    (access, number): (&ColumnAccess, u32),
    scratch: &Scratch,
    (begin, done, count): (i64, usize, usize),
    listed: &'a mut Vec<Option<usize>>,
) -> Result<Elements<'a>, Error> {
    let resolved = &scratch.resolved[number as usize];
    // A store leaves the other iterations unchanged; a load may load what nothing uses.
    if resolved.is_checked || access.is_store && access.mask.is_some() {
        list(run, access, scratch, begin + done as i64, count, listed)?;
        return Ok(Elements::Listed(listed));
    }
    Ok(Elements::Linear(resolved.first + resolved.step * done as i64, resolved.step))
}

/// Loads a column. `load` makes a number of the bytes of an element.
fn gather<const SIZE: usize, T: Copy + Default>(
    bytes: &[u8],
    elements: &Elements<'_>,
    to: &mut [T],
    load: impl Fn(&[u8; SIZE]) -> T,
) {
    let (all, _) = bytes.as_chunks::<SIZE>();
    match *elements {
        Elements::Linear(first, 1) => {
            let first = first as usize;
            to.iter_mut().zip(&all[first..]).for_each(|(to, from)| *to = load(from));
        }
        Elements::Linear(first, 0) => to.fill(load(&all[first as usize])),
        Elements::Linear(first, step) => {
            let mut at = first;
            for to in to {
                *to = load(&all[at as usize]);
                at += step;
            }
        }
        Elements::Listed(list) => {
            to.iter_mut().zip(list).for_each(|(to, at)| *to = at.map_or(T::default(), |at| load(&all[at])));
        }
    }
}

/// Stores a column.
fn scatter<const SIZE: usize, T: Copy>(
    bytes: &mut [u8],
    elements: &Elements<'_>,
    from: &[T],
    store: impl Fn(T) -> [u8; SIZE],
) {
    let (all, _) = bytes.as_chunks_mut::<SIZE>();
    match *elements {
        Elements::Linear(first, 1) => {
            let first = first as usize;
            all[first..].iter_mut().zip(from).for_each(|(to, from)| *to = store(*from));
        }
        Elements::Linear(first, step) => {
            let mut at = first;
            for from in from {
                all[at as usize] = store(*from);
                at += step;
            }
        }
        Elements::Listed(list) => {
            list.iter()
                .zip(from)
                .filter_map(|(at, from)| Some(((*at)?, from)))
                .for_each(|(at, from)| all[at] = store(*from));
        }
    }
}

/// Loads floating-point numbers.
pub(super) fn load_floats(memory: &Memory<'_>, access: &ColumnAccess, elements: &Elements<'_>, to: &mut [f64]) {
    use ElementType as E;
    let bytes = memory.read(access.memory);
    match access.element {
        E::F32 => gather::<4, _>(bytes, elements, to, |it| f32::from_ne_bytes(*it).into()),
        E::F64 => gather::<8, _>(bytes, elements, to, |it| f64::from_ne_bytes(*it)),
        E::F16 => gather::<2, _>(bytes, elements, to, |it| elements::f16_to_f64(u16::from_ne_bytes(*it))),
        E::BF16 => gather::<2, _>(bytes, elements, to, |it| elements::load_float(E::BF16, it)),
        element => gather::<1, _>(bytes, elements, to, |it| elements::load_float(element, it)),
    }
}

/// Loads integers.
pub(super) fn load_ints(memory: &Memory<'_>, access: &ColumnAccess, elements: &Elements<'_>, to: &mut [i64]) {
    use ElementType as E;
    let bytes = memory.read(access.memory);
    match access.element {
        E::I64 | E::U64 => gather::<8, _>(bytes, elements, to, |it| i64::from_ne_bytes(*it)),
        E::I32 => gather::<4, _>(bytes, elements, to, |it| i32::from_ne_bytes(*it).into()),
        E::U32 => gather::<4, _>(bytes, elements, to, |it| u32::from_ne_bytes(*it).into()),
        E::I16 => gather::<2, _>(bytes, elements, to, |it| i16::from_ne_bytes(*it).into()),
        E::U16 => gather::<2, _>(bytes, elements, to, |it| u16::from_ne_bytes(*it).into()),
        element => gather::<1, _>(bytes, elements, to, |it| elements::load_int(element, it)),
    }
}

/// Stores floating-point numbers.
pub(super) fn store_floats(memory: &mut Memory<'_>, access: &ColumnAccess, elements: &Elements<'_>, from: &[f64]) {
    use ElementType as E;
    let bytes = memory.write(access.memory);
    fn bytes_of<const SIZE: usize>(element: E, value: f64) -> [u8; SIZE] {
        let mut bytes = [0; SIZE];
        elements::store_float(element, &mut bytes, value);
        bytes
    }
    match access.element {
        E::F32 => scatter::<4, _>(bytes, elements, from, |it| (it as f32).to_ne_bytes()),
        E::F64 => scatter::<8, _>(bytes, elements, from, f64::to_ne_bytes),
        E::F16 => scatter::<2, _>(bytes, elements, from, |it| bytes_of(E::F16, it)),
        E::BF16 => scatter::<2, _>(bytes, elements, from, |it| bytes_of(E::BF16, it)),
        element => scatter::<1, _>(bytes, elements, from, |it| bytes_of(element, it)),
    }
}

/// Stores integers.
pub(super) fn store_ints(memory: &mut Memory<'_>, access: &ColumnAccess, elements: &Elements<'_>, from: &[i64]) {
    let bytes = memory.write(access.memory);
    match access.size {
        8 => scatter::<8, _>(bytes, elements, from, i64::to_ne_bytes),
        4 => scatter::<4, _>(bytes, elements, from, |it| (it as u32).to_ne_bytes()),
        2 => scatter::<2, _>(bytes, elements, from, |it| (it as u16).to_ne_bytes()),
        _ if access.element == ElementType::Bool => scatter::<1, _>(bytes, elements, from, |it| [u8::from(it != 0)]),
        _ => scatter::<1, _>(bytes, elements, from, |it| [it as u8]),
    }
}
