//! Exact scripts: texts that read back as the printed value, whatever facts the text of TVM leaves out.

use std::io;

use crate::memory::EXACT;
use crate::parse::parse;
use crate::print::ScriptPrinter;
use object_core::json::JsonWriter;
use object_core::structural::StructuralOptions;
use object_core::{Any, AsAnyView, Result};
use object_ir::tvm::TvmVersion;

impl ScriptPrinter {
    /// Prints `value` as a text that [`parse`] reads as an equal value. The text of
    /// [`print`](crate::print::print) leaves out facts.
    ///
    /// The text begins with the comment `# exact script`, and differs from the text of TVM where that one leaves out facts:
    ///
    /// | fact | text of TVM | exact text |
    /// |---|---|---|
    /// | a dimension or a scalar of Relax that is not an `int64` | `4`, `True` | `T.int32(4)`, `T.bool(True)` |
    /// | a target, and a virtual device that the module does not list | a configuration, a name | `metadata["target.Target"][0]` |
    /// | the statements `tirx.Break` and `tirx.Continue`, which read as calls in TVM | `break`, `continue` | `T.Break()`, `T.Continue()` |
    ///
    /// Other facts have no words in TVMScript, such as two functions that share a parameter. The text of such a value, and of
    /// a value that is neither a definition nor an expression, refers to the whole value in the metadata, and shows the script
    /// in comments. TVM's parser accepts the forms of the table that do not refer to metadata, with conversions of its own.
    ///
    /// The printer parses the text to compare the result, so this takes several times as long as
    /// [`print_text`](Self::print_text). Free variables correspond by position.
    ///
    /// # Errors
    /// If JSON cannot hold a part of the value, such as a function, or if a part has a type without structural equality; and
    /// [`LimitExceeded`](object_core::ErrorKind::LimitExceeded) beyond the memory of [`meter`](Self::meter).
    ///
    /// ```
    /// use object_core::prelude::*;
    /// use object_ir::ir::{IntImm, PrimValue};
    /// use object_script::parse::parse;
    /// use object_script::print::ScriptPrinter;
    ///
    /// let value = Any::from(PrimValue::new(IntImm::new(DataType::int(32), 4)));
    /// let text = ScriptPrinter::new().print_exact(&value)?;
    /// assert_eq!(text, "# exact script\nR.prim_value(T.int32(4))");
    /// # let read = parse(&text)?;
    /// # assert!(structural_equal(&read, &value));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn print_exact(&self, value: &impl AsAnyView) -> Result<String> {
        let value = value.as_any_view().to_any();
        // JSON finds the parts that no text can hold.
        JsonWriter::new().to_writer(io::sink(), &value)?;
        // The exact forms belong to the types of TVM 0.25, with which this project computes.
        let printer = self.clone().version(TvmVersion::V0_25).exact().show_meta(true).verbose_expr(true);
        let text = format!("{EXACT}\n{}", printer.print_within_memory(&value)?);
        let parsed = self.meter.reserve(parsed_bytes(&text));
        let _parsed = parsed.map_err(|error| error.context("the exact script, which is read back"))?;
        if reads_as(&text, &value)? {
            return Ok(text);
        }
        Ok(format!("{EXACT}\n{}", printer.print_in_metadata(&value)?))
    }

    /// The printer of the forms of exact texts.
    pub(super) fn exact(self) -> Self {
        ScriptPrinter { exact: true, readable: false, show_all_struct_info: true, ..self }
    }
}

/// The memory of a text while it is read: for each byte, and for each expression, as a tree of Python and as an object.
const TEXT: u64 = 8;
const EXPRESSION: u64 = 512;

/// The memory that reading a text takes, about: each expression but the first has one of these characters before it.
fn parsed_bytes(text: &str) -> u64 {
    let expressions = text.bytes().filter(|byte| matches!(byte, b',' | b'(' | b'[' | b'\n')).count();
    TEXT * text.len() as u64 + EXPRESSION * expressions as u64
}

/// Whether `text` reads as a value that is equal to `value`. Free variables correspond by position.
fn reads_as(text: &str, value: &Any) -> Result<bool> {
    match parse(text) {
        Ok(read) => StructuralOptions::new().map_free_vars(true).equal(&read, value),
        Err(_) => Ok(false),
    }
}
