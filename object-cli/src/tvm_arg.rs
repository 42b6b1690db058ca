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
    TvmVersion::find(name).ok_or_else(|| format!("expected {}", versions()))
}

/// The names of the versions: `0.25, 0.26 or 0.27`.
pub(crate) fn versions() -> String {
    let [first @ .., last] = TvmVersion::ALL.map(TvmVersion::name);
    format!("{} or {last}", first.join(", "))
}
