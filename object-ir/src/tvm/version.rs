//! [`TvmVersion`]: a version of TVM, with its types and hooks.

use std::fmt;
use std::sync::OnceLock;

use object_core::Result;
use object_core::dynamic::{DynamicHooks, Schema, SchemaLoader};
use object_core::registry::Types;

use crate::tvm::hooks::{hooks_0_25, hooks_0_26};

/// The types of TVM 0.26 and TVM 0.27; `data/make_tvm_types.py` writes them.
const SCHEMA_0_26: &str = include_str!("../../data/tvm_0_26.json");
const SCHEMA_0_27: &str = include_str!("../../data/tvm_0_27.json");

/// A version of TVM whose types this crate has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum TvmVersion {
    /// TVM 0.25: the Rust types of this crate.
    V0_25,
    /// TVM 0.26, where types and structural information are one, and expressions of Relax and of loop programs too.
    V0_26,
    /// TVM 0.27, where more expressions have one type for Relax and for loop programs.
    V0_27,
}

impl TvmVersion {
    /// All versions, the oldest first.
    pub const ALL: [TvmVersion; 3] = [TvmVersion::V0_25, TvmVersion::V0_26, TvmVersion::V0_27];

    /// The version as two numbers: `0.25`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            TvmVersion::V0_25 => "0.25",
            TvmVersion::V0_26 => "0.26",
            TvmVersion::V0_27 => "0.27",
        }
    }

    /// The version with this name.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|version| version.name() == name)
    }

    /// The version whose types are nearest to the types of the TVM with this full version number, such as `0.27.0.post1`: the
    /// latest that is not later, or else the oldest. `None` for a text that does not begin with two numbers.
    ///
    /// ```
    /// use object_ir::tvm::TvmVersion;
    /// assert_eq!(TvmVersion::nearest("0.24.1"), Some(TvmVersion::V0_25));
    /// assert_eq!(TvmVersion::nearest("0.26.0"), Some(TvmVersion::V0_26));
    /// assert_eq!(TvmVersion::nearest("1.0"), Some(TvmVersion::V0_27));
    /// assert_eq!(TvmVersion::nearest("main"), None);
    /// ```
    #[must_use]
    pub fn nearest(version: &str) -> Option<Self> {
        let given = numbers(version)?;
        let found = Self::ALL.into_iter().rev().find(|known| numbers(known.name()).is_some_and(|known| known <= given));
        Some(found.unwrap_or(TvmVersion::V0_25))
    }

    /// Whether the TVM with this full version number has the types of this version.
    #[must_use]
    pub fn includes(self, version: &str) -> bool {
        numbers(version).is_some() && numbers(version) == numbers(self.name())
    }

    /// The types of this version. The first call for a version other than 0.25 makes them.
    ///
    /// # Errors
    /// The errors of the registry, such as [`DuplicateKey`](object_core::ErrorKind::DuplicateKey) if a linked crate has a
    /// type of this crate a second time.
    pub fn types(self) -> Result<&'static Types> {
        static LINKED: OnceLock<Types> = OnceLock::new();
        static MADE_0_26: OnceLock<Result<Types>> = OnceLock::new();
        static MADE_0_27: OnceLock<Result<Types>> = OnceLock::new();
        let (made, schema) = match self {
            TvmVersion::V0_25 => return Ok(LINKED.get_or_init(Types::linked)),
            TvmVersion::V0_26 => (&MADE_0_26, SCHEMA_0_26),
            TvmVersion::V0_27 => (&MADE_0_27, SCHEMA_0_27),
        };
        let made = made.get_or_init(|| {
            let loader = SchemaLoader::new().name(format!("TVM {self}")).standalone(true).hooks(self.hooks());
            loader.load(&Schema::parse(schema.as_bytes())?)
        });
        made.as_ref().map_err(Clone::clone)
    }

    /// The hooks of this version, for types that a program makes of a schema of this version.
    #[must_use]
    pub fn hooks(self) -> DynamicHooks {
        match self {
            TvmVersion::V0_25 => hooks_0_25(),
            TvmVersion::V0_26 | TvmVersion::V0_27 => hooks_0_26(),
        }
    }

    /// The version of which `schema` has the largest part of the types, by key; among equals the latest.
    ///
    /// # Errors
    /// As [`types`](Self::types).
    pub fn of_schema(schema: &Schema) -> Result<Self> {
        Self::of_keys(schema.type_keys())
    }

    /// The version of which these keys are the largest part of the types; among equals the latest.
    ///
    /// # Errors
    /// As [`types`](Self::types).
    pub fn of_keys<'a>(keys: impl IntoIterator<Item = &'a str>) -> Result<Self> {
        let keys: Vec<&str> = keys.into_iter().collect();
        /// The parts of a whole. The versions have types of different parts of TVM, so numbers of types do not compare.
        const PARTS: usize = 1 << 16;
        let mut best = (0, TvmVersion::V0_27);
        for version in Self::ALL {
            let types = version.types()?;
            let mut count = 0;
            for key in &keys {
                count += usize::from(types.has(key)?);
            }
            best = best.max((count * PARTS / types.all()?.len().max(1), version));
        }
        Ok(best.1)
    }
}

impl fmt::Display for TvmVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The first two numbers of a version.
fn numbers(version: &str) -> Option<(u32, u32)> {
    let mut parts = version.strip_prefix('v').unwrap_or(version).split('.');
    let minor = parts.clone().nth(1)?;
    let digits = minor.find(|c: char| !c.is_ascii_digit()).unwrap_or(minor.len());
    Some((parts.next()?.parse().ok()?, minor[..digits].parse().ok()?))
}
