//! [`IntoDataType`]: data types as arguments of constructors.

use object_core::prelude::*;

/// A data type, or the name of one such as `"float32"`.
pub trait IntoDataType {
    /// The data type.
    ///
    /// # Errors
    /// [`Malformed`](ErrorKind::Malformed) if the text does not name a data type.
    fn into_data_type(self) -> Result<DataType, Error>;
}

impl IntoDataType for DataType {
    fn into_data_type(self) -> Result<DataType, Error> {
        Ok(self)
    }
}

impl IntoDataType for &str {
    fn into_data_type(self) -> Result<DataType, Error> {
        self.parse()
    }
}
