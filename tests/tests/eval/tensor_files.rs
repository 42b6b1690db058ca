//! Files of tensors: the ones that NumPy, `ml_dtypes`, safetensors and TVM wrote, round trips, and files with faults.

use std::collections::BTreeMap;
use std::io::Cursor;
use std::path::Path;

use ndarray::Dimension as _;
use object_core::{DataType, ErrorKind};
use object_eval::npy::{read_npy, read_npy_as, write_npy};
use object_eval::value::ElementType;
use object_eval::{Meter, Tensor, TensorFile};
use serde_json::Value;

use crate::common::json_fixture;

fn dtype(name: &str) -> DataType {
    name.parse().expect("a data type")
}

fn bytes(hexadecimal: &str) -> Vec<u8> {
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).expect("digits"), 16).expect("a byte");
    hexadecimal.as_bytes().chunks(2).map(byte).collect()
}

/// The names, types, shapes and numbers of tensors.
type Facts = BTreeMap<String, (String, Vec<i64>, Vec<f64>)>;

fn facts<'a>(tensors: impl IntoIterator<Item = (&'a str, &'a Tensor)>) -> Facts {
    let numbers = |tensor: &Tensor| tensor.floats(&Meter::unlimited()).expect("numbers").iter().copied().collect();
    let fact = |tensor: &Tensor| (tensor.dtype().to_string(), tensor.shape().to_vec(), numbers(tensor));
    tensors.into_iter().map(|(name, tensor)| (name.to_owned(), fact(tensor))).collect()
}

fn recorded_facts(record: &Value) -> Facts {
    let tensors = record["tensors"].as_object().expect("tensors by name");
    let fact = |tensor: &Value| {
        let dtype = tensor["dtype"].as_str().expect("a type").to_owned();
        let shape = serde_json::from_value(tensor["shape"].clone()).expect("a shape");
        (dtype, shape, serde_json::from_value(tensor["numbers"].clone()).expect("numbers"))
    };
    tensors.iter().map(|(name, tensor)| (name.clone(), fact(tensor))).collect()
}

/// The tensors in a file, with the types of `expected` for elements without a type.
fn read(file: &str, content: &[u8], expected: &Facts) -> Facts {
    let (meter, stated) = (Meter::unlimited(), |name: &str| expected.get(name).map(|(name, ..)| dtype(name)));
    let Some(format) = TensorFile::of(Path::new(file)) else {
        let array = read_npy_as(content, stated(""), &meter).unwrap_or_else(|error| panic!("{file}: {error}"));
        return facts([("", &array)]);
    };
    let names = format.names(Cursor::new(content), &meter).unwrap_or_else(|error| panic!("{file}: {error}"));
    let tensors = format.read(Cursor::new(content), &|_| true, &stated, &meter);
    let tensors = tensors.unwrap_or_else(|error| panic!("{file}: {error}"));
    assert_eq!(names.len(), tensors.len(), "{file}");
    for name in names {
        let one = format.read(Cursor::new(content), &|known| known == name, &stated, &meter).expect("a tensor");
        assert_eq!(one.keys().collect::<Vec<_>>(), [&name], "{file}");
    }
    facts(tensors.iter().map(|(name, tensor)| (&**name, tensor)))
}

#[test]
fn files_of_other_libraries_have_their_tensors() {
    let records = json_fixture("tensor_files.records.gz");
    for record in records.as_array().expect("a list") {
        let (file, expected) = (record["file"].as_str().expect("a name"), recorded_facts(record));
        let content = bytes(record["content"].as_str().expect("hexadecimal digits"));
        assert_eq!(read(file, &content, &expected), expected, "{file}");
    }
}

/// Our files are the ones of the libraries, byte for byte, where a format has one form.
#[test]
fn arrays_are_written_as_other_libraries_write_them() {
    let records = json_fixture("tensor_files.records.gz");
    let mut compared = 0;
    for record in records.as_array().expect("a list") {
        let file = record["file"].as_str().expect("a name");
        let (content, expected) = (bytes(record["content"].as_str().expect("digits")), recorded_facts(record));
        if file.ends_with(".npy") && !file.ends_with("_fortran.npy") {
            let stated = Some(dtype(&expected[""].0));
            let array = read_npy_as(&content[..], stated, &Meter::unlimited()).expect("an array");
            assert_eq!(write_npy(&array).expect("a file"), content, "{file}");
            compared += 1;
        }
    }
    assert_eq!(compared, 17);
}

