//! [`traverse`]: the depth-first traversal that walks and visitors share. Its stack is a `Vec`, so deep graphs do not
//! overflow the machine stack.

use std::ops::ControlFlow;

use crate::graph::{ChildSlot, Children};
use crate::object::{AnyView, DefRegionKind, FieldRole, ObjectView};
use crate::table::AddressSet;
use crate::visit::options::WalkOptions;
use crate::visit::position::{PathSource, Position};

/// The callbacks of a traversal.
pub(super) trait Driver<'a> {
    /// The result of a traversal that ends early.
    type Break;

    /// The data of the driver for each object between entering and leaving it.
    type State;

    /// Called with an object before its children.
    fn enter(&mut self, object: ObjectView<'a>, at: &Position<'_>) -> Entry<Self::State, Self::Break>;

    /// The next child of an entered object to visit.
    fn next_child(&self, children: &mut Children<'a>, state: &mut Self::State) -> Option<(AnyView<'a>, FieldRole)>;

    /// Called with an entered object after its children.
    fn leave(&mut self, object: ObjectView<'a>, state: Self::State, at: &Position<'_>) -> ControlFlow<Self::Break>;

    /// Called with a value that is not an object.
    fn plain(&mut self, value: AnyView<'a>, at: &Position<'_>) -> ControlFlow<Self::Break>;
}

/// How a traversal continues after it has entered an object.
pub(super) enum Entry<S, B> {
    /// The traversal visits the children, and then leaves the object.
    Descend(S),
    /// The traversal leaves the object at once.
    Skip(S),
    /// The traversal ends.
    Break(B),
}

/// The entered objects, the root first.
struct Stack<'a, S>(Vec<Frame<'a, S>>);

/// An object between entering and leaving it.
struct Frame<'a, S> {
    children: Children<'a>,
    state: S,
    /// The region of the object.
    region: DefRegionKind,
    /// The region of its children, before their fields change it.
    inner: DefRegionKind,
}

impl<'a, S> Frame<'a, S> {
    /// The next child to visit, and its region.
    #[inline(always)]
    fn next<D: Driver<'a, State = S>>(&mut self, driver: &D) -> Option<(AnyView<'a>, DefRegionKind)> {
        let (value, role) = driver.next_child(&mut self.children, &mut self.state)?;
        let region = match value {
            AnyView::Object(object) => self.inner.child(self.children.object(), object, role),
            _ => self.inner,
        };
        Some((value, region))
    }
}

impl<S> PathSource for Stack<'_, S> {
    fn slots(&self) -> Vec<ChildSlot<'_>> {
        self.0.iter().filter_map(|frame| frame.children.slot()).collect()
    }

    fn last_slot(&self) -> Option<ChildSlot<'_>> {
        self.0.last()?.children.slot()
    }

    fn depth(&self) -> usize {
        self.0.len()
    }
}

/// Traverses the graph below `root`.
pub(super) fn traverse<'a, D: Driver<'a>>(
    root: AnyView<'a>,
    options: WalkOptions,
    driver: &mut D,
) -> ControlFlow<D::Break> {
    let mut stack: Stack<'a, D::State> = Stack(Vec::new());
    let mut visited = AddressSet::default();
    let mut next = Some((root, DefRegionKind::None));
    loop {
        match next {
            Some((AnyView::Object(object), _)) if !options.enters(object, &mut visited) => {}
            Some((AnyView::Object(object), region)) => match driver.enter(object, &Position::new(&stack, region)) {
                Entry::Descend(state) => {
                    let inner = region.below(object.type_info().kind);
                    // With reserved capacity, the frame is written directly into the vector instead of being copied.
                    stack.0.reserve(1);
                    stack.0.push(Frame { children: Children::of(object), state, region, inner });
                }
                Entry::Skip(state) => driver.leave(object, state, &Position::new(&stack, region))?,
                Entry::Break(value) => return ControlFlow::Break(value),
            },
            Some((plain, region)) => driver.plain(plain, &Position::new(&stack, region))?,
            None => {}
        }
        loop {
            let Some(frame) = stack.0.last_mut() else {
                return ControlFlow::Continue(());
            };
            next = frame.next(driver);
            if next.is_some() {
                break;
            }
            let Some(frame) = stack.0.pop() else {
                return ControlFlow::Continue(());
            };
            driver.leave(frame.children.object(), frame.state, &Position::new(&stack, frame.region))?;
        }
    }
}
