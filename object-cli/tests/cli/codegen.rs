//! The commands of `docs/9_one_schema_three_languages.md`, in order, in one folder: their output is the text below them.

use std::env;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::harness::root;

/// The code blocks of a document: the language and the lines of each.
fn blocks(document: &str) -> Vec<(&str, Vec<&str>)> {
    let mut blocks: Vec<(&str, Vec<&str>)> = Vec::new();
    let mut is_open = false;
    for line in document.lines() {
        match (line.strip_prefix("```"), is_open) {
            (Some(language), false) => blocks.push((language, Vec::new())),
            (None, true) => blocks.last_mut().expect("an open block").1.push(line),
            _ => {}
        }
        is_open ^= line.starts_with("```");
    }
    blocks
}

/// Runs a line of a shell in `folder`. `objir` is the program under test.
fn run(line: &str, folder: &Path) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_objir")).parent().expect("a folder");
    let path = format!("{}:{}", program.display(), env::var("PATH").unwrap_or_default());
    let output = Command::new("sh")
        .args(["-c", line])
        .env("PATH", path)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .expect("a shell");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && errors.is_empty(), "{line}: {} {errors}", output.status);
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// A block whose first line is a comment with a name is a file. In a block of a shell, `$` begins a command.
#[cfg(unix)]
#[test]
fn the_chapter_on_generated_code_is_true() {
    let document = fs::read_to_string(root().join("docs/9_one_schema_three_languages.md")).expect("the chapter");
    let folder = env::temp_dir().join(format!("objir-guide-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let mut commands = 0;
    for (language, lines) in blocks(&document) {
        if language == "sh" {
            let mut expected = lines.iter().peekable();
            while let Some(line) = expected.next() {
                let command = line.strip_prefix("$ ").unwrap_or_else(|| panic!("`{line}` follows no command"));
                let mut output = String::new();
                while let Some(line) = expected.next_if(|line| !line.starts_with("$ ")) {
                    output.push_str(line);
                    output.push('\n');
                }
                assert_eq!(run(command, &folder), output, "{command}");
                commands += 1;
            }
        } else if let ["python" | "cpp", ..] = [language] {
            let name = lines[0].trim_start_matches(['#', '/', ' ']);
            fs::write(folder.join(name), lines[1..].join("\n") + "\n").expect("a writable folder");
        }
    }
    assert!(commands >= 15, "only {commands} commands");
    fs::remove_dir_all(&folder).expect("the folder");
}

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
    assert_eq!(run(&build, &project), "");
    assert!(header().contains("double radius{};"), "{}", header());
    // A change of the schema is in the next build.
    write("schema/shapes.py", &declaration.replace("radius", "diameter"));
    assert_eq!(run(&build, &project), "");
    assert!(header().contains("double diameter{};") && !header().contains("radius"), "{}", header());
    fs::remove_dir_all(&project).expect("the folder");
}
