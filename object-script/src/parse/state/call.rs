//! [`Call`]: a call in a script, with its evaluated arguments.

use std::cell::Cell;

use ruff_python_ast::name::Name;
use ruff_text_size::TextRange;

use crate::parse::value::Value;
use crate::words::is_same_keyword;

/// An argument with its place.
#[derive(Clone, Debug)]
pub(crate) struct Argument {
    pub(crate) value: Value,
    pub(crate) range: TextRange,
}

/// A call in a script, with its evaluated arguments. A function takes its arguments by name or position, and then
/// reports the arguments that are left with `finish`.
#[derive(Debug)]
pub(crate) struct Call {
    /// The callee as messages show it, such as `R.add`.
    pub(crate) name: String,
    /// The place of the whole call.
    pub(crate) range: TextRange,
    pub(crate) args: Vec<Argument>,
    pub(crate) keywords: Vec<(Name, Argument)>,
    /// The number of arguments by position that a function has taken.
    pub(crate) taken: Cell<usize>,
    /// Whether a function has taken the keyword at the same index.
    taken_keywords: Vec<Cell<bool>>,
}

impl Call {
    pub(crate) fn new(name: String, range: TextRange, args: Vec<Argument>, keywords: Vec<(Name, Argument)>) -> Self {
        let taken_keywords = keywords.iter().map(|_| Cell::new(false)).collect();
        Call { name, range, args, keywords, taken: Cell::new(0), taken_keywords }
    }

    /// The next argument by position, or the argument with this name. Functions take their parameters in order.
    pub(crate) fn take(&self, name: &str) -> Option<&Argument> {
        let index = self.taken.get();
        if let Some(argument) = self.args.get(index) {
            self.taken.set(index + 1);
            return Some(argument);
        }
        self.keyword(name)
    }

    /// The keyword argument with this name.
    pub(crate) fn keyword(&self, name: &str) -> Option<&Argument> {
        let index = self.keywords.iter().position(|(known, _)| is_same_keyword(known.as_str(), name))?;
        self.taken_keywords[index].set(true);
        Some(&self.keywords[index].1)
    }

    /// All further arguments by position.
    pub(crate) fn rest(&self) -> &[Argument] {
        let from = self.taken.replace(self.args.len());
        &self.args[from.min(self.args.len())..]
    }

    /// The keyword arguments that no function has taken.
    pub(crate) fn rest_keywords(&self) -> Vec<&(Name, Argument)> {
        let taken = self.taken_keywords.iter().map(|it| it.replace(true));
        self.keywords.iter().zip(taken).filter(|(_, taken)| !taken).map(|(keyword, _)| keyword).collect()
    }

    /// The argument of this name, unless it is left out or `None`.
    pub(crate) fn optional(&self, name: &str) -> Option<&Argument> {
        self.take(name).filter(|argument| !matches!(argument.value, Value::None))
    }
}
