//! [`visitor!`](crate::visitor): declares a trait with methods for each type of a language.
//!
//! The calls for a visitor that overrides `enter_add` alone:
//!
//! ```text
//! run(root)
//!   enter_lambda(f)          default: calls super_enter_lambda, which selects all children, and returns
//!   enter_add(e)             the override: calls super_enter_add, selects single fields, or selects nothing
//!   enter_imm(1), leave_imm(1)
//!   leave_add(e)
//!   leave_lambda(f)
//! ```
//!
//! `super_enter_x` does not call the methods of the children: it selects the children, and the visit goes to them after
//! `enter_x` has returned. So a visit of a deep graph does not overflow the machine stack. Work that follows the
//! children belongs in `leave_x`.

use std::ops::ControlFlow;

use crate::graph::Children;
use crate::object::{Accepted, AnyView, AsAnyView, ObjectHandle, ObjectView, TypeInfo};
use crate::table::Table;
use crate::visit::options::WalkOptions;
use crate::visit::position::Position;
use crate::visit::traversal::{Driver, Entry, traverse};

/// Declares a visitor trait: a list of the types of a language, with methods for each of them.
///
/// For each line `name: Handle` the trait has three methods:
///
/// * `enter_name(&mut self, node: &Handle, visit: &mut Visit)`: the visit calls it with each such object before its
///   children. By default it calls `super_enter_name`.
/// * `super_enter_name`: selects all children. Implementations do not override it.
/// * `leave_name(&mut self, node: &Handle, at: &Position)`: the visit calls it after the selected children.
///
/// The visit calls the methods of the object's type, or, if the list does not have this type, the methods of the
/// nearest ancestor in the list. A handle may be an array, a map or an `ObjectRef`, such as `exprs: Array<Expr>`; of several
/// handles that accept an array, the first in the list counts. The visit calls `enter_other` with all other objects. It enters each
/// object once, unless the options ask for [`every_occurrence`](WalkOptions::every_occurrence).
///
/// `run` starts a visit. `node_types` returns the types of the list, for tests that compare it with the registry.
///
/// ```
/// use object_core::prelude::*;
/// use object_core::visit::Visit;
///
/// #[derive(Object)]
/// #[object(type_key = "doc.visitor.Expr", base)]
/// pub struct ExprNode {}
///
/// #[derive(Object)]
/// #[object(type_key = "doc.visitor.Imm", parent = ExprNode)]
/// #[structural_eq(tree)]
/// pub struct ImmNode {
///     base: ExprNode,
///     value: i64,
/// }
///
/// #[derive(Object)]
/// #[object(type_key = "doc.visitor.Select", parent = ExprNode)]
/// #[structural_eq(tree)]
/// pub struct SelectNode {
///     base: ExprNode,
///     condition: Expr,
///     then: Expr,
///     otherwise: Expr,
/// }
///
/// object_core::visitor! {
///     /// Visits expressions.
///     pub trait ExprVisitor {
///         imm: Imm,
///         select: Select,
///     }
/// }
///
/// /// The sum of all numbers outside of conditions.
/// struct Sum(i64);
///
/// impl ExprVisitor for Sum {
///     fn enter_imm(&mut self, imm: &Imm, _: &mut Visit<'_>) {
///         self.0 += imm.value;
///     }
///
///     fn enter_select(&mut self, _: &Select, visit: &mut Visit<'_>) {
///         visit.field("then").field("otherwise");
///     }
/// }
///
/// let mut sum = Sum(0);
/// sum.run(&Select::new(Imm::new(1), Imm::new(2), Select::new(Imm::new(4), Imm::new(8), Imm::new(16))));
/// assert_eq!(sum.0, 26);
/// ```
#[macro_export]
macro_rules! visitor {
    ($($tokens:tt)*) => {
        $crate::derive_support::visitor! { ($crate) $($tokens)* }
    };
}

type Enter<V> = fn(&mut V, ObjectView<'_>, &mut Visit<'_>);
type Leave<V> = fn(&mut V, ObjectView<'_>, &Position<'_>);

