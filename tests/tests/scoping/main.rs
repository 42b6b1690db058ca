//! Bindings and their scopes under equality, hashes and rewrites.

mod scope_exports;
mod scope_regressions;
mod scopes;
