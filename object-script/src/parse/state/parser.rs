//! [`Parser`]: the state of reading a script; [`Languages`], the functions of the languages, which evaluation calls by
//! name.

use object_core::diagnostic::{Diagnostic, MAX_ERRORS};
use object_core::table::Table;
use object_core::{Error, nearest};
use object_ir::ir::{BaseFunc, GlobalInfo, GlobalVar, StructInfo};
use object_relax::arith::Analyzer;
use object_relax::derivation::Surroundings;
use ruff_python_ast::{CmpOp, Expr, Operator, Stmt, StmtFunctionDef, UnaryOp};
use ruff_text_size::TextRange;

use crate::parse::diagnostic::{bytes, malformed};
use crate::parse::state::call::{Argument, Call};
use crate::parse::state::function_frame::FunctionFrame;
use crate::parse::state::log::Log;
use crate::parse::state::names::Names;
use crate::parse::state::tir_frames::TirFrames;
use crate::parse::value::Value;
use crate::words::VersionWords;

/// The mark of an error that is already among the diagnostics. Only [`Parser::error`] and a use of
/// [`Value::Unknown`] make one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reported(());

/// The result of evaluation. An error is already reported.
pub(crate) type Eval<T> = Result<T, Reported>;

/// The language of the statements at hand, as TVM's dispatch token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    /// Modules, and the statements around them.
    Ir,
    Tir,
    Relax,
}

