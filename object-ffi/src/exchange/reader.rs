//! [`Reader`]: graphs of tvm-ffi as graphs of object-core, with the same sharing.

use std::ffi::c_void;
use std::ptr::NonNull;
use std::sync::atomic::Ordering;

use object_core::access_path::{AccessPath, AccessStep, PathKey};
use object_core::error::{Error, ErrorKind, Result};
use object_core::stack_budget::with_stack;
use object_core::table::{Set, Table};
use object_core::{Any, Array, Map, ObjectBuilder};

use crate::abi::{Header, RawAny, SeqCell, index};
use crate::exchange::foreign_type::{self, ForeignType, object_with_key_of};
use crate::exchange::maps::{DICT, ForeignMap, MAP};
use crate::exchange::{arrays, from_peer};
use crate::handle::Handle;
use crate::value::{Value, object_of};

/// Converts the values of one call: an object that occurs twice in them becomes one object.
#[derive(Default)]
pub(crate) struct Reader {
    /// The converted objects with more than one owner, by their address.
    met: Table<usize, Met>,
    /// The foreign types by their type index.
    types: Vec<Option<&'static ForeignType>>,
    /// The steps to the place of an error, the last one first.
    steps: Vec<AccessStep>,
    /// The values, and whether each of them is or contains a foreign object.
    values: Vec<(Any, bool)>,
    /// Maps, and the addresses of the keys whose entries are left out in them.
    left_out: ([Option<NonNull<c_void>>; 2], Set<usize>),
    /// Whether the tensors of the value at hand are views.
    has_views: bool,
    /// Whether the value at hand, as far as it is read, is or contains a foreign object.
    has_foreign: bool,
}

/// The state of an object with more than one owner.
enum Met {
    /// Its conversion has begun.
    Open,
    Done(Converted),
}

/// A converted object with more than one owner.
struct Converted {
    value: Any,
    /// Whether it is or contains a foreign object.
    has_foreign: bool,
    /// Keeps the object alive, so that no other object has its address.
    _object: Value,
}

/// The owner of the reference by which the converter met an object. The number is the references of an object that occurs
/// once.
#[derive(Clone, Copy)]
enum Owner {
    /// The caller lends the object, perhaps in several arguments by one reference.
    Caller = 0,
    /// An element of an array, or a field in the memory of an object.
    Graph = 1,
    /// The converter, beside the field or the entry of a map that it read.
    Converter = 2,
}

type Read = unsafe fn(&mut Reader, &RawAny) -> Result<Any>;

impl Reader {
    /// Converts a value, with views of its tensors or with copies.
    ///
    /// # Errors
    /// As [`to_any`](from_peer::to_any), with the path of the value.
    ///
    /// # Safety
    /// The value is valid during the call.
    pub(crate) unsafe fn add(&mut self, raw: &RawAny, has_views: bool) -> Result<()> {
        (self.has_foreign, self.has_views) = (false, has_views);
        // SAFETY: by the contract.
        let value = unsafe { self.read(raw, Owner::Caller) }.map_err(|error| match self.steps.is_empty() {
            true => error,
            false => error.at(AccessPath::from_steps(self.steps.drain(..).rev())),
        })?;
        self.values.push((value, self.has_foreign));
        Ok(())
    }

    /// Leaves entries of two maps out: the ones with the keys at these addresses.
    pub(crate) fn leave_out(&mut self, maps: [Option<NonNull<c_void>>; 2], keys: Set<usize>) {
        self.left_out = (maps, keys);
    }

