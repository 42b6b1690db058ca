//! [`traverse`]: the depth-first traversal that walks and visitors share. It recurses while its [`StackBudget`] lasts, and
//! visits deeper objects with frames on the heap, so deep graphs do not overflow the machine stack.

use std::cell::Cell;
use std::ops::ControlFlow;

use crate::container::ArrayView;
use crate::graph::{Access, ChildSlot, Children, FieldObjects, MetObjects};
use crate::object::{AnyView, DefRegionKind, ObjectView};
use crate::stack_budget::{StackBudget, with_stack};
use crate::visit::level::Level;
use crate::visit::options::WalkOptions;
use crate::visit::position::{PathSource, Position};

/// The callbacks of a traversal.
pub(crate) trait Driver<'a> {
    /// The result of a traversal that ends early.
    type Break;

    /// The data of the driver for each object between entering and leaving it.
    type State;

    /// Whether [`next_child`](Self::next_child) returns each child that is an object, as far as the options include its field.
    const ALL_OBJECTS: bool;

    /// Called with an object before its children.
    fn enter(&mut self, object: ObjectView<'a>, at: &Position<'_>) -> Entry<Self::State, Self::Break>;

    /// Called with an object that the traversal has entered before, when it reaches the object again.
    fn again(&mut self, _object: ObjectView<'a>) {}

    /// The next child of an entered object to visit.
    fn next_child(&self, children: &mut Children<'a>, state: &mut Self::State) -> Option<AnyView<'a>>;

    /// Called with an entered object after its children.
    fn leave(&mut self, object: ObjectView<'a>, state: Self::State, at: &Position<'_>) -> ControlFlow<Self::Break>;

    /// Called with a value that is not an object.
    fn plain(&mut self, value: AnyView<'a>, at: &Position<'_>) -> ControlFlow<Self::Break>;
}

/// How a traversal continues after it has entered an object.
pub(crate) enum Entry<S, B> {
    /// The traversal visits the children, and then leaves the object.
    Descend(S),
    /// The traversal leaves the object at once.
    Skip(S),
    /// The traversal ends.
    Break(B),
}

/// An object on the heap between entering and leaving it.
struct Frame<'a, S> {
    children: Children<'a>,
    state: S,
    /// The region of the object, once a callback has asked for the region of a place in it.
    region: Cell<Option<DefRegionKind>>,
}

/// The entered objects below the objects on the machine stack.
struct Frames<'p, 'a, S> {
    above: Option<&'p Level<'p, 'a>>,
    frames: Vec<Frame<'a, S>>,
}

impl<'a, S> Frames<'_, 'a, S> {
    fn push(&mut self, children: Children<'a>, state: S) {
        // With reserved capacity, the frame is written directly into the vector instead of being copied.
        self.frames.reserve(1);
        self.frames.push(Frame { children, state, region: Cell::new(None) });
    }
}

impl<S> PathSource for Frames<'_, '_, S> {
    fn slots(&self) -> Vec<ChildSlot<'_>> {
        let mut slots = self.above.slots();
        slots.extend(self.frames.iter().filter_map(|frame| frame.children.slot()));
        slots
    }

    fn slot_above(&self, levels: usize) -> Option<ChildSlot<'_>> {
        match self.frames.len().checked_sub(levels + 1) {
            Some(index) => self.frames[index].children.slot(),
            None => self.above.slot_above(levels - self.frames.len()),
        }
    }

    fn depth(&self) -> usize {
        self.above.depth() + self.frames.len()
    }

    fn region(&self) -> DefRegionKind {
        let known = self.frames.iter().rposition(|frame| frame.region.get().is_some());
        let mut region = known.map_or_else(|| self.above.region(), |_| DefRegionKind::None);
        for frame in &self.frames[known.unwrap_or(0)..] {
            let own = frame.region.get().unwrap_or(region);
            frame.region.set(Some(own));
            region = frame.children.region_of_last(own);
        }
        region
    }
}

/// A traversal in progress.
struct Traversal<'d, D> {
    driver: &'d mut D,
    options: WalkOptions,
    visited: MetObjects,
    budget: StackBudget,
}

/// Traverses the graph below `root`.
pub(crate) fn traverse<'a, D: Driver<'a>>(
    root: AnyView<'a>,
    options: WalkOptions,
    driver: &mut D,
) -> ControlFlow<D::Break> {
    with_stack(|| {
        let budget = StackBudget::new();
        Traversal { driver, options, visited: MetObjects::default(), budget }.value(root, None)
    })
}

