//! The library `libobjir`: the types and the functions of all crates in a process with tvm-ffi, and modules of TVM as
//! arguments of the functions.

// Not `forbid`, because `command` is a function that C calls.
#![deny(unsafe_code)]
#![allow(clippy::needless_pass_by_value, reason = "functions of the registry own their arguments")]

#[allow(unsafe_code, reason = "C calls it with addresses")]
mod command;
mod corpus;
mod failure;
mod wrappers;

use std::path::Path;

use object_codegen::files::write_files;
use object_core::error::Result;
use object_core::json::Graph;
use object_core::{Any, DataType, Error, Str, Tensor, register_function};
use object_eval as _;
use object_ffi::{Conversions, Foreign, ForeignTypes, ModuleParts};
use object_ir::tvm::{MOVED_SCALARS, TvmVersion};
use object_relax as _;
use object_script::file::packed;
use object_script::print::ScriptPrinter;

pub use wrappers::wrappers;

/// Loading and releasing large graphs is much faster with it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The types of TVM, of all versions.
static TVM: Foreign = Foreign {
    namespaces: &["arith.", "ir.", "prim.", "relax.", "s_tir.", "sym.", "target.", "te.", "tirx."],
    prefix: "objir.",
    export: "objir.to_tvm",
    difference: "objir.live_difference",
    parts: Some(ModuleParts {
        module: "ir.IRModule",
        functions: "functions",
        attributes: &["attrs", "__dict__"],
        attribute_that_stays: MOVED_SCALARS,
    }),
    types: types_of_tvm,
};

object_ffi::export!(TVM);

register_function!(
    /// The object of this library for an object of TVM, for several calls with one object.
    "objir.from_tvm"(value) = from_tvm
);

register_function!(
    /// Writes a graph into a file: as a script if the name ends in `.py`, else as JSON, which is packed if it ends in `.gz`.
    "objir.save"(root, path) = save
);

register_function!(
    /// The number of objects of this library that the process holds, with the global functions.
    "objir.live_objects"() = live_objects
);

register_function!(
    /// The memory of a tensor as elements of another type of the same size, such as `bfloat16` for `uint16`.
    "objir.reinterpret"(tensor, dtype) = reinterpret
);

/// The types of the TVM that has types with these keys.
fn types_of_tvm(keys: &[Str]) -> Result<ForeignTypes> {
    let version = TvmVersion::of_keys(keys.iter().map(Str::as_str))?;
    let conversions = match version {
        TvmVersion::V0_25 => None,
        TvmVersion::V0_26 => Some(Conversions {
            to_linked: |root| converted(root, TvmVersion::V0_26, TvmVersion::V0_25),
            from_linked: |root| from_linked(root, TvmVersion::V0_26),
        }),
        _ => Some(Conversions {
            to_linked: |root| converted(root, TvmVersion::V0_27, TvmVersion::V0_25),
            from_linked: |root| from_linked(root, TvmVersion::V0_27),
        }),
    };
    Ok(ForeignTypes { types: version.types()?, conversions })
}

fn from_linked(root: Any, to: TvmVersion) -> Result<Any> {
    Ok(to.from_rust_types(Graph::new(root, None))?.root)
}

fn converted(root: Any, from: TvmVersion, to: TvmVersion) -> Result<Any> {
    Ok(to.convert(Graph::new(root, None), from)?.root)
}

/// Every function converts objects of TVM before it is called.
fn from_tvm(value: Any) -> Any {
    value
}

/// The old file stays until the new one is on disk.
fn save(root: Any, path: Str) -> Result<()> {
    let file = Path::new(path.as_str());
    let content = || match file.extension() {
        Some(extension) if extension == "py" => Ok(ScriptPrinter::new().try_print_text(&root)?.into_bytes()),
        _ => packed(file, TvmVersion::V0_25.to_json(&root)?),
    };
    let content = content().map_err(|error: Error| error.context(&path))?;
    write_files([(file, content)]).map_err(|failure| Error::from(failure.error).context(&path))
}

fn live_objects() -> i64 {
    object_ffi::live_objects() as i64
}

fn reinterpret(tensor: Tensor, dtype: DataType) -> Result<Tensor> {
    Tensor::new(dtype, tensor.shape.clone(), tensor.data.clone())
}