    /// The values, with linked types in place of foreign types.
    ///
    /// # Errors
    /// The errors of [`Conversions::to_linked`](crate::Conversions::to_linked).
    pub(crate) fn finish(self) -> Result<Vec<Any>> {
        if self.values.iter().all(|(_, is_foreign)| !is_foreign) {
            return Ok(self.values.into_iter().map(|(value, _)| value).collect());
        }
        let Some(conversions) = &foreign_type::types()?.conversions else {
            return Ok(self.values.into_iter().map(|(value, _)| value).collect());
        };
        // One conversion of all values keeps what they share.
        let foreign = self.values.iter().filter(|(_, is_foreign)| *is_foreign).map(|(value, _)| value.clone());
        let linked: Array<Any> = (conversions.to_linked)(Array::<Any>::from_anys(foreign.collect()).into())?.cast()?;
        let mut linked = linked.iter();
        let value = |(value, is_foreign)| if is_foreign { linked.next().unwrap_or(value) } else { value };
        Ok(self.values.into_iter().map(value).collect())
    }

    /// # Safety
    /// The value is valid during the call.
    unsafe fn read(&mut self, raw: &RawAny, owner: Owner) -> Result<Any> {
        // SAFETY: by the contract, and each function reads values of its types.
        unsafe {
            if let Some(value) = from_peer::plain(raw)? {
                return Ok(value);
            }
            match raw.type_index {
                index::RVALUE_REF => self.read(&from_peer::lent(raw), owner),
                index::ARRAY | index::LIST => match arrays::object_of_array(raw) {
                    Some(array) => Ok(array.into()),
                    None => self.once(raw, owner, Reader::array),
                },
                index::MAP => self.once(raw, owner, Reader::map),
                index::DICT => self.once(raw, owner, Reader::dict),
                // A view is cheap, and the same tensor may be a copy in another value.
                index::TENSOR | index::TENSOR_POINTER if self.has_views => from_peer::tensor_view(raw).map(Any::from),
                index::TENSOR_POINTER => from_peer::tensor(raw).map(Any::from),
                index::TENSOR => self.once(raw, owner, |_, raw| from_peer::tensor(raw).map(Any::from)),
                _ => match from_peer::own_object(raw)? {
                    Some(object) => Ok(object.into()),
                    None => self.once(raw, owner, Reader::foreign),
                },
            }
        }
    }

    /// Converts an object, unless it is converted already. An object with one owner occurs once, so it is not recorded.
    ///
    /// # Safety
    /// As [`read`](Self::read), and `read` reads such values.
    unsafe fn once(&mut self, raw: &RawAny, owner: Owner, read: Read) -> Result<Any> {
        let Some(object) = object_of(raw) else { return Ok(Any::None) };
        // SAFETY: the value keeps the object alive.
        let strong = unsafe { object.cast::<Header>().as_ref() }.counts.load(Ordering::Relaxed) & u64::from(u32::MAX);
        if strong <= owner as u64 {
            // SAFETY: by the contract.
            return with_stack(|| unsafe { read(self, raw) });
        }
        match self.met.get(&object.as_ptr().addr()) {
            Some(Met::Done(done)) => {
                self.has_foreign |= done.has_foreign;
                return Ok(done.value.clone());
            }
            Some(Met::Open) => {
                return Err(Error::new(ErrorKind::Cycle, "expected a graph without cycles, got a list in itself"));
            }
            None => self.met.insert(object.as_ptr().addr(), Met::Open),
        };
        let around = std::mem::take(&mut self.has_foreign);
        // SAFETY: by the contract.
        let value = with_stack(|| unsafe { read(self, raw) })?;
        let done = Converted { value: value.clone(), has_foreign: self.has_foreign, _object: retained(object) };
        self.met.insert(object.as_ptr().addr(), Met::Done(done));
        self.has_foreign |= around;
        Ok(value)
    }

    /// # Safety
    /// The value is an array or a list that is valid during the call.
    unsafe fn array(&mut self, raw: &RawAny) -> Result<Any> {
        // SAFETY: by the contract. Code of users that runs meanwhile may change a list, so each step reads the cell again.
        unsafe {
            let mut items = Vec::new();
            while i64::try_from(items.len()).is_ok_and(|len| len < from_peer::cell::<SeqCell>(raw).size) {
                let item = from_peer::cell::<SeqCell>(raw).data.add(items.len()).read();
                let item = self.read(&item, Owner::Graph);
                items.push(item.inspect_err(|_| self.steps.push(AccessStep::ArrayItem(items.len())))?);
            }
            Ok(Any::from(Array::from_anys(items)))
        }
    }

