//! The library `libobjir`: the types and the functions of all crates in a process with tvm-ffi.

#![forbid(unsafe_code)]

use object_eval as _;
use object_ir as _;
use object_relax as _;
use object_script as _;

object_ffi::export!();
