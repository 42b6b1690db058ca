//! [`Comparison`]: whether two values of tvm-ffi are equal in structure, in their memory and without a conversion.
//!
//! The rules are those of `StructuralEqual` in tvm-ffi: the same fields in the same order, with the same variables bound. The
//! comparison reads fields by their offset, holds references only to variables that it binds, and compares a pair of shared
//! objects once. Hooks (`__s_equal__`) are called, and tvm-ffi itself compares tensors and large integers. A comparison that meets
//! anything else, such as a list that Python may change, or a region in which versions of tvm-ffi differ, has no verdict, and the
//! caller asks tvm-ffi.
//!
//! The engine of object-core (`structural/engine`) cannot do this: its objects have another header and tables that a library makes
//! when it is compiled, and a hook lists pairs there, while a hook of tvm-ffi compares them itself, by a function.
//!
//! Source: tvm-ffi 0.1.12 to 0.1.15, `src/ffi/extra/structural_equal.cc`.

use std::ffi::c_void;
use std::ptr::NonNull;
use std::rc::Rc;
use std::sync::atomic::Ordering;

use object_core::error::Error;
use object_core::interrupt;
use object_core::stack_budget::with_stack;
use object_core::table::{Set, Table};

use crate::abi::{AttributeColumn, Header, RawAny, SeqCell, ShapeCell, index};
use crate::exchange::attributes::column;
use crate::exchange::compared_type::{ComparedField, ComparedType, Kind, Region};
use crate::exchange::from_peer::{bytes, cell};
use crate::exchange::functions::{GlobalFunction, handle_of};
use crate::exchange::hook_callback::HookCallback;
use crate::exchange::maps::{self, ForeignMap, MAP};
use crate::handle::Handle;
use crate::value::{call_raw, object_of};

/// Why a comparison ends without a verdict.
pub(crate) enum Stop {
    /// tvm-ffi has to decide.
    Unknown,
    /// The user has interrupted the program.
    Interrupted(Error),
}

/// Whether two values are equal, as far as this library can tell.
pub(crate) type Verdict = Result<bool, Stop>;

/// tvm-ffi may know more than this library, so it decides after an error too.
impl From<Error> for Stop {
    fn from(_: Error) -> Stop {
        Stop::Unknown
    }
}

/// The pairs of shared objects that are known to be equal: a power of two.
const KNOWN_PAIRS: usize = 1 << 10;

static EQUAL: GlobalFunction = GlobalFunction::new("ffi.StructuralEqual");

/// The parts of two modules.
pub(crate) struct Parts {
    /// The maps with the parts of both modules.
    pub(crate) maps: [Option<NonNull<c_void>>; 2],
    /// The parts that are equal, each with its key in one of the maps.
    pub(crate) equal: Vec<(NonNull<c_void>, NonNull<c_void>)>,
}

/// A type with its hook.
#[derive(Clone, Copy)]
struct Compared {
    plan: &'static ComparedType,
    hook: Option<RawAny>,
}

/// The comparison of two values.
pub(crate) struct Comparison {
    /// The types by type index.
    types: Vec<Option<Compared>>,
    /// The hooks of all types.
    hooks: Option<&'static AttributeColumn>,
    region: Region,
    /// For the variables and `dag` objects of the left side: their counterparts on the right side.
    counterparts: Table<usize, NonNull<c_void>>,
    /// The counterparts.
    bound: Set<usize>,
    /// References to the variables and `dag` objects, so that no other object has their addresses.
    kept: Vec<Handle>,
    /// Pairs of objects that are equal. All variables in them are bound, so they stay equal.
    known: Vec<Option<[Handle; 2]>>,
    /// The parts of two modules, if they are compared to the end.
    pub(crate) parts: Option<Parts>,
    /// The function by which hooks compare.
    callback: Option<Rc<HookCallback>>,
    /// Why a comparison inside a hook ended.
    stopped: Option<Stop>,
    steps: u64,
}

impl Comparison {
    /// A comparison; with `map_free_vars`, up to a renaming of free variables.
    pub(crate) fn new(map_free_vars: bool) -> Self {
        Comparison {
            types: Vec::new(),
            hooks: column("__s_equal__"),
            region: if map_free_vars { Region::Pattern } else { Region::None },
            counterparts: Table::default(),
            bound: Set::default(),
            kept: Vec::new(),
            known: (0..KNOWN_PAIRS).map(|_| None).collect(),
            parts: None,
            callback: None,
            stopped: None,
            steps: 0,
        }
    }

