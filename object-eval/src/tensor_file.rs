//! [`TensorFile`]: the formats of files with tensors by name.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{Read, Seek, Write};
use std::path::Path;

use object_core::prelude::*;

use super::value::{Meter, Tensor};
use super::{npy, safetensors, tvm_params};

/// A format of files with tensors by name. Each format has the tensors of a run, except that only a `.npz` file keeps
/// integers of four bits; the others have them as integers of eight bits.
///
/// ```
/// use std::io::Cursor;
/// use object_eval::{Meter, Tensor, TensorFile};
///
/// let meter = Meter::unlimited();
/// let tensor = Tensor::from_elements::<half::bf16>(&[1], [half::bf16::ONE], &meter)?;
/// let mut file = Cursor::new(Vec::new());
/// TensorFile::Safetensors.write(&mut file, [("w", &tensor)])?;
/// let read = TensorFile::Safetensors.read(file, &|name| name == "w", &|_| None, &meter)?;
/// assert_eq!(read["w"].dtype(), tensor.dtype());
/// # Ok::<(), object_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TensorFile {
    /// An archive of arrays of NumPy: see [`npy`].
    Npz,
    /// A file of safetensors, <https://github.com/huggingface/safetensors>.
    Safetensors,
    /// A file of TVM's parameters, as `tvm.runtime.save_param_dict` writes it (TVM 0.25 `src/runtime/file_utils.cc`).
    TvmParams,
}

impl TensorFile {
    /// All formats, with the ends of the names of their files.
    pub const ALL: [(&str, TensorFile); 3] =
        [("npz", TensorFile::Npz), ("safetensors", TensorFile::Safetensors), ("params", TensorFile::TvmParams)];

    /// The format that the name of a file states.
    #[must_use]
    pub fn of(path: &Path) -> Option<Self> {
        let extension = path.extension()?;
        Self::ALL.into_iter().find(|(known, _)| extension == *known).map(|(_, format)| format)
    }

    /// Reads the tensors of a whole file whose names `wanted` accepts. Elements of a `.npz` file that have no type, such as `bfloat16`, have the
    /// type that `stated` has for the name. `meter` counts the tensors before their memory exists.
    ///
    /// # Errors
    /// [`Malformed`](ErrorKind::Malformed) for other content, [`TypeMismatch`](ErrorKind::TypeMismatch) for an element type that
    /// tensors of a run lack and for elements whose type nothing states, and [`LimitExceeded`](ErrorKind::LimitExceeded) if
    /// the meter refuses the memory.
    pub fn read(
        self,
        mut file: impl Read + Seek,
        wanted: &dyn Fn(&str) -> bool,
        stated: &dyn Fn(&str) -> Option<DataType>,
        meter: &Meter,
    ) -> Result<BTreeMap<String, Tensor>, Error> {
        file.rewind()?;
        match self {
            TensorFile::Npz => npy::read_npz_as(file, wanted, stated, meter),
            TensorFile::Safetensors => safetensors::read(file, wanted, meter),
            TensorFile::TvmParams => tvm_params::read(file, wanted, meter),
        }
    }

    /// The names in a file. `meter` counts what reading them takes.
    ///
    /// # Errors
    /// Like [`read`](Self::read).
    pub fn names(self, file: impl Read + Seek, meter: &Meter) -> Result<Vec<String>, Error> {
        let names = RefCell::new(Vec::new());
        let record = |name: &str| {
            names.borrow_mut().push(name.to_owned());
            false
        };
        self.read(file, &record, &|_| None, meter)?;
        Ok(names.into_inner())
    }

    /// Writes tensors by name.
    ///
    /// # Errors
    /// [`Io`](ErrorKind::Io) if writing fails, and [`Malformed`](ErrorKind::Malformed) for tensors beyond the limits of the format.
    pub fn write<'a>(
        self,
        file: impl Write + Seek,
        tensors: impl IntoIterator<Item = (&'a str, &'a Tensor)>,
    ) -> Result<(), Error> {
        match self {
            TensorFile::Npz => npy::write_npz(file, tensors),
            TensorFile::Safetensors => safetensors::write(file, tensors),
            TensorFile::TvmParams => tvm_params::write(file, tensors),
        }
    }
}
