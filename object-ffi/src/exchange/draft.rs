//! [`Draft`]: the content of a proxy whose object tvm-ffi makes field by field, as its reader of JSON and `deepcopy` do.
//!
//! The first read of a field, and the first use of the object in Rust, build the object. It is immutable from then on.

use std::sync::{Mutex, PoisonError};

use object_core::error::{Error, ErrorKind, Result};
use object_core::{Any, ObjectBuilder, ObjectRef, TypeInfo};

use crate::abi::{Deleter, RawAny};
use crate::exchange::types::index_of;
use crate::handle::Handle;
use crate::identity;
use crate::proxy::{self, Content, ContentKind, Kept};

/// The content of a proxy for an object that is not complete yet, or was not at first.
pub(crate) struct Draft {
    info: &'static TypeInfo,
    state: Mutex<State>,
    pub(crate) kept: Kept,
}

enum State {
    /// The values of fields by index, for an object that is a copy of another one or new.
    Open {
        copied: Option<ObjectRef>,
        values: Vec<(usize, Any)>,
    },
    Built(ObjectRef),
}

impl Content for Draft {
    const KIND: ContentKind = ContentKind::Draft;

    fn deleter() -> Deleter {
        static DELETER: Deleter = proxy::delete::<Draft>;
        DELETER
    }

    fn address(&self) -> Option<usize> {
        match &*self.state.lock().unwrap_or_else(PoisonError::into_inner) {
            State::Open { .. } => None,
            State::Built(object) => Some(object.view().address()),
        }
    }
}

/// A proxy for a new object of the type `info`, or for a copy of `copied`.
///
/// # Errors
/// As [`index_of`].
pub(crate) fn make(info: &'static TypeInfo, copied: Option<ObjectRef>) -> Result<Handle> {
    let state = Mutex::new(State::Open { copied, values: Vec::new() });
    Ok(proxy::make(index_of(info)?, Draft { info, state, kept: Kept::default() }))
}

/// Sets the field with the index `field` of an object that is not built.
///
/// # Errors
/// [`NotConstructible`](ErrorKind::NotConstructible) if `raw` is another object: objects are immutable.
pub(crate) fn set(raw: &RawAny, field: usize, value: Any) -> Result<()> {
    if let Some(draft) = proxy::content_of::<Draft>(raw)
        && let State::Open { values, .. } = &mut *draft.state.lock().unwrap_or_else(PoisonError::into_inner)
    {
        values.push((field, value));
        return Ok(());
    }
    let message = "the object is complete, and objects are immutable; make another one with the changed field";
    Err(Error::new(ErrorKind::NotConstructible, message))
}

/// The object of a proxy that tvm-ffi made field by field; `None` if `raw` is another object.
///
/// # Errors
/// As [`ObjectBuilder::build`], the first time.
pub(crate) fn object_of(raw: &RawAny) -> Option<Result<ObjectRef>> {
    let draft = proxy::content_of::<Draft>(raw)?;
    let mut state = draft.state.lock().unwrap_or_else(PoisonError::into_inner);
    match &mut *state {
        State::Built(object) => Some(Ok(object.clone())),
        State::Open { copied, values } => {
            let built = build(draft.info, copied.as_ref(), values);
            if let Ok(object) = &built {
                *state = State::Built(object.clone());
                identity::insert(object.view(), crate::value::object_of(raw)?);
            }
            Some(built)
        }
    }
}

fn build(info: &'static TypeInfo, copied: Option<&ObjectRef>, values: &[(usize, Any)]) -> Result<ObjectRef> {
    let mut builder = match copied {
        Some(copied) => ObjectBuilder::from_object(copied.view())?,
        None => ObjectBuilder::new(info)?,
    };
    for (field, value) in values {
        builder.set(info.fields()[*field].name(), value.clone())?;
    }
    builder.build()
}