/// The methods of a visitor `V` for the objects of one handle.
pub struct VisitorMethods<V> {
    /// The type of the handle. `None` if the handle accepts objects of every type.
    info: Option<&'static TypeInfo>,
    accepts_type: fn(&TypeInfo) -> bool,
    accepts: fn(ObjectView<'_>) -> bool,
    enter: Enter<V>,
    leave: Leave<V>,
}

impl<V> VisitorMethods<V> {
    /// The methods for the objects that an `H` can refer to.
    #[must_use]
    pub fn new<H: ObjectHandle>(enter: Enter<V>, leave: Leave<V>) -> Self {
        let info = match H::ACCEPTED {
            Accepted::Objects(table) | Accepted::Container(table, _) => Some(table.info()),
            _ => None,
        };
        VisitorMethods { info, accepts_type: H::accepts_type_info, accepts: H::accepts_object, enter, leave }
    }

    /// The types of the handles, in order. A handle of every type has none.
    #[must_use]
    pub fn types(methods: &[Self]) -> Vec<&'static TypeInfo> {
        methods.iter().filter_map(|methods| methods.info).collect()
    }

    /// The number of ancestors of the handle's type; the handle of every type comes after the root.
    fn depth(&self) -> usize {
        self.info.map_or(0, |info| info.ancestors().count() + 1)
    }

    /// Whether the handle accepts some objects of the type `info`.
    fn may_accept(&self, info: &TypeInfo) -> bool {
        self.info.is_none_or(|own| info.is_or_extends(own))
    }
}

/// The methods for the objects of one type, as indices.
enum Choice {
    /// One index for all objects, if there are methods.
    Type(Option<usize>),
    /// The first of these whose handle accepts the object: handles of arrays or maps accept some objects of a type.
    Object(Vec<usize>),
}

impl Choice {
    /// The choice for `info`: the handle of the nearest type comes first, and of handles of one type the first in the list.
    fn of<V>(methods: &[VisitorMethods<V>], info: &TypeInfo) -> Self {
        let mut indices: Vec<usize> = (0..methods.len()).filter(|index| methods[*index].may_accept(info)).collect();
        indices.sort_by_key(|index| std::cmp::Reverse(methods[*index].depth()));
        match indices.first() {
            Some(first) if !(methods[*first].accepts_type)(info) => Choice::Object(indices),
            first => Choice::Type(first.copied()),
        }
    }

    /// The methods for `object`.
    fn index<V>(&self, methods: &[VisitorMethods<V>], object: ObjectView<'_>) -> Option<usize> {
        match self {
            Choice::Type(index) => *index,
            Choice::Object(indices) => indices.iter().copied().find(|index| (methods[*index].accepts)(object)),
        }
    }
}

/// The visit of one object. Its methods return the position of the object and select the children to visit. Without a
/// selection, the visit skips all children.
pub struct Visit<'w> {
    position: Position<'w>,
    object: ObjectView<'w>,
    selection: Selection,
    stops: bool,
}

/// The selected children of an object.
enum Selection {
    All,
    /// The children with these numbers, in this order.
    Only(Vec<usize>),
}

