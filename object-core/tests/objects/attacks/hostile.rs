//! Types whose code of users (views, conversions, copies, destructors, hooks) keeps handles, panics, and calls operations in
//! the middle of others, at random. The object of a kept handle must stay as it was.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Mutex, PoisonError};

use object_core::object::{FieldType, StorageOf, TypeSchema};
use object_core::prelude::*;
use object_core::rewrite::{Mutate, Mutation, alpha_rename, substitute};
use object_core::visit::{free_vars, walk};
use object_core::{data, json};

/// A source of decisions: bytes, and random numbers after their end.
#[derive(Default)]
struct Choices {
    bytes: std::vec::IntoIter<u8>,
    state: u64,
}

impl Choices {
    /// A number below `count`.
    fn below(&mut self, count: usize) -> usize {
        let byte = self.bytes.next().unwrap_or_else(|| {
            self.state ^= self.state << 13;
            self.state ^= self.state >> 7;
            self.state ^= self.state << 17;
            (self.state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 56) as u8
        });
        usize::from(byte) % count
    }
}

/// A kept handle, a borrow from its object, and a copy of the object from when it was kept. The copy shares nothing, so it
/// does not depend on the handles that others have: a text would show sharing.
struct Kept {
    value: Any,
    /// Borrowed for ever from a handle that exists for ever.
    borrowed: Option<(&'static str, String)>,
    copy: Any,
}

#[derive(Default)]
struct State {
    choices: Choices,
    kept: Vec<Kept>,
    /// The number of operations inside each other.
    depth: usize,
    /// Code of users does nothing: a check reads the objects.
    is_quiet: bool,
}

thread_local! {
    static STATE: RefCell<State> = RefCell::default();
}

fn below(count: usize) -> usize {
    STATE.with_borrow_mut(|state| state.choices.below(count))
}

fn quietly<T>(run: impl FnOnce() -> T) -> T {
    let before = STATE.with_borrow_mut(|state| std::mem::replace(&mut state.is_quiet, true));
    let result = run();
    STATE.with_borrow_mut(|state| state.is_quiet = before);
    result
}

/// A panic without a message.
fn give_up() {
    if !std::thread::panicking() {
        resume_unwind(Box::new("hostile"));
    }
}

fn keep(value: Any) {
    let copy = quietly(|| data::deep_copy(&value).expect("all types have copies"));
    let borrowed = value.view().as_str().filter(|_| below(4) == 0).map(|text| {
        let handle: &'static Any = Box::leak(Box::new(value.clone()));
        FOR_EVER.lock().unwrap_or_else(PoisonError::into_inner).push(handle);
        (handle.view().as_str().unwrap_or_default(), text.to_owned())
    });
    STATE.with_borrow_mut(|state| state.kept.push(Kept { value, borrowed, copy }));
}

/// The handles that exist for ever. Leak detectors find them here.
static FOR_EVER: Mutex<Vec<&'static Any>> = Mutex::new(Vec::new());

/// Each function of a user calls this one with the value that it sees.
fn act(seen: impl FnOnce() -> Any) {
    if below(256) == 0 && !STATE.with_borrow(|state| state.is_quiet) {
        give_up();
    }
    act_in_drop(seen);
}

/// As [`act`], without a panic: a destructor that panics leaks the rest of a collection of std.
fn act_in_drop(seen: impl FnOnce() -> Any) {
    if STATE.with_borrow(|state| state.is_quiet) {
        return;
    }
    match below(256) {
        0..48 => keep(seen()),
        48..54 => drop(STATE.with_borrow_mut(|state| state.kept.pop())),
        54..57 => {
            let again = STATE.with_borrow_mut(|state| {
                let place = state.kept.len().checked_sub(1)?;
                (state.depth < 3).then(|| state.kept[place].value.clone())
            });
            if let Some(value) = again {
                operate(value);
            }
        }
        _ => {}
    }
}

/// Checks what was kept. The thread keeps at most 40 handles.
fn check() {
    let kept = STATE.with_borrow_mut(|state| std::mem::take(&mut state.kept));
    quietly(|| {
        for Kept { value, borrowed, copy } in &kept {
            assert!(data::value_equal(value, copy), "{copy:?} became {value:?}");
            if let Some((borrowed, text)) = borrowed {
                assert_eq!(borrowed, text);
            }
        }
    });
    let rest: Vec<Kept> = quietly(|| kept.into_iter().rev().take(40).collect());
    STATE.with_borrow_mut(|state| state.kept.extend(rest.into_iter().rev()));
}

/// Implements a hostile field type, which `$own` makes of a value, and whose method `lend` lends it.
macro_rules! hostile_field {
    ($Type:ident, $storage:ident, $Accepted:ty, $own:expr) => {
        impl Clone for $Type {
            fn clone(&self) -> Self {
                act(|| self.lend().to_any());
                $Type(self.0.clone())
            }
        }

        impl Drop for $Type {
            fn drop(&mut self) {
                act_in_drop(|| self.lend().to_any());
            }
        }

        impl FieldType for $Type {
            const STORAGE: StorageOf<Self> = StorageOf::$storage;

            fn view(&self) -> AnyView<'_> {
                act(|| self.lend().to_any());
                self.lend()
            }

            fn from_any(value: Any) -> Result<Self, Error> {
                act(|| value.clone());
                value.cast::<$Accepted>().map($own)
            }

            fn accepts(value: AnyView<'_>) -> bool {
                act(|| value.to_any());
                <$Accepted>::accepts(value)
            }

            fn schema() -> TypeSchema {
                TypeSchema::leaf(stringify!($Type))
            }
        }
    };
}

