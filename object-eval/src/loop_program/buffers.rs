//! Buffers and accesses to them.

use object_core::prelude::*;
use object_ir::ir::PrimExpr;
use object_ir::tir::{self, Buffer};

use super::arithmetic::Binary;
use super::code::{Access, Allocation, Dim, Instruction};
use super::compiler::{BufferPlace, Compiler};
use super::expressions::lanes_of;
use super::kind::{IntKind, Kind};
use super::registers::{Place, Register};
use crate::pattern::SHAPE_MISMATCH;
use crate::value::ElementType;

/// The type of the elements of a buffer, without lanes.
pub(super) fn element_of(buffer: &Buffer) -> Result<ElementType, Error> {
    ElementType::of(DataType { raw_lanes: 1, ..buffer.dtype })
        .map_err(|error| error.context(format!("the buffer `{}`", buffer.name)))
}

impl Compiler {
    /// Loads a lane of a value from a buffer.
    pub(super) fn load(&mut self, load: &tir::BufferLoad, lane: usize) -> Result<Place, Error> {
        let to = self.new_place(Kind::of(load.buffer.dtype)?);
        // A lane that the predicate excludes has no value; it is 0 here.
        let end = match &load.predicate {
            Some(predicate) => {
                let (zero, is_read, end) = (self.zero_like(to), self.mask_lane(predicate, lane)?, self.new_label());
                self.copy(to, zero);
                self.emit(Instruction::JumpUnless { condition: is_read, to: end });
                Some(end)
            }
            None => None,
        };
        let access = self.scope(|compiler| compiler.access(&load.buffer, &load.indices, lane))?;
        self.emit(match to {
            Place::Int(to) => Instruction::LoadInt { to, access },
            Place::Float(to) => Instruction::LoadFloat { to, access },
            Place::Pointer(_) => return Err(Error::new(ErrorKind::TypeMismatch, "a buffer of addresses")),
        });
        if let Some(end) = end {
            self.place(end);
        }
        Ok(to)
    }

    fn zero_like(&mut self, place: Place) -> Place {
        match place {
            Place::Float(_) => Place::Float(self.float(0.0)),
            _ => Place::Int(self.int(0)),
        }
    }

    fn mask_lane(&mut self, predicate: &PrimExpr, lane: usize) -> Result<Register, Error> {
        match self.lane(predicate, if predicate.dtype.lanes() == 1 { 0 } else { lane })? {
            Place::Int(register) => Ok(register),
            _ => Err(Error::new(ErrorKind::TypeMismatch, "expected truth values as the predicate of an access")),
        }
    }

    /// Stores a value into a buffer. All lanes are computed before the first one is stored.
    pub(super) fn store(&mut self, store: &tir::BufferStore) -> Result<(), Error> {
        let lanes = lanes_of(store.value.dtype)?;
        let mut values = Vec::with_capacity(lanes);
        for lane in 0..lanes {
            values.push(self.lane(&store.value, lane)?);
        }
        let (given, kind) = (Kind::of(store.value.dtype)?, Kind::of(store.buffer.dtype)?);
        if given != kind {
            let message = format!(
                "expected a value of type {:?} to store into the buffer `{}`, got {:?}",
                store.buffer.dtype, store.buffer.name, store.value.dtype
            );
            return Err(Error::new(ErrorKind::TypeMismatch, message));
        }
        for (lane, value) in values.into_iter().enumerate() {
            let end = self.new_label();
            if let Some(predicate) = &store.predicate {
                let condition = self.mask_lane(predicate, lane)?;
                self.emit(Instruction::JumpUnless { condition, to: end });
            }
            let access = self.scope(|compiler| compiler.access(&store.buffer, &store.indices, lane))?;
            let memory = self.code.accesses[access as usize].memory;
            self.code.is_written[memory as usize] = true;
            self.emit(match value {
                Place::Int(from) => Instruction::StoreInt { from, access },
                Place::Float(from) => Instruction::StoreFloat { from, access },
                Place::Pointer(_) => return Err(Error::new(ErrorKind::TypeMismatch, "a buffer of addresses")),
            });
            self.place(end);
        }
        Ok(())
    }