    /// Whether two values are equal.
    ///
    /// # Safety
    /// The values are valid during the call, and nobody changes their objects.
    pub(crate) unsafe fn values(&mut self, a: &RawAny, b: &RawAny) -> Verdict {
        // SAFETY: by the contract. The type index says which member of the payload is valid, and an object of each of these types
        // has the cell that `c_api.h` declares for it.
        unsafe {
            match (a.type_index, b.type_index) {
                (index::STR | index::SMALL_STR, index::STR | index::SMALL_STR)
                | (index::BYTES | index::SMALL_BYTES, index::BYTES | index::SMALL_BYTES) => Ok(bytes(a) == bytes(b)),
                (a, b) if a != b => Ok(false),
                (index::FLOAT, _) if a.payload.float.is_nan() => Ok(b.payload.float.is_nan()),
                (index::NONE | index::INT | index::BOOL | index::FLOAT | index::DATA_TYPE | index::DEVICE, _) => {
                    Ok(a.payload.int == b.payload.int)
                }
                (index::ARRAY, _) => with_stack(|| self.arrays(cell(a), cell(b))),
                (index::MAP, _) => with_stack(|| self.maps(a, b)),
                (index::SHAPE, _) => Ok(cell::<ShapeCell>(a).as_slice() == cell::<ShapeCell>(b).as_slice()),
                (index::TENSOR | index::BIG_INT, _) => equal_by_peer(a, b),
                (index::FIRST_DYNAMIC.., _) => match (object_of(a), object_of(b)) {
                    (Some(first), Some(second)) => with_stack(|| self.objects(a.type_index, first, second)),
                    _ => Err(Stop::Unknown),
                },
                _ => Err(Stop::Unknown),
            }
        }
    }

