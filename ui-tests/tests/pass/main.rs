//! Annotated types that compile, as one program: what users write (`casts`, `sums`, ...), and a neighbour for each
//! failing case (`near_*`), which is the same source without its mistake. A program and not a set of tests, because the
//! compiler does not look for missing documentation in tests.

mod casts;
mod cfg_fields;
mod constructors;
mod crate_path;
pub mod deny_docs_pedantic;
mod enums;
mod forbid_unsafe;
mod hooks;
pub mod variants_of;
mod metadata;
pub mod methods;
pub mod lint_attributes;
mod near_conflict;
mod near_conflict_of_values;
mod near_contents;
mod near_duplicate_attribute;
mod near_field_type;
mod near_hierarchy;
mod near_lists;
mod near_malformed;
mod near_methods;
mod near_unknown_attribute;
mod near_wrong_place;
mod no_implicit_prelude;
mod opaque;
mod raw_identifiers;
mod singletons;
mod sums;
mod visibility;

fn main() {
    let programs: &[(&str, fn())] = &[
        ("casts", casts::main),
        ("cfg_fields", cfg_fields::main),
        ("constructors", constructors::main),
        ("crate_path", crate_path::main),
        ("deny_docs_pedantic", deny_docs_pedantic::main),
        ("enums", enums::main),
        ("forbid_unsafe", forbid_unsafe::main),
        ("hooks", hooks::main),
        ("variants_of", variants_of::main),
        ("metadata", metadata::main),
        ("methods", methods::main),
        ("near_methods", near_methods::main),
        ("no_implicit_prelude", no_implicit_prelude::main),
        ("opaque", opaque::main),
        ("raw_identifiers", raw_identifiers::main),
        ("singletons", singletons::main),
        ("sums", sums::main),
        ("visibility", visibility::main),
    ];
    for (name, program) in programs {
        println!("pass {name}");
        program();
    }
    object_core::registry::types().expect("all types have keys of their own");
}
