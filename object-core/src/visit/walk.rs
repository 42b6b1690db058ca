//! [`Walk`]: closures over the objects of a graph. [`Walker`]: the same as a trait.

use std::convert::Infallible;
use std::marker::PhantomData;
use std::ops::ControlFlow;

use crate::graph::{Children, Slot};
use crate::object::{AnyView, DefRegionKind, FieldRole, FieldType, ObjectHandle, ObjectView};
use crate::table::AddressSet;
use crate::visit::callbacks::{Callbacks, IntoOutcome, On, Then};
use crate::visit::place::{PathSource, Place};

/// How a walk goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WalkResult<B = Infallible> {
    /// To the children, and then to what comes next.
    Advance,
    /// Not to the children: to what comes next. After the children it means the same as `Advance`.
    Skip,
    /// Not at all: this is the result of the walk.
    Interrupt(B),
}

impl<B> IntoOutcome<WalkResult<B>> for WalkResult<B> {
    fn into_outcome(self) -> WalkResult<B> {
        self
    }
}

impl<B> IntoOutcome<WalkResult<B>> for () {
    fn into_outcome(self) -> WalkResult<B> {
        WalkResult::Advance
    }
}

/// An error ends the walk.
impl<E> IntoOutcome<WalkResult<E>> for Result<(), E> {
    fn into_outcome(self) -> WalkResult<E> {
        self.map_or_else(WalkResult::Interrupt, |()| WalkResult::Advance)
    }
}

/// What a walk does at each value.
///
/// Objects that are singletons, opaque, or have a field that stands for them in JSON are met, but not what is in them.
///
/// ```
/// use object_core::prelude::*;
/// use object_core::visit::{Place, WalkOptions, WalkResult, Walker, walk_with};
/// use object_core::ObjectView;
///
/// /// The longest way down.
/// #[derive(Default)]
/// struct Depth(usize);
///
/// impl<'a> Walker<'a> for Depth {
///     type Break = std::convert::Infallible;
///
///     fn enter(&mut self, _: ObjectView<'a>, at: &Place<'_>) -> WalkResult {
///         self.0 = self.0.max(at.depth());
///         WalkResult::Advance
///     }
/// }
///
/// let nested = Array::<Any>::from([Any::from(Array::from([Any::from("a")]))]);
/// let mut depth = Depth::default();
/// walk_with(&nested, WalkOptions::new(), &mut depth);
/// assert_eq!(depth.0, 2);
/// ```
pub trait Walker<'a> {
    /// What a walk ends with if it is interrupted.
    type Break;

    /// Whether [`plain`](Self::plain) is called. If not, plain fields are not looked at.
    const PLAIN: bool = false;

    /// Called with an object before its children.
    fn enter(&mut self, _object: ObjectView<'a>, _at: &Place<'_>) -> WalkResult<Self::Break> {
        WalkResult::Advance
    }

    /// Called with an object after its children, also if they were skipped: for each call of [`enter`](Self::enter)
    /// that does not end the walk.
    fn leave(&mut self, _object: ObjectView<'a>, _at: &Place<'_>) -> WalkResult<Self::Break> {
        WalkResult::Advance
    }

    /// Called with a value that is no object, at each of its places. There is nothing to skip.
    fn plain(&mut self, _value: AnyView<'a>, _at: &Place<'_>) -> WalkResult<Self::Break> {
        WalkResult::Advance
    }
}

/// What a walk goes through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WalkOptions {
    every_occurrence: bool,
    skip_ignored: bool,
}

impl WalkOptions {
    /// Each object once, and all fields.
    #[must_use]
    pub fn new() -> Self {
        WalkOptions::default()
    }

    /// Whether an object is met once for each reference to it, and all below it again. On a graph with much sharing that
    /// takes time exponential in its depth.
    #[must_use]
    pub fn every_occurrence(mut self, yes: bool) -> Self {
        self.every_occurrence = yes;
        self
    }

    /// Whether fields marked `ignore` are left out, so that the walk meets what structural equality compares.
    #[must_use]
    pub fn skip_ignored(mut self, yes: bool) -> Self {
        self.skip_ignored = yes;
        self
    }
}

impl WalkOptions {
    /// Whether fields with this role are left out.
    #[inline]
    fn skips(self, role: FieldRole) -> bool {
        self.skip_ignored && role == FieldRole::Ignore
    }

    /// Whether `object` is met, given those that were met before.
    #[inline]
    pub(crate) fn meets(self, object: ObjectView<'_>, seen: &mut AddressSet) -> bool {
        // An object with one handle is referred to once.
        self.every_occurrence || object.use_count() == 1 || seen.insert(object.address())
    }
}

/// The objects on the way to the current value, the root first.
struct Stack<'a>(Vec<WalkFrame<'a>>);

struct WalkFrame<'a> {
    children: Children<'a>,
    /// The region that the object was met in.
    region: DefRegionKind,
    /// The region of its children, but for what their fields say.
    inner: DefRegionKind,
}

