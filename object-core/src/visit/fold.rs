//! [`fold()`]: a computation from the leaves of a graph up, once for each object.

use std::convert::Infallible;
use std::marker::PhantomData;
use std::ops::Index;

use crate::graph::{ChildSlot, Children};
use crate::object::{AnyView, AsAnyView, ObjectHandle, ObjectView};
use crate::table::AddressTable;
use crate::visit::options::WalkOptions;
use crate::visit::position::Position;
use crate::visit::walker::{WalkResult, Walker, walk_with};

/// The result for `root` of a computation over the graph below it: `combine` gets each object that an `H` accepts once, after all
/// objects below it, with their [`Results`]. The compiler may need the type of the results: `|expr: &Expr, values: &Results<u64>|`.
/// The fold takes time linear in objects and references, and no depth is too deep for it.
///
/// ```
/// use object_core::prelude::*;
/// use object_core::visit::fold;
///
/// #[derive(Object)]
/// #[object(type_key = "fold.Expr", base)]
/// #[structural_eq(tree)]
/// struct ExprNode {}
///
/// #[derive(Object)]
/// #[object(type_key = "fold.Lit", parent = ExprNode)]
/// #[structural_eq(tree)]
/// struct LitNode {
///     base: ExprNode,
///     value: i64,
/// }
///
/// #[derive(Object)]
/// #[object(type_key = "fold.Add", parent = ExprNode)]
/// #[structural_eq(tree)]
/// struct AddNode {
///     base: ExprNode,
///     terms: Array<Expr>,
/// }
///
/// object_core::variants_of! {
///     enum ExprKind of Expr { Lit, Add }
/// }
///
/// fn value(expr: &Expr) -> i64 {
///     fold(expr, |expr: &Expr, values| match ExprKind::of(expr) {
///         ExprKind::Lit(lit) => lit.value,
///         ExprKind::Add(add) => add.terms.iter().map(|term| values[&term]).sum(),
///         ExprKind::Other(_) => 0,
///     })
/// }
///
/// // A graph with 60 levels and 2^60 paths: the fold adds once for each level.
/// let mut expr = Expr::from(Lit::new(1));
/// for _ in 0..60 {
///     expr = Add::new([expr.clone(), expr]).into();
/// }
/// assert_eq!(value(&expr), 1 << 60);
/// ```
///
/// # All children
///
/// [`Results::children`] lists the results of the children with the names of their fields, for computations that treat most types
/// alike. The size and a text of any object, whatever types extend the base:
///
/// ```
/// # use object_core::prelude::*;
/// # use object_core::visit::{Results, fold};
/// # #[derive(Object)]
/// # #[object(type_key = "fold.all.Expr", base)]
/// # #[structural_eq(tree)]
/// # struct ExprNode {}
/// # #[derive(Object)]
/// # #[object(type_key = "f.Nil", parent = ExprNode)]
/// # #[structural_eq(tree)]
/// # struct NilNode { base: ExprNode }
/// #[derive(Object)]
/// #[object(type_key = "f.If", parent = ExprNode)]
/// #[structural_eq(tree)]
/// struct IfNode { base: ExprNode, cond: Expr, then: Array<Expr> }
///
/// fn size(expr: &Expr) -> u64 {
///     fold(expr, |expr: &Expr, sizes: &Results<u64>| 1 + sizes.children(expr).map(|(_, size)| size).sum::<u64>())
/// }
///
/// fn text(expr: &Expr) -> String {
///     fold(expr, |expr: &Expr, texts| {
///         let children = texts.children(expr).map(|(field, text): (_, &String)| format!(" {field}: {text}"));
///         format!("({}{})", expr.as_object().view().type_key(), children.collect::<String>())
///     })
/// }
///
/// let nil = || Expr::from(Nil::new());
/// let expr = Expr::from(If::new(nil(), [nil(), nil()]));
/// assert_eq!((size(&expr), text(&expr)), (4, "(f.If cond: (f.Nil) then: (f.Nil) then: (f.Nil))".to_owned()));
/// ```
///
/// # Results that contain results
///
/// The fold keeps all results until it ends. So a result that copies the results of the children makes it quadratic in the depth,
/// such as a `String` with the texts of the children in it. Let it refer to them: an [`Array`](crate::Array) of texts and of such
/// arrays shares its parts, and its release does not recurse. A `Display` without recursion (one that recurses writes to a [`Printer`](crate::print::Printer), which is shorter):
///
/// ```
/// use object_core::prelude::*;
/// use object_core::visit::{Walk, WalkOptions, WalkResult, fold};
/// use std::fmt;
///
/// #[derive(Object)]
/// #[object(type_key = "fold.Not", display = none)]
/// #[structural_eq(tree)]
/// struct NotNode {
///     arg: Option<Not>,
/// }
///
/// impl fmt::Display for Not {
///     fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
///         let text = fold(self, |not: &Not, texts| match &not.arg {
///             Some(arg) => Array::<Any>::from([Any::from("not("), Any::from(&texts[arg]), Any::from(")")]),
///             None => Array::from([Any::from("x")]),
///         });
///         let mut write = Walk::interruptible()
///             .enter(|piece: &Str, _| f.write_str(piece).map_or_else(WalkResult::Interrupt, |()| WalkResult::Advance))
///             .options(WalkOptions::new().every_occurrence(true));
///         write.run(&text).map_or(Ok(()), Err)
///     }
/// }
///
/// let mut not = Not::new(None::<Not>);
/// for _ in 0..2 {
///     not = Not::new(Some(not));
/// }
/// assert_eq!(not.to_string(), "not(not(x))");
/// ```
pub fn fold<H: ObjectHandle, R>(root: &H, combine: impl FnMut(&H, &Results<R>) -> R) -> R {
    let mut fold = Fold { combine, results: Results(AddressTable::default()), marker: PhantomData };
    let _: Option<Infallible> = walk_with(root, WalkOptions::new(), &mut fold);
    match fold.results.0.remove(&root.as_object().view().address()) {
        Some(result) => result,
        None => unreachable!("the walk has left the root, which is an `H`"),
    }
}

