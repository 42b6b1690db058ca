//! [`Page`]: the options and the texts of a page.

use std::fmt;

use crate::access_path::AccessPath;
use crate::meter::Meter;
use crate::object::{AnyView, AsAnyView, ObjectView};
use crate::page::edits::PageEdits;
use crate::print::PrintedText;

/// The longest shown note about an object, in characters.
pub const MAX_NOTE: usize = 300;

/// The name of the section whose text shows a place, if a section begins there.
pub(super) type NameOfSection<'a> = dyn Fn(&AccessPath) -> Option<String> + 'a;

/// The note about an object.
pub(super) type NoteOf<'a> = dyn Fn(ObjectView<'_>) -> Option<String> + 'a;

/// A page in HTML that shows one text, or two texts side by side with the edits between their values.
///
/// The page is one file without references to others. A place under the pointer shows its path, its type and a
/// [note](Self::notes). Two texts stand line by line: lines that show the same place are beside each other, whatever the
/// names in them are. The parts of an edit are underlined; edits are counted for each [section](Self::sections) and linked with
/// each other. Sections without edits are folded, and so are long runs of lines without edits.
///
/// ```
/// use object_core::page::Page;
/// use object_core::repr::Repr;
/// use object_core::{Array, edit::edits};
///
/// let (a, b) = (Array::from([1, 20]), Array::from([1, 21]));
/// let [text_a, text_b] = [&a, &b].map(|it| Repr::new(it).indented(true).printed());
/// let page = Page::new("a", &text_a, &a).beside("b", &text_b, &b, &edits(&a, &b)?);
/// assert!(page.to_html()?.contains(r#"<mark data-d="1" id="a1">"#));
/// # Ok::<(), object_core::Error>(())
/// ```
pub struct Page<'a> {
    pub(super) left: Shown<'a>,
    pub(super) right: Option<Shown<'a>>,
    pub(super) edits: PageEdits,
    pub(super) remarks: Vec<(AccessPath, String)>,
    pub(super) name_of: Box<NameOfSection<'a>>,
    pub(super) note_label: String,
    pub(super) note_of: Box<NoteOf<'a>>,
    pub(super) meter: Meter,
}

/// A text and the value that it shows.
#[derive(Clone, Debug)]
pub(super) struct Shown<'a> {
    pub(super) title: String,
    pub(super) printed: &'a PrintedText,
    pub(super) root: AnyView<'a>,
}

impl<'a> Page<'a> {
    /// A page that shows `printed`, the text of `root`, under `title`.
    #[must_use]
    pub fn new(title: impl Into<String>, printed: &'a PrintedText, root: &'a impl AsAnyView) -> Self {
        Page {
            left: Shown { title: title.into(), printed, root: root.as_any_view() },
            right: None,
            edits: PageEdits::default(),
            remarks: Vec::new(),
            name_of: Box::new(|_| None),
            note_label: String::new(),
            note_of: Box::new(|_| None),
            meter: Meter::unlimited(),
        }
    }

    /// The page with a second text on the right, the text of `root`, and the edits from the first value to it.
    #[must_use]
    pub fn beside(
        mut self,
        title: impl Into<String>,
        printed: &'a PrintedText,
        root: &'a impl AsAnyView,
        edits: impl Into<PageEdits>,
    ) -> Self {
        self.right = Some(Shown { title: title.into(), printed, root: root.as_any_view() });
        self.edits = edits.into();
        self
    }

    /// Underlines places of the first text, each with a remark, such as a violation of a rule. A list above the text has the
    /// remarks. By default, there are none.
    #[must_use]
    pub fn remarks(mut self, remarks: impl IntoIterator<Item = (AccessPath, String)>) -> Self {
        self.remarks.extend(remarks);
        self
    }

    /// Begins a section at each place of several lines for which `name_of` returns a name, such as a function of a module. A
    /// section ends where the next one begins. By default, no place begins a section.
    #[must_use]
    pub fn sections(mut self, name_of: impl Fn(&AccessPath) -> Option<String> + 'a) -> Self {
        self.name_of = Box::new(name_of);
        self
    }

    /// Shows the text that `note_of` returns for an object, such as the result of an analysis, after `label` at the places of
    /// the object. The page calls `note_of` once for each object, and shows the first [`MAX_NOTE`] characters. By default,
    /// objects have no notes.
    #[must_use]
    pub fn notes(mut self, label: impl Into<String>, note_of: impl Fn(ObjectView<'_>) -> Option<String> + 'a) -> Self {
        self.note_label = label.into();
        self.note_of = Box::new(note_of);
        self
    }

    /// The account of the memory of the page. The default has no limit.
    #[must_use]
    pub fn meter(mut self, meter: &Meter) -> Self {
        self.meter = meter.clone();
        self
    }
}

impl fmt::Debug for Page<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Page { left, right, edits, .. } = self;
        f.debug_struct("Page").field("left", left).field("right", right).field("edits", edits).finish_non_exhaustive()
    }
}
