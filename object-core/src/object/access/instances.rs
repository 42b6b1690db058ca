//! The one instance of a singleton type for each key: it is made at its first look-up.

use std::cell::RefCell;
use std::collections::btree_map::Entry;
use std::mem::ManuallyDrop;
use std::sync::PoisonError;
use std::sync::atomic::Ordering;

use crate::error::{Error, ErrorKind, Result};
use crate::object::model::any::Any;
use crate::object::model::object_ref::ObjectRef;
use crate::object::model::singleton_info::{InstanceMap, SingletonInfo};
use crate::object::model::type_info::TypeInfo;
use crate::text::brief::brief;
use crate::text::did_you_mean::did_you_mean;

impl InstanceMap {
    /// The instance with this key, if it exists.
    fn find(&self, key: &str) -> Option<ObjectRef> {
        self.by_key.read().unwrap_or_else(PoisonError::into_inner).get(key).cloned()
    }

    /// Adds instances. An instance that the map has already stays the only one with its key; the others are dropped
    /// after the lock is released, because code of the user drops them.
    ///
    /// Threads may make the declared instances at the same time: the map takes the set of one of them, because a function
    /// may return other keys each time.
    fn add(&self, objects: Vec<ObjectRef>, are_declared: bool) {
        let mut map = self.by_key.write().unwrap_or_else(PoisonError::into_inner);
        let mut surplus = Vec::new();
        let is_late = are_declared && self.has_declared.load(Ordering::Relaxed);
        for object in objects {
            let key = object.view().singleton_key().filter(|_| !is_late).map(str::to_owned);
            match key.map(|key| map.entry(key)) {
                Some(Entry::Vacant(place)) => {
                    place.insert(object);
                }
                _ => surplus.push(object),
            }
        }
        if are_declared {
            self.has_declared.store(true, Ordering::Release);
        }
        drop(map);
    }
}

impl SingletonInfo {
    /// The instance of `info` with the given key. `self` is the entry in the table `info`.
    ///
    /// # Errors
    /// A type mismatch if the key is not text; [`UnknownSingleton`](ErrorKind::UnknownSingleton), naming the nearest key,
    /// if the type has a fixed set of keys and `key` is not one of them; and
    /// [`NotConstructible`](ErrorKind::NotConstructible) if the code that makes the instance looks the instance up.
    pub(crate) fn instance(&self, info: &'static TypeInfo, key: Any) -> Result<ObjectRef> {
        let Some(text) = key.view().as_str() else {
            return Err(Error::type_mismatch("ffi.String", key.type_key()));
        };
        if let Some(found) = self.find(text) {
            return Ok(found);
        }
        let text = text.to_owned();
        let map = self.source.instances();
        self.declare(info)?;
        if !self.source.is_closed() && map.find(&text).is_none() {
            let _making = Making::begin(info, Some(&text))?;
            let object = self.source.make(info, self.key_field, key)?;
            if object.view().singleton_key() != Some(&*text) {
                let message =
                    format!("the new instance of `{}` has another key than `{}`", info.type_key, brief(&text));
                return Err(Error::new(ErrorKind::NotConstructible, message));
            }
            map.add(vec![object], false);
        }
        map.find(&text).ok_or_else(|| unknown(info, map, &text))
    }

    /// Makes the declared instances of `info`, unless the map has them.
    ///
    /// # Errors
    /// If two declarations have one key, and if the code that makes the instances looks one of them up.
    fn declare(&self, info: &'static TypeInfo) -> Result<()> {
        let map = self.source.instances();
        if !map.has_declared.load(Ordering::Acquire) {
            let _making = Making::begin(info, None)?;
            map.add(self.source.make_all(info)?, true);
        }
        Ok(())
    }

    /// The declared instances of `info`, by key.
    ///
    /// # Errors
    /// As [`instance`](Self::instance).
    pub(crate) fn declared(&self, info: &'static TypeInfo) -> Result<Vec<ObjectRef>> {
        self.declare(info)?;
        let map = self.source.instances().by_key.read().unwrap_or_else(PoisonError::into_inner);
        Ok(map.values().cloned().collect())
    }

    /// The instance with this key, if it exists.
    pub(crate) fn find(&self, key: &str) -> Option<ObjectRef> {
        self.source.instances().find(key)
    }
}

#[cold]
fn unknown(info: &TypeInfo, map: &InstanceMap, key: &str) -> Error {
    let map = map.by_key.read().unwrap_or_else(PoisonError::into_inner);
    let hint = did_you_mean(key, map.keys().map(String::as_str));
    Error::new(ErrorKind::UnknownSingleton, format!("`{}` has no instance `{}`{hint}", info.type_key, brief(key)))
}

thread_local! {
    /// The instances that this thread is making, by type and key; without a key for all instances of a type. The value has no
    /// destructor, so it is accessible while the destructors of other thread-local values run. The last entry frees the list.
    static MAKING: RefCell<ManuallyDrop<Vec<Instance>>> = const { RefCell::new(ManuallyDrop::new(Vec::new())) };
}

/// An instance of a type by its key.
type Instance = (&'static TypeInfo, Option<String>);

/// An entry of [`MAKING`].
struct Making;

impl Making {
    /// # Errors
    /// If this thread is making the instance already: the code that makes it looks it up, and would never end.
    fn begin(info: &'static TypeInfo, key: Option<&str>) -> Result<Self> {
        MAKING.with_borrow_mut(|making| {
            if making.iter().all(|(other, of)| !std::ptr::eq(*other, info) || of.as_deref() != key) {
                making.push((info, key.map(str::to_owned)));
                return Ok(Making);
            }
            let what = key.map_or("`table`".to_owned(), |key| format!("`default` of the instance `{}`", brief(key)));
            let message = format!("the {what} of `{}` looks up an instance that it makes", info.type_key);
            Err(Error::new(ErrorKind::NotConstructible, message))
        })
    }
}

impl Drop for Making {
    fn drop(&mut self) {
        MAKING.with_borrow_mut(|making| {
            drop(making.pop());
            if making.is_empty() {
                drop(ManuallyDrop::into_inner(std::mem::take(making)));
            }
        });
    }
}
