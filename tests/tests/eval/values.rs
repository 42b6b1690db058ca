//! Tensors: conversions of elements, shared memory, and files of NumPy.

use std::io::Cursor;

use half::{bf16, f16};
use object_core::{DataType, ErrorKind};
use object_eval::value::{Bool, ElementType, F8E4M3, Numbers, round_to};
use object_eval::{Meter, Storage, Tensor, npy};

fn dtype(name: &str) -> DataType {
    name.parse().expect("a data type")
}

#[test]
fn elements_convert_as_in_c() {
    let meter = Meter::unlimited();
    let floats = Tensor::from_elements::<f32>(&[5], [1.9, -1.9, 300.0, f32::NAN, -0.0], &meter).expect("a tensor");
    let as_bytes =
        Tensor::from_numbers(dtype("uint8"), &floats.numbers(&meter).expect("numbers"), &meter).expect("a tensor");
    assert_eq!(&as_bytes.read::<u8>().expect("bytes")[..], [1, 255, 44, 0, 0]);
    let truths =
        Tensor::from_numbers(dtype("bool"), &floats.numbers(&meter).expect("numbers"), &meter).expect("a tensor");
    assert_eq!(&truths.read::<Bool>().expect("truths")[..], [1, 1, 1, 1, 0]);
    let big = Tensor::from_elements::<u64>(&[1], [u64::MAX], &meter).expect("a tensor");
    let Numbers::Int(ints) = big.numbers(&meter).expect("numbers") else { panic!("integers are integers") };
    assert_eq!(ints[[0]], i128::from(u64::MAX), "64 bits are exact");
    assert_eq!(round_to(ElementType::F16, 1.0 + 1e-4), 1.0);
    let small = Tensor::from_elements::<F8E4M3>(&[1], [0x7e], &meter).expect("a tensor");
    assert_eq!(small.floats(&meter).expect("numbers")[[0]], 448.0);
}

#[test]
fn each_element_type_keeps_its_values() {
    let meter = Meter::unlimited();
    let numbers = ndarray::ArrayD::from_shape_vec(vec![3], vec![0.0, 1.0, 0.0]).expect("an array");
    for name in [
        "bool",
        "int4",
        "uint4",
        "int8",
        "int16",
        "int32",
        "int64",
        "uint8",
        "uint16",
        "uint32",
        "uint64",
        "float16",
        "bfloat16",
        "float32",
        "float64",
        "float8_e4m3fn",
        "float8_e5m2",
    ] {
        let tensor = Tensor::from_floats(dtype(name), &numbers, &meter).expect(name);
        assert_eq!(tensor.dtype(), dtype(name));
        assert_eq!(tensor.floats(&meter).expect(name), numbers, "{name}");
        let constant = tensor.to_constant().expect(name);
        assert_eq!(Tensor::from_constant(&constant, &meter).expect(name).bytes(), &*constant.data, "{name}");
    }
    let error = Tensor::zeros(dtype("float32x4"), &[2], &meter).expect_err("a vector is not an element");
    assert_eq!(error.kind(), ErrorKind::TypeMismatch);
    let halves = Tensor::from_elements::<f16>(&[1], [f16::from_f32(0.5)], &meter).expect("a tensor");
    assert!(halves.read::<bf16>().is_err(), "the element types differ");
}

#[test]
fn tensors_in_one_storage_alias() {
    let storage = Storage::zeros(16, &Meter::unlimited()).expect("memory");
    let whole = Tensor::in_storage(&storage, 0, dtype("float32"), &[4]).expect("it fits");
    let tail = Tensor::in_storage(&storage, 8, dtype("int32"), &[2]).expect("it fits");
    tail.write::<i32>().expect("a write")[0] = 1.5_f32.to_bits().cast_signed();
    assert_eq!(&whole.read::<f32>().expect("elements")[..], [0.0, 0.0, 1.5, 0.0]);
    for (offset, shape) in [(0, 5), (12, 2), (2, 1), (usize::MAX, 1), (0, -1)] {
        let error = Tensor::in_storage(&storage, offset, dtype("float32"), &[shape]).expect_err("it does not fit");
        assert_eq!(error.kind(), ErrorKind::OutOfRange, "{offset} {shape}");
    }
}

#[test]
fn the_meter_counts_live_tensors() {
    let meter = Meter::with_limit(100);
    let tensor = Tensor::zeros(dtype("float64"), &[10], &meter).expect("it fits");
    let alias = tensor.clone();
    assert_eq!(meter.live(), 80);
    assert!(Tensor::zeros(dtype("float64"), &[3], &meter).is_err());
    drop(tensor);
    assert_eq!(meter.live(), 80, "the alias keeps the memory");
    drop(alias);
    assert_eq!(meter.live(), 0);
}

#[test]
fn files_of_numpy_keep_tensors() {
    let meter = Meter::unlimited();
    let a = Tensor::from_elements::<f16>(&[2, 1], [f16::from_f32(0.5), f16::INFINITY], &meter).expect("a tensor");
    let b = Tensor::from_elements::<Bool>(&[], [1], &meter).expect("a tensor");
    let mut file = Cursor::new(Vec::new());
    npy::write_npz(&mut file, [("a", &a), ("b", &b)]).expect("it is written");
    let read = npy::read_npz(Cursor::new(file.into_inner()), &meter).expect("it is read");
    assert_eq!(read.keys().collect::<Vec<_>>(), ["a", "b"]);
    for (name, tensor) in [("a", &a), ("b", &b)] {
        let read = &read[name];
        assert_eq!((read.dtype(), read.shape(), read.bytes()), (tensor.dtype(), tensor.shape(), tensor.bytes()));
    }
    assert_eq!(npy::read_npy(&b"no array"[..], &meter).expect_err("it is malformed").kind(), ErrorKind::Malformed);
}
