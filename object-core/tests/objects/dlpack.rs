//! Tensors to DLPack and back: the elements stay, whatever their strides, and what cannot be taken is refused and released.

use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};

use object_core::dlpack::{
    DlpackTensor, IS_COPIED, LegacyDlpackTensor, PADDED_SUBBYTES, READ_ONLY, RawDataType, RawDevice,
    RawLegacyManagedTensor, RawManagedTensor, RawTensor, VERSION,
};
use object_core::{DataType, ErrorKind, Tensor};

fn dtype(name: &str) -> DataType {
    name.parse().expect("a data type")
}

/// A tensor with the bytes 0, 1, 2 and so on.
fn tensor(name: &str, shape: &[i64]) -> Tensor {
    let elements = shape.iter().product::<i64>() as usize;
    let bytes = dtype(name).byte_size(elements).expect("a size");
    Tensor::new(dtype(name), shape.to_vec(), (0..bytes).map(|it| it as u8).collect::<Vec<_>>()).expect("a tensor")
}

fn same(a: &Tensor, b: &Tensor) -> bool {
    (a.dtype, &a.shape, &a.data, a.device) == (b.dtype, &b.shape, &b.data, b.device)
}

#[test]
fn tensors_come_back() {
    for name in ["float32", "int8", "bool", "bfloat16", "float8_e4m3fn", "float32x4", "float64", "uint64"] {
        for shape in [&[][..], &[0], &[3], &[2, 3], &[2, 0, 4], &[1, 2, 3, 4]] {
            let given = tensor(name, shape);
            let exported = DlpackTensor::of(&given).expect("an export");
            assert_eq!(exported.raw().flags & READ_ONLY, READ_ONLY);
            assert_eq!(exported.raw().dl_tensor.data.cast_const().cast(), given.data.as_ptr(), "no copy");
            let raw = exported.into_raw();
            // SAFETY: the pointer comes from `into_raw`.
            let imported = unsafe { DlpackTensor::from_raw(raw) }.expect("an import");
            let back = imported.to_tensor().expect("a tensor");
            drop(imported);
            assert!(same(&given, &back), "{name} {shape:?}");
            let raw = LegacyDlpackTensor::of(&given).expect("an export").into_raw();
            // SAFETY: the pointer comes from `into_raw`.
            let imported = unsafe { LegacyDlpackTensor::from_raw(raw) }.expect("an import");
            assert!(same(&given, &imported.to_tensor().expect("a tensor")), "{name} {shape:?}");
        }
    }
}

#[test]
fn an_export_outlives_its_tensor() {
    let exported = DlpackTensor::of(&tensor("int32", &[2])).expect("an export");
    assert_eq!(&exported.to_tensor().expect("a tensor").data[..], [0, 1, 2, 3, 4, 5, 6, 7]);
}

#[test]
fn a_consumer_may_write_into_a_legacy_export() {
    let given = tensor("uint8", &[4]);
    let exported = LegacyDlpackTensor::of(&given).expect("an export");
    let data = exported.raw().dl_tensor.data.cast::<u8>();
    // SAFETY: the export has four elements of its own.
    unsafe { data.write(9) };
    assert_eq!(&exported.to_tensor().expect("a tensor").data[..], [9, 1, 2, 3]);
    assert_eq!(&given.data[..], [0, 1, 2, 3]);
}

#[test]
fn a_consumer_may_write_into_a_copy() {
    let given = tensor("uint8", &[4]);
    let exported = DlpackTensor::copy_of(&given).expect("an export");
    assert_eq!(exported.raw().flags, IS_COPIED);
    let data = exported.raw().dl_tensor.data.cast::<u8>();
    // SAFETY: the export has four elements of its own.
    unsafe { data.write(9) };
    assert_eq!(&exported.to_tensor().expect("a tensor").data[..], [9, 1, 2, 3]);
    assert_eq!(&given.data[..], [0, 1, 2, 3]);
}

#[test]
fn elements_of_less_than_a_byte_are_padded() {
    let given = tensor("int4", &[3]);
    let exported = DlpackTensor::of(&given).expect("an export");
    assert_eq!(exported.raw().flags & PADDED_SUBBYTES, PADDED_SUBBYTES);
    assert!(same(&given, &exported.to_tensor().expect("a tensor")));
    assert_eq!(LegacyDlpackTensor::of(&given).expect_err("it cannot say so").kind(), ErrorKind::NotSerializable);
    let scalable = "float32xvscalex4".parse().expect("a type");
    let unknown = Tensor::new(scalable, [0], Vec::new());
    assert!(unknown.is_err() || DlpackTensor::of(&unknown.expect("a tensor")).is_err());
}

