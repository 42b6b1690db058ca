//! [`ScriptPage`]: the options and the scripts of a page.

use crate::print::Script;
use object_core::structural::Mismatch;
use object_core::{AnyView, AsAnyView};

/// A page in HTML that shows one script, or two scripts side by side with the differences of their values.
///
/// The page is one file without references to others. A place under the pointer shows its path, its type and its
/// structural information. Two scripts stand line by line: lines that show the same place are beside each other, whatever
/// the names of variables are. Differences are underlined, counted for each function and linked with each other. Functions
/// without differences are folded, and so are long runs of lines without differences.
///
/// ```
/// use object_core::structural_diff;
/// use object_ir::ir::TensorStructInfo;
/// use object_script::page::ScriptPage;
/// use object_script::print::print;
///
/// let (a, b) = (TensorStructInfo::of((2, 3), "float32")?, TensorStructInfo::of((2, 4), "float32")?);
/// let (script_a, script_b) = (print(&a), print(&b));
/// let differences = structural_diff(&a, &b)?;
/// let page = ScriptPage::new("a", &script_a, &a).beside("b", &script_b, &b, &differences);
/// assert!(page.to_html()?.contains(r#"<mark data-d="1" id="a1">"#));
/// # Ok::<(), object_core::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ScriptPage<'a> {
    pub(super) left: Shown<'a>,
    pub(super) right: Option<Shown<'a>>,
    pub(super) differences: &'a [Mismatch],
    pub(super) has_more: bool,
}

/// A script and the value that it shows.
#[derive(Clone, Debug)]
pub(super) struct Shown<'a> {
    pub(super) title: String,
    pub(super) script: &'a Script,
    pub(super) root: AnyView<'a>,
}

impl<'a> ScriptPage<'a> {
    /// A page that shows `script`, the text of `root`, under `title`.
    #[must_use]
    pub fn new(title: impl Into<String>, script: &'a Script, root: &'a impl AsAnyView) -> Self {
        let left = Shown { title: title.into(), script, root: root.as_any_view() };
        ScriptPage { left, right: None, differences: &[], has_more: false }
    }

    /// The page with a second script on the right, the text of `root`, and the differences of the two values.
    #[must_use]
    pub fn beside(
        mut self,
        title: impl Into<String>,
        script: &'a Script,
        root: &'a impl AsAnyView,
        differences: &'a [Mismatch],
    ) -> Self {
        self.right = Some(Shown { title: title.into(), script, root: root.as_any_view() });
        self.differences = differences;
        self
    }

    /// Whether the values have more differences than the page shows, which it says. The default is `false`.
    #[must_use]
    pub fn has_more_differences(mut self, has_more: bool) -> Self {
        self.has_more = has_more;
        self
    }
}
