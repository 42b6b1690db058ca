//! [`Instances`]: the one instance per key of a singleton type.

use crate::error::{Error, ErrorKind, Result};
use crate::object::{
    Any, FieldType, InstanceMap, InstanceSource, Object, ObjectRef, SingletonInfo, TypeInfo, TypedHandle, object_of,
};
use crate::value::Str;

/// The instances of a singleton type with nodes `N`, by key. The derive makes one static of this type for each singleton
/// type.
pub struct Instances<N> {
    map: InstanceMap,
    make: MakeNodes<N>,
}

/// How the nodes of the instances are made.
enum MakeNodes<N> {
    /// From a key, when it is looked up for the first time.
    Each(fn(Str) -> N),
    /// All at once: there are no others.
    All(fn() -> Vec<N>),
}

impl<N: Object> Instances<N> {
    /// Instances that are made at the first look-up of their keys.
    #[must_use]
    pub const fn open(make: fn(Str) -> N) -> Self {
        Instances { map: InstanceMap::new(), make: MakeNodes::Each(make) }
    }

    /// Exactly the instances with these nodes. If two nodes have one key, the first counts.
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
        match self.make {
            MakeNodes::Each(_) => Ok(Vec::new()),
            MakeNodes::All(make) => Ok(make().into_iter().map(object_of).collect()),
        }
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

/// The instance of a singleton type with the key `key`.
///
/// # Errors
/// [`UnknownSingleton`](ErrorKind::UnknownSingleton), naming the nearest key, if the set of keys is fixed and has no such
/// key; [`NotConstructible`](ErrorKind::NotConstructible) if the code that makes the instance looks it up.
pub fn instance<H: TypedHandle>(key: &str) -> Result<H> {
    let info = H::Node::TYPE_INFO;
    let Some(singleton) = info.singleton else {
        return Err(Error::new(ErrorKind::NotConstructible, format!("`{}` is not a singleton type", info.type_key)));
    };
    let object = match singleton.find(key) {
        Some(found) => found,
        None => singleton.instance(info, Any::from(Str::from(key)))?,
    };
    H::try_from_object(object).map_err(|object| H::rejected(object.view()))
}