/// The number of releases of foreign tensors by each test, which has its own counter.
struct Foreign {
    managed: RawManagedTensor,
    released: AtomicUsize,
}

unsafe extern "C" fn count(managed: *mut RawManagedTensor) {
    // SAFETY: the context is the counter of a test, which lives.
    unsafe { &*(*managed).manager_ctx.cast::<AtomicUsize>() }.fetch_add(1, Ordering::Relaxed);
}

fn raw(
    data: &[u8],
    dtype: (u8, u8, u16),
    shape: &mut [i64],
    strides: Option<&mut [i64]>,
    byte_offset: u64,
) -> RawTensor {
    RawTensor {
        data: data.as_ptr().cast_mut().cast(),
        device: RawDevice { device_type: 1, device_id: 0 },
        ndim: shape.len() as i32,
        dtype: RawDataType { code: dtype.0, bits: dtype.1, lanes: dtype.2 },
        shape: shape.as_mut_ptr(),
        strides: strides.map_or(ptr::null_mut(), <[i64]>::as_mut_ptr),
        byte_offset,
    }
}

/// The result of an import of a tensor, which must be released once.
fn import(dl_tensor: RawTensor, major: u32, flags: u64) -> Result<Tensor, object_core::Error> {
    let mut foreign = Foreign {
        managed: RawManagedTensor {
            major,
            minor: VERSION.1,
            manager_ctx: ptr::null_mut(),
            deleter: Some(count),
            flags,
            dl_tensor,
        },
        released: AtomicUsize::new(0),
    };
    foreign.managed.manager_ctx = (&raw const foreign.released).cast::<c_void>().cast_mut();
    // SAFETY: the managed tensor lives until the end of this function, and `count` releases nothing.
    let result = unsafe { DlpackTensor::from_raw(&raw mut foreign.managed) }.and_then(|it| it.to_tensor());
    assert_eq!(foreign.released.load(Ordering::Relaxed), 1, "it is released once");
    result
}

#[test]
fn strides_and_offsets_choose_the_elements() {
    let data: Vec<u8> = (0..24).collect();
    let u8s = (1, 8, 1);
    // A matrix in Fortran's order, each second column, a reversed vector, and a repeated row.
    for (shape, strides, offset, expected) in [
        (vec![2, 3], Some(vec![1, 2]), 0, vec![0, 2, 4, 1, 3, 5]),
        (vec![2, 2], Some(vec![4, 2]), 1, vec![1, 3, 5, 7]),
        (vec![3], Some(vec![-1]), 5, vec![5, 4, 3]),
        (vec![2, 2], Some(vec![0, 1]), 7, vec![7, 8, 7, 8]),
        (vec![2, 2], None, 3, vec![3, 4, 5, 6]),
        (vec![], None, 23, vec![23]),
        (vec![2, 0], Some(vec![9, 9]), 0, vec![]),
    ] {
        let (mut shape, mut strides) = (shape, strides);
        let given = raw(&data, u8s, &mut shape, strides.as_deref_mut(), offset);
        let found = import(given, VERSION.0, 0).expect("a tensor");
        assert_eq!((&found.data[..], &found.shape[..]), (&expected[..], &shape[..]));
    }
    let (mut shape, mut strides) = (vec![2, 2], vec![1, 2]);
    let halves = raw(&data, (2, 16, 1), &mut shape, Some(&mut strides), 2);
    let found = import(halves, VERSION.0, 0).expect("a tensor");
    assert_eq!((&found.data[..], found.dtype), (&[2, 3, 6, 7, 4, 5, 8, 9][..], dtype("float16")));
}

