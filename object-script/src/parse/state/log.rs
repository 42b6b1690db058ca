//! [`Log`]: the places of names, calls and functions that the parser reads, for editors; [`Known`], a function of an earlier reading.

use std::sync::Arc;

use object_core::table::Table;
use object_core::{ObjectHandle, ObjectRef, structural_equal};
use object_ir::ir::{BaseFunc, GlobalVar, StructInfo};
use object_ir::tvm::TvmVersion;
use ruff_text_size::{TextRange, TextSize};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::parse::value::Value;

/// A name in the text.
#[derive(Clone, Debug)]
pub(crate) struct LoggedName {
    pub(crate) range: TextRange,
    /// The place where the text introduces the name; the range itself for a definition.
    pub(crate) definition: TextRange,
    /// The object that the name has there.
    pub(crate) value: Option<ObjectRef>,
}

/// A call in the text.
#[derive(Clone, Debug)]
pub(crate) struct LoggedCall {
    pub(crate) callee: TextRange,
    /// The call, before it becomes a part of a program in normal form.
    pub(crate) value: ObjectRef,
}

/// The facts about one function, or about the text outside of functions. The ranges are places of the text in which the function
/// was read.
#[derive(Debug, Default)]
pub(crate) struct FunctionLog {
    /// The function with its decorators. Empty for the text outside of functions.
    pub(crate) range: TextRange,
    /// The names in the order of reading. A name that is read several times occurs as often.
    pub(crate) names: Vec<LoggedName>,
    /// Pairs of definitions that are one: the results of the branches of an `if`.
    pub(crate) same: Vec<(TextRange, TextRange)>,
    /// The names of languages, such as `R.add`.
    pub(crate) paths: Vec<(TextRange, Arc<str>)>,
    pub(crate) calls: Vec<LoggedCall>,
    /// The structural information of calls, by their addresses. `calls` keeps the calls alive.
    pub(crate) derived: FxHashMap<usize, StructInfo>,
    /// The functions of the module that the function uses, in the order of reading.
    pub(crate) globals: Vec<String>,
    /// The strings that the function has as values, by the address of the text, with the places of their characters.
    strings: FxHashMap<usize, (ObjectRef, TextRange)>,
}

/// A function of the module that another one uses, with its structural information at that point of the reading.
#[derive(Debug)]
pub(crate) struct UsedGlobal {
    name: String,
    var: Option<GlobalVar>,
    signature: Option<StructInfo>,
}

/// A function without errors that an earlier reading has read.
#[derive(Debug)]
pub(crate) struct Known {
    /// The variable of the function; `None` outside of modules.
    pub(crate) var: Option<GlobalVar>,
    pub(crate) value: BaseFunc,
    pub(crate) log: Arc<FunctionLog>,
    pub(crate) used: Vec<UsedGlobal>,
}

/// A function that this reading has read.
#[derive(Clone, Debug)]
pub(crate) struct ReadFunction {
    /// The function with its decorators.
    pub(crate) range: TextRange,
    pub(crate) log: Arc<FunctionLog>,
    /// `None` for a function with errors.
    pub(crate) value: Option<BaseFunc>,
    /// The variable of the function; `None` outside of modules.
    pub(crate) var: Option<GlobalVar>,
    /// For definitions outside of a function of an earlier reading, the places in the log and in this text; `None` for a function
    /// of this reading.
    pub(crate) moved: Option<Vec<(TextRange, TextRange)>>,
}

/// The record of a reading, and the functions of the reading before it.
#[derive(Debug, Default)]
pub(crate) struct Log {
    /// The functions, in the order of reading.
    pub(crate) functions: Vec<ReadFunction>,
    /// The function at hand, or else the text outside of functions.
    pub(crate) current: FunctionLog,
    /// The start, in the text, of the expression in the string at hand. `None` if the string has other characters than the text.
    pub(crate) base: Option<TextSize>,
    /// Places where the syntax is wrong. A function with such a place reports no errors of its own.
    pub(crate) faults: Vec<TextRange>,
    /// The places of the names of functions of the module at hand.
    pub(crate) globals: Table<String, TextRange>,
    /// The log of the last reading with other surroundings.
    pub(crate) kept: Option<Box<Log>>,
    /// The starts of functions whose bodies the syntax tree lacks, because the reading before knows them.
    pub(crate) stubs: FxHashSet<TextSize>,
    /// Whether such a body is needed after all.
    pub(crate) needs_bodies: bool,
    /// The number of parts before the one at hand.
    pub(crate) part: usize,
    /// The functions of the reading before, by part and text.
    pub(crate) known: Table<(usize, String), Arc<Known>>,
    /// The functions of this reading, for the next one.
    pub(crate) next: Table<(usize, String), Arc<Known>>,
    /// The variables of functions of the reading before, by part and name.
    pub(crate) vars: Table<(usize, String), GlobalVar>,
    /// The variables of functions of this reading.
    pub(crate) next_vars: Table<(usize, String), GlobalVar>,
    /// The version of TVM of the text.
    pub(crate) version: Option<TvmVersion>,
    /// The text outside of functions, on which every function depends.
    pub(crate) surroundings: String,
}