impl<'a> WalkFrame<'a> {
    /// The next child that the walk goes to, and the region that it is in.
    #[inline(always)]
    fn next<W: Walker<'a>>(&mut self, options: WalkOptions) -> Option<(AnyView<'a>, DefRegionKind)> {
        loop {
            if W::PLAIN {
                let (value, role) = self.children.next_value()?;
                if !options.skips(role) {
                    let region = match value {
                        AnyView::Object(object) => self.inner.child(self.children.object(), object, role),
                        _ => self.inner,
                    };
                    return Some((value, region));
                }
            } else {
                let (object, role) = self.children.next_object()?;
                if !options.skips(role) {
                    return Some((AnyView::Object(object), self.inner.child(self.children.object(), object, role)));
                }
            }
        }
    }
}

impl PathSource for Stack<'_> {
    fn slots(&self) -> Vec<Slot<'_>> {
        self.0.iter().filter_map(|frame| frame.children.slot()).collect()
    }

    fn last_slot(&self) -> Option<Slot<'_>> {
        self.0.last()?.children.slot()
    }

    fn depth(&self) -> usize {
        self.0.len()
    }
}

/// Goes through the graph below `root` with a [`Walker`]. If that ends the walk early, its value is the result.
pub fn walk_with<'a, T: FieldType, W: Walker<'a>>(
    root: &'a T,
    options: WalkOptions,
    walker: &mut W,
) -> Option<W::Break> {
    let root = root.view();
    if !W::PLAIN && root.as_object().is_none() {
        return None;
    }
    match run(root, options, walker) {
        ControlFlow::Continue(()) => None,
        ControlFlow::Break(payload) => Some(payload),
    }
}

fn run<'a, W: Walker<'a>>(root: AnyView<'a>, options: WalkOptions, walker: &mut W) -> ControlFlow<W::Break> {
    let mut stack = Stack(Vec::new());
    let mut seen = AddressSet::default();
    let mut next = Some((root, DefRegionKind::None));
    loop {
        match next {
            Some((AnyView::Object(object), region)) => {
                let outcome =
                    options.meets(object, &mut seen).then(|| walker.enter(object, &Place::new(&stack, region)));
                match outcome {
                    Some(WalkResult::Advance) => {
                        let inner = region.below(object.type_info().kind);
                        // Room first: then the frame is written in its place, not copied there.
                        stack.0.reserve(1);
                        stack.0.push(WalkFrame { children: Children::of(object), region, inner });
                    }
                    Some(WalkResult::Skip) => leave(walker, object, &stack, region)?,
                    Some(WalkResult::Interrupt(payload)) => return ControlFlow::Break(payload),
                    None => {}
                }
            }
            Some((plain, region)) => {
                if let WalkResult::Interrupt(payload) = walker.plain(plain, &Place::new(&stack, region)) {
                    return ControlFlow::Break(payload);
                }
            }
            None => {}
        }
        loop {
            let Some(frame) = stack.0.last_mut() else {
                return ControlFlow::Continue(());
            };
            next = frame.next::<W>(options);
            if next.is_some() {
                break;
            }
            let (object, region) = (frame.children.object(), frame.region);
            stack.0.pop();
            leave(walker, object, &stack, region)?;
        }
    }
}

#[inline]
fn leave<'a, W: Walker<'a>>(
    walker: &mut W,
    object: ObjectView<'a>,
    stack: &Stack<'a>,
    region: DefRegionKind,
) -> ControlFlow<W::Break> {
    match walker.leave(object, &Place::new(stack, region)) {
        WalkResult::Advance | WalkResult::Skip => ControlFlow::Continue(()),
        WalkResult::Interrupt(payload) => ControlFlow::Break(payload),
    }
}

