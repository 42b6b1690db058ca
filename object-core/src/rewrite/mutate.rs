//! [`Mutate`]: closures that replace objects of a graph. [`Mutator`]: the same as a trait.
//!
//! Each object is asked for once, and what became of it stands wherever it was referred to: sharing stays, and a variable
//! whose fields change is one new variable where it is bound and at every use. What does not change keeps its pointer.
//! What changes is copied, or changed in place if the root was given by value and nothing else refers to it. Copied in any
//! case are a map of which a key changes, and an array or map that is itself an element of another and takes in elements of
//! other types than it had.

use crate::error::{Error, Result};
use crate::graph::{GraphEditor, Slot};
use crate::object::{Any, AnyView, FieldType, ObjectHandle, ObjectRef, ObjectView};
use crate::table::AddressTable;
use crate::visit::{Callbacks, IntoOutcome, On, PathSource, Place, Then};

/// What to do with an object.
#[derive(Clone, Debug, Default)]
pub enum Mutation {
    /// Keep it, and go on with its children.
    #[default]
    Keep,
    /// Keep it with all below it. After the children it means the same as `Keep`.
    Skip,
    /// Put this value in its place, as it is.
    Replace(Any),
    /// Put this value in its place, and go on with the children of the value. Where the object itself is among what is
    /// below the value, it is not asked for again before its own children. After the children it means the same as
    /// `Replace`.
    ReplaceInto(Any),
}

impl IntoOutcome<Result<Mutation>> for Mutation {
    fn into_outcome(self) -> Result<Mutation> {
        Ok(self)
    }
}

/// `None` keeps the object; `Some(Any::None)` takes it away, where a field may be empty.
impl<T: Into<Any>> IntoOutcome<Result<Mutation>> for Option<T> {
    fn into_outcome(self) -> Result<Mutation> {
        Ok(self.map_or(Mutation::Keep, |value| Mutation::Replace(value.into())))
    }
}

impl<O: IntoOutcome<Result<Mutation>>> IntoOutcome<Result<Mutation>> for Result<O> {
    fn into_outcome(self) -> Result<Mutation> {
        self.and_then(IntoOutcome::into_outcome)
    }
}

/// What a rewrite does with each object.
///
/// ```
/// use object_core::prelude::*;
/// use object_core::rewrite::{Mutation, Mutator, mutate_with};
/// use object_core::visit::Place;
/// use object_core::ObjectView;
///
/// /// Numbers texts in the order in which they are left.
/// struct Number(usize);
///
/// impl Mutator for Number {
///     fn post(&mut self, object: ObjectView<'_>, _: &Place<'_>) -> Result<Mutation, Error> {
///         let Some(text) = object.as_str() else { return Ok(Mutation::Keep) };
///         self.0 += 1;
///         Ok(Mutation::Replace(Any::from(format!("{text}{}", self.0))))
///     }
/// }
///
/// let numbered = mutate_with(Array::from([Str::from("a"), Str::from("b")]), &mut Number(0))?;
/// assert_eq!(format!("{numbered:?}"), r#"["a1", "b2"]"#);
/// # Ok::<(), Error>(())
/// ```
pub trait Mutator {
    /// Called with an object before its children: top-down.
    ///
    /// # Errors
    /// An error ends the rewrite. If it has no path, it gets that of the object.
    fn pre(&mut self, _object: ObjectView<'_>, _at: &Place<'_>) -> Result<Mutation> {
        Ok(Mutation::Keep)
    }

    /// Called with an object after its children, which are the new ones: bottom-up. It is not called for what was
    /// skipped or replaced without going on to the children.
    ///
    /// # Errors
    /// As [`pre`](Self::pre).
    fn post(&mut self, _object: ObjectView<'_>, _at: &Place<'_>) -> Result<Mutation> {
        Ok(Mutation::Keep)
    }
}

impl PathSource for GraphEditor {
    fn slots(&self) -> Vec<Slot<'_>> {
        GraphEditor::slots(self).collect()
    }

    fn last_slot(&self) -> Option<Slot<'_>> {
        GraphEditor::slots(self).next_back()
    }

    fn depth(&self) -> usize {
        GraphEditor::depth(self)
    }
}

/// What is known of an object that more than one handle refers to.
struct Met {
    /// Keeps the object alive, and its address from being given to another.
    _object: ObjectRef,
    /// What became of it; `None` while it is on the way.
    result: Option<Any>,
    /// What became of it below what replaces it.
    inner_result: Option<Any>,
}