/// All types, and shapes without elements and without dimensions.
#[test]
fn each_format_keeps_tensors() {
    let meter = Meter::unlimited();
    let names = "bool int4 int8 int16 int32 int64 uint4 uint8 uint16 uint32 uint64 float16 bfloat16 float32 float64 \
                 float8_e4m3fn float8_e5m2";
    let mut tensors = Vec::new();
    for (index, name) in names.split(' ').enumerate() {
        for shape in [&[2, 3][..], &[], &[0, 4], &[1, 1, 2]] {
            let dims: Vec<usize> = shape.iter().map(|extent| usize::try_from(*extent).expect("a size")).collect();
            let numbers =
                ndarray::ArrayD::from_shape_fn(dims, |place| (place.slice().iter().sum::<usize>() % 2) as f64);
            let tensor = Tensor::from_floats(dtype(name), &numbers, &meter).expect("a tensor");
            tensors.push((format!("t{index}.{shape:?}"), tensor));
        }
    }
    let stated = |name: &str| tensors.iter().find(|(known, _)| known == name).map(|(_, tensor)| tensor.dtype());
    for (end, format) in TensorFile::ALL {
        let mut file = Cursor::new(Vec::new());
        format.write(&mut file, tensors.iter().map(|(name, tensor)| (&**name, tensor))).expect("a file");
        let read = format.read(file, &|_| true, &stated, &meter).expect("tensors");
        assert_eq!(read.len(), tensors.len(), "{end}");
        for (name, tensor) in &tensors {
            let read = &read[name];
            assert_eq!((read.shape(), &read.bytes()), (tensor.shape(), &tensor.bytes()), "{end} {name}");
            let wider = match tensor.element() {
                ElementType::I4 if format != TensorFile::Npz => ElementType::I8,
                ElementType::U4 if format != TensorFile::Npz => ElementType::U8,
                element => element,
            };
            assert_eq!(read.element(), wider, "{end} {name}");
        }
    }
}

#[test]
fn elements_without_a_type_need_one() {
    let tensor = Tensor::zeros(dtype("bfloat16"), &[2], &Meter::unlimited()).expect("a tensor");
    let file = write_npy(&tensor).expect("a file");
    let error = read_npy(&file[..], &Meter::unlimited()).expect_err("no type is stated");
    assert_eq!(error.kind(), ErrorKind::TypeMismatch);
    assert!(error.message().contains("elements of 2 bytes and not their type"), "{error}");
    let error = read_npy_as(&file[..], Some(dtype("float32")), &Meter::unlimited()).expect_err("another size");
    assert!(error.message().contains("got float32"), "{error}");
    let read = read_npy_as(&file[..], Some(dtype("float16")), &Meter::unlimited()).expect("the same size");
    assert_eq!(read.dtype(), dtype("float16"));
}

/// Numbers of a file of TVM's parameters: a magic number, and a list of names.
fn params(names: &[&str], rest: &[&[u8]]) -> Vec<u8> {
    let mut file = 0xF7E5_8D4F_0504_9CB7_u64.to_le_bytes().to_vec();
    file.extend([0; 8]);
    file.extend((names.len() as u64).to_le_bytes());
    for name in names {
        file.extend((name.len() as u64).to_le_bytes());
        file.extend(name.as_bytes());
    }
    file.extend((names.len() as u64).to_le_bytes());
    file.extend(rest.concat());
    file
}

/// The head of a tensor in a file of TVM's parameters: the device, the rank, the type, the extents, the bytes.
fn tensor_head(device: i32, rank: i32, dtype: [u8; 4], extents: &[i64], bytes: u64) -> Vec<u8> {
    let mut head = 0xDD5E_40F0_96B4_A13F_u64.to_le_bytes().to_vec();
    head.extend([0; 8]);
    [device, 0, rank].into_iter().for_each(|number| head.extend(number.to_le_bytes()));
    head.extend(dtype);
    extents.iter().for_each(|extent| head.extend(extent.to_le_bytes()));
    head.extend(bytes.to_le_bytes());
    head
}