pub struct Spy(Any);
pub struct Lent(Arc<Any>);
pub struct Unit(i64);

impl Spy {
    fn lend(&self) -> AnyView<'_> {
        self.0.view()
    }
}

impl Lent {
    fn lend(&self) -> AnyView<'_> {
        self.0.view()
    }
}

impl Unit {
    fn lend(&self) -> AnyView<'_> {
        AnyView::Int(self.0)
    }
}

hostile_field!(Spy, OTHER, Any, Spy);
hostile_field!(Lent, OTHER, Any, |value| Lent(Arc::new(value)));
hostile_field!(Unit, PLAIN, i64, Unit);

#[derive(Object)]
#[object(type_key = "hostile.Expr", base)]
#[structural_eq(tree)]
pub struct ExprNode {}

#[derive(Object)]
#[object(type_key = "hostile.Leaf", parent = ExprNode)]
#[structural_eq(tree)]
pub struct LeafNode {
    base: ExprNode,
    text: Str,
}

#[derive(Object)]
#[object(type_key = "hostile.Var", parent = ExprNode)]
#[structural_eq(var)]
pub struct VarNode {
    base: ExprNode,
    #[field(ignore)]
    name: Str,
}

#[derive(Object)]
#[object(type_key = "hostile.Pair", parent = ExprNode)]
#[structural_eq(tree)]
pub struct PairNode {
    base: ExprNode,
    a: Any,
    b: Any,
}

#[derive(Object)]
#[object(type_key = "hostile.Fields", parent = ExprNode)]
#[structural_eq(tree)]
pub struct FieldsNode {
    base: ExprNode,
    spy: Spy,
    a: Any,
    lent: Lent,
    optional: Option<Spy>,
}

#[derive(Object)]
#[object(type_key = "hostile.Lists", parent = ExprNode)]
#[structural_eq(tree)]
pub struct ListsNode {
    base: ExprNode,
    items: Array<Expr>,
    units: Array<Array<Unit>>,
    by_name: Map<Str, Expr>,
}

#[derive(Object)]
#[object(type_key = "hostile.Lambda", parent = ExprNode)]
#[structural_eq(tree, scope)]
pub struct LambdaNode {
    base: ExprNode,
    #[field(def)]
    params: Array<Expr>,
    body: Any,
}

#[derive(Object)]
#[object(type_key = "hostile.Hooked", parent = ExprNode)]
#[structural_eq(tree, custom)]
pub struct HookedNode {
    base: ExprNode,
    a: Any,
    b: Any,
}

impl StructuralHook for HookedNode {
    fn structural_contents<'a>(&'a self, contents: &mut HookContents<'a>) {
        act(|| self.a.clone());
        act(|| self.b.clone());
        contents.add_in("b", &self.b, FieldRole::Def);
        contents.add("a", &self.a);
    }
}

/// A value whose copies and destructor are hostile, and which reflection does not see.
#[derive(Default)]
struct Hidden(Option<Any>);

impl Clone for Hidden {
    fn clone(&self) -> Self {
        act(|| self.0.clone().unwrap_or_default());
        Hidden(self.0.clone())
    }
}

impl Drop for Hidden {
    fn drop(&mut self) {
        act_in_drop(|| self.0.clone().unwrap_or_default());
    }
}

#[derive(Object)]
#[object(type_key = "hostile.Skips", parent = ExprNode)]
#[structural_eq(tree)]
pub struct SkipsNode {
    base: ExprNode,
    a: Any,
    #[field(skip)]
    hidden: Hidden,
}

#[derive(Object)]
#[object(type_key = "hostile.Ends", parent = ExprNode)]
#[structural_eq(tree)]
pub struct EndsNode {
    base: ExprNode,
    a: Any,
}

impl Drop for EndsNode {
    fn drop(&mut self) {
        act_in_drop(|| self.a.clone());
    }
}

#[derive(Object, Clone)]
pub enum Operand {
    Expr(Expr),
    Number(i64),
}

