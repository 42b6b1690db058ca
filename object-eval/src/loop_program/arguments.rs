//! Calls: arguments as registers and memory.

use std::sync::{RwLockReadGuard, RwLockWriteGuard};

use object_core::prelude::*;
use smallvec::SmallVec;

use super::code::{LoopCode, Param, ParamBuffer};
use super::columns::scratch::Scratch;
use super::kept::Kept;
use super::kind::round;
use super::memory::Memory;
use super::run::Run;
use crate::controls::Controls;
use crate::pattern::SHAPE_MISMATCH;
use crate::scalar::Scalar;
use crate::value::{Storage, Tensor, Value};

/// The device of all tensors.
const CPU: Device = Device::cpu(0);

/// The memory of a storage while a program uses it. Programs that only read it can run at the same time.
enum Guard<'a> {
    Read(RwLockReadGuard<'a, Vec<u64>>),
    Write(RwLockWriteGuard<'a, Vec<u64>>),
}

/// A storage that arguments need, and whether the program writes into it.
struct Need<'a> {
    address: usize,
    storage: &'a Storage,
    is_written: bool,
}

/// Calls a compiled function.
///
/// # Errors
/// For arguments that do not match the parameters, and the errors of the run.
pub(super) fn call(code: &LoopCode, args: &[Any], controls: &Controls) -> Result<Any, Error> {
    if args.len() != code.params.len() {
        let names: Vec<String> = code.params.iter().map(|(name, _)| name.to_string()).collect();
        let message = format!("expected {} arguments ({}), got {}", code.params.len(), names.join(", "), args.len());
        return Err(Error::new(ErrorKind::Call, message));
    }
    // The storages in the order of the arguments, so that equal calls have equal numbers of memory.
    let mut needs: SmallVec<[Need<'_>; 8]> = SmallVec::new();
    let mut numbers: SmallVec<[Option<usize>; 8]> = SmallVec::new();
    for (arg, (_, param)) in args.iter().zip(&code.params) {
        let (Value::Tensor(tensor), Param::Tensor { memory, .. }) = (Value::of(arg), param) else {
            numbers.push(None);
            continue;
        };
        let (storage, is_written) = (tensor.storage(), code.is_written[*memory as usize]);
        let address = storage.as_object().view().address();
        let number = needs.iter().position(|need| need.address == address).unwrap_or(needs.len());
        match needs.get_mut(number) {
            Some(need) => need.is_written |= is_written,
            None => needs.push(Need { address, storage, is_written }),
        }
        numbers.push(Some(number));
    }
    // All programs lock in the order of addresses, so they never wait for each other in a circle.
    let mut order: SmallVec<[usize; 8]> = (0..needs.len()).collect();
    order.sort_unstable_by_key(|number| needs[*number].address);
    let mut guards: SmallVec<[Option<Guard<'_>>; 8]> = needs.iter().map(|_| None).collect();
    for number in order {
        let Need { storage, is_written, .. } = needs[number];
        guards[number] = Some(if is_written { Guard::Write(storage.write()) } else { Guard::Read(storage.read()) });
    }
    let mut memory = Memory::new(code.origins.len());
    for guard in guards.iter_mut().flatten() {
        match guard {
            Guard::Read(words) => memory.add_shared(bytemuck::cast_slice(words)),
            Guard::Write(words) => memory.add_exclusive(bytemuck::cast_slice_mut(words)),
        }
    }
    // Calls of one program at the same time do not wait for each other: one of them has what an earlier call left.
    let mut kept = code.kept.try_lock().ok().and_then(|mut kept| kept.take()).unwrap_or_default();
    let Kept { ints, floats, scratch } = &mut *kept;
    let result = start(&mut Run::new(code, memory, controls, (ints, floats)), scratch, args, &numbers);
    scratch.end();
    if let Ok(mut place) = code.kept.try_lock() {
        *place = Some(kept);
    }
    result
}

fn start(run: &mut Run<'_>, scratch: &mut Scratch, args: &[Any], numbers: &[Option<usize>]) -> Result<Any, Error> {
    scratch.begin(run.controls.meter())?;
    let params = run.code.params.iter();
    for (index, ((arg, (name, param)), number)) in args.iter().zip(params).zip(numbers).enumerate() {
        bind(run, arg, param, *number)
            .map_err(|error| error.context(format!("argument {index} (`{name}`) of the loop program")))?;
    }
    run.run(scratch)
}

fn mismatch(expected: impl std::fmt::Display, given: &Any) -> Error {
    Error::new(ErrorKind::TypeMismatch, format!("expected {expected}, got {}", Value::of(given)))
}

fn bind(run: &mut Run<'_>, arg: &Any, param: &Param, bytes: Option<usize>) -> Result<(), Error> {
    match param {
        Param::Int { to, kind } => {
            let Some(scalar) = Scalar::of(arg) else { return Err(mismatch("an integer", arg)) };
            if matches!(scalar, Scalar::Float(_)) {
                return Err(mismatch("an integer", arg));
            }
            run.ints[*to as usize] = kind.wrap(scalar.int());
        }
        Param::Float { to, element } => {
            let Some(scalar) = Scalar::of(arg) else { return Err(mismatch("a number", arg)) };
            run.floats[*to as usize] = round(*element, scalar.float());
        }
        Param::Tensor { memory, buffer, fields } => {
            let (Value::Tensor(tensor), Some(bytes)) = (Value::of(arg), bytes) else {
                // An address that the program does not use may be absent.
                return if matches!(arg, Any::None) { Ok(()) } else { Err(mismatch("a tensor", arg)) };
            };
            run.memory.assign(*memory, bytes, tensor.byte_range());
            let dtype = tensor.dtype();
            let facts = [
                tensor.rank() as i64,
                dtype.code.0.into(),
                dtype.bits.into(),
                dtype.lanes().into(),
                tensor.byte_offset() as i64,
                CPU.device_id.into(),
                CPU.device_type.into(),
            ];
            run.ints[*fields as usize..][..facts.len()].copy_from_slice(&facts);
            if let Some(buffer) = buffer {
                bind_buffer(run, tensor, buffer)?;
            }
        }
    }
    Ok(())
}

fn bind_buffer(run: &mut Run<'_>, tensor: &Tensor, buffer: &ParamBuffer) -> Result<(), Error> {
    let (rank, element) = (buffer.extents.len(), buffer.element);
    if tensor.element() != element {
        let message = format!("expected a tensor of type {element}, got one of type {}", tensor.element());
        return Err(Error::new(ErrorKind::TypeMismatch, message));
    }
    // A scalar is stored as one element, with any number of dimensions of extent 1.
    if tensor.rank() != rank {
        let message = format!("expected a tensor of rank {rank}, got rank {}", tensor.rank());
        return Err(Error::new(SHAPE_MISMATCH, message));
    }
    let mut stride = 1_i64;
    for (dim, extent) in tensor.shape().iter().enumerate().rev() {
        let is_one = *extent == 1 && buffer.broadcasts;
        run.ints[buffer.extents[dim] as usize] = if is_one { i64::MAX } else { *extent };
        run.ints[buffer.strides[dim] as usize] = if is_one { 0 } else { stride };
        stride = stride.saturating_mul((*extent).max(1));
    }
    Ok(())
}