    /// # Safety
    /// As [`values`](Self::values), for the elements.
    unsafe fn arrays(&mut self, a: &SeqCell, b: &SeqCell) -> Verdict {
        self.step()?;
        if a.size != b.size {
            return Ok(false);
        }
        for at in 0..usize::try_from(a.size).unwrap_or(0) {
            // SAFETY: by the contract, both arrays have these elements.
            if !unsafe { self.values(&*a.data.add(at), &*b.data.add(at)) }? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// # Safety
    /// As [`values`](Self::values), for two maps.
    unsafe fn maps(&mut self, a: &RawAny, b: &RawAny) -> Verdict {
        let are_parts = self.parts.as_ref().is_some_and(|parts| parts.maps == [object_of(a), object_of(b)]);
        // SAFETY: by the contract.
        let (left, right) = unsafe { (ForeignMap::new(a, &MAP), ForeignMap::new(b, &MAP)) };
        let len = left.len()?;
        let mut is_equal = len == right.len()?;
        if len == 0 || !is_equal && !are_parts {
            return Ok(is_equal);
        }
        let entries = left.entries()?;
        loop {
            let (key, value) = entries.current()?;
            let counterpart = key.object().and_then(|key| self.counterparts.get(&key.as_ptr().addr()));
            // SAFETY: by the contract. `kept` keeps the counterpart alive, and the other values are owned.
            unsafe {
                let other_key = counterpart.map_or(key.raw(), |key| RawAny::object(key.as_ptr()));
                is_equal &= match maps::get(b, other_key)? {
                    Some(other) if are_parts => {
                        self.parts_are_equal([&key.raw(), &other_key], [&value.raw(), &other.raw()])?
                    }
                    Some(other) => self.values(&value.raw(), &other.raw())?,
                    None => false,
                };
            }
            if !is_equal && !are_parts || !entries.advance()? {
                return Ok(is_equal);
            }
        }
    }

    /// Whether two parts of modules are equal, which have these keys. Parts that differ bind nothing.
    ///
    /// # Safety
    /// As [`values`](Self::values).
    unsafe fn parts_are_equal(&mut self, keys: [&RawAny; 2], [a, b]: [&RawAny; 2]) -> Verdict {
        let bound = self.kept.len();
        // SAFETY: by the contract.
        let is_equal = unsafe { self.values(a, b) }?;
        if !is_equal {
            for pair in self.kept.drain(bound..).collect::<Vec<_>>().chunks(2) {
                self.counterparts.remove(&pair[0].as_ptr().addr());
                self.bound.remove(&pair[1].as_ptr().addr());
            }
            self.known.fill_with(|| None);
        } else if let Some(parts) = &mut self.parts {
            let entry = |(key, value): (&RawAny, &RawAny)| Some((object_of(key)?, object_of(value)?));
            parts.equal.extend(keys.into_iter().zip([a, b]).filter_map(entry));
        }
        Ok(is_equal)
    }

    /// Whether two objects are equal, unless it is known already.
    ///
    /// # Safety
    /// As [`values`](Self::values), for objects of the type with this index.
    unsafe fn objects(&mut self, type_index: i32, a: NonNull<c_void>, b: NonNull<c_void>) -> Verdict {
        self.step()?;
        let ty = self.type_of(type_index)?;
        match ty.plan.kind {
            Kind::Unsupported => return Err(Stop::Unknown),
            Kind::UniqueInstance => return Ok(a == b),
            Kind::ConstTree if a == b => return Ok(true),
            Kind::FreeVar | Kind::Dag => {
                if let Some(counterpart) = self.counterparts.get(&a.as_ptr().addr()) {
                    return Ok(*counterpart == b);
                }
                if self.bound.contains(&b.as_ptr().addr()) {
                    return Ok(false);
                }
            }
            Kind::Tree | Kind::ConstTree => {}
        }
        // SAFETY: by the contract.
        unsafe {
            match ty.plan.kind {
                Kind::FreeVar => self.free_vars(ty, a, b),
                Kind::Dag => {
                    let is_equal = self.contents(ty, a, b)?;
                    if is_equal {
                        self.bind(a, b);
                    }
                    Ok(is_equal)
                }
                _ => self.known_or(ty, a, b),
            }
        }
    }

    /// Two variables without counterparts.
    ///
    /// # Safety
    /// As [`objects`](Self::objects).
    unsafe fn free_vars(&mut self, ty: Compared, a: NonNull<c_void>, b: NonNull<c_void>) -> Verdict {
        let region = self.region;
        if region == Region::Simple {
            self.region = Region::None;
        }
        // SAFETY: by the contract.
        let is_equal = unsafe { self.contents(ty, a, b) }?;
        self.region = region;
        let binds = is_equal && (a == b || region != Region::None);
        if binds {
            // SAFETY: by the contract.
            unsafe { self.bind(a, b) };
        }
        Ok(binds)
    }

    /// The contents of two objects of a `tree`, unless they are known to be equal: all variables in such a pair are bound, so the
    /// objects stay equal.
    ///
    /// # Safety
    /// As [`objects`](Self::objects).
    unsafe fn known_or(&mut self, ty: Compared, a: NonNull<c_void>, b: NonNull<c_void>) -> Verdict {
        // SAFETY: by the contract.
        if !unsafe { is_shared(a) && is_shared(b) } {
            // SAFETY: by the contract.
            return unsafe { self.contents(ty, a, b) };
        }
        let address = a.as_ptr().addr();
        let slot = ((address >> 4) ^ (address >> 14)) % KNOWN_PAIRS;
        if self.known[slot]
            .as_ref()
            .is_some_and(|known| known.each_ref().map(Handle::as_ptr) == [a, b].map(NonNull::as_ptr))
        {
            return Ok(true);
        }
        // SAFETY: by the contract.
        let is_equal = unsafe { self.contents(ty, a, b) }?;
        if is_equal {
            // SAFETY: by the contract.
            self.known[slot] = Some(unsafe { [Handle::retain(a), Handle::retain(b)] });
        }
        Ok(is_equal)
    }

    /// # Safety
    /// As [`objects`](Self::objects).
    unsafe fn contents(&mut self, ty: Compared, a: NonNull<c_void>, b: NonNull<c_void>) -> Verdict {
        // SAFETY: by the contract.
        unsafe {
            if let Some(hook) = ty.hook {
                return self.by_hook(&hook, a, b);
            }
            for field in &ty.plan.fields {
                if !self.fields(field, a, b)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// # Safety
    /// As [`objects`](Self::objects), for a field of the type.
    #[inline]
    unsafe fn fields(&mut self, field: &ComparedField, a: NonNull<c_void>, b: NonNull<c_void>) -> Verdict {
        let outer = self.enter(field.region)?;
        // SAFETY: by the contract. The objects or the values that a getter returns keep the values alive.
        let is_equal = unsafe {
            match (field.reader.lent(a.as_ptr()), field.reader.lent(b.as_ptr())) {
                (Some(a), Some(b)) => self.values(&a, &b),
                _ => {
                    let (a, b) = (field.reader.get(a.as_ptr())?, field.reader.get(b.as_ptr())?);
                    self.values(&a.raw(), &b.raw())
                }
            }
        }?;
        self.region = outer;
        Ok(is_equal)
    }

    /// Begins a region, and returns the outer one. Versions of tvm-ffi differ in a region of another kind inside a `Pattern`.
    #[inline]
    fn enter(&mut self, region: Region) -> Result<Region, Stop> {
        let outer = self.region;
        match (outer, region) {
            (_, Region::None) => {}
            (Region::Pattern, Region::Simple) => return Err(Stop::Unknown),
            _ => self.region = region,
        }
        Ok(outer)
    }

    /// # Safety
    /// As [`objects`](Self::objects).
    unsafe fn by_hook(&mut self, hook: &RawAny, a: NonNull<c_void>, b: NonNull<c_void>) -> Verdict {
        let hook = handle_of(hook)?;
        let callback = match &self.callback {
            Some(callback) => callback.clone(),
            None => self.callback.insert(Rc::new(HookCallback::new()?)).clone(),
        };
        // SAFETY: by the contract; `self` is not used during the call.
        let result = unsafe {
            let (a, b) = (RawAny::object(a.as_ptr()), RawAny::object(b.as_ptr()));
            callback.run(&hook, a, b, self)
        };
        match self.stopped.take() {
            Some(stop) => Err(stop),
            None => Ok(result?),
        }
    }

    /// Whether two values are equal, for a hook that runs. Without a verdict, the hook ends as for values that differ.
    ///
    /// # Safety
    /// As [`values`](Self::values).
    pub(crate) unsafe fn values_of_hook(&mut self, a: &RawAny, b: &RawAny, region: Region) -> bool {
        let verdict = self.enter(region).and_then(|outer| {
            // SAFETY: by the contract.
            let is_equal = unsafe { self.values(a, b) };
            self.region = outer;
            is_equal
        });
        verdict.unwrap_or_else(|stop| {
            self.stopped.get_or_insert(stop);
            false
        })
    }

    /// Counts an object, and ends the comparison if the user has interrupted it.
    fn step(&mut self) -> Result<(), Stop> {
        self.steps += 1;
        match interrupt::is_due(self.steps - 1, self.steps) {
            true => interrupt::check().map_err(Stop::Interrupted),
            false => Ok(()),
        }
    }

    /// Makes two objects counterparts.
    ///
    /// # Safety
    /// Both are objects.
    unsafe fn bind(&mut self, a: NonNull<c_void>, b: NonNull<c_void>) {
        self.counterparts.insert(a.as_ptr().addr(), b);
        self.bound.insert(b.as_ptr().addr());
        // SAFETY: by the contract.
        self.kept.extend(unsafe { [Handle::retain(a), Handle::retain(b)] });
    }

    /// The type with this index, which an object has.
    #[inline]
    fn type_of(&mut self, type_index: i32) -> Result<Compared, Stop> {
        let at = usize::try_from(type_index).unwrap_or(0);
        if let Some(Some(known)) = self.types.get(at) {
            return Ok(*known);
        }
        let ty = Compared {
            plan: ComparedType::of_index(type_index),
            hook: self.hooks.and_then(|hooks| hooks.get(type_index)),
        };
        self.types.resize(self.types.len().max(at + 1), None);
        self.types[at] = Some(ty);
        Ok(ty)
    }
}

/// Whether the object has several owners.
///
/// # Safety
/// It is an object.
unsafe fn is_shared(object: NonNull<c_void>) -> bool {
    // SAFETY: by the contract.
    let counts = unsafe { object.cast::<Header>().as_ref() }.counts.load(Ordering::Relaxed);
    counts & u64::from(u32::MAX) > 1
}

/// The verdict of tvm-ffi about two values without variables.
///
/// # Safety
/// The values are valid.
unsafe fn equal_by_peer(a: &RawAny, b: &RawAny) -> Verdict {
    let is_false = RawAny::int(index::BOOL, 0);
    // SAFETY: by the contract.
    let result = unsafe { call_raw(EQUAL.get()?, &[*a, *b, is_false, is_false]) }?;
    // SAFETY: the payload of a truth value is a number.
    Ok(unsafe { result.raw().payload.int } != 0)
}