/// An object on the way that something else may refer to, and where its result goes.
struct Open {
    /// How many objects are above.
    depth: usize,
    address: usize,
    /// Whether it is the result below what replaces the object.
    is_inner: bool,
}

/// `root` with the changes that `mutator` makes.
///
/// If it fails or a callback panics, `root` is gone; whoever has another handle of it, or of a part, has it unchanged.
///
/// # Errors
/// What `mutator` returns, and what a field says of a value that it does not take, with the path;
/// [`DuplicateKey`](crate::ErrorKind::DuplicateKey) if two keys of a map become one.
pub fn mutate_with<T: FieldType>(root: T, mutator: &mut impl Mutator) -> Result<T> {
    match root.into_any() {
        Any::Object(object) => run(object, mutator)?.cast(),
        plain => plain.cast(),
    }
}

fn run(root: ObjectRef, mutator: &mut impl Mutator) -> Result<Any> {
    let mut editor = GraphEditor::new(root);
    let mut met: AddressTable<Met> = AddressTable::default();
    let mut open: Vec<Open> = Vec::new();
    loop {
        // At an object that was not looked at yet.
        let mut is_entered = enter(&mut editor, &mut met, &mut open, mutator)?;
        while !is_entered || !editor.down() {
            if is_entered {
                leave(&mut editor, &mut met, &mut open, mutator)?;
            }
            if let Some(root) = editor.up() {
                return Ok(root);
            }
            is_entered = true;
        }
    }
}

/// Looks at an object for the first time. Whether its children are to be gone through.
fn enter(
    editor: &mut GraphEditor,
    met: &mut AddressTable<Met>,
    open: &mut Vec<Open>,
    mutator: &mut impl Mutator,
) -> Result<bool> {
    let AnyView::Object(object) = editor.value() else { return Ok(false) };
    let address = object.address();
    // An object with one handle is referred to once.
    let is_shared = object.use_count() > 1;
    if is_shared && let Some(known) = met.get(&address) {
        let Some(result) = known.result.as_ref().or(known.inner_result.as_ref()) else {
            open.push(Open { depth: editor.depth(), address, is_inner: true });
            return Ok(true);
        };
        // Most stay what they are: then no handle is counted.
        if !result.view().is_object(object) {
            let result = result.clone();
            editor.replace(result);
        }
        return Ok(false);
    }
    let keep = is_shared.then(|| object.to_object());
    let mutation = mutator.pre(object, &place(editor)).map_err(|error| located(error, editor))?;
    let (result, goes_on) = match mutation {
        Mutation::Keep => (None, true),
        Mutation::Skip => (None, false),
        Mutation::Replace(value) => (Some(value), false),
        Mutation::ReplaceInto(value) => (Some(value), true),
    };
    let keep = keep.or_else(|| match (goes_on, &result, editor.value()) {
        // The value may hold the object.
        (true, Some(_), AnyView::Object(object)) => Some(object.to_object()),
        _ => None,
    });
    if let Some(value) = result {
        editor.replace(value);
    }
    if let Some(object) = keep {
        met.insert(address, Met { _object: object, result: None, inner_result: None });
        open.push(Open { depth: editor.depth(), address, is_inner: false });
    }
    if !goes_on {
        close(editor, met, open);
    }
    Ok(goes_on)
}

/// Looks at an object after its children.
fn leave(
    editor: &mut GraphEditor,
    met: &mut AddressTable<Met>,
    open: &mut Vec<Open>,
    mutator: &mut impl Mutator,
) -> Result<()> {
    editor.apply().map_err(|error| located(error, editor))?;
    if let AnyView::Object(object) = editor.value() {
        match mutator.post(object, &place(editor)).map_err(|error| located(error, editor))? {
            Mutation::Keep | Mutation::Skip => {}
            Mutation::Replace(value) | Mutation::ReplaceInto(value) => editor.replace(value),
        }
    }
    close(editor, met, open);
    Ok(())
}

/// Notes what became of the object on top.
#[inline]
fn close(editor: &GraphEditor, met: &mut AddressTable<Met>, open: &mut Vec<Open>) {
    if let Some(Open { address, is_inner, .. }) = open.pop_if(|top| top.depth == editor.depth()) {
        note(editor, met, address, is_inner);
    }
}

fn note(editor: &GraphEditor, met: &mut AddressTable<Met>, address: usize, is_inner: bool) {
    if let Some(known) = met.get_mut(&address) {
        *(if is_inner { &mut known.inner_result } else { &mut known.result }) = Some(editor.value().to_any());
    }
}