/// The results of a [`fold()`] for the objects below the current one.
#[derive(Debug)]
pub struct Results<R>(AddressTable<R>);

impl<R> Results<R> {
    /// The result for `value`. `None` if the value is not an object that the fold combines, or not below the current one:
    /// [`walk_with`] lists the objects whose fields a walk does not visit.
    #[must_use]
    pub fn get(&self, value: &impl AsAnyView) -> Option<&R> {
        match value.as_any_view() {
            AnyView::Object(object) => self.0.get(&object.address()),
            _ => None,
        }
    }
}

impl<R> Results<R> {
    /// The results of the children of `object`, in the order of the fields, each with the name of its field. Elements of arrays
    /// and maps in a field are children, and a child that occurs twice is there twice. If `object` is an array or a map
    /// itself, the names are empty.
    pub fn children<'a>(&'a self, object: &'a impl ObjectHandle) -> impl Iterator<Item = (&'static str, &'a R)> + 'a {
        let mut open = vec![Children::of(object.as_object().view())];
        let mut name = "";
        std::iter::from_fn(move || {
            loop {
                let container = open.last_mut()?;
                let Some((value, _)) = container.next_value() else {
                    open.pop();
                    continue;
                };
                if let Some(ChildSlot::Field(field)) = container.slot() {
                    name = field.name;
                }
                let Some(child) = value.as_object() else { continue };
                if let Some(result) = self.0.get(&child.address()) {
                    return Some((name, result));
                }
                if child.as_array().is_some() || child.as_map().is_some() {
                    open.push(Children::of(child));
                }
            }
        })
    }
}

impl<R, V: AsAnyView> Index<&V> for Results<R> {
    type Output = R;

    /// # Panics
    /// If [`get`](Results::get) returns `None`.
    fn index(&self, value: &V) -> &R {
        match self.get(value) {
            Some(result) => result,
            None => {
                panic!("the fold has no result for a `{}`: it is not below this object", value.as_any_view().type_key())
            }
        }
    }
}

/// The walk of a fold.
struct Fold<H, R, F> {
    combine: F,
    results: Results<R>,
    marker: PhantomData<fn(&H)>,
}

impl<'a, H: ObjectHandle, R, F: FnMut(&H, &Results<R>) -> R> Walker<'a> for Fold<H, R, F> {
    type Break = Infallible;

    fn leave(&mut self, object: ObjectView<'a>, _: &Position<'_>) -> WalkResult {
        if let Some(handle) = object.as_handle::<H>() {
            let result = (self.combine)(handle, &self.results);
            self.results.0.insert(object.address(), result);
        }
        WalkResult::Advance
    }
}