    /// The access to a lane of a vector of elements.
    pub(super) fn access(&mut self, buffer: &Buffer, indices: &Array<PrimExpr>, lane: usize) -> Result<u32, Error> {
        let (place, width) = (self.place_of(buffer)?, lanes_of(buffer.dtype)?);
        if indices.len() != place.extents.len() {
            return Err(wrong_rank(buffer, place.extents.len(), indices.len()));
        }
        let mut dims = Vec::with_capacity(indices.len());
        for (dim, index) in indices.iter().enumerate() {
            let index_lane = if index.dtype.lanes() == 1 { 0 } else { lane / width };
            let Place::Int(register) = self.lane(&index, index_lane)? else {
                return Err(Error::new(ErrorKind::TypeMismatch, format!("expected an index, got {:?}", index.dtype)));
            };
            dims.push(Dim { index: register, extent: place.extents[dim], stride: place.strides[dim] });
        }
        let lanes = (width as i64, (lane % width) as i64);
        let element = element_of(buffer)?;
        let BufferPlace { name, memory, offset, .. } = place;
        let access = Access { name, memory, element, size: element.size(), dims, offset, lanes };
        self.code.accesses.push(access);
        Ok(u32::try_from(self.code.accesses.len() - 1).unwrap_or(u32::MAX))
    }

    /// The registers of a buffer. A buffer that nothing declares is declared here, over the memory of its variable.
    pub(super) fn place_of(&mut self, buffer: &Buffer) -> Result<BufferPlace, Error> {
        if let Some(place) = self.buffer(buffer) {
            return Ok(place.clone());
        }
        let Some([Place::Pointer(memory)]) = self.var(&buffer.data) else {
            let message = format!("the buffer `{}` has no memory here: nothing defines its address", buffer.name);
            return Err(Error::new(ErrorKind::BadReference, message));
        };
        self.declare(buffer, *memory)
    }

    /// Declares a buffer over a memory.
    pub(super) fn declare(&mut self, buffer: &Buffer, memory: u32) -> Result<BufferPlace, Error> {
        let mut extents = Vec::new();
        for extent in &*buffer.shape {
            extents.push(self.integer(extent)?);
        }
        let mut strides = Vec::new();
        for stride in &*buffer.strides {
            strides.push(self.integer(stride)?);
        }
        if strides.is_empty() {
            strides = self.dense_strides(&extents);
        }
        if strides.len() != extents.len() {
            return Err(wrong_rank(buffer, extents.len(), strides.len()));
        }
        let offset = match &buffer.elem_offset {
            // An offset that nothing defines is the one of the whole memory.
            offset if offset.downcast_ref::<tir::Var>().is_some_and(|var| self.var(var).is_none()) => self.int(0),
            offset => self.integer(offset)?,
        };
        let place = BufferPlace { name: self.name(&buffer.name), memory, extents, strides, offset };
        self.define_buffer(buffer, place.clone());
        Ok(place)
    }

    /// The strides of rows one after the other.
    pub(super) fn dense_strides(&mut self, extents: &[Register]) -> Vec<Register> {
        let mut stride = self.int(1);
        let mut strides = vec![stride; extents.len()];
        for dim in (0..extents.len()).rev() {
            strides[dim] = stride;
            if dim > 0 {
                stride = self.index(Binary::Mul, stride, extents[dim]);
            }
        }
        strides
    }

