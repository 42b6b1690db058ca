//! Traits that types of an open hierarchy implement: declarations of linked crates, registration at run time, and look-up
//! from any handle.

use std::any::{Any as StdAny, TypeId, type_name};

use crate::error::{Error, ErrorKind, Result};
use crate::object::{Object, ObjectHandle, ObjectRef, TypeInfo, TypedHandle};
use crate::registry::collected::Collected;
use crate::registry::linked;
use crate::table::Table;

/// Borrows an object as a trait object, if the object has the type of the implementation.
type View<D> = Box<dyn for<'a> Fn(&'a ObjectRef) -> Option<&'a D> + Send + Sync>;

/// The implementation of a trait for the objects of one type and of the types that extend it.
#[derive(Clone, Copy)]
pub struct TraitImpl {
    owner: &'static TypeInfo,
    /// A [`View`], by whose type look-ups find the trait. The registry never frees it.
    view: &'static (dyn StdAny + Send + Sync),
}

impl TraitImpl {
    /// The implementation for the handle `H`; `view` is `|handle| handle`. `D` is a trait object such as `dyn Cost`.
    #[must_use]
    pub fn of<H: TypedHandle, D: ?Sized + 'static>(view: fn(&H) -> &D) -> Self {
        let view: View<D> = Box::new(move |object| object.downcast_ref::<H>().map(view));
        TraitImpl { owner: H::Node::TYPE_INFO, view: Box::leak(Box::new(view)) }
    }
}

/// The declaration of an implementation in a linked crate.
#[cfg(feature = "inventory")]
pub struct TraitImplEntry(pub fn() -> TraitImpl);

#[cfg(feature = "inventory")]
inventory::collect!(TraitImplEntry);

/// The views by their type and by the address of the type of objects. A handle implements a trait once, so all views
/// with one key are equal.
type Views = Table<(TypeId, usize), &'static (dyn StdAny + Send + Sync)>;

static VIEWS: Collected<Views> = Collected::new(collect);

fn collect() -> Result<Views> {
    #[allow(unused_mut, reason = "without the feature there is nothing to collect")]
    let mut views = Views::default();
    #[cfg(feature = "inventory")]
    inventory::iter::<TraitImplEntry>.into_iter().for_each(|entry| insert(&mut views, (entry.0)()));
    Ok(views)
}

fn insert(views: &mut Views, new: TraitImpl) {
    views.insert((StdAny::type_id(new.view), address(new.owner)), new.view);
}

fn address(info: &TypeInfo) -> usize {
    std::ptr::from_ref(info).addr()
}

/// The view of the objects of `info` as a `D`: of this type, or else of the nearest ancestor that has one.
fn find<D: ?Sized + 'static>(views: &Views, info: &'static TypeInfo) -> Option<&'static View<D>> {
    let id = TypeId::of::<View<D>>();
    let found = std::iter::once(info).chain(info.ancestors().rev()).find_map(|info| views.get(&(id, address(info))));
    found.and_then(|view| view.downcast_ref())
}

/// Registers implementations, where the feature `inventory` is off and for types of a plug-in that a running program
/// loads. [`register_impl!`](crate::register_impl) declares one without a call.
///
/// ```
/// use object_core::prelude::*;
/// use object_core::registry::{TraitImpl, register_impls};
///
/// #[derive(Object)]
/// #[object(type_key = "demo.trait_impls.Scan")]
/// #[structural_eq(tree)]
/// struct ScanNode {
///     rows: i64,
/// }
///
/// trait Cost {
///     fn cost(&self) -> i64;
/// }
///
/// impl Cost for Scan {
///     fn cost(&self) -> i64 {
///         self.rows
///     }
/// }
///
/// register_impls([TraitImpl::of::<Scan, dyn Cost>(|scan| scan)])?;
/// let object = ObjectRef::from(Scan::new(7));
/// assert_eq!(object.as_trait::<dyn Cost>().map(|it| it.cost()), Some(7));
/// # Ok::<(), Error>(())
/// ```
///
/// # Errors
/// None of its own: registering an implementation again has no effect.
pub fn register_impls(impls: impl IntoIterator<Item = TraitImpl>) -> Result<()> {
    let impls: Vec<TraitImpl> = impls.into_iter().collect();
    VIEWS.write(|views| {
        impls.into_iter().for_each(|new| insert(views, new));
        Ok(())
    })
}

