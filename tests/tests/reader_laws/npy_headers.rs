//! Files of NumPy for the law of arrays, and headers of `.npy` files: of all versions, and the errors of others.

use std::io::Cursor;

use object_core::DataType;
use object_eval::npy::{read_npy, write_npy};
use object_eval::{Meter, Tensor, TensorFile};

/// Files of arrays of several types, and one of several arrays in each format.
pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let tensor = |dtype: &str, shape: &[i64]| {
        Tensor::zeros(dtype.parse().expect("a data type"), shape, &Meter::unlimited()).expect("a tensor")
    };
    let tensors = [tensor("float32", &[2, 3]), tensor("int64", &[]), tensor("bool", &[4]), tensor("uint8", &[0, 7])];
    let mut files: Vec<Vec<u8>> = tensors.iter().map(|it| write_npy(it).expect("NumPy has the type")).collect();
    for (_, format) in TensorFile::ALL {
        let mut file = Cursor::new(Vec::new());
        format.write(&mut file, ["a", "b"].into_iter().zip(&tensors)).expect("each format has the types");
        files.push(file.into_inner());
    }
    files
}

fn file(version: u8, header: &str, data: &[u8]) -> Vec<u8> {
    let length = header.len().to_le_bytes();
    let length = if version == 1 { &length[..2] } else { &length[..4] };
    [b"\x93NUMPY", &[version, 0][..], length, header.as_bytes(), data].concat()
}

#[test]
fn headers_of_all_versions_are_read() {
    for (version, shape, expected) in
        [(1, "()", Vec::<i64>::new()), (2, "(3,)", vec![3]), (3, "(2, 0, 5)", vec![2, 0, 5])]
    {
        let header = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}   \n");
        let data: Vec<u8> =
            expected.iter().fold(vec![1; 4], |data, size| data.repeat(usize::try_from(*size).expect("a size")));
        let tensor = read_npy(&file(version, &header, &data)[..], &Meter::unlimited()).expect("an array");
        assert_eq!(
            (&tensor.shape()[..], tensor.dtype(), &tensor.bytes()[..]),
            (&expected[..], DataType::float(32), &data[..])
        );
    }
}

#[test]
fn other_headers_are_errors() {
    let dictionary = |descr: &str, order: &str, shape: &str| {
        file(2, &format!("{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}}}"), b"")
    };
    let deep = "(".repeat(60_000);
    for (file, part) in [
        (b"\x93NUMP".to_vec(), "the magic number is missing"),
        (b"\x93NUMPY\x01\x00\x01".to_vec(), "the header is not complete"),
        (b"\x93NUMPY\x09\x00\x01\x00{".to_vec(), "expected a version from 1 to 3, got 9"),
        (b"\x93NUMPY\x02\x00\xff\xff\xff\xff{".to_vec(), "its header has 4294967295 bytes"),
        (file(1, &"{".repeat(20), b"")[..20].to_vec(), "the header is not complete"),
        (file(2, &deep, b""), "deep"),
        (file(2, "[]", b""), "its header is not a dictionary"),
        (file(2, "{}", b""), "its header has no `descr`"),
        (dictionary("'>f4'", "False", "()"), "expected little-endian numbers, got '>f4'"),
        (dictionary("[('a', '<f4')]", "False", "()"), "got [('a', '<f4')]"),
        (dictionary("'<f4'", "0", "()"), "expected `fortran_order` as True or False, got 0"),
        (dictionary("'<V2'", "False", "(1, 2)"), "the file has elements of 2 bytes and not their type"),
        (dictionary("'<V0'", "False", "(1, 2)"), "expected little-endian numbers, got '<V0'"),
        (dictionary("'<f4'", "False", "(4294967296, 4294967296)"), "expected extents of at least 0 that fit memory"),
        (dictionary("'<f4'", "False", "3"), "its shape is not a tuple"),
        (dictionary("'<f4'", "False", "(-1,)"), "expected an extent below 2^63, got -1"),
        (dictionary("'<f4'", "False", "(99999999999999999999,)"), "got 99999999999999999999"),
    ] {
        let error = read_npy(&file[..], &Meter::with_limit(1 << 20)).expect_err(part);
        assert!(error.message().contains(part), "{part}: {error}");
    }
}
