//! Any bytes as a `.npy` file and as a file of each format of several tensors: an error with a message, or tensors, which are the
//! same after they are written and read.

use std::collections::BTreeMap;
use std::io::Cursor;

use object_eval::{Meter, Tensor, TensorFile, npy};

/// The budget of the values.
const MAX_BYTES: u64 = 1 << 24;

/// Checks the law. Returns whether the bytes are a file of an array or of arrays.
pub(crate) fn check(bytes: &[u8]) -> bool {
    let meter = Meter::with_limit(MAX_BYTES);
    let one = npy::read_npy(bytes, &meter);
    if let Ok(tensor) = &one {
        check_array(tensor);
    }
    let mut is_read = one.is_ok();
    let mut errors = Vec::from_iter(one.err());
    for (_, format) in TensorFile::ALL {
        match format.read(Cursor::new(bytes), &|_| true, &|_| None, &meter) {
            Ok(tensors) => {
                tensors.values().for_each(check_array);
                check_file(format, &tensors);
                is_read = true;
            }
            Err(error) => errors.push(error),
        }
    }
    errors.iter().for_each(|error| assert!(!error.message().is_empty()));
    is_read
}

fn check_array(tensor: &Tensor) {
    let Ok(file) = npy::write_npy(tensor) else { return };
    let again = npy::read_npy_as(&file[..], Some(tensor.dtype()), &Meter::unlimited());
    check_same(tensor, &again.unwrap_or_else(|error| panic!("{error}: {tensor:?}")));
}

fn check_file(format: TensorFile, tensors: &BTreeMap<String, Tensor>) {
    let mut file = Cursor::new(Vec::new());
    let written = format.write(&mut file, tensors.iter().map(|(name, tensor)| (&**name, tensor)));
    // A header of NumPy has no room for thousands of dimensions.
    if written.is_err() {
        return;
    }
    let stated = |name: &str| tensors.get(name).map(Tensor::dtype);
    let again = format.read(file, &|_| true, &stated, &Meter::unlimited()).unwrap_or_else(|error| panic!("{error}"));
    assert!(again.keys().eq(tensors.keys()), "{format:?}");
    tensors.iter().for_each(|(name, tensor)| check_same(tensor, &again[name]));
}

fn check_same(tensor: &Tensor, again: &Tensor) {
    assert_eq!((again.dtype(), again.shape(), again.bytes()), (tensor.dtype(), tensor.shape(), tensor.bytes()));
}