#[test]
fn files_of_parameters_with_faults_are_errors() {
    const F32: [u8; 4] = [2, 32, 1, 0];
    let one = |head: Vec<u8>| params(&["x"], &[&head, &[0; 4]]);
    let huge_name = [&params(&[], &[])[..16], &1_u64.to_le_bytes(), &u64::MAX.to_le_bytes()].concat();
    let many_names = [&params(&[], &[])[..16], &u64::MAX.to_le_bytes()].concat();
    for (file, part) in [
        (b"PK".to_vec(), "the content ends early"),
        (vec![0; 64], "expected the magic number 0xf7e58d4f05049cb7 of a file"),
        (huge_name, "max_memory"),
        (many_names, "the content ends early"),
        (params(&["x", "x"], &[]), "the name `x` stands twice"),
        (params(&["x"], &[&[0; 40]]), "expected the magic number 0xdd5e40f096b4a13f of a tensor"),
        (one(tensor_head(2, 0, F32, &[], 4)), "expected the device 1, the CPU, got 2"),
        (one(tensor_head(1, -1, F32, &[], 4)), "expected a rank from 0 to 1024, got -1"),
        (one(tensor_head(1, i32::MAX, F32, &[], 4)), "expected a rank from 0 to 1024"),
        (one(tensor_head(1, 1, F32, &[-1], 4)), "expected extents of at least 0"),
        (one(tensor_head(1, 1, F32, &[1 << 40], 1 << 42)), "max_memory"),
        (one(tensor_head(1, 1, F32, &[1], 8)), "have 4 bytes, got 8"),
        (one(tensor_head(1, 1, F32, &[2], 8)), "the elements end early"),
        (one(tensor_head(1, 1, [0, 4, 1, 0], &[4], 4)), "TVM saves no tensors of type int4"),
        (one(tensor_head(1, 0, [200, 32, 1, 0], &[], 4)), "expected a tensor of one of the types"),
        ([one(tensor_head(1, 0, F32, &[], 4)), vec![0]].concat(), "expected the end after the last tensor"),
    ] {
        let meter = Meter::with_limit(1 << 20);
        let read = TensorFile::TvmParams.read(Cursor::new(&file), &|_| true, &|_| None, &meter);
        let error = read.expect_err(part);
        assert!(error.message().contains(part), "{part}: {error}");
        let _ = TensorFile::TvmParams.names(Cursor::new(&file), &meter);
        assert_eq!(meter.live(), 0, "{part}");
    }
}

#[test]
fn files_of_safetensors_with_faults_are_errors() {
    let file = |header: &str, data: &[u8]| [&(header.len() as u64).to_le_bytes(), header.as_bytes(), data].concat();
    let tensor = |dtype: &str, shape: &str, end: u64| {
        format!("{{\"x\":{{\"dtype\":\"{dtype}\",\"shape\":{shape},\"data_offsets\":[0,{end}]}}}}")
    };
    let many_zeros = format!("[{}0]", "0,".repeat(20_000));
    for (file, part) in [
        (vec![1, 2], "the length of the header is missing"),
        (u64::MAX.to_le_bytes().to_vec(), "max_memory"),
        (1000_u64.to_le_bytes().to_vec(), "expected a header of 1000 bytes, got 0"),
        (file("[1]", &[]), "not a file of safetensors"),
        (file(&tensor("F32", "[1]", 4), &[0; 3]), "the tensors have 4 bytes, and the file has 3"),
        (file(&tensor("F32", "[1]", 4), &[0; 5]), "the tensors have 4 bytes, and the file has 5"),
        (file(&tensor("F32", "[2]", 4), &[0; 4]), "not a file of safetensors"),
        (file(&tensor("C64", "[1]", 8), &[0; 8]), "`x`: tensors of a run have no elements of the type C64"),
        (file(&tensor("F32", "[18446744073709551615,4]", 4), &[0; 4]), "not a file of safetensors"),
        (file(&tensor("F32", &many_zeros, 0), &[]), "max_memory"),
    ] {
        let meter = Meter::with_limit(1 << 20);
        let read = TensorFile::Safetensors.read(Cursor::new(&file), &|_| true, &|_| None, &meter);
        let error = read.expect_err(part);
        assert!(error.message().contains(part), "{part}: {error}");
        assert_eq!(meter.live(), 0, "{part}");
    }
}

#[test]
fn the_name_of_a_file_states_its_format() {
    let of = |name: &str| TensorFile::of(Path::new(name));
    assert_eq!(of("a/b.npz"), Some(TensorFile::Npz));
    assert_eq!(of("b.safetensors"), Some(TensorFile::Safetensors));
    assert_eq!(of("b.params"), Some(TensorFile::TvmParams));
    assert_eq!((of("b.npy"), of("params")), (None, None));
}
