//! The results of `objir run --out`: values as tensors by name, in a file.

use std::io::Cursor;
use std::path::Path;

use object_core::Result;
use object_core::meter::{Charge, Meter};
use object_core::prelude::*;
use object_core::stack_budget::with_stack;
use object_eval::value::Bool;
use object_eval::{Tensor, TensorFile, Value, npy};

use crate::output::write_file;

/// Writes a result to a file: one array as `.npy`, or arrays by name in a format of [`TensorFile`]. The members of a tuple
/// have the names `r0`, `r1` and so on, and `r1.0` is a member of the second one. Every other result is `r0`. A shape
/// is a vector of `int64`, and a number an array without dimensions.
pub(crate) fn write(path: &Path, result: &Any, meter: &Meter) -> Result<()> {
    let failed = |error: Error| error.context(path.display());
    let mut tensors = Tensors { named: Vec::new(), charge: meter.nothing(), bytes: 0 };
    match Value::of(result) {
        Value::Tuple(members) => {
            for (index, member) in members.iter().enumerate() {
                tensors.add(format!("r{index}"), &member.to_any()).map_err(failed)?;
            }
        }
        _ => tensors.add("r0".to_owned(), result).map_err(failed)?,
    }
    let tensors = tensors.named;
    if let Some(format) = TensorFile::of(path) {
        let mut file = Cursor::new(Vec::new());
        let tensors = tensors.iter().map(|(name, tensor)| (&**name, tensor));
        format.write(&mut file, tensors).map_err(failed)?;
        return write_file(path, file.into_inner());
    }
    let [(_, tensor)] = &tensors[..] else {
        let message = format!(
            "expected one tensor for a file of one array, got {}; a file of several arrays ends in {}",
            tensors.len(),
            TensorFile::ALL.map(|(end, _)| format!("`.{end}`")).join(", ")
        );
        return Err(failed(Error::new(ErrorKind::NotSerializable, message)));
    };
    write_file(path, npy::write_npy(tensor).map_err(failed)?)
}

/// The tensors of a result by name.
struct Tensors {
    named: Vec<(String, Tensor)>,
    charge: Charge,
    bytes: u64,
}

impl Tensors {
    /// Adds a value under its name, or the members of a tuple under names of their own. The names count, because a tuple may stand
    /// in many others.
    fn add(&mut self, name: String, value: &Any) -> Result<()> {
        self.bytes += name.len() as u64 + 64;
        self.charge.cover(self.bytes)?;
        let meter = self.charge.meter();
        let tensor = match Value::of(value) {
            Value::Tensor(tensor) => tensor.clone(),
            Value::Shape(shape) => Tensor::from_elements::<i64>(&[shape.len() as i64], shape.iter().copied(), meter)?,
            Value::Int(number) => Tensor::from_elements::<i64>(&[], [number], meter)?,
            Value::Float(number) => Tensor::from_elements::<f64>(&[], [number], meter)?,
            Value::Bool(truth) => Tensor::from_elements::<Bool>(&[], [u8::from(truth)], meter)?,
            Value::Tuple(members) => {
                return members.iter().enumerate().try_for_each(|(index, member)| {
                    with_stack(|| self.add(format!("{name}.{index}"), &member.to_any()))
                });
            }
            other => {
                let message = format!("`{name}` is {other}; a file has tensors, shapes and numbers");
                return Err(Error::new(ErrorKind::NotSerializable, message));
            }
        };
        self.named.push((name, tensor));
        Ok(())
    }
}