    /// # Safety
    /// The value is a map that is valid during the call.
    unsafe fn map(&mut self, raw: &RawAny) -> Result<Any> {
        let leaves_out = self.left_out.0.contains(&object_of(raw));
        // SAFETY: by the contract.
        self.entries(&unsafe { ForeignMap::new(raw, &MAP) }, leaves_out)
    }

    /// # Safety
    /// The value is a dictionary that is valid during the call.
    unsafe fn dict(&mut self, raw: &RawAny) -> Result<Any> {
        // SAFETY: by the contract.
        self.entries(&unsafe { ForeignMap::new(raw, &DICT) }, false)
    }

    fn entries(&mut self, map: &ForeignMap<'_>, leaves_out: bool) -> Result<Any> {
        let mut entries: Vec<(Any, Any)> = Vec::new();
        if map.len()? == 0 {
            return Ok(Any::from(Map::<Any, Any>::new(entries)));
        }
        let iterator = map.entries()?;
        loop {
            let (key, value) = iterator.current()?;
            let is_left_out = |key: NonNull<c_void>| self.left_out.1.contains(&key.as_ptr().addr());
            let is_left_out = leaves_out && key.object().is_some_and(is_left_out);
            // SAFETY: a value of tvm-ffi is valid while it is owned.
            unsafe {
                if !is_left_out {
                    let key = self.read(&key.raw(), Owner::Converter)?;
                    let value = self.read(&value.raw(), Owner::Converter).inspect_err(|_| {
                        self.steps.push(AccessStep::MapItem(PathKey::of(key.view())));
                    })?;
                    entries.push((key, value));
                }
            }
            if !iterator.advance()? {
                return Ok(Any::from(Map::<Any, Any>::new(entries)));
            }
        }
    }

    /// # Safety
    /// The value is an object that is valid during the call.
    unsafe fn foreign(&mut self, raw: &RawAny) -> Result<Any> {
        let Some(object) = object_of(raw) else { return Ok(Any::None) };
        let ty = self.type_of(raw)?;
        self.has_foreign = true;
        if let Some([to_key, _]) = &ty.by_key {
            return object_with_key_of(ty.info, to_key, retained(object));
        }
        let mut builder = ObjectBuilder::new(ty.info)?;
        for field in &ty.fields {
            // SAFETY: by the contract; the object or `value` keeps the value alive.
            unsafe {
                let value = match field.reader.lent(object.as_ptr()) {
                    Some(lent) => self.read(&lent, Owner::Graph),
                    None => self.read(&field.reader.get(object.as_ptr())?.raw(), Owner::Converter),
                };
                let value = value.inspect_err(|_| self.steps.push(AccessStep::Attr(field.name(ty).into())))?;
                builder.set_index(field.index, value)?;
            }
        }
        builder.build().map(Any::from)
    }

    /// The type of a foreign object.
    fn type_of(&mut self, raw: &RawAny) -> Result<&'static ForeignType> {
        let at = usize::try_from(raw.type_index).unwrap_or(0);
        if let Some(Some(known)) = self.types.get(at) {
            return Ok(known);
        }
        let ty = foreign_type::of_index(raw.type_index)?.ok_or_else(|| from_peer::unknown(raw))?;
        self.types.resize(self.types.len().max(at + 1), None);
        self.types[at] = Some(ty);
        Ok(ty)
    }
}

/// A further reference to an object that somebody keeps alive.
fn retained(object: NonNull<c_void>) -> Value {
    // SAFETY: the callers have a value with the object.
    Value::from(unsafe { Handle::retain(object) })
}