impl<'w> Visit<'w> {
    /// The position of the object.
    #[must_use]
    pub fn position(&self) -> Position<'w> {
        self.position
    }

    /// Selects all children.
    pub fn children(&mut self) {
        self.selection = Selection::All;
    }

    /// Selects the value of the field with the reflected name `name`, after the previously selected fields. If the type
    /// has no such field, or if all children are selected, the call has no effect.
    pub fn field(&mut self, name: &str) -> &mut Self {
        if let (Selection::Only(numbers), Some((number, _))) =
            (&mut self.selection, self.object.type_info().field(name))
        {
            numbers.push(number);
        }
        self
    }

    /// Ends the visit: it calls no further method. A visitor that can fail stores its error in a field and ends the visit:
    ///
    /// ```
    /// # use object_core::prelude::*;
    /// # use object_core::visit::Visit;
    /// # #[derive(Object)]
    /// # #[object(type_key = "doc.visit_stop.Div")]
    /// # #[structural_eq(tree)]
    /// # pub struct DivNode { a: i64, b: i64 }
    /// object_core::visitor! {
    ///     /// Visits divisions.
    ///     trait DivVisitor { div: Div }
    /// }
    ///
    /// #[derive(Default)]
    /// struct FindZero(Option<String>);
    ///
    /// impl DivVisitor for FindZero {
    ///     fn enter_div(&mut self, div: &Div, visit: &mut Visit<'_>) {
    ///         if div.b == 0 {
    ///             self.0 = Some(format!("division by zero at {}", visit.position().path()));
    ///             visit.stop();
    ///         }
    ///     }
    /// }
    ///
    /// let mut find = FindZero::default();
    /// find.run(&Array::from([Div::new(1, 2), Div::new(1, 0)]));
    /// assert_eq!(find.0.as_deref(), Some("division by zero at <root>[1]"));
    /// ```
    pub fn stop(&mut self) {
        self.stops = true;
    }
}

/// The traversal of a visitor.
struct VisitorDriver<'v, V> {
    visitor: &'v mut V,
    methods: &'v [VisitorMethods<V>],
    enter_other: Enter<V>,
    /// The methods for each type that the traversal has reached.
    by_type: Table<*const TypeInfo, Choice>,
}

/// A visited object between entering and leaving it.
struct Visited {
    /// The numbers of the selected children, the next one last. `None` if all children are selected.
    only: Option<Vec<usize>>,
    /// The index of the methods for the object.
    methods: Option<usize>,
}

impl<'a, V> Driver<'a> for VisitorDriver<'_, V> {
    type Break = ();
    type State = Visited;

    // A method can select children.
    const ALL_OBJECTS: bool = false;

    fn enter(&mut self, object: ObjectView<'a>, at: &Position<'_>) -> Entry<Visited, ()> {
        let info = object.type_info();
        let choice = self.by_type.entry(info).or_insert_with(|| Choice::of(self.methods, info));
        let methods = choice.index(self.methods, object);
        let mut visit = Visit { position: *at, object, selection: Selection::Only(Vec::new()), stops: false };
        let enter = methods.map_or(self.enter_other, |index| self.methods[index].enter);
        enter(self.visitor, object, &mut visit);
        if visit.stops {
            return Entry::Break(());
        }
        let only = match visit.selection {
            Selection::All => None,
            Selection::Only(mut numbers) => {
                numbers.reverse();
                Some(numbers)
            }
        };
        Entry::Descend(Visited { only, methods })
    }

    fn next_child(&self, children: &mut Children<'a>, state: &mut Visited) -> Option<AnyView<'a>> {
        let Some(numbers) = &mut state.only else {
            return children.next_object().map(|(child, _)| AnyView::Object(child));
        };
        loop {
            let (value, _) = children.at(numbers.pop()?)?;
            if value.as_object().is_some() {
                return Some(value);
            }
        }
    }

    fn leave(&mut self, object: ObjectView<'a>, state: Visited, at: &Position<'_>) -> ControlFlow<()> {
        if let Some(index) = state.methods {
            (self.methods[index].leave)(self.visitor, object, at);
        }
        ControlFlow::Continue(())
    }

    fn plain(&mut self, _: AnyView<'a>, _: &Position<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Visits the graph below `root` with the methods of a visitor. The expansion of [`visitor!`](crate::visitor) calls it.
pub fn run_visitor<V>(
    visitor: &mut V,
    root: &impl AsAnyView,
    options: WalkOptions,
    methods: &[VisitorMethods<V>],
    enter_other: Enter<V>,
) {
    let mut driver = VisitorDriver { visitor, methods, enter_other, by_type: Table::default() };
    // A traversal that ends early has no result.
    let _ = traverse(root.as_any_view(), options, &mut driver);
}
