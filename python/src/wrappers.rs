//! The classes of Python for the types that a process with tvm-ffi knows by the prefix `objir.`: a module for each namespace.

use object_codegen::model::Model;
use object_codegen::{Target, generate, rename_keys};
use object_core::dynamic::Schema;
use object_core::error::Result;
use object_core::{Map, Str, register_function};
use object_ir::tvm::TvmVersion;

use crate::TVM;

register_function!(
    /// The modules of Python with the classes of the types of programs, by name.
    "objir.wrappers"() = wrappers_by_name
);

/// The modules of the package `objir` with the classes of the types of programs: their names and texts.
///
/// # Errors
/// The errors of generation.
pub fn wrappers() -> Result<Vec<(String, String)>> {
    let linked = Schema::of(&TvmVersion::V0_25.types()?.all()?);
    let is_foreign = |key: &str| TVM.namespaces.iter().any(|namespace| key.starts_with(namespace));
    let schema = rename_keys(&linked, |key| is_foreign(key).then(|| format!("{}{key}", TVM.prefix)));
    let prefixes: Vec<String> = TVM.namespaces.iter().map(|namespace| format!("{}{namespace}", TVM.prefix)).collect();
    let homes: Vec<(String, String)> =
        prefixes.iter().map(|prefix| (prefix.clone(), prefix.trim_end_matches('.').to_owned())).collect();
    let modules = prefixes.iter().filter_map(|prefix| {
        let types = schema.types().iter().cloned();
        let (own, others): (Vec<_>, Vec<_>) = types.partition(|decl| decl.key.starts_with(prefix.as_str()));
        let name = prefix.trim_start_matches(TVM.prefix).trim_end_matches('.');
        (!own.is_empty()).then(|| {
            let (own, others) = (Schema::new(own, schema.enums().to_vec()), Schema::new(others, Vec::new()));
            let model = Model::new(&own, &others)?.homes(&homes);
            Ok((name.to_owned(), generate(Target::PythonWrappers, &model, "")?))
        })
    });
    modules.collect()
}

fn wrappers_by_name() -> Result<Map<Str, Str>> {
    Ok(Map::new(wrappers()?.into_iter().map(|(name, text)| (Str::from(name), Str::from(text)))))
}