fn place(editor: &GraphEditor) -> Place<'_> {
    Place::new(editor, editor.region())
}

/// `error` with the path of the object at the editor before its own.
pub(super) fn located(error: Error, editor: &GraphEditor) -> Error {
    let mut path = place(editor).path();
    let own = error.path().cloned().unwrap_or_default();
    own.steps().iter().for_each(|step| path.push(step.clone()));
    error.at(path)
}

/// `root` with what `replace` gives in the place of every object that an `H` may point to, from the leaves up. `None`
/// keeps the object.
///
/// ```
/// use object_core::{Array, Error, Str, rewrite::mutate};
/// let value = Array::from([Str::from("a"), Str::from("b")]);
/// let louder = mutate(value, |word: &Str| (word.as_str() == "a").then(|| Str::from("A")))?;
/// assert_eq!(format!("{louder:?}"), r#"["A", "b"]"#);
/// # Ok::<(), Error>(())
/// ```
///
/// # Errors
/// As [`mutate_with`].
pub fn mutate<H, T, O>(root: T, mut replace: impl FnMut(&H) -> O) -> Result<T>
where
    H: ObjectHandle,
    T: FieldType,
    O: IntoOutcome<Result<Mutation>>,
{
    Mutate::new().post(|object: &H, _: &Place<'_>| replace(object)).run(root)
}

/// Closures that replace objects of a graph, by type. Of those in one order, the first that fits is called.
///
/// A closure takes the handle and the [`Place`]. It returns an `Option` of the new value, a [`Mutation`], or a `Result` of
/// one of these. The types of the arguments have to be written out.
///
/// ```
/// use object_core::{Any, Array, Error, Str, rewrite::{Mutate, Mutation}};
/// let quoted = Array::<Any>::from([Any::from("quote"), Any::from("a")]);
/// let value = Array::<Any>::from([Any::from("a"), Any::from(quoted)]);
/// let mutated = Mutate::new()
///     .pre(|list: &Array<Any>, _| match list.get(0) {
///         Some(first) if format!("{first:?}") == r#""quote""# => Mutation::Skip,
///         _ => Mutation::Keep,
///     })
///     .post(|word: &Str, _| Some(Str::from(word.to_uppercase())))
///     .run(value)?;
/// assert_eq!(format!("{mutated:?}"), r#"["A", ["quote", "a"]]"#);
/// # Ok::<(), Error>(())
/// ```
pub struct Mutate<P, Q> {
    pre: P,
    post: Q,
}

impl Mutate<(), ()> {
    /// No closures yet.
    #[must_use]
    pub fn new() -> Self {
        Mutate { pre: (), post: () }
    }
}

impl Default for Mutate<(), ()> {
    fn default() -> Self {
        Mutate::new()
    }
}

impl<P: Callbacks<Result<Mutation>>, Q: Callbacks<Result<Mutation>>> Mutate<P, Q> {
    /// Also asks `closure` for each object that an `H` may point to, before its children: top-down.
    pub fn pre<H, F, O>(self, closure: F) -> Mutate<Then<P, H, F, O>, Q>
    where
        H: ObjectHandle,
        F: FnMut(&H, &Place<'_>) -> O,
        O: IntoOutcome<Result<Mutation>>,
    {
        Mutate { pre: (self.pre, On::new(closure)), post: self.post }
    }

    /// Also asks `closure` for each object that an `H` may point to, after its children: bottom-up.
    pub fn post<H, F, O>(self, closure: F) -> Mutate<P, Then<Q, H, F, O>>
    where
        H: ObjectHandle,
        F: FnMut(&H, &Place<'_>) -> O,
        O: IntoOutcome<Result<Mutation>>,
    {
        Mutate { pre: self.pre, post: (self.post, On::new(closure)) }
    }

    /// `root` with the changes.
    ///
    /// # Errors
    /// As [`mutate_with`].
    pub fn run<T: FieldType>(&mut self, root: T) -> Result<T> {
        mutate_with(root, self)
    }
}

impl<P: Callbacks<Result<Mutation>>, Q: Callbacks<Result<Mutation>>> Mutator for Mutate<P, Q> {
    fn pre(&mut self, object: ObjectView<'_>, at: &Place<'_>) -> Result<Mutation> {
        self.pre.call(object, at).unwrap_or(Ok(Mutation::Keep))
    }

    fn post(&mut self, object: ObjectView<'_>, at: &Place<'_>) -> Result<Mutation> {
        self.post.call(object, at).unwrap_or(Ok(Mutation::Keep))
    }
}
