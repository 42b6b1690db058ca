//! [`Printer`]: a text under construction, with the places of its pieces.

use std::fmt;
use std::ops::Range;

use crate::graph::ChildSlot;
use crate::object::AsAnyView;
use crate::print::paths::{Path, Paths};
use crate::print::printed_text::{Lines, PrintedText};
use crate::repr::Output;
use crate::stack_budget::with_stack;

/// A text under construction. It is a [`fmt::Write`] whose writes never fail.
///
/// The function that prints a value gets the printer, and calls [`field`](Self::field), [`item`](Self::item) or
/// [`entry`](Self::entry) to print a child. So it recurses as deep as memory allows.
///
/// ```
/// use object_core::prelude::*;
/// use object_core::print::Printer;
/// use std::fmt::{self, Write};
///
/// #[derive(Object)]
/// #[object(type_key = "print.Expr", base, display = none)]
/// #[structural_eq(tree)]
/// struct ExprNode {}
///
/// #[derive(Object)]
/// #[object(type_key = "print.Lit", parent = ExprNode)]
/// #[structural_eq(tree)]
/// struct LitNode { base: ExprNode, value: i64 }
///
/// #[derive(Object)]
/// #[object(type_key = "print.Sum", parent = ExprNode)]
/// #[structural_eq(tree)]
/// struct SumNode { base: ExprNode, lhs: Expr, rhs: Expr }
///
/// object_core::variants_of! {
///     enum ExprKind of Expr { Lit, Sum }
/// }
///
/// fn write(expr: &Expr, out: &mut Printer) -> fmt::Result {
///     match ExprKind::of(expr) {
///         ExprKind::Lit(lit) => write!(out, "{}", lit.value),
///         ExprKind::Sum(sum) => {
///             out.field("lhs", |out| write(&sum.lhs, out))?;
///             out.write_str(" + ")?;
///             out.field("rhs", |out| write(&sum.rhs, out))
///         }
///         ExprKind::Other(expr) => write!(out, "{expr:?}"),
///     }
/// }
///
/// impl fmt::Display for Expr {
///     fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
///         f.write_str(Printer::print(|out| write(self, out)).text())
///     }
/// }
///
/// let sum = |value| Expr::from(Sum::new(Sum::new(Lit::new(1), Lit::new(value)), Lit::new(30)));
/// let (a, b) = (sum(20), sum(21));
/// assert_eq!(a.to_string(), "1 + 20 + 30");
///
/// // A difference, underlined in the text of the language.
/// let texts = [&a, &b].map(|it| Printer::print(|out| write(it, out)));
/// let difference = structural_first_mismatch(&a, &b)?.expect("they differ");
/// let expected = "the values differ
/// left: <root>.lhs.rhs.value is 20
/// 1 1 + 20 + 30
///       ^^
/// right: <root>.lhs.rhs.value is 21
/// 1 1 + 21 + 30
///       ^^";
/// assert_eq!(difference.underlined(texts.each_ref()).to_string(), expected);
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug)]
pub struct Printer {
    text: String,
    spans: Vec<(Range<usize>, Path)>,
    paths: Paths,
    /// The places whose text is under construction: where their text starts, and their paths.
    open: Vec<(usize, Path)>,
}

impl Printer {
    /// The text that `write` writes, which shows the root. If `write` returns an error, the text ends there.
    #[must_use]
    pub fn print(write: impl FnOnce(&mut Printer) -> fmt::Result) -> PrintedText {
        let mut out =
            Printer { text: String::new(), spans: Vec::new(), paths: Paths::new(true), open: vec![(0, Path::ROOT)] };
        // The text so far is the best that a printer with an error can show.
        let _ = write(&mut out);
        while !out.open.is_empty() {
            out.leave();
        }
        let lines = Lines::of(&out.text);
        PrintedText::new(out.text, lines, out.spans, out.paths)
    }

    /// The text that `write` writes shows the field `name` of the current object.
    ///
    /// # Errors
    /// As `write`.
    pub fn field(&mut self, name: &'static str, write: impl FnOnce(&mut Self) -> fmt::Result) -> fmt::Result {
        let path = self.paths.field(self.at(), name);
        self.place(path, write)
    }

    /// The text that `write` writes shows the element `index` of the current array.
    ///
    /// # Errors
    /// As `write`.
    pub fn item(&mut self, index: usize, write: impl FnOnce(&mut Self) -> fmt::Result) -> fmt::Result {
        let path = self.paths.item(self.at(), index);
        self.place(path, write)
    }

    /// The text that `write` writes shows the value for `key` of the current map.
    ///
    /// # Errors
    /// As `write`.
    pub fn entry(&mut self, key: &impl AsAnyView, write: impl FnOnce(&mut Self) -> fmt::Result) -> fmt::Result {
        let path = self.paths.entry(self.at(), key.as_any_view());
        self.place(path, write)
    }

    fn place(&mut self, path: Path, write: impl FnOnce(&mut Self) -> fmt::Result) -> fmt::Result {
        self.open.push((self.text.len(), path));
        with_stack(|| write(self))?;
        self.leave();
        Ok(())
    }

    /// The innermost open place.
    fn at(&self) -> Path {
        self.open.last().map_or(Path::ROOT, |(_, path)| *path)
    }
}

impl fmt::Write for Printer {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.text.push_str(text);
        Ok(())
    }
}

impl<'a> Output<'a> for Printer {
    fn enter(&mut self, slot: ChildSlot<'a>) {
        let at = self.at();
        let path = match slot {
            ChildSlot::Field(field) => self.paths.field(at, field.name),
            ChildSlot::Item(index) => self.paths.item(at, index),
            ChildSlot::Key(key) | ChildSlot::Value(key) => self.paths.entry(at, key),
        };
        self.open.push((self.text.len(), path));
    }

    fn leave(&mut self) {
        if let Some((start, path)) = self.open.pop() {
            self.spans.push((start..self.text.len(), path));
        }
    }
}
