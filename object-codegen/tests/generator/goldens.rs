//! The generated texts of a schema with every kind, role, container and default. `BLESS=1` renews them.

use object_codegen::Target;

#[test]
fn generated_files_are_as_recorded() {
    let wide = crate::common::schema("data/wide.json");
    let files = [
        (Target::Cpp, "wide.h"),
        (Target::CppSource, "wide.cc"),
        (Target::Python, "wide.py"),
        (Target::PythonWrappers, "wide_wrappers.py"),
        (Target::Rust, "wide.rs.txt"),
        (Target::Schema, "wide.json"),
    ];
    for (target, name) in files {
        let text = crate::common::file_text(target, &wide, &crate::common::no_types(), "wide.h")
            .unwrap_or_else(|error| panic!("{target}: {error}"));
        crate::common::check_golden(&format!("goldens/{name}"), &text);
    }
}

/// `tvm_types.rs` compiles the file.
#[test]
fn the_types_of_tvm_are_as_recorded() {
    let text = crate::common::file_text(Target::Rust, &crate::common::record(), &crate::common::no_types(), "")
        .unwrap_or_else(|error| panic!("{error}"));
    crate::common::check_golden("goldens/tvm.rs.txt", &text);
}