#[test]
fn other_tensors_are_refused_and_released() {
    let data = [0_u8; 16];
    let u8s = (1, 8, 1);
    // The descriptions point to the shape, so it must outlive them.
    let mut four = [4];
    let mut given = raw(&data, u8s, &mut four, None, 0);
    given.device.device_type = 2;
    let error = import(given, VERSION.0, 0).expect_err("it is on a GPU");
    assert_eq!((error.kind(), error.message().contains("cuda:0")), (ErrorKind::NotSerializable, true), "{error}");
    let error = import(raw(&data, u8s, &mut four, None, 0), 2, 0).expect_err("another version");
    assert_eq!(error.kind(), ErrorKind::Malformed);
    for shape in [[-1, 2], [i64::MAX, i64::MAX], [i64::MAX, 1]] {
        let mut shape = shape;
        let error = import(raw(&data, (2, 64, 1), &mut shape, None, 0), VERSION.0, 0).expect_err("no tensor");
        assert_eq!(error.kind(), ErrorKind::OutOfRange, "{shape:?}");
    }
    let packed = raw(&data, (0, 4, 1), &mut four, None, 0);
    assert_eq!(import(packed, VERSION.0, 0).expect_err("packed").kind(), ErrorKind::Malformed);
    let mut missing = raw(&data, u8s, &mut four, None, 0);
    missing.data = ptr::null_mut();
    assert_eq!(import(missing, VERSION.0, 0).expect_err("no memory").kind(), ErrorKind::Malformed);
    for ndim in [-1, 1 << 20] {
        let mut many = raw(&data, u8s, &mut four, None, 0);
        many.ndim = ndim;
        assert_eq!(import(many, VERSION.0, 0).expect_err("the rank").kind(), ErrorKind::Malformed);
    }
    // SAFETY: null is refused.
    let (null, legacy) = unsafe {
        (
            DlpackTensor::from_raw(ptr::null_mut()),
            LegacyDlpackTensor::from_raw(ptr::null_mut::<RawLegacyManagedTensor>()),
        )
    };
    assert!(null.is_err() && legacy.is_err());
}

#[test]
fn the_structures_have_the_layout_of_the_header() {
    assert_eq!((size_of::<RawTensor>(), align_of::<RawTensor>()), (48, 8));
    assert_eq!((size_of::<RawLegacyManagedTensor>(), size_of::<RawManagedTensor>()), (64, 80));
    assert_eq!(std::mem::offset_of!(RawTensor, byte_offset), 40);
    assert_eq!(std::mem::offset_of!(RawManagedTensor, dl_tensor), 32);
}

/// DLPack rounds the bits of all lanes up to whole bytes, and this crate the bits of each lane.
#[test]
fn elements_of_no_whole_bytes_are_refused() {
    let data = [0_u8; 24];
    for (dtype, flags) in [((1, 12, 2), 0), ((1, 12, 1), 0), ((1, 4, 4), PADDED_SUBBYTES), ((1, 4, 1), 0)] {
        let mut shape = [8];
        let error = import(raw(&data, dtype, &mut shape, None, 0), VERSION.0, flags).expect_err("no whole bytes");
        assert_eq!(error.kind(), ErrorKind::Malformed, "{dtype:?}");
    }
    let lanes = Tensor::new(dtype("int4x4"), [1], vec![0; 4]).expect("four bytes");
    assert_eq!(DlpackTensor::of(&lanes).expect_err("the sizes differ").kind(), ErrorKind::NotSerializable);
}

/// NumPy exports such a tensor for `numpy.broadcast_to`.
#[test]
fn a_repeated_element_with_a_huge_shape_is_refused() {
    let mut shape = [1 << 50];
    let error = import(raw(&[7], (1, 8, 1), &mut shape, Some(&mut [0]), 0), VERSION.0, 0).expect_err("too large");
    assert_eq!(error.kind(), ErrorKind::OutOfRange);
}

/// A later version promises its first three fields alone, so the rest of the structure may not exist.
#[test]
fn of_another_version_only_the_first_fields_are_read() {
    #[repr(C)]
    struct Later {
        version: [u32; 2],
        manager_ctx: *mut c_void,
        deleter: unsafe extern "C" fn(*mut RawManagedTensor),
    }
    let released = AtomicUsize::new(0);
    let manager_ctx = (&raw const released).cast::<c_void>().cast_mut();
    let later = Box::into_raw(Box::new(Later { version: [VERSION.0 + 1, 0], manager_ctx, deleter: count }));
    // SAFETY: the structure begins as dlpack.h says for all versions, and lives.
    let error = unsafe { DlpackTensor::from_raw(later.cast()) }.expect_err("another version");
    assert_eq!((error.kind(), released.load(Ordering::Relaxed)), (ErrorKind::Malformed, 1));
    // SAFETY: it comes from a box, and `count` releases nothing.
    drop(unsafe { Box::from_raw(later) });
}
