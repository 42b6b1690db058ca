//! Any bytes as a `.npy` file and as a `.npz` file: an error with a message, or tensors. A tensor that NumPy has a type for is
//! the same after it is written and read.

use std::io::Cursor;

use object_eval::{Meter, Tensor, npy};

/// The budget of the values.
const MAX_BYTES: u64 = 1 << 24;

/// Checks the law. Returns whether the bytes are a file of an array or of arrays.
pub(crate) fn check(bytes: &[u8]) -> bool {
    let meter = Meter::with_limit(MAX_BYTES);
    let one = npy::read_npy(bytes, &meter);
    if let Ok(tensor) = &one {
        check_array(tensor);
    }
    let several = npy::read_npz(Cursor::new(bytes), &meter);
    if let Ok(arrays) = &several {
        arrays.values().for_each(check_array);
    }
    for error in [one.as_ref().err(), several.as_ref().err()].into_iter().flatten() {
        assert!(!error.message().is_empty());
    }
    one.is_ok() || several.is_ok()
}

fn check_array(tensor: &Tensor) {
    let Ok(file) = npy::write_npy(tensor) else { return };
    let again = npy::read_npy(&file[..], &Meter::unlimited()).unwrap_or_else(|error| panic!("{error}: {tensor:?}"));
    assert_eq!((again.dtype(), again.shape(), again.bytes()), (tensor.dtype(), tensor.shape(), tensor.bytes()));
}
