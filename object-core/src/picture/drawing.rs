//! [`Picture`] and the boxes and arrows of which it consists.

use std::collections::VecDeque;
use std::collections::hash_map::Entry;

use crate::graph::{ChildSlot, Children};
use crate::object::{AnyView, AsAnyView, Body, FieldRole, ObjectView};
use crate::repr::{Repr, path_key};
use crate::table::Table;

/// The default of the number of boxes.
const MAX_BOXES: usize = 300;
/// The number of characters of a text, and of elements of an array without children, that a box shows.
const MAX_TEXT: usize = 40;
const MAX_ITEMS: usize = 8;

/// A picture of a value: the boxes nearest to the root, at most 300 unless [`max_boxes`](Self::max_boxes) sets another
/// number.
///
/// ```
/// use object_core::{Any, Array, picture::Picture};
/// let row = Any::from(Array::from([1, 2]));
/// let table = Array::<Any>::from([Any::from(Array::<Any>::from([row.clone(), row])), Any::from("x")]);
/// let dot = Picture::new(&table).to_dot();
/// assert!(dot.starts_with("digraph {") && dot.contains(r#"n0 -> n1 [label="[0]"]"#));
/// ```
#[derive(Clone, Copy)]
pub struct Picture<'a> {
    root: AnyView<'a>,
    max_boxes: usize,
}

impl<'a> Picture<'a> {
    /// A picture of `value`.
    pub fn new(value: &'a impl AsAnyView) -> Self {
        Picture { root: value.as_any_view(), max_boxes: MAX_BOXES }
    }

    /// The largest number of boxes. One further box `...` stands for all other objects.
    #[must_use]
    pub fn max_boxes(mut self, count: usize) -> Self {
        self.max_boxes = count.max(1);
        self
    }

    pub(super) fn draw(&self) -> Drawing {
        let mut drawing = Drawing::default();
        let mut numbers: Table<usize, usize> = Table::default();
        let mut queue = VecDeque::new();
        match self.root {
            AnyView::Object(root) if has_box(root) => {
                drawing.add(root.type_key());
                numbers.insert(root.address(), 0);
                queue.push_back((root, 0));
            }
            plain => {
                drawing.add(&text(plain));
            }
        }
        while let Some((object, from)) = queue.pop_front() {
            let mut children = Children::of(object);
            while let Some((value, role)) = children.next_value() {
                let Some(slot) = children.slot() else { continue };
                let label = label(slot, role);
                let child = match value {
                    AnyView::Object(child) if has_box(child) => child,
                    AnyView::None => continue,
                    // The key stands in the label of the value.
                    _ if matches!(slot, ChildSlot::Key(_)) => continue,
                    plain => {
                        drawing.boxes[from].lines.push(format!("{label} = {}", text(plain)));
                        continue;
                    }
                };
                let room = drawing.boxes.len() < self.max_boxes;
                let to = match numbers.entry(child.address()) {
                    Entry::Occupied(known) => {
                        drawing.boxes[*known.get()].is_shared = true;
                        *known.get()
                    }
                    Entry::Vacant(new) if room => {
                        let number = drawing.add(child.type_key());
                        new.insert(number);
                        queue.push_back((child, number));
                        number
                    }
                    Entry::Vacant(_) => drawing.rest(),
                };
                drawing.arrows.push(Arrow { from, to, label });
            }
        }
        drawing
    }
}

/// Boxes and arrows.
#[derive(Default)]
pub(super) struct Drawing {
    pub(super) boxes: Vec<DrawnBox>,
    pub(super) arrows: Vec<Arrow>,
    /// The box for the objects that the picture leaves out.
    rest: Option<usize>,
}

pub(super) struct DrawnBox {
    pub(super) title: String,
    pub(super) lines: Vec<String>,
    pub(super) is_shared: bool,
}

pub(super) struct Arrow {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) label: String,
}

impl Drawing {
    fn add(&mut self, title: &str) -> usize {
        self.boxes.push(DrawnBox { title: title.to_owned(), lines: Vec::new(), is_shared: false });
        self.boxes.len() - 1
    }

    fn rest(&mut self) -> usize {
        if let Some(rest) = self.rest {
            return rest;
        }
        let rest = self.add("...");
        self.rest = Some(rest);
        rest
    }
}

/// Whether an object gets a box, instead of a line in the box of its parent.
fn has_box(object: ObjectView<'_>) -> bool {
    let mut children = Children::of(object);
    match object.type_info().body {
        Body::Node => !children.is_none(),
        Body::Array | Body::Map => std::iter::from_fn(|| children.next_object()).any(|(child, _)| has_identity(child)),
        _ => false,
    }
}

/// Whether an object has children, so that a line of text does not show it.
fn has_identity(object: ObjectView<'_>) -> bool {
    !Children::of(object).is_none()
}

fn label(slot: ChildSlot<'_>, role: FieldRole) -> String {
    match slot {
        ChildSlot::Field(field) if matches!(role, FieldRole::Def | FieldRole::DefSimple) => {
            format!("def {}", field.name)
        }
        ChildSlot::Field(field) => field.name.to_owned(),
        ChildSlot::Item(index) => format!("[{index}]"),
        ChildSlot::Key(key) => format!("key {}", short(&path_key(key).to_string())),
        ChildSlot::Value(key) => format!("[{}]", short(&path_key(key).to_string())),
    }
}

fn text(value: AnyView<'_>) -> String {
    short(&Repr::new(&value).max_depth(1).max_items(MAX_ITEMS).max_text(MAX_TEXT).to_string())
}

/// The text, cut if it is too long.
fn short(text: &str) -> String {
    const LONGEST: usize = 2 * MAX_TEXT;
    match text.char_indices().nth(LONGEST) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}...", &text[..end]),
    }
}
