//! Functions as instructions: their parameters, and checks of shapes.

use object_core::prelude::*;
use object_ir::ir::IRModule;
use object_ir::tir::{Buffer, PrimFunc, Var, buffer_type};

use super::buffers::element_of;
use super::code::{FIELDS, Instruction, LoopCode, Param, ParamBuffer};
use super::compiler::{BufferPlace, Compiler, key};
use super::expressions::lanes_of;
use super::kind::Kind;
use super::registers::{Place, Register};

/// Compiles a function of a module.
///
/// # Errors
/// For parameters without a meaning here, and for nests that are too deep. Other parts without a meaning fail when a run
/// reaches them.
pub(super) fn compile(function: &PrimFunc, module: &IRModule) -> Result<LoopCode, Error> {
    let mut compiler = Compiler::default();
    compiler.module = Some(module.clone());
    let mut buffers = Vec::new();
    for param in &*function.params {
        let buffer = function.buffer_map.get(param);
        let param = compiler.parameter(param, buffer, &mut buffers)?;
        compiler.code.params.push(param);
    }
    compiler.match_parameters(&buffers)?;
    compiler.calls.push(key(function));
    compiler.body(&function.body)?;
    compiler.emit(Instruction::Return { value: None, is_truth: false });
    Ok(compiler.finish())
}

impl Compiler {
    /// Gives a parameter a place. Its buffer is added to `buffers`.
    fn parameter(
        &mut self,
        var: &Var,
        buffer: Option<Buffer>,
        buffers: &mut Vec<(Buffer, ParamBuffer, u32)>,
    ) -> Result<(Str, Param), Error> {
        let Some(buffer) = buffer else {
            let (place, param) = match Kind::of(var.dtype)? {
                Kind::Int(kind) => {
                    let to = self.new_int();
                    (Place::Int(to), Param::Int { to, kind })
                }
                Kind::Float(element) => {
                    let to = self.new_float();
                    (Place::Float(to), Param::Float { to, element })
                }
                Kind::Pointer => {
                    let memory = self.new_memory(None);
                    let fields = self.tensor_fields(memory);
                    (Place::Pointer(memory), Param::Tensor { memory, buffer: None, fields })
                }
            };
            self.define(var, vec![place]);
            return Ok((var.name.clone(), param));
        };
        if lanes_of(buffer.dtype)? != 1 {
            let message = format!("the parameter `{}` has elements of the type {:?}", buffer.name, buffer.dtype);
            return Err(Error::new(ErrorKind::TypeMismatch, message));
        }
        let memory = self.new_memory(None);
        let rank = buffer.shape.len();
        let mut registers = |count: usize| (0..count).map(|_| self.new_int()).collect::<Vec<_>>();
        let (extents, strides) = (registers(rank), registers(rank));
        let broadcasts = buffer.buffer_type == buffer_type::AUTO_BROADCAST;
        let place = ParamBuffer { element: element_of(&buffer)?, extents, strides, broadcasts };
        buffers.push((buffer.clone(), place.clone(), memory));
        // The parameter itself is the tensor, and the variable of the buffer is its memory.
        self.define(var, vec![Place::Pointer(memory)]);
        let fields = self.tensor_fields(memory);
        Ok((buffer.name.clone(), Param::Tensor { memory, buffer: Some(place), fields }))
    }

    /// The registers for facts about a tensor.
    fn tensor_fields(&mut self, memory: u32) -> Register {
        let first = self.new_int();
        (1..FIELDS).for_each(|_| _ = self.new_int());
        self.fields.insert(memory, first);
        first
    }

    /// Binds the variables in shapes to the extents of arguments, and checks the other expressions.
    fn match_parameters(&mut self, buffers: &[(Buffer, ParamBuffer, u32)]) -> Result<(), Error> {
        // Variables first, because an expression may come before the shape that gives its variable a value.
        for (buffer, place, memory) in buffers {
            self.define(&buffer.data, vec![Place::Pointer(*memory)]);
            let written = buffer.shape.iter().zip(&place.extents).chain(buffer.strides.iter().zip(&place.strides));
            for (written, given) in written {
                if let Some(var) = written.downcast_ref::<Var>().filter(|var| self.var(var).is_none()) {
                    self.define(var, vec![Place::Int(*given)]);
                }
            }
        }
        for (buffer, place, memory) in buffers {
            let (name, offset) = (self.name(&buffer.name), self.int(0));
            let (mut extents, mut strides) = (place.extents.clone(), place.strides.clone());
            self.match_expressions(&buffer.shape, &extents, &format!("shape of `{}`", buffer.name))?;
            self.match_expressions(&buffer.strides, &strides, &format!("strides of `{}`", buffer.name))?;
            let elem_offset = Array::new([buffer.elem_offset.clone()]);
            self.match_expressions(&elem_offset, &[offset], &format!("offset of `{}`", buffer.name))?;
            if !place.broadcasts {
                // Constants and variables are at hand more often than the registers of the argument.
                for (extent, written) in extents.iter_mut().zip(&*buffer.shape) {
                    *extent = self.integer(written)?;
                }
                if buffer.strides.is_empty() {
                    strides = self.dense_strides(&extents);
                }
            }
            self.define_buffer(buffer, BufferPlace { name, memory: *memory, extents, strides, offset });
        }
        Ok(())
    }
}
