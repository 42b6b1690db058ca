//! Addresses as memories.

use object_core::prelude::*;
use object_ir::ir::{Op, PrimExpr};
use object_ir::tir;

use super::arithmetic::Binary;
use super::code::Instruction;
use super::compiler::Compiler;
use super::form::Form;
use super::intrinsics::Intrinsic;
use super::registers::{Place, Register};

impl Compiler {
    /// Binds a variable to an address: of a buffer, of an element, or of a part of memory.
    ///
    /// # Errors
    /// [`Call`](ErrorKind::Call) for another address.
    pub(super) fn bind_pointer(&mut self, var: &tir::Var, value: &PrimExpr) -> Result<(), Error> {
        let memory = self.pointer(value)?;
        self.define(var, vec![Place::Pointer(memory)]);
        Ok(())
    }

    /// The memory at an address.
    ///
    /// # Errors
    /// [`Call`](ErrorKind::Call) for another address.
    pub(super) fn pointer(&mut self, value: &PrimExpr) -> Result<u32, Error> {
        let name =
            value.downcast_ref::<tir::Call>().and_then(|call| call.op.downcast_ref::<Op>().map(|op| op.name.clone()));
        let args: Vec<PrimExpr> =
            value.downcast_ref::<tir::Call>().map(|call| call.args.iter().collect()).unwrap_or_default();
        match (name.as_deref(), &args[..]) {
            (Some("tirx.address_of"), [element]) => {
                let Some(load) = element.downcast_ref::<tir::BufferLoad>() else { return Err(no_address(value)) };
                let access = self.access(&load.buffer, &load.indices, 0)?;
                let access = self.code.accesses[access as usize].clone();
                let mut at = access.offset;
                for dim in &access.dims {
                    let distance = self.index(Binary::Mul, dim.index, dim.stride);
                    at = self.index(Binary::Add, at, distance);
                }
                let size = self.int(access.element.size() as i64 * access.lanes.0);
                let offset = self.index(Binary::Mul, at, size);
                Ok(self.point(access.memory, offset))
            }
            (Some("tirx.tvm_access_ptr"), [element, data, offset, ..]) => {
                let from = self.pointer(data)?;
                let (size, offset) = (self.int(i64::from(element.dtype.bits.div_ceil(8))), self.integer(offset)?);
                let offset = self.index(Binary::Mul, offset, size);
                Ok(self.point(from, offset))
            }
            (Some("tirx.handle_add_byte_offset"), [data, offset]) => {
                let (from, offset) = (self.pointer(data)?, self.integer(offset)?);
                Ok(self.point(from, offset))
            }
            (Some("tirx.reinterpret"), [data]) => self.pointer(data),
            _ => match Form::of(value)? {
                Form::Var(_) | Form::Unary(Intrinsic::Identity, _) => match self.expression(value)? {
                    Place::Pointer(memory) => Ok(memory),
                    _ => Err(no_address(value)),
                },
                _ => Err(no_address(value)),
            },
        }
    }

    fn point(&mut self, from: u32, offset: Register) -> u32 {
        let to = self.new_memory(Some(from));
        self.emit(Instruction::Point { to, from, offset });
        to
    }
}

fn no_address(value: &PrimExpr) -> Error {
    let key = value.as_object().view().type_key();
    Error::new(ErrorKind::Call, format!("the evaluator has no address for `{key}` of the type {:?}", value.dtype))
}
