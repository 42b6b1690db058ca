//! [`TvmArg`]: the value of `--tvm`.

use std::ffi::OsString;

use object_ir::tvm::TvmVersion;

use crate::source::Source;

/// The value of `--tvm`.
#[derive(Clone, Debug)]
pub(crate) enum TvmArg {
    /// The name of a version.
    Version(TvmVersion),
    /// A schema.
    Schema(Source),
}

impl From<OsString> for TvmArg {
    fn from(name: OsString) -> Self {
        let version = name.to_str().and_then(|name| TvmVersion::ALL.into_iter().find(|version| version.includes(name)));
        version.map_or_else(|| TvmArg::Schema(name.into()), TvmArg::Version)
    }
}

/// The value of `--to`.
pub(crate) fn version(name: &str) -> Result<TvmVersion, String> {
    TvmVersion::find(name).ok_or_else(|| "expected 0.25 or 0.27".to_owned())
}