#[derive(Object)]
#[object(type_key = "hostile.Operands", parent = ExprNode)]
#[structural_eq(tree)]
pub struct OperandsNode {
    base: ExprNode,
    first: Operand,
    second: Option<Operand>,
}

/// Builds a graph of `size` objects.
fn graph(size: usize) -> Any {
    let mut values: Vec<Any> = vec![Leaf::new("text").into(), Var::new("x").into()];
    for index in 0..size {
        // Mostly a recent value, so that graphs are deep, and mostly the last one, so that objects have one handle.
        let mut take = || {
            let last = values.len() - 1;
            if below(3) > 0 && last > 1 {
                values.swap_remove(last - below(2))
            } else {
                values[below(values.len())].clone()
            }
        };
        let (a, b) = (take(), take());
        let expr = |value: &Any| value.clone().cast::<Expr>().unwrap_or_else(|_| Leaf::new(format!("{index}")).into());
        let value: Any = match below(11) {
            0 => Fields::new(Spy(a), b, Lent(Arc::new(Leaf::new("lent").into())), None).into(),
            1 => Fields::new(Spy(Any::None), a, Lent(Arc::new(b)), Some(Spy(Leaf::new("optional").into()))).into(),
            2 => {
                let units = Array::from([Array::from([Unit(1)]), Array::from([Unit(2)])]);
                let by_name = Map::new([(Str::from("a"), expr(&a)), (Str::from("b"), expr(&b))]);
                Lists::new([expr(&a), expr(&b)], units, by_name).into()
            }
            3 => Lambda::new([Var::new("y").into(), expr(&a)], b).into(),
            4 | 5 => Hooked::new(a, b).into(),
            6 => Skips::new(a).into(),
            7 => Ends::new(a).into(),
            8 => Operands::new(expr(&a), Some(Operand::from(expr(&b)))).into(),
            9 => Array::<Any>::from([a, b]).into(),
            _ => Pair::new(a, b).into(),
        };
        values.push(value);
    }
    values.swap_remove(values.len() - 1)
}

/// Rewrites `value` with a callback that looks around, keeps what it sees, and replaces some objects.
fn rewrite(value: Any) -> Result<Any, Error> {
    Mutate::new()
        .enter(|object: &ObjectRef, at| {
            act(|| object.into());
            if below(8) == 0 {
                let _ = at.region();
            }
            if below(16) == 0 { Mutation::Replace(Leaf::new("entered").into()) } else { Mutation::Keep }
        })
        .leave(|object: &ObjectRef, at| {
            act(|| object.into());
            match below(12) {
                0 => drop(catch_unwind(AssertUnwindSafe(|| at.region()))),
                1 => drop(at.path()),
                _ => {}
            }
            match below(10) {
                0 => Some(Any::from(Leaf::new(format!("left {}", at.depth())))),
                1 if object.view().as_str().is_some() => Some(Any::from("another text, long enough for the heap")),
                2 => Some(Any::from(Pair::new(object, 1))),
                _ => None,
            }
        })
        .run(value)
}

/// Runs a random operation on `value`, whose handle the operation gets.
fn operate(value: Any) {
    STATE.with_borrow_mut(|state| state.depth += 1);
    let result = catch_unwind(AssertUnwindSafe(|| match below(12) {
        0..5 => drop(rewrite(value)),
        5 => {
            if let Some(var) = free_vars(&value).first().and_then(|var| var.downcast_ref::<Var>().cloned()) {
                drop(substitute(value, [(&var, Leaf::new("substituted"))]));
            }
        }
        6 => drop(alpha_rename(value)),
        7 => drop(data::deep_copy(&value)),
        8 => drop(json::to_string(&value).and_then(|text| json::from_slice::<Any>(text.as_bytes()))),
        9 => {
            let _ = (
                structural_hash(&value),
                structural_equal(&value, &value),
                structural_first_mismatch(&value, &Any::None),
            );
        }
        10 => {
            if let Ok(mut pair) = value.cast::<Pair>() {
                act(|| pair.a.clone());
                pair.make_mut().a = Leaf::new("changed").into();
            }
        }
        _ => walk(&value, |object: &ObjectRef, _| act(|| object.into())),
    }));
    let _ = result;
    STATE.with_borrow_mut(|state| state.depth -= 1);
}

/// Runs `count` operations on graphs, as `bytes` and the random numbers after their end decide, and checks after each one that
/// every kept object is as it was.
pub(crate) fn run(bytes: Vec<u8>, seed: u64, count: usize) {
    let choices = Choices { bytes: bytes.into_iter(), state: seed | 1 };
    STATE.with_borrow_mut(|state| state.choices = choices);
    for _ in 0..count {
        // A panic while a graph is built is fine.
        if let Ok(value) = catch_unwind(|| graph(3 + below(30))) {
            operate(value);
        }
        check();
    }
    quietly(|| drop(STATE.with_borrow_mut(|state| std::mem::take(&mut state.kept))));
}
