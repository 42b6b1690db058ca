//! [`Script`]: a printed script.

use std::fmt;
use std::ops::Deref;

use object_core::meter::{Charge, Meter};
use object_core::print::{Lines, Paths, PrintedText};

use crate::print::doc::rendered::Rendered;

/// A printed script: a [`PrintedText`], whose [`Excerpt`](object_core::print::Excerpt) begins with the metadata section. It displays
/// as the text.
#[derive(Clone, Debug)]
pub struct Script {
    printed: PrintedText,
    /// The memory of the script.
    charge: Charge,
}

impl Script {
    /// The rendered text, which may end before its last places. The metadata section ends at `body`.
    pub(crate) fn new(rendered: Rendered, body: usize, paths: Paths) -> Self {
        let Rendered { text, spans, line_starts: starts, exempt, charge, .. } = rendered;
        Script { printed: PrintedText::new(text, Lines { body, starts, exempt }, spans, paths), charge }
    }

    /// The text, without the places.
    #[must_use]
    pub fn into_text(self) -> String {
        self.printed.into_text()
    }

    /// The account of the memory of the script.
    pub(crate) fn meter(&self) -> &Meter {
        self.charge.meter()
    }
}

impl Deref for Script {
    type Target = PrintedText;

    fn deref(&self) -> &PrintedText {
        &self.printed
    }
}

impl fmt::Display for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

#[cfg(test)]
mod tests {
    use object_core::access_path::{AccessPath, AccessStep};
    use object_ir::ir::{ObjectStructInfo, StructInfo, TupleStructInfo};

    use crate::print::ScriptPrinter;

    #[test]
    fn places_are_underlined() {
        let object: StructInfo = ObjectStructInfo::new().into();
        let tuple = TupleStructInfo::new([object.clone(), object]);
        let script = ScriptPrinter::new().print(&tuple);
        let path = |index| AccessPath::from_steps([AccessStep::Attr("fields".into()), AccessStep::ArrayItem(index)]);
        let text = script.excerpt().underline(&path(0)).underline(&path(1)).to_string();
        assert_eq!(text, "R.Tuple(R.Object, R.Object)\n        ^^^^^^^^  ^^^^^^^^");
        assert_eq!(script.path_at(20).unwrap(), path(1));
        assert_eq!(script.path_at(2).unwrap(), AccessPath::root());
        let deeper = AccessPath::from_steps([AccessStep::Attr("fields".into())]);
        let tuple = script.pieces_of(&deeper);
        assert_eq!(tuple.first(), Some(&(0..27)), "the whole tuple is around the list of its fields");
    }
}
