//! `objir codegen --check`.

use std::process::{Command, Stdio};
use std::{env, fs};

use crate::guide::{blocks, run};
use crate::harness::root;

/// A stale file has a difference and the exit code 1, and a fault of a marker the exit code 2; nothing is written.
#[test]
fn check_writes_nothing() {
    let folder = env::temp_dir().join(format!("objir-check-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let declaration = "@declare\nclass PointNode(Object):\n    type_key = 'demo.Point'\n    x: ty.int64_t\n";
    fs::write(folder.join("point.py"), declaration).expect("a writable folder");
    for (text, code, found) in [
        ("// tschema: PointNode\n// tschema: end\n", 1, "+  int64_t x{};"),
        ("// tschema: PointNode\n", 2, "point.h:1:1: error: `// tschema: PointNode` has no `// tschema: end`"),
        ("// tschema: Pont\n// tschema: end\n", 2, "did you mean `Point`?"),
        ("int x;\n", 0, "point.h: it has no `tschema: NAME`"),
    ] {
        fs::write(folder.join("point.h"), text).expect("a writable folder");
        let output = Command::new(env!("CARGO_BIN_EXE_objir"))
            .args(["codegen", "point.py", "--lang", "cpp", "--in-place", "point.h", "--check"])
            .current_dir(&folder)
            .output()
            .expect("objir");
        let shown = [output.stdout, output.stderr].concat();
        let shown = String::from_utf8_lossy(&shown);
        assert_eq!(output.status.code(), Some(code), "{text}: {shown}");
        assert!(shown.contains(found), "{text}: {shown}");
        assert_eq!(fs::read_to_string(folder.join("point.h")).expect("the file"), text);
    }
    fs::remove_dir_all(&folder).expect("the folder");
}

/// The lines of the chapter for CMake update the regions of a header before the build of a library. Without CMake, the
/// test prints that it is skipped.
#[cfg(unix)]
#[test]
fn cmake_updates_regions_before_a_build() {
    let cmake = env::var("CMAKE").unwrap_or_else(|_| "cmake".to_owned());
    if let Err(error) = Command::new(&cmake).arg("--version").stdout(Stdio::null()).status() {
        println!("skipped: {cmake} does not run: {error}; CMAKE names another one");
        return;
    }
    let document = fs::read_to_string(root().join("docs/9_one_schema_three_languages.md")).expect("the chapter");
    let snippet: Vec<Vec<&str>> =
        blocks(&document).into_iter().filter(|(language, _)| *language == "cmake").map(|(_, lines)| lines).collect();
    let [snippet] = &snippet[..] else { panic!("one block of CMake") };
    let project = env::temp_dir().join(format!("objir-cmake-{}", std::process::id()));
    let write = |name: &str, text: &str| {
        let path = project.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a writable folder");
        fs::write(path, text).expect("a writable folder");
    };
    let head = "cmake_minimum_required(VERSION 3.10)\nproject(shapes CXX)\nadd_library(my_library STATIC area.cc)\n";
    write("CMakeLists.txt", &format!("{head}{}\n", snippet.join("\n")));
    // The source does not need tvm-ffi: the build is about the order of the commands.
    write("area.cc", "int area() { return 1; }\n");
    let declaration = "@declare\nclass CircleNode(Object):\n    type_key = 'demo.Circle'\n    radius: ty.double\n";
    write("schema/shapes.py", declaration);
    write("include/circle.h", "// tschema: CircleNode\n// tschema: end\n");
    let folder = project.display();
    run(&format!("{cmake} -S {folder} -B {folder}/build > {folder}/log 2>&1 || cat {folder}/log"), &project);
    let build = format!("{cmake} --build {folder}/build --target my_library > {folder}/log 2>&1 || cat {folder}/log");
    let header = || fs::read_to_string(project.join("include/circle.h")).expect("the header");
    assert_eq!(run(&build, &project), "[exit code 0]\n");
    assert!(header().contains("double radius{};"), "{}", header());
    // A change of the schema is in the next build.
    write("schema/shapes.py", &declaration.replace("radius", "diameter"));
    assert_eq!(run(&build, &project), "[exit code 0]\n");
    assert!(header().contains("double diameter{};") && !header().contains("radius"), "{}", header());
    fs::remove_dir_all(&project).expect("the folder");
}