/// Calls `visit` with every object of the graph below `root` that an `H` may point to, parents before their children,
/// each once.
///
/// ```
/// use object_core::{Any, Array, Str, visit::walk};
/// let value = Array::<Any>::from([Any::from("a"), Any::from(Array::from([Str::from("b")]))]);
/// let mut words = Vec::new();
/// walk(&value, |word: &Str| words.push(word.to_string()));
/// assert_eq!(words, ["a", "b"]);
/// ```
pub fn walk<H: ObjectHandle, T: FieldType>(root: &T, mut visit: impl FnMut(&H)) {
    Walk::new().pre(|object: &H, _: &Place<'_>| visit(object)).run(root);
}

/// Closures over the objects of a graph, by type. Of those in one order, the first that fits is called.
///
/// A closure takes the handle and the [`Place`]. It returns nothing, a [`WalkResult`], or a `Result<(), E>` whose error
/// ends the walk. The types of the arguments have to be written out.
///
/// ```
/// use object_core::{Any, Array, Str, visit::{Walk, WalkResult}};
/// let value = Array::<Any>::from([Any::from("a"), Any::from(Array::from([Str::from("b"), Str::from("c")]))]);
/// let found = Walk::until()
///     .pre(|word: &Str, at| match word.as_str() {
///         "b" => WalkResult::Interrupt(at.path().to_string()),
///         _ => WalkResult::Advance,
///     })
///     .run(&value);
/// assert_eq!(found.as_deref(), Some("<root>[1][0]"));
/// ```
pub struct Walk<P, Q, V, B> {
    pre: P,
    post: Q,
    plain: V,
    options: WalkOptions,
    marker: PhantomData<fn() -> B>,
}

impl Walk<(), (), (), Infallible> {
    /// A walk to the end, without closures yet.
    #[must_use]
    pub fn new() -> Self {
        Walk::until()
    }
}

impl Default for Walk<(), (), (), Infallible> {
    fn default() -> Self {
        Walk::new()
    }
}

impl<B> Walk<(), (), (), B> {
    /// A walk that a closure may end with a `B`, without closures yet.
    #[must_use]
    pub fn until() -> Self {
        Walk { pre: (), post: (), plain: (), options: WalkOptions::new(), marker: PhantomData }
    }
}

impl<P, Q, V, B> Walk<P, Q, V, B> {
    /// Also calls `closure` with each object that an `H` may point to, before its children.
    pub fn pre<H, F, O>(self, closure: F) -> Walk<Then<P, H, F, O>, Q, V, B>
    where
        H: ObjectHandle,
        F: FnMut(&H, &Place<'_>) -> O,
        O: IntoOutcome<WalkResult<B>>,
    {
        let Walk { pre, post, plain, options, marker } = self;
        Walk { pre: (pre, On::new(closure)), post, plain, options, marker }
    }

    /// Also calls `closure` with each object that an `H` may point to, after its children.
    pub fn post<H, F, O>(self, closure: F) -> Walk<P, Then<Q, H, F, O>, V, B>
    where
        H: ObjectHandle,
        F: FnMut(&H, &Place<'_>) -> O,
        O: IntoOutcome<WalkResult<B>>,
    {
        let Walk { pre, post, plain, options, marker } = self;
        Walk { pre, post: (post, On::new(closure)), plain, options, marker }
    }

    /// Calls `closure` with each value that is no object, at each of its places.
    pub fn plain<F, O>(self, closure: F) -> Walk<P, Q, OnPlain<F>, B>
    where
        F: FnMut(AnyView<'_>, &Place<'_>) -> O,
        O: IntoOutcome<WalkResult<B>>,
    {
        let Walk { pre, post, plain: _, options, marker } = self;
        Walk { pre, post, plain: OnPlain(closure), options, marker }
    }

    /// The same walk with options.
    #[must_use]
    pub fn options(mut self, options: WalkOptions) -> Self {
        self.options = options;
        self
    }

    /// Goes through the graph below `root`. The result is what a closure ended it with.
    pub fn run<T: FieldType>(&mut self, root: &T) -> Option<B>
    where
        P: Callbacks<WalkResult<B>>,
        Q: Callbacks<WalkResult<B>>,
        V: PlainCallback<B>,
    {
        walk_with(root, self.options, self)
    }
}

/// A closure for the plain values of a [`Walk`].
pub struct OnPlain<F>(F);

/// What a [`Walk`] does with plain values: nothing, `()`, or a closure.
pub trait PlainCallback<B> {
    /// Whether there is a closure.
    const IS_SOME: bool;

    /// Calls it.
    fn call(&mut self, value: AnyView<'_>, at: &Place<'_>) -> WalkResult<B>;
}

impl<B> PlainCallback<B> for () {
    const IS_SOME: bool = false;

    fn call(&mut self, _: AnyView<'_>, _: &Place<'_>) -> WalkResult<B> {
        WalkResult::Advance
    }
}

impl<B, O: IntoOutcome<WalkResult<B>>, F: FnMut(AnyView<'_>, &Place<'_>) -> O> PlainCallback<B> for OnPlain<F> {
    const IS_SOME: bool = true;

    fn call(&mut self, value: AnyView<'_>, at: &Place<'_>) -> WalkResult<B> {
        (self.0)(value, at).into_outcome()
    }
}

impl<'a, P, Q, V, B> Walker<'a> for Walk<P, Q, V, B>
where
    P: Callbacks<WalkResult<B>>,
    Q: Callbacks<WalkResult<B>>,
    V: PlainCallback<B>,
{
    type Break = B;

    const PLAIN: bool = V::IS_SOME;

    #[inline]
    fn enter(&mut self, object: ObjectView<'a>, at: &Place<'_>) -> WalkResult<B> {
        self.pre.call(object, at).unwrap_or(WalkResult::Advance)
    }

    #[inline]
    fn leave(&mut self, object: ObjectView<'a>, at: &Place<'_>) -> WalkResult<B> {
        self.post.call(object, at).unwrap_or(WalkResult::Advance)
    }

    #[inline]
    fn plain(&mut self, value: AnyView<'a>, at: &Place<'_>) -> WalkResult<B> {
        self.plain.call(value, at)
    }
}