    /// Allocates the memory of a buffer.
    pub(super) fn allocate(&mut self, buffer: &Buffer) -> Result<(), Error> {
        let (element, lanes) = (element_of(buffer)?, lanes_of(buffer.dtype)?);
        let memory = self.new_memory(None);
        self.define(&buffer.data, vec![Place::Pointer(memory)]);
        let place = self.declare(buffer, memory)?;
        // With strides, the outermost dimension spans the whole memory.
        let extents = match (place.extents.first(), place.strides.first()) {
            (Some(extent), Some(stride)) if !buffer.strides.is_empty() => vec![*extent, *stride],
            _ => place.extents,
        };
        let element_size = (element.size() * lanes) as u64;
        self.code.allocations.push(Allocation { memory, extents, element_size });
        let allocation = u32::try_from(self.code.allocations.len() - 1).unwrap_or(u32::MAX);
        self.emit(Instruction::Allocate { allocation });
        Ok(())
    }

    /// Declares a buffer that is another name for a box of elements.
    pub(super) fn match_region(&mut self, matched: &tir::MatchBufferRegion) -> Result<(), Error> {
        let (source, target) = (&matched.source, &matched.buffer);
        let place = self.place_of(&source.buffer)?;
        if source.region.len() != place.extents.len() || target.shape.len() > place.extents.len() {
            return Err(wrong_rank(&source.buffer, place.extents.len(), source.region.len()));
        }
        if source.buffer.dtype != target.dtype {
            let message = format!(
                "expected a buffer of type {:?} for a part of `{}`, got {:?}",
                source.buffer.dtype, source.buffer.name, target.dtype
            );
            return Err(Error::new(ErrorKind::TypeMismatch, message));
        }
        let mut offset = place.offset;
        for (range, stride) in source.region.iter().zip(&place.strides) {
            let min = self.integer(&range.min)?;
            let distance = self.index(Binary::Mul, min, *stride);
            offset = self.index(Binary::Add, offset, distance);
        }
        let outer = place.extents.len() - target.shape.len();
        let mut extents = Vec::new();
        for (index, range) in source.region.iter().enumerate() {
            let extent = self.integer(&range.extent)?;
            if index < outer {
                let one = self.int(1);
                self.check_equal(one, extent, format!("the extent {index} of the part of `{}`", source.buffer.name));
            } else {
                extents.push(extent);
            }
        }
        let strides = place.strides[outer..].to_vec();
        self.match_expressions(&target.shape, &extents, &format!("extents of `{}`", target.name))?;
        self.match_expressions(&target.strides, &strides, &format!("strides of `{}`", target.name))?;
        self.match_expressions(
            &Array::new([target.elem_offset.clone()]),
            &[offset],
            &format!("the offset of `{}`", target.name),
        )?;
        self.define(&target.data, vec![Place::Pointer(place.memory)]);
        let name = self.name(&target.name);
        self.define_buffer(target, BufferPlace { name, memory: place.memory, extents, strides, offset });
        Ok(())
    }

    /// Matches written expressions with given numbers: a variable without a value gets one, other expressions are checked
    /// afterwards.
    pub(super) fn match_expressions(
        &mut self,
        written: &Array<PrimExpr>,
        given: &[Register],
        subject: &str,
    ) -> Result<(), Error> {
        for (written, given) in written.iter().zip(given) {
            if let Some(var) = written.downcast_ref::<tir::Var>().filter(|var| self.var(var).is_none()) {
                self.define(var, vec![Place::Int(*given)]);
            }
        }
        for (index, (written, given)) in written.iter().zip(given).enumerate() {
            let expected = self.integer(&written)?;
            self.check_equal(expected, *given, format!("dimension {index} of the {subject}"));
        }
        Ok(())
    }

    /// Checks that a number is the expected one.
    pub(super) fn check_equal(&mut self, expected: Register, given: Register, subject: String) {
        if expected != given {
            let error = self.error(Error::new(SHAPE_MISMATCH, subject));
            self.emit(Instruction::CheckEqual { expected, given, error });
        }
    }

    /// The integers as 64-bit numbers.
    pub(super) const INDEX: Kind = Kind::Int(IntKind { bits: 64, is_signed: true });
}

fn wrong_rank(buffer: &Buffer, expected: usize, given: usize) -> Error {
    let message = format!("the buffer `{}` has {expected} dimensions, got {given}", buffer.name);
    Error::new(ErrorKind::OutOfRange, message)
}
