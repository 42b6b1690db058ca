//! [`Walker`]: a walk as a trait, with callbacks before and after the children of each object.

use std::convert::Infallible;
use std::ops::ControlFlow;

use crate::graph::Children;
use crate::object::{AnyView, AsAnyView, ObjectView};
use crate::visit::callbacks::IntoOutcome;
use crate::visit::options::WalkOptions;
use crate::visit::position::Position;
use crate::visit::traversal::{Driver, Entry, traverse};

/// How a walk continues after a callback.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WalkResult<B = Infallible> {
    /// The walk visits the children of the object, and then continues.
    Advance,
    /// The walk skips the children of the object. After the children, this is the same as `Advance`.
    Skip,
    /// The walk ends with this result.
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

/// The callbacks of a walk.
///
/// A walk enters singletons, opaque objects, and objects that JSON writes as one of their fields, but does not visit
/// the values in them.
///
/// ```
/// use object_core::prelude::*;
/// use object_core::visit::{Position, WalkOptions, WalkResult, Walker, walk_with};
/// use object_core::ObjectView;
///
/// /// The depth of the graph.
/// #[derive(Default)]
/// struct Depth(usize);
///
/// impl<'a> Walker<'a> for Depth {
///     type Break = std::convert::Infallible;
///
///     fn enter(&mut self, _: ObjectView<'a>, at: &Position<'_>) -> WalkResult {
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
    /// The result of a walk that ends early.
    type Break;

    /// Whether the walk calls [`plain`](Self::plain). If not, the walk skips plain fields without reading them.
    const PLAIN: bool = false;

    /// Called with an object before its children.
    fn enter(&mut self, _object: ObjectView<'a>, _at: &Position<'_>) -> WalkResult<Self::Break> {
        WalkResult::Advance
    }

    /// Called with an object after its children, also if [`enter`](Self::enter) skipped them.
    fn leave(&mut self, _object: ObjectView<'a>, _at: &Position<'_>) -> WalkResult<Self::Break> {
        WalkResult::Advance
    }

    /// Called with a value that is not an object, at each of its positions. `Skip` is the same as `Advance` here.
    fn plain(&mut self, _value: AnyView<'a>, _at: &Position<'_>) -> WalkResult<Self::Break> {
        WalkResult::Advance
    }
}

/// The traversal of a [`Walker`].
struct WalkDriver<'w, W> {
    walker: &'w mut W,
}

/// How the traversal continues if there are no children to visit.
#[inline]
fn continued<B>(result: WalkResult<B>) -> ControlFlow<B> {
    match result {
        WalkResult::Advance | WalkResult::Skip => ControlFlow::Continue(()),
        WalkResult::Interrupt(value) => ControlFlow::Break(value),
    }
}

impl<'a, W: Walker<'a>> Driver<'a> for WalkDriver<'_, W> {
    type Break = W::Break;
    type State = ();

    const ALL_OBJECTS: bool = !W::PLAIN;

    #[inline(always)]
    fn enter(&mut self, object: ObjectView<'a>, at: &Position<'_>) -> Entry<(), W::Break> {
        match self.walker.enter(object, at) {
            WalkResult::Advance => Entry::Descend(()),
            WalkResult::Skip => Entry::Skip(()),
            WalkResult::Interrupt(value) => Entry::Break(value),
        }
    }

    #[inline(always)]
    fn next_child(&self, children: &mut Children<'a>, (): &mut ()) -> Option<AnyView<'a>> {
        match W::PLAIN {
            true => children.next_value().map(|(value, _)| value),
            false => children.next_object().map(|(object, _)| AnyView::Object(object)),
        }
    }

    #[inline(always)]
    fn leave(&mut self, object: ObjectView<'a>, (): (), at: &Position<'_>) -> ControlFlow<W::Break> {
        continued(self.walker.leave(object, at))
    }

    #[inline]
    fn plain(&mut self, value: AnyView<'a>, at: &Position<'_>) -> ControlFlow<W::Break> {
        continued(self.walker.plain(value, at))
    }
}

/// Walks the graph below `root` with a [`Walker`]. The result is the value with which the walker ended the walk, if it
/// did.
pub fn walk_with<'a, W: Walker<'a>>(
    root: &'a impl AsAnyView,
    options: WalkOptions,
    walker: &mut W,
) -> Option<W::Break> {
    let root = root.as_any_view();
    if !W::PLAIN && root.as_object().is_none() {
        return None;
    }
    match traverse(root, options, &mut WalkDriver { walker }) {
        ControlFlow::Continue(()) => None,
        ControlFlow::Break(value) => Some(value),
    }
}
