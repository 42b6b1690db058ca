//! [`Str`]: shared UTF-8 text.

use std::fmt;
use std::ops::Deref;

use crate::object::{
    AnyView, Body, CheckedContent, FieldContents, ObjectHandle, ObjectRef, ObjectView, SliceObject, TypeInfo,
    builtin_handle, from_object_unchecked, slice_info,
};

type Layout = SliceObject<(), u8>;

pub(crate) static STR: TypeInfo =
    // SAFETY: all objects with this body are made and read in this layout.
    unsafe { slice_info("ffi.String", Body::Str, "UTF-8 text.", Layout::free) }
        .with_content(|object| CheckedContent::Text(object.as_str().unwrap_or_default()));

/// Immutable, reference-counted UTF-8 text.
///
/// A `Str` dereferences to [`str`], and converts from and to the text types of std. It has the `==`, the order and
/// the hash of the `str`, so a table with keys of type `Str` finds a key by a `&str`.
///
/// ```
/// use object_core::Str;
/// use std::collections::HashMap;
///
/// let name = Str::from("add");
/// assert!(name == "add" && "add" == name && name.starts_with('a'));
/// assert_eq!(format!("{name:>5}"), "  add");
///
/// let arity = HashMap::from([(name, 2)]);
/// assert_eq!(arity.get("add"), Some(&2));
///
/// let joined: Str = ["add", "_", "one"].into_iter().collect();
/// assert_eq!(String::from(joined), "add_one");
/// ```
#[derive(Clone)]
#[repr(transparent)]
pub struct Str(ObjectRef);

builtin_handle!(Str, STR, FieldContents::Plain);

impl Str {
    /// Copies `text` to a new object.
    ///
    /// # Panics
    /// If the size of the object does not fit `isize`.
    #[must_use]
    pub fn new(text: &str) -> Self {
        // SAFETY: the table `STR` belongs to this layout, and `Str` accepts objects with this table. The bytes are
        // UTF-8.
        unsafe { from_object_unchecked(Layout::copy_of(&STR, (), text.as_bytes())) }
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        // SAFETY: the handle accepts only objects with the table `STR`.
        unsafe { text_unchecked(self.0.view()) }
    }
}

/// The text of a text object.
///
/// # Safety
/// The type of the object is [`STR`].
unsafe fn text_unchecked(object: ObjectView<'_>) -> &str {
    // SAFETY: objects of this type have this layout, and `Str::new`, which makes them, copies UTF-8 into them.
    unsafe { std::str::from_utf8_unchecked(Layout::items(object)) }
}

impl<'a> ObjectView<'a> {
    /// The text, if the object is a [`Str`].
    #[must_use]
    pub fn as_str(self) -> Option<&'a str> {
        // SAFETY: `Str` accepts only objects of the type `STR`.
        Str::accepts_object(self).then(|| unsafe { text_unchecked(self) })
    }
}

impl<'a> AnyView<'a> {
    /// The text, if the value is a [`Str`].
    #[must_use]
    pub fn as_str(self) -> Option<&'a str> {
        self.as_object()?.as_str()
    }
}

impl Deref for Str {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl Default for Str {
    fn default() -> Self {
        Str::new("")
    }
}

impl PartialEq for Str {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Str {}

impl PartialOrd for Str {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Str {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.as_str().cmp(other.as_str())
    }
}

impl std::hash::Hash for Str {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl fmt::Debug for Str {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl fmt::Display for Str {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.as_str(), f)
    }
}
