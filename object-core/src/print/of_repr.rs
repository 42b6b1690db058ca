//! [`Repr::printed`]: the repr of a value as a text with places.

use crate::print::printed_text::PrintedText;
use crate::print::printer::Printer;
use crate::repr::Repr;

impl Repr<'_> {
    /// The text with the place of each field, element and entry: for underlined errors and differences of languages without a
    /// printer.
    ///
    /// ```
    /// use object_core::repr::Repr;
    /// use object_core::structural::structural_first_mismatch;
    /// use object_core::{Array, Error};
    ///
    /// let (a, b) = (Array::from([Array::from([1, 20])]), Array::from([Array::from([1, 21])]));
    /// let difference = structural_first_mismatch(&a, &b)?.expect("they differ");
    /// let texts = [&a, &b].map(|it| Repr::new(it).indented(true).printed());
    /// let expected = "the values differ
    /// left: <root>[0][1]
    /// 1 [[1, 20]]
    ///        ^^
    /// right: <root>[0][1]
    /// 1 [[1, 21]]
    ///        ^^";
    /// assert_eq!(difference.underlined(texts.each_ref()).to_string(), expected);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn printed(&self) -> PrintedText {
        Printer::print(|out| self.write_to(out, false))
    }
}
