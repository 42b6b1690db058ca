//! [`visitor!`](crate::visitor): a trait with a method for each type of a language.
//!
//! A call trace, for a visitor that overrides `visit_add` alone:
//!
//! ```text
//! run(root)
//!   visit_lambda(f)          default: super_visit_lambda notes that the children come next, and returns
//!   visit_add(e)             the override; it calls super_visit_add, or notes single fields, or nothing
//!   visit_imm(1), leave_imm(1)
//!   leave_add(e)
//!   leave_lambda(f)
//! ```
//!
//! `super_visit_x` does not call the methods of the children: it says that they are to be called when `visit_x` has
//! returned. So a visitor needs no stack, however deep the graph is, and what is to be done after the children stands in
//! `leave_x`.

use crate::graph::{Children, Slot};
use crate::object::{DefRegionKind, FieldType, Object, ObjectView, TypeInfo, TypedHandle};
use crate::table::{AddressSet, Table};
use crate::visit::place::{PathSource, Place};
use crate::visit::walk::WalkOptions;

/// Declares a visitor trait: the list of the types of a language, and a method for each of them to override.
///
/// For each line `name: Handle` the trait has
///
/// * `visit_name(&mut self, node: &Handle, visit: &mut Visit)`, called with each such object before its children. By
///   default it calls `super_visit_name`.
/// * `super_visit_name`, not to be overridden: the children come next.
/// * `leave_name(&mut self, node: &Handle, at: &Place)`, called after the children, or after `visit_name` if it chose none.
///
/// The method of the type itself is called, or, if that is not listed, of its nearest ancestor that is. Objects of all
/// other types, such as arrays, go to `visit_other`. Each object is visited once, unless
/// [`every_occurrence`](WalkOptions::every_occurrence) is asked for.
///
/// `run` starts a visit. `node_types` lists the types, so that a test can hold them against the registry.
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
/// pub struct ImmNode {
///     base: ExprNode,
///     value: i64,
/// }
///
/// #[derive(Object)]
/// #[object(type_key = "doc.visitor.Select", parent = ExprNode)]
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
/// /// Adds up all numbers, but not those of conditions.
/// struct Sum(i64);
///
/// impl ExprVisitor for Sum {
///     fn visit_imm(&mut self, imm: &Imm, _: &mut Visit<'_>) {
///         self.0 += imm.value;
///     }
///
///     fn visit_select(&mut self, _: &Select, visit: &mut Visit<'_>) {
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
    ($(#[$meta:meta])* $vis:vis trait $Visitor:ident { $($name:ident: $Handle:ty),+ $(,)? }) => {
        $crate::derive_support::paste! {
            $(#[$meta])*
            $vis trait $Visitor: Sized {
                $(
                    #[doc = "Called with a `" $Handle "` before its children."]
                    fn [<visit_ $name>](&mut self, node: &$Handle, visit: &mut $crate::visit::Visit<'_>) {
                        self.[<super_visit_ $name>](node, visit);
                    }

                    #[doc = "The children of a `" $Handle "` come next."]
                    fn [<super_visit_ $name>](&mut self, _node: &$Handle, visit: &mut $crate::visit::Visit<'_>) {
                        visit.children();
                    }

                    #[doc = "Called with a `" $Handle "` after its children."]
                    fn [<leave_ $name>](&mut self, _node: &$Handle, _at: &$crate::visit::Place<'_>) {}
                )+

                /// Called with objects of all other types before their children, which come next by default.
                fn visit_other(&mut self, _object: $crate::ObjectView<'_>, visit: &mut $crate::visit::Visit<'_>) {
                    visit.children();
                }

                /// The types that have a method of their own.
                #[must_use]
                fn node_types() -> Vec<&'static $crate::TypeInfo> {
                    Self::methods().iter().map($crate::visit::Method::type_info).collect()
                }

                /// The methods, by type.
                #[doc(hidden)]
                fn methods() -> Vec<$crate::visit::Method<Self>> {
                    vec![$($crate::visit::Method::new::<$Handle>(
                        |visitor, object, visit| {
                            if let Some(node) = object.as_handle::<$Handle>() {
                                visitor.[<visit_ $name>](node, visit);
                            }
                        },
                        |visitor, object, at| {
                            if let Some(node) = object.as_handle::<$Handle>() {
                                visitor.[<leave_ $name>](node, at);
                            }
                        },
                    )),+]
                }

                /// Visits the graph below `root`, each object once.
                fn run<T: $crate::FieldType>(&mut self, root: &T) {
                    self.run_with(root, $crate::visit::WalkOptions::new());
                }

                /// Visits the graph below `root` with options.
                fn run_with<T: $crate::FieldType>(&mut self, root: &T, options: $crate::visit::WalkOptions) {
                    $crate::visit::run_visitor(self, root, options, &Self::methods(), Self::visit_other);
                }
            }
        }
    };
}

type Enter<V> = fn(&mut V, ObjectView<'_>, &mut Visit<'_>);
type Leave<V> = fn(&mut V, ObjectView<'_>, &Place<'_>);

/// The methods of a visitor `V` for the objects of one type.
pub struct Method<V> {
    info: &'static TypeInfo,
    enter: Enter<V>,
    leave: Leave<V>,
}

impl<V> Method<V> {
    /// The methods for the objects that an `H` may point to.
    #[must_use]
    pub fn new<H: TypedHandle>(enter: Enter<V>, leave: Leave<V>) -> Self {
        Method { info: H::Node::TYPE_INFO, enter, leave }
    }

    /// The type.
    #[must_use]
    pub fn type_info(&self) -> &'static TypeInfo {
        self.info
    }
}

