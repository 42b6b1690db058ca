//! The arguments of calls as values of the wanted kind, with errors for other values.

use object_core::{DataType, ObjectHandle};
use object_ir::ir::{PointerTypeNode, PrimTypeNode};

use crate::parse::state::call::{Argument, Call};
use crate::parse::state::parser::{Eval, Parser, Reported};
use crate::parse::value::Value;

impl Call {
    /// The argument of this name, which every call has.
    ///
    /// # Errors
    /// Reports a missing argument.
    pub(crate) fn required(&self, p: &mut Parser<'_>, name: &str) -> Eval<&Argument> {
        match self.take(name) {
            Some(argument) => Ok(argument),
            None => Err(p.error(self.range, format!("`{}` lacks the argument `{name}`", self.name))),
        }
    }

    /// Reports the arguments that the function has not taken.
    ///
    /// # Errors
    /// Arguments are left.
    pub(crate) fn finish(&self, p: &mut Parser<'_>) -> Eval<()> {
        if let Some(argument) = self.args.get(self.taken.get()) {
            let (most, s) = (self.taken.get(), if self.taken.get() == 1 { "" } else { "s" });
            let message = format!("`{}` takes {most} argument{s} by position", self.name);
            return Err(p.error(argument.range, format!("{message}, got {}", self.args.len())));
        }
        if let Some((name, argument)) = self.rest_keywords().first() {
            return Err(p.error(argument.range, format!("`{}` does not have the argument `{name}`", self.name)));
        }
        Ok(())
    }
}

impl Argument {
    /// The integer of Python.
    ///
    /// # Errors
    /// Reports another value.
    pub(crate) fn int(&self, p: &mut Parser<'_>) -> Eval<i64> {
        self.value.as_int().ok_or_else(|| self.expected(p, "an integer"))
    }

    /// The number of Python, as a floating-point number.
    ///
    /// # Errors
    /// Reports another value.
    pub(crate) fn float(&self, p: &mut Parser<'_>) -> Eval<f64> {
        match self.value {
            Value::Float(value) => Ok(value),
            Value::Int(value) => Ok(value as f64),
            Value::LargeUint(value) => Ok(value as f64),
            _ => Err(self.expected(p, "a number")),
        }
    }

    /// The truth value.
    ///
    /// # Errors
    /// Reports another value.
    pub(crate) fn bool(&self, p: &mut Parser<'_>) -> Eval<bool> {
        match self.value {
            Value::Bool(value) => Ok(value),
            Value::Int(value @ (0 | 1)) => Ok(value == 1),
            _ => Err(self.expected(p, "`True` or `False`")),
        }
    }

    /// The string.
    ///
    /// # Errors
    /// Reports another value.
    pub(crate) fn str(&self, p: &mut Parser<'_>) -> Eval<&str> {
        self.value.as_str().ok_or_else(|| self.expected(p, "a string"))
    }

    /// The object of the type `H`.
    ///
    /// # Errors
    /// Reports another value.
    pub(crate) fn object<H: ObjectHandle>(&self, p: &mut Parser<'_>, expected: &str) -> Eval<H> {
        self.value.to::<H>().ok_or_else(|| self.expected(p, expected))
    }

    /// The data type: its name in a string, such as `"float32"`, or the function of TIR of the same name.
    ///
    /// # Errors
    /// Reports another value.
    pub(crate) fn dtype(&self, p: &mut Parser<'_>) -> Eval<DataType> {
        match &self.value {
            Value::DataType(dtype) => return Ok(*dtype),
            Value::Str(text) => return text.parse::<DataType>().map_err(|error| p.object_error(self.range, &error)),
            Value::Path(path) => {
                if let Some(dtype) = path.strip_prefix("T.").and_then(|name| name.parse::<DataType>().ok()) {
                    return Ok(dtype);
                }
            }
            Value::Object(object) => {
                match (object.view().node::<PrimTypeNode>(), object.view().node::<PointerTypeNode>()) {
                    (Some(prim), _) => return Ok(prim.dtype),
                    (None, Some(_)) => return Ok(DataType::handle()),
                    (None, None) => {}
                }
            }
            _ => {}
        }
        Err(self.expected(p, "a data type such as \"float32\""))
    }

    /// Reports that the argument should be something else.
    pub(crate) fn expected(&self, p: &mut Parser<'_>, expected: &str) -> Reported {
        p.expected(self.range, expected, &self.value)
    }
}