impl<'a, D: Driver<'a>> Traversal<'_, D> {
    /// Visits the value at the place `at`.
    #[inline(always)]
    fn value(&mut self, value: AnyView<'a>, at: Option<&Level<'_, 'a>>) -> ControlFlow<D::Break> {
        match value {
            AnyView::Object(object) => self.object(object, at),
            plain => self.driver.plain(plain, &Position::new(&at)),
        }
    }

    /// Visits the object at the place `at`.
    #[inline(always)]
    fn object(&mut self, object: ObjectView<'a>, at: Option<&Level<'_, 'a>>) -> ControlFlow<D::Break> {
        if !self.options.enters(object, &mut self.visited) {
            self.driver.again(object);
            return ControlFlow::Continue(());
        }
        let state = match self.driver.enter(object, &Position::new(&at)) {
            Entry::Descend(state) => state,
            Entry::Skip(state) => return self.driver.leave(object, state, &Position::new(&at)),
            Entry::Break(value) => return ControlFlow::Break(value),
        };
        if !D::ALL_OBJECTS {
            return self.children(object, state, at);
        }
        // An object without children needs no further call, and most objects of most graphs are such.
        match FieldObjects::are_none(object) {
            Some(false) => self.fields(object, state, at),
            Some(true) => self.driver.leave(object, state, &Position::new(&at)),
            None => self.children(object, state, at),
        }
    }

    /// Visits the objects in the listed fields of an entered object, and leaves the object.
    #[inline(never)]
    fn fields(&mut self, object: ObjectView<'a>, state: D::State, at: Option<&Level<'_, 'a>>) -> ControlFlow<D::Break> {
        if !self.budget.is_left() {
            return self.with_frames(object, state, at);
        }
        let mut level = Level::new(at, object, 0, Access::SHARED);
        if let Some(fields) = FieldObjects::of(object) {
            for (number, child) in fields {
                level.number = number;
                self.object(child, Some(&level))?;
            }
        }
        self.driver.leave(object, state, &Position::new(&at))
    }

    /// Visits the children of an entered object, and leaves the object.
    #[inline(never)]
    fn children(
        &mut self,
        object: ObjectView<'a>,
        mut state: D::State,
        at: Option<&Level<'_, 'a>>,
    ) -> ControlFlow<D::Break> {
        if !self.budget.is_left() {
            return self.with_frames(object, state, at);
        }
        let mut level = Level::new(at, object, 0, Access::SHARED);
        if D::ALL_OBJECTS
            && let Some(ArrayView::Objects(items)) = object.as_array()
        {
            for (number, item) in items.iter().enumerate() {
                level.number = number;
                self.object(item.view(), Some(&level))?;
            }
        } else {
            let mut children = Children::of(object);
            while let Some(child) = self.driver.next_child(&mut children, &mut state) {
                level.number = children.last_number();
                self.value(child, Some(&level))?;
            }
        }
        self.driver.leave(object, state, &Position::new(&at))
    }

    /// As [`children`](Self::children), with frames on the heap for all levels.
    #[inline(never)]
    fn with_frames(
        &mut self,
        object: ObjectView<'a>,
        state: D::State,
        above: Option<&Level<'_, 'a>>,
    ) -> ControlFlow<D::Break> {
        let mut stack = Frames { above, frames: Vec::new() };
        stack.push(Children::of(object), state);
        while let Some(frame) = stack.frames.last_mut() {
            match self.driver.next_child(&mut frame.children, &mut frame.state) {
                Some(AnyView::Object(object)) if !self.options.enters(object, &mut self.visited) => {
                    self.driver.again(object);
                }
                Some(AnyView::Object(object)) => match self.driver.enter(object, &Position::new(&stack)) {
                    Entry::Descend(state) => stack.push(Children::of(object), state),
                    Entry::Skip(state) => self.driver.leave(object, state, &Position::new(&stack))?,
                    Entry::Break(value) => return ControlFlow::Break(value),
                },
                Some(plain) => self.driver.plain(plain, &Position::new(&stack))?,
                None => {
                    if let Some(frame) = stack.frames.pop() {
                        self.driver.leave(frame.children.object(), frame.state, &Position::new(&stack))?;
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }
}
