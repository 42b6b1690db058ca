//! The structures of the C ABI of tvm-ffi, as `c_api.h` of tvm-ffi 0.1.12 declares them. Later versions up to 0.1.16 have the
//! same layouts.

use std::ffi::{c_int, c_void};
use std::sync::atomic::AtomicU64;

use object_core::dlpack::{RawDataType, RawDevice};

/// `TVMFFIByteArray`: borrowed bytes.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct ByteArray {
    pub(crate) data: *const u8,
    pub(crate) size: usize,
}

impl ByteArray {
    pub(crate) const fn of(text: &str) -> Self {
        ByteArray { data: text.as_ptr(), size: text.len() }
    }

    /// # Safety
    /// The bytes are valid for reads for `'a`, or there are none.
    pub(crate) unsafe fn as_bytes<'a>(self) -> &'a [u8] {
        if self.size == 0 {
            return &[];
        }
        // SAFETY: by the contract.
        unsafe { std::slice::from_raw_parts(self.data, self.size) }
    }

    /// The bytes as text; bytes that are not UTF-8 become the replacement character.
    ///
    /// # Safety
    /// As for [`as_bytes`](Self::as_bytes).
    pub(crate) unsafe fn to_text(self) -> String {
        // SAFETY: by the contract.
        String::from_utf8_lossy(unsafe { self.as_bytes() }).into_owned()
    }
}

/// The numbers of the types that tvm-ffi defines: `TVMFFITypeIndex`.
pub(crate) mod index {
    /// A field of any type, in the record of the field.
    pub(crate) const ANY: i32 = -1;
    pub(crate) const NONE: i32 = 0;
    pub(crate) const INT: i32 = 1;
    pub(crate) const BOOL: i32 = 2;
    pub(crate) const FLOAT: i32 = 3;
    pub(crate) const DATA_TYPE: i32 = 5;
    pub(crate) const DEVICE: i32 = 6;
    /// A pointer to a tensor without an owner.
    pub(crate) const TENSOR_POINTER: i32 = 7;
    pub(crate) const RAW_STR: i32 = 8;
    pub(crate) const BYTE_ARRAY: i32 = 9;
    /// A pointer to the address of an object, whose owner allows the function to take it.
    pub(crate) const RVALUE_REF: i32 = 10;
    pub(crate) const SMALL_STR: i32 = 11;
    pub(crate) const SMALL_BYTES: i32 = 12;
    /// Values from this number on are objects with a reference count.
    pub(crate) const OBJECT: i32 = 64;
    pub(crate) const STR: i32 = 65;
    pub(crate) const BYTES: i32 = 66;
    pub(crate) const FUNCTION: i32 = 68;
    pub(crate) const SHAPE: i32 = 69;
    pub(crate) const TENSOR: i32 = 70;
    pub(crate) const ARRAY: i32 = 71;
    pub(crate) const MAP: i32 = 72;
    pub(crate) const LIST: i32 = 75;
    pub(crate) const DICT: i32 = 76;
    /// An integer of more than 64 bits, since 0.1.14.
    pub(crate) const BIG_INT: i32 = 78;
    /// The types from this number on are the types of libraries.
    pub(crate) const FIRST_DYNAMIC: i32 = 128;
}

/// The bits of `TVMFFIFieldFlagBitMask` that this crate sets.
pub(crate) mod field_flag {
    pub(crate) const HAS_DEFAULT: i64 = 1 << 1;
    pub(crate) const IS_STATIC_METHOD: i64 = 1 << 2;
    pub(crate) const IGNORE: i64 = 1 << 3;
    pub(crate) const DEF: i64 = 1 << 4;
    pub(crate) const DEFAULT_FROM_FACTORY: i64 = 1 << 5;
    /// The setter is a function object.
    pub(crate) const SETTER_IS_FUNCTION: i64 = 1 << 11;
    pub(crate) const DEF_SIMPLE: i64 = 1 << 12;
}

/// The flags of a deleter: the object is released, or its memory, or both.
pub(crate) const DELETE_OBJECT: c_int = 1;
pub(crate) const DELETE_MEMORY: c_int = 2;

/// The eight bytes of a value.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) union Payload {
    pub(crate) int: i64,
    pub(crate) float: f64,
    pub(crate) pointer: *mut c_void,
    pub(crate) bytes: [u8; 8],
    pub(crate) data_type: RawDataType,
    pub(crate) device: RawDevice,
}

/// `TVMFFIAny`: a value of any type, borrowed or owned.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct RawAny {
    pub(crate) type_index: i32,
    /// The length of a text in the payload, and otherwise zero.
    pub(crate) small_len: u32,
    pub(crate) payload: Payload,
}

impl RawAny {
    pub(crate) const NONE: RawAny = RawAny::int(index::NONE, 0);

    /// A value of the type `type_index` whose payload is a number.
    pub(crate) const fn int(type_index: i32, int: i64) -> Self {
        RawAny { type_index, small_len: 0, payload: Payload { int } }
    }

    pub(crate) const fn pointer(type_index: i32, pointer: *mut c_void) -> Self {
        // The payload has eight bytes also where a pointer has four.
        let mut raw = RawAny::int(type_index, 0);
        raw.payload.pointer = pointer;
        raw
    }