/// A visit of one object: where it is, and what comes next.
pub struct Visit<'w> {
    place: Place<'w>,
    object: ObjectView<'w>,
    next: Next,
    stops: bool,
}

/// Which children of an object are visited.
enum Next {
    All,
    /// Those with these numbers.
    Only(Vec<usize>),
}

impl<'w> Visit<'w> {
    /// Where the object is.
    #[must_use]
    pub fn place(&self) -> Place<'w> {
        self.place
    }

    /// All children come next, also those that were asked for already.
    pub fn children(&mut self) {
        self.next = Next::All;
    }

    /// The value of the field with the reflected name `name` comes next, after those asked for before. A name that the
    /// type does not have changes nothing.
    pub fn field(&mut self, name: &str) -> &mut Self {
        if let (Next::Only(numbers), Some((number, _))) = (&mut self.next, self.object.type_info().field(name)) {
            numbers.push(number);
        }
        self
    }

    /// Nothing comes next: this method is the last one that is called.
    pub fn stop(&mut self) {
        self.stops = true;
    }
}

/// The objects on the way, the root first.
struct Stack<'a>(Vec<VisitFrame<'a>>);

struct VisitFrame<'a> {
    children: Children<'a>,
    /// The numbers of the children to visit, from behind, if not all.
    only: Option<Vec<usize>>,
    region: DefRegionKind,
    /// The index of the methods of the object's type.
    method: Option<usize>,
}

impl<'a> VisitFrame<'a> {
    fn next(&mut self) -> Option<(ObjectView<'a>, DefRegionKind)> {
        let (child, role) = match &mut self.only {
            None => self.children.next_object()?,
            Some(numbers) => loop {
                let (value, role) = self.children.at(numbers.pop()?)?;
                if let Some(child) = value.as_object() {
                    break (child, role);
                }
            },
        };
        let object = self.children.object();
        Some((child, self.region.below(object.type_info().kind).child(object, child, role)))
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

/// Visits the graph below `root` with the methods of a visitor. Called by what [`visitor!`](crate::visitor) declares.
pub fn run_visitor<V, T: FieldType>(
    visitor: &mut V,
    root: &T,
    options: WalkOptions,
    methods: &[Method<V>],
    other: Enter<V>,
) {
    let Some(root) = root.view().as_object() else { return };
    let mut stack = Stack(Vec::new());
    let mut seen = AddressSet::default();
    let mut by_type: Table<*const TypeInfo, Option<usize>> = Table::default();
    let mut next = Some((root, DefRegionKind::None));
    loop {
        if let Some((object, region)) = next
            && options.meets(object, &mut seen)
        {
            let info = object.type_info();
            let method = *by_type.entry(info).or_insert_with(|| nearest(methods, info));
            let place = Place::new(&stack, region);
            let mut visit = Visit { place, object, next: Next::Only(Vec::new()), stops: false };
            match method {
                Some(index) => (methods[index].enter)(visitor, object, &mut visit),
                None => other(visitor, object, &mut visit),
            }
            if visit.stops {
                return;
            }
            let only = match visit.next {
                Next::All => None,
                Next::Only(mut numbers) => {
                    numbers.reverse();
                    Some(numbers)
                }
            };
            stack.0.push(VisitFrame { children: Children::of(object), only, region, method });
        }
        loop {
            let Some(frame) = stack.0.last_mut() else { return };
            next = frame.next();
            if next.is_some() {
                break;
            }
            let Some(frame) = stack.0.pop() else { return };
            if let Some(index) = frame.method {
                (methods[index].leave)(visitor, frame.children.object(), &Place::new(&stack, frame.region));
            }
        }
    }
}

/// The methods for `info`, or else for its nearest ancestor that has some.
fn nearest<V>(methods: &[Method<V>], info: &TypeInfo) -> Option<usize> {
    let fitting = methods.iter().enumerate().filter(|(_, method)| info.is_or_extends(method.info));
    fitting.max_by_key(|(_, method)| method.info.ancestors().count()).map(|(index, _)| index)
}