/// Checks that each type with objects that the handle `H` accepts implements the trait `D`, itself or through an
/// ancestor. A program or a test that links all plug-ins calls this function at its start.
///
/// # Errors
/// [`MissingImpl`](ErrorKind::MissingImpl), naming the types without an implementation and their places, and
/// [`DuplicateKey`](ErrorKind::DuplicateKey) if two linked types have the same key.
pub fn check_impls<H: TypedHandle, D: ?Sized + 'static>() -> Result<()> {
    let mut types = linked::types()?;
    types.retain(|info| !info.is_abstract() && info.is_or_extends(H::Node::TYPE_INFO));
    VIEWS.read(|views| types.retain(|info| find::<D>(views, info).is_none()))?;
    if types.is_empty() {
        return Ok(());
    }
    let list = types.iter().map(|info| format!("`{}` ({}:{})", info.type_key, info.location.0, info.location.1));
    let message = format!(
        "these types extend `{base}` and do not implement `{name}`: {}; implement the trait for each handle `X` and write \
         `register_impl!(X as {name});` beside it",
        list.collect::<Vec<_>>().join(", "),
        base = H::Node::TYPE_INFO.type_key,
        name = type_name::<D>(),
    );
    Err(Error::new(ErrorKind::MissingImpl, message))
}

/// Objects as trait objects, for every handle.
pub trait AsTrait: ObjectHandle {
    /// This object as a `D`, such as `dyn Cost`, if its type or an ancestor has an implementation that
    /// [`register_impl!`](crate::register_impl) declares. The nearest one counts. The look-up takes the time of one
    /// access to a hash table for each level between the type and the implementation.
    #[must_use]
    fn as_trait<D: ?Sized + 'static>(&self) -> Option<&D> {
        let object = self.as_object();
        // The view runs after the look-up, when the lock is free.
        let view = VIEWS.read(|views| find::<D>(views, object.view().type_info())).ok().flatten()?;
        view(object)
    }
}

impl<H: ObjectHandle> AsTrait for H {}

/// Declares that a handle implements a trait, in every program that links this crate. Then
/// [`as_trait`](crate::registry::AsTrait::as_trait) finds the implementation through a handle of any ancestor.
///
/// ```standalone_crate
/// # use object_core::prelude::*;
/// # use object_core::{register_impl, registry};
/// #[derive(Object)]
/// #[object(type_key = "demo.Plan", base)]
/// struct PlanNode {}
///
/// /// A trait over an open hierarchy, implemented by the base: it calls the implementation of the exact type.
/// trait Cost {
///     fn cost(&self) -> i64;
/// }
///
/// impl Cost for Plan {
///     fn cost(&self) -> i64 {
///         self.as_trait::<dyn Cost>().map_or(1, |it| it.cost()) // 1 is the default
///     }
/// }
///
/// // In any crate:
/// #[derive(Object)]
/// #[object(type_key = "demo.Scan", parent = PlanNode)]
/// #[structural_eq(tree)]
/// struct ScanNode {
///     base: PlanNode,
///     rows: i64,
/// }
///
/// impl Cost for Scan {
///     fn cost(&self) -> i64 {
///         self.rows
///     }
/// }
///
/// register_impl!(Scan as dyn Cost);
///
/// # #[cfg(feature = "inventory")]
/// # fn main() -> Result<(), Error> {
/// let plan = Plan::from(Scan::new(7));
/// assert_eq!(plan.cost(), 7);
/// registry::check_impls::<Plan, dyn Cost>()?; // an error if a final type has no implementation
/// # Ok(())
/// # }
/// # #[cfg(not(feature = "inventory"))]
/// # fn main() {}
/// ```
///
/// An implementation for a base holds for all types that extend it and have none of their own; do not register a base whose
/// implementation calls `as_trait`. Without the feature `inventory` the macro only checks the types; call
/// [`registry::register_impls`](crate::registry::register_impls) instead.
#[macro_export]
macro_rules! register_impl {
    ($handle:ty as $dyn:ty) => {
        const _: () = {
            fn __implementation() -> $crate::derive_support::TraitImpl {
                $crate::derive_support::TraitImpl::of::<$handle, $dyn>(|handle| handle)
            }
            $crate::__submit_declaration!(TraitImplEntry(__implementation));
        };
    };
}