    /// The object at this address, or no value for null.
    ///
    /// # Safety
    /// The pointer is null or an object that lives during the call.
    #[inline]
    pub(crate) unsafe fn object(pointer: *mut c_void) -> Self {
        // SAFETY: by the contract.
        let header = unsafe { pointer.cast::<Header>().as_ref() };
        header.map_or(RawAny::NONE, |header| RawAny::pointer(header.type_index, pointer))
    }
}

/// `TVMFFIObject`: the header of each object.
#[repr(C)]
pub(crate) struct Header {
    /// The strong count in the lower half, and the weak count in the upper half.
    pub(crate) counts: AtomicU64,
    pub(crate) type_index: i32,
    /// Unused by tvm-ffi. Proxies have the [kind](crate::proxy::ContentKind) of their content in it.
    pub(crate) padding: u32,
    pub(crate) deleter: Option<Deleter>,
}

/// The counts of a new object: one strong reference, and the weak reference that all strong ones share.
pub(crate) const NEW_COUNTS: u64 = 1 | 1 << 32;

pub(crate) type Deleter = unsafe extern "C" fn(*mut c_void, c_int);
pub(crate) type SafeCall = unsafe extern "C" fn(*mut c_void, *const RawAny, i32, *mut RawAny) -> c_int;
pub(crate) type Setter = unsafe extern "C" fn(*mut c_void, *const RawAny) -> c_int;
pub(crate) type Creator = unsafe extern "C" fn(*mut *mut c_void) -> c_int;
pub(crate) type Getter = unsafe extern "C" fn(*mut c_void, *mut RawAny) -> c_int;

/// `TVMFFISeqCell`: the data of an array, after its header.
#[repr(C)]
pub(crate) struct SeqCell {
    pub(crate) data: *mut RawAny,
    pub(crate) size: i64,
    pub(crate) capacity: i64,
    pub(crate) data_deleter: Option<unsafe extern "C" fn(*mut c_void)>,
}

/// `TVMFFIShapeCell`: the data of a shape, after its header.
#[repr(C)]
pub(crate) struct ShapeCell {
    pub(crate) data: *const i64,
    pub(crate) size: usize,
}

impl ShapeCell {
    /// # Safety
    /// The cell is valid for `'a`.
    pub(crate) unsafe fn as_slice<'a>(&self) -> &'a [i64] {
        // SAFETY: by the contract, the cell has `size` extents.
        if self.size == 0 { &[] } else { unsafe { std::slice::from_raw_parts(self.data, self.size) } }
    }
}

/// The first three members of `TVMFFIErrorCell`, after the header.
#[repr(C)]
pub(crate) struct ErrorCell {
    pub(crate) kind: ByteArray,
    pub(crate) message: ByteArray,
    pub(crate) backtrace: ByteArray,
}

/// `TVMFFIVersion`.
#[derive(Default)]
#[repr(C)]
pub(crate) struct Version {
    pub(crate) major: u32,
    pub(crate) minor: u32,
    pub(crate) patch: u32,
}

/// `TVMFFIFieldInfo`.
#[repr(C)]
pub(crate) struct FieldRecord {
    pub(crate) name: ByteArray,
    pub(crate) doc: ByteArray,
    pub(crate) metadata: ByteArray,
    pub(crate) flags: i64,
    pub(crate) size: i64,
    pub(crate) alignment: i64,
    pub(crate) offset: i64,
    pub(crate) getter: Getter,
    pub(crate) setter: *mut c_void,
    pub(crate) default: RawAny,
    pub(crate) static_type_index: i32,
}

/// `TVMFFIMethodInfo`.
#[repr(C)]
pub(crate) struct MethodRecord {
    pub(crate) name: ByteArray,
    pub(crate) doc: ByteArray,
    pub(crate) metadata: ByteArray,
    pub(crate) flags: i64,
    pub(crate) method: RawAny,
}

/// `TVMFFITypeMetadata`.
#[repr(C)]
pub(crate) struct TypeRecord {
    pub(crate) doc: ByteArray,
    pub(crate) creator: Option<Creator>,
    pub(crate) total_size: i32,
    pub(crate) kind: i32,
}

/// `TVMFFITypeInfo`.
#[repr(C)]
pub(crate) struct TypeInfoRecord {
    pub(crate) type_index: i32,
    /// The number of ancestors.
    pub(crate) depth: i32,
    pub(crate) key: ByteArray,
    pub(crate) ancestors: *const *const TypeInfoRecord,
    pub(crate) key_hash: u64,
    pub(crate) num_fields: i32,
    pub(crate) num_methods: i32,
    /// The fields that the type declares itself.
    pub(crate) fields: *const FieldRecord,
    pub(crate) methods: *const MethodRecord,
    pub(crate) metadata: *const TypeRecord,
}

/// `TVMFFITypeAttrColumn`: an attribute of the types from `begin` on.
#[repr(C)]
pub(crate) struct AttributeColumn {
    pub(crate) data: *const RawAny,
    pub(crate) size: i32,
    pub(crate) begin: i32,
}

/// `TVMFFICustomAllocator`, since 0.1.16.
#[repr(C)]
pub(crate) struct CustomAllocator {
    pub(crate) allocate: Option<unsafe extern "C" fn(usize, usize, i32, *mut c_void) -> *mut c_void>,
    pub(crate) context: *mut c_void,
}

const _: () = assert!(size_of::<RawAny>() == 16 && size_of::<Header>() == 24);
