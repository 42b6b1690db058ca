//! [`Instances`]: the one instance per key of a singleton type.

use std::any::Any as StdAny;
use std::collections::BTreeMap;

use crate::error::{Error, ErrorKind, Result};
use crate::object::{
    Any, FieldType, InstanceMap, InstanceSource, Object, ObjectRef, SingletonInfo, TypeInfo, TypedHandle, object_of,
};
use crate::registry::linked;
use crate::text::brief::brief;
use crate::value::Str;

/// The instances of a singleton type with nodes `N`, by key. The derive makes one static of this type for each singleton
/// type.
pub struct Instances<N> {
    map: InstanceMap,
    make: MakeNodes<N>,
}

/// How the nodes of the instances are made that no other crate declares.
enum MakeNodes<N> {
    /// From a key, when it is looked up for the first time.
    Each(fn(Str) -> N),
    /// All at once: there are no others.
    All(ListNodes<N>),
}

/// Lists the nodes of all instances that one place declares.
type ListNodes<N> = fn() -> Vec<N>;

/// Source file and line of a declaration.
type Place = (&'static str, u32);

/// Instances of a singleton type that a linked crate declares by [`register_instances!`](crate::register_instances).
pub struct DeclaredInstances {
    /// A [`ListNodes`], by whose type the node struct `N` finds it.
    make: &'static (dyn StdAny + Send + Sync),
    location: Place,
}

/// The instances with the nodes that `make` returns, declared at `location`.
#[must_use]
pub const fn declared_instances<N: Object>(make: &'static ListNodes<N>, location: Place) -> DeclaredInstances {
    DeclaredInstances { make, location }
}

#[cfg(feature = "inventory")]
inventory::collect!(DeclaredInstances);

/// The declarations of all linked crates for the node struct `N`, sorted by place: the linker decides the order of
/// collection.
fn declarations<N: Object>() -> Vec<(ListNodes<N>, Place)> {
    #[allow(unused_mut, reason = "without the feature there is nothing to collect")]
    let mut declared: Vec<&'static DeclaredInstances> = Vec::new();
    #[cfg(feature = "inventory")]
    declared.extend(inventory::iter::<DeclaredInstances>);
    declared.sort_by_key(|it| it.location);
    declared.into_iter().filter_map(|it| it.make.downcast_ref().map(|make| (*make, it.location))).collect()
}

/// The instances of a type and of the types that extend it by key, each with the place of its declaration.
type Gathered = BTreeMap<String, (ObjectRef, Place)>;

/// Adds an instance, unless the same declaration has made one with its key.
///
/// # Errors
/// [`DuplicateKey`](ErrorKind::DuplicateKey) if another declaration has made one with its key.
fn gather(all: &mut Gathered, object: ObjectRef, place: Place) -> Result<()> {
    let key = object.view().singleton_key().unwrap_or_default().to_owned();
    match all.get(&key) {
        Some((_, from)) if *from != place => {
            let message = format!(
                "two instances of `{}` have the key `{}`: one from {}:{}, one from {}:{}; rename one of them",
                object.view().type_key(),
                brief(&key),
                from.0,
                from.1,
                place.0,
                place.1,
            );
            Err(Error::new(ErrorKind::DuplicateKey, message))
        }
        Some(_) => Ok(()),
        None => {
            all.insert(key, (object, place));
            Ok(())
        }
    }
}

impl<N: Object> Instances<N> {
    /// Instances that are made at the first look-up of their keys.
    #[must_use]
    pub const fn open(make: fn(Str) -> N) -> Self {
        Instances { map: InstanceMap::new(), make: MakeNodes::Each(make) }
    }

    /// The instances with these nodes, and those that other crates declare. If two of these nodes have one key, the first
    /// counts.
    #[must_use]
    pub const fn closed(make: fn() -> Vec<N>) -> Self {
        Instances { map: InstanceMap::new(), make: MakeNodes::All(make) }
    }

    /// Checks that the table `info` is the one of `N`: otherwise another type could make instances of `N` a second time.
    fn check(&self, info: &TypeInfo) -> Result<()> {
        let own = N::TYPE_INFO;
        let is_own = std::ptr::eq(info, own)
            && own.singleton.is_some_and(|it| std::ptr::addr_eq(it.source, std::ptr::from_ref(self)));
        if is_own {
            return Ok(());
        }
        let message = format!("these are not the instances of `{}`, but of `{}`", info.type_key, own.type_key);
        Err(Error::new(ErrorKind::NotConstructible, message))
    }
}

impl<N: Object> InstanceSource for Instances<N> {
    fn instances(&self) -> &InstanceMap {
        &self.map
    }

    fn is_closed(&self) -> bool {
        matches!(self.make, MakeNodes::All(_))
    }

    fn make_all(&self, info: &'static TypeInfo) -> Result<Vec<ObjectRef>> {
        self.check(info)?;
        let mut all = Gathered::new();
        match self.make {
            MakeNodes::Each(_) => {}
            MakeNodes::All(make) => {
                make().into_iter().try_for_each(|node| gather(&mut all, object_of(node), info.location))?;
            }
        }
        for (make, place) in declarations::<N>() {
            make().into_iter().try_for_each(|node| gather(&mut all, object_of(node), place))?;
        }
        if info.is_base {
            let extending = linked::extending(info)?.into_iter().filter_map(|it| Some((it.singleton?, it)));
            for (singleton, info) in extending.filter(|(singleton, _)| singleton.source.is_closed()) {
                singleton.declared(info)?.into_iter().try_for_each(|object| gather(&mut all, object, info.location))?;
            }
        }
        Ok(all.into_values().map(|(object, _)| object).collect())
    }

    fn make(&self, info: &'static TypeInfo, _: usize, key: Any) -> Result<ObjectRef> {
        self.check(info)?;
        match self.make {
            MakeNodes::Each(make) => Str::from_any(key).map(|key| object_of(make(key))),
            MakeNodes::All(_) => unreachable!("`make_all` makes the instances"),
        }
    }
}

/// The entry of a type table for a singleton type: the index of the key field, and the instances.
#[must_use]
pub const fn singleton<N: Object>(key_field: usize, instances: &'static Instances<N>) -> SingletonInfo {
    SingletonInfo { key_field, source: instances }
}

/// Declares instances of a singleton type of any crate, in every program that links this crate: a function
/// `fn() -> Vec<XNode>`, as for `table`. The first look-up calls it. Two instances with one key are an error of
/// every look-up, which names both places.
///
/// ```
/// # use object_core::prelude::*;
/// # use object_core::register_instances;
/// #[derive(Object)]
/// #[object(type_key = "demo.Func")]
/// #[structural_eq(singleton, key = name, table = functions)]
/// struct FuncNode {
///     name: Str,
///     arity: i64,
/// }
///
/// fn functions() -> Vec<FuncNode> {
///     vec![FuncNode { name: "add".into(), arity: 2 }]
/// }
///
/// // In any crate that can make the node:
/// fn geometry() -> Vec<FuncNode> {
///     vec![FuncNode { name: "st_distance".into(), arity: 2 }]
/// }
///
/// register_instances!(Func = geometry);
///
/// # #[cfg(feature = "inventory")]
/// assert_eq!(Func::get("st_distance")?.arity, 2);
/// assert!(Func::get("add").is_ok() && Func::get("st_area").is_err());
/// # Ok::<(), Error>(())
/// ```
///
/// A type that extends a singleton type adds its instances to that type without this macro. Without the feature `inventory` the
/// macro only checks the function.
#[macro_export]
macro_rules! register_instances {
    ($handle:ty = $function:path $(,)?) => {
        const _: () = {
            type __Node = <$handle as $crate::TypedHandle>::Node;
            const __MAKE: fn() -> $crate::derive_support::Vec<__Node> = $function;
            $crate::__submit_declaration!(declared_instances(&__MAKE, (::core::file!(), ::core::line!())));
        };
    };
}

/// The index of the key of `N`, which is a field of its parent; `usize::MAX` if the parent is not a singleton. The rule
/// `inherited_key` reports such a parent.
#[must_use]
pub const fn inherited_key_index<N: Object>() -> usize {
    match N::ANCESTORS {
        [.., parent] => match parent.info.singleton {
            Some(singleton) => singleton.key_field,
            None => usize::MAX,
        },
        [] => usize::MAX,
    }
}

/// The instance of a singleton type with the key `key`.
///
/// # Errors
/// [`UnknownSingleton`](ErrorKind::UnknownSingleton), naming the nearest key, if the set of keys is fixed and has no such
/// key; [`NotConstructible`](ErrorKind::NotConstructible) if the code that makes the instance looks it up.
pub fn instance<H: TypedHandle>(key: &str) -> Result<H> {
    let (info, singleton) = singleton_of::<H>()?;
    let object = match singleton.find(key) {
        Some(found) => found,
        None => singleton.instance(info, Any::from(Str::from(key)))?,
    };
    H::try_from_object(object).map_err(|object| H::rejected(object.view()))
}

/// The instances of a singleton type with a fixed set of keys, sorted by key.
///
/// # Errors
/// [`DuplicateKey`](ErrorKind::DuplicateKey) if two declarations have one key; [`NotConstructible`](ErrorKind::NotConstructible) if
/// the code that makes the instances lists them.
pub fn instances<H: TypedHandle>() -> Result<Vec<H>> {
    let (info, singleton) = singleton_of::<H>()?;
    let objects = singleton.declared(info)?.into_iter();
    objects.map(|object| H::try_from_object(object).map_err(|object| H::rejected(object.view()))).collect()
}

/// The table of a singleton type, with its entry about instances.
fn singleton_of<H: TypedHandle>() -> Result<(&'static TypeInfo, SingletonInfo)> {
    let info = H::Node::TYPE_INFO;
    let not = || Error::new(ErrorKind::NotConstructible, format!("`{}` is not a singleton type", info.type_key));
    Ok((info, info.singleton.ok_or_else(not)?))
}