impl FunctionLog {
    /// Records the place of the characters of a string constant at `range`, if they stand in the text as they are.
    pub(crate) fn string(&mut self, source: &str, text: &object_core::value::Str, range: TextRange) {
        if let Some(content) = content_range(source, text, range) {
            self.strings.insert(text.as_ptr().addr(), (text.as_object().clone(), content));
        }
    }

    /// The place of the characters of a string constant.
    pub(crate) fn place_of_string(&self, text: &str) -> Option<TextRange> {
        self.strings.get(&text.as_ptr().addr()).map(|(_, range)| *range).filter(|it| it.len().to_usize() == text.len())
    }

    /// Ends the record of the function at `range`. A lambda that the function calls may stand outside of it.
    pub(crate) fn end(&mut self, range: TextRange) {
        self.range = range;
        self.names.retain(|name| range.contains_range(name.range));
        self.paths.retain(|(path, _)| range.contains_range(*path));
        self.calls.retain(|call| range.contains_range(call.callee));
        self.strings = FxHashMap::default();
    }

    /// Adds a name with its definition.
    pub(crate) fn add(&mut self, range: TextRange, definition: TextRange, value: &Value) {
        let value = match value {
            Value::Object(object) => Some(object.clone()),
            _ => None,
        };
        self.names.push(LoggedName { range, definition, value });
    }
}

impl Log {
    /// The log of the next reading, of a text with these surroundings. Functions of other surroundings read anew. An error of the syntax
    /// may change the surroundings for a while, so the log keeps what it knows under the others.
    pub(crate) fn following(mut self, surroundings: String, has_faults: bool) -> Log {
        if self.surroundings != surroundings
            && let Some(kept) = self.kept.take()
            && (kept.surroundings == surroundings || has_faults)
        {
            self = *kept;
        }
        let mut log = Log { surroundings, ..Log::default() };
        if log.surroundings == self.surroundings {
            (log.known, log.vars) = (self.next, self.next_vars);
        } else if has_faults {
            log.kept = Some(Box::new(Log {
                next: self.next,
                next_vars: self.next_vars,
                surroundings: self.surroundings,
                ..Log::default()
            }));
        }
        log
    }

    /// The record of a reading that did not take place after this one.
    pub(crate) fn unused(self) -> Log {
        let (known, vars) = (self.next, self.next_vars);
        let (surroundings, kept) = (self.surroundings, self.kept);
        Log { needs_bodies: true, known, vars, surroundings, kept, ..Log::default() }
    }

    /// The record of the reading before this one, whose functions this one did not change.
    pub(crate) fn undone(self) -> Log {
        let (next, next_vars) = (self.known, self.vars);
        Log { next, next_vars, surroundings: self.surroundings, kept: self.kept, ..Log::default() }
    }

    /// Whether the syntax is wrong inside of a range.
    pub(crate) fn has_fault(&self, range: TextRange) -> bool {
        self.faults.iter().any(|fault| range.contains_inclusive(fault.start()))
    }

    /// The functions of the module that the function at hand uses.
    pub(crate) fn used(
        &self,
        globals: &[String],
        vars: &Table<String, GlobalVar>,
        signatures: &Table<String, StructInfo>,
    ) -> Vec<UsedGlobal> {
        let mut names = globals.to_vec();
        names.sort_unstable();
        names.dedup();
        let used = |name: String| UsedGlobal {
            var: vars.get(&name).cloned(),
            signature: signatures.get(&name).cloned(),
            name,
        };
        names.into_iter().map(used).collect()
    }
}

impl UsedGlobal {
    /// Whether the function has the same signature now.
    pub(crate) fn is_same(&self, vars: &Table<String, GlobalVar>, signatures: &Table<String, StructInfo>) -> bool {
        let is_same_var = match (&self.var, vars.get(&self.name)) {
            (Some(before), Some(now)) => before.ptr_eq(now),
            (before, now) => before.is_none() && now.is_none(),
        };
        is_same_var
            && match (&self.signature, signatures.get(&self.name)) {
                (Some(before), Some(now)) => before.ptr_eq(now) || structural_equal(before, now),
                (before, now) => before.is_none() && now.is_none(),
            }
    }
}

/// The place of the characters of a string constant at `range`; `None` if the text has other characters, such as escapes.
pub(crate) fn content_range(source: &str, text: &str, range: TextRange) -> Option<TextRange> {
    let length = TextSize::try_from(text.len()).ok()?;
    let quotes = range.len().checked_sub(length)?.to_u32() / 2;
    let start = range.start() + TextSize::new(quotes);
    let content = TextRange::at(start, length);
    let is_quoted = matches!(quotes, 1 | 3) && content.end() + TextSize::new(quotes) == range.end();
    let written = source.get(content.start().to_usize()..content.end().to_usize())?;
    (is_quoted && written == text).then_some(content)
}