/// A function that scripts call by name, such as `R.add`.
pub(crate) type Builtin = fn(&mut Parser<'_>, &Call) -> Eval<Value>;

/// The operations of a language on its objects.
pub(crate) struct ObjectOperations {
    /// `a + b`.
    pub(crate) binary: fn(&mut Parser<'_>, Operator, &Argument, &Argument) -> Eval<Value>,
    /// `a < b`.
    pub(crate) compare: fn(&mut Parser<'_>, CmpOp, &Argument, &Argument) -> Eval<Value>,
    /// `-a`.
    pub(crate) unary: fn(&mut Parser<'_>, UnaryOp, &Argument) -> Eval<Value>,
    /// `a[index]`; the index is a tuple if it has commas.
    pub(crate) subscript: fn(&mut Parser<'_>, &Argument, &Argument) -> Eval<Value>,
    /// `a.name`, which may be a [`Method`](Value::Method).
    pub(crate) attribute: fn(&mut Parser<'_>, &Argument, &str, TextRange) -> Eval<Value>,
    /// `a(args)`, also of a [`Method`](Value::Method).
    pub(crate) call: fn(&mut Parser<'_>, &Value, &Call) -> Eval<Value>,
}

/// The functions of the languages. Evaluation is in a lower layer than the languages, so it gets them as this table.
pub(crate) struct Languages {
    /// The function with this name, such as `R.add`.
    pub(crate) builtin: fn(&str) -> Option<Builtin>,
    /// The names of the functions whose names begin with this prefix, such as `R.`, for hints.
    pub(crate) builtin_names: fn(&str) -> Vec<String>,
    /// The value of an expression.
    pub(crate) evaluate: fn(&mut Parser<'_>, &Expr) -> Eval<Value>,
    /// A definition of a function inside of a function, of any language.
    pub(crate) nested_function: fn(&mut Parser<'_>, &StmtFunctionDef) -> Eval<()>,
    /// A statement of a loop program. Its errors are among the diagnostics.
    pub(crate) tir_statement: fn(&mut Parser<'_>, &Stmt),
    pub(crate) relax: ObjectOperations,
    pub(crate) tir: ObjectOperations,
}

impl Languages {
    /// The operations on objects in statements of `language`.
    pub(crate) fn operations(&self, language: Language) -> &ObjectOperations {
        if language == Language::Tir { &self.tir } else { &self.relax }
    }
}

/// The state of reading a script.
pub(crate) struct Parser<'a> {
    /// The functions of the languages.
    pub(crate) languages: &'a Languages,
    /// The text.
    pub(crate) source: &'a str,
    /// The words of the version of TVM that the text is of.
    pub(crate) words: &'static VersionWords,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// Whether nobody reads the errors at hand, so they need no hints.
    pub(crate) is_quiet: bool,
    pub(crate) names: Names,
    /// The language of the statements at hand.
    pub(crate) language: Language,
    /// Whether a module contains the statement at hand.
    pub(crate) is_in_module: bool,
    /// The functions of the module at hand, by name.
    pub(crate) global_vars: Table<String, GlobalVar>,
    /// The structural information of the functions of the module at hand, as far as their definitions are read.
    pub(crate) global_signatures: Table<String, StructInfo>,
    /// The definitions of the module at hand, in order.
    pub(crate) functions: Vec<(GlobalVar, BaseFunc)>,
    /// The `global_infos` of the module at hand.
    pub(crate) global_infos: Vec<(String, Vec<GlobalInfo>)>,
    /// The functions of Relax that contain the statement at hand, the innermost one last.
    pub(crate) relax: Vec<FunctionFrame>,
    /// The variables of Relax that are visible at the statement at hand.
    pub(crate) surroundings: Surroundings,
    /// Compares dimensions.
    pub(crate) analyzer: Analyzer,
    /// The state of the loop program at hand.
    #[allow(dead_code, reason = "loop programs read it")]
    pub(crate) tir: TirFrames,
    /// Whether strings in structural information are dimensions: in annotations of parameters and results.
    pub(crate) has_string_dims: bool,
    /// Whether the text is exact: integers of shapes keep their types.
    pub(crate) is_exact: bool,
    /// The place of the expressions in the text, if they are in a string.
    pub(crate) place: Option<TextRange>,
    /// The record of the reading for an editor, if one wants it.
    pub(crate) log: Option<Box<Log>>,
}

impl<'a> Parser<'a> {
    pub(crate) fn new(source: &'a str, words: &'static VersionWords, languages: &'a Languages) -> Self {
        Parser {
            languages,
            source,
            words,
            diagnostics: Vec::new(),
            is_quiet: false,
            names: Names::default(),
            language: Language::Ir,
            is_in_module: false,
            global_vars: Table::default(),
            global_signatures: Table::default(),
            functions: Vec::new(),
            global_infos: Vec::new(),
            relax: Vec::new(),
            surroundings: Surroundings::default(),
            analyzer: Analyzer::for_shapes(),
            tir: TirFrames::default(),
            has_string_dims: false,
            is_exact: false,
            place: None,
            log: None,
        }
    }

    /// Reports an error at `range`.
    pub(crate) fn error(&mut self, range: TextRange, message: impl Into<String>) -> Reported {
        let range = self.place.unwrap_or(range);
        if self.diagnostics.len() < MAX_ERRORS {
            self.diagnostics.push(malformed(bytes(range), message));
        }
        Reported(())
    }

    /// Reports an error at `range`, with a change that mends the text.
    pub(crate) fn error_with_hint(
        &mut self,
        range: TextRange,
        message: impl Into<String>,
        hint: Option<String>,
    ) -> Reported {
        let before = self.diagnostics.len();
        let reported = self.error(range, message);
        if let Some(last) = self.diagnostics.get_mut(before) {
            last.hint = hint;
        }
        reported
    }

    /// The hint with the known name nearest to `name`. It looks at no name if the text has as many errors as are reported,
    /// so that the work for all hints of a text does not grow with the square of its length.
    pub(crate) fn near<'n>(&self, name: &str, known: impl IntoIterator<Item = &'n str>) -> Option<String> {
        let is_shown = !self.is_quiet && self.diagnostics.len() < MAX_ERRORS;
        let near = is_shown.then(|| nearest(name, known)).flatten()?;
        Some(format!("did you mean `{near}`?"))
    }

    /// Reports that `given` should be `expected`. A value with an error is not reported again.
    pub(crate) fn expected(&mut self, range: TextRange, expected: &str, given: &Value) -> Reported {
        if matches!(given, Value::Unknown) {
            return Reported(());
        }
        self.error(range, format!("expected {expected}, got {}", given.describe()))
    }

    /// Reports an error of an operation on objects.
    pub(crate) fn object_error(&mut self, range: TextRange, error: &Error) -> Reported {
        self.error(range, error.message())
    }

    /// Reports nothing, because an operand has an error.
    pub(crate) fn follow_up(&self) -> Reported {
        Reported(())
    }

    /// Gives `name` a value, which the text introduces at `range`. If the name has this object already, the place is a use.
    pub(crate) fn define(&mut self, name: &str, value: Value, range: TextRange) {
        let Some(range) = self.written(range) else { return self.names.set(name, value) };
        let Some(log) = &mut self.log else { return self.names.set(name, value) };
        let is_known = match (self.names.get(name), &value) {
            (Some(Value::Object(known)), Value::Object(object)) => known.ptr_eq(object),
            (Some(Value::Unknown), Value::Unknown) => true,
            _ => false,
        };
        let place = self.names.place(name).filter(|_| is_known).unwrap_or(range);
        log.current.add(range, place, &value);
        self.names.set_at(name, value, Some(place));
    }

    /// Records a use of `name` at `range`.
    pub(crate) fn log_use(&mut self, name: &str, range: TextRange) {
        let Some(range) = self.written(range) else { return };
        if let Some(log) = &mut self.log
            && let Some(place) = self.names.place(name)
            && let Some(value) = self.names.get(name)
        {
            log.current.add(range, place, value);
        }
    }

    /// The place in the text of a range of the expression at hand, which may be in a string; `None` if nobody records places.
    fn written(&self, range: TextRange) -> Option<TextRange> {
        let log = self.log.as_ref()?;
        if self.place.is_some() { Some(range + log.base?) } else { Some(range) }
    }

    /// Runs `f` in a frame of names.
    pub(crate) fn in_frame<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        self.names.begin();
        let result = f(self);
        self.names.end();
        result
    }

    /// Runs `f` on one of several definitions of a text, which share the names that are in scope, and returns its result or its
    /// errors.
    pub(crate) fn definition<T>(&mut self, f: impl FnOnce(&mut Self) -> Eval<T>) -> Result<T, Vec<Diagnostic>> {
        let names = std::mem::take(&mut self.names);
        let new = Parser::new(self.source, self.words, self.languages);
        let mut inner = Parser { names, is_exact: self.is_exact, log: self.log.take(), ..new };
        let result = inner.in_frame(f);
        self.names = inner.names;
        self.log = inner.log;
        match result {
            Ok(result) if inner.diagnostics.is_empty() => Ok(result),
            _ => Err(inner.diagnostics),
        }
    }

    /// Runs `f` on statements of `language`.
    pub(crate) fn in_language<T>(&mut self, language: Language, f: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.language, language);
        let result = f(self);
        self.language = outer;
        result
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use object_ir::tvm::TvmVersion;

    use super::*;
    use crate::parse::table::LANGUAGES;
    use crate::words::of_version;

    #[test]
    fn hints_end_with_the_shown_errors() {
        let mut p = Parser::new("", of_version(TvmVersion::V0_25), &LANGUAGES);
        let looks = Cell::new(0);
        for errors in 1..=10 * MAX_ERRORS {
            let known = ["lv0", "lv1"].into_iter().inspect(|_| looks.set(looks.get() + 1));
            let hint = p.near("lw1", known);
            assert_eq!(hint.is_some(), errors <= MAX_ERRORS);
            p.error_with_hint(TextRange::default(), "it is wrong", hint);
        }
        assert_eq!((looks.get(), p.diagnostics.len()), (2 * MAX_ERRORS, MAX_ERRORS));
    }
}
