//! Hand-written parts of classes: each file of `tests/data/custom_parts` with its faults. `BLESS=1` renews them.
//!
//! A case has lines `// word: value` (or `#`), and then the part: `dialect`, `by-hand`, `generated`, `fields`, `inherited`.

use std::fs;
use std::path::Path;

use object_codegen::Target;
use object_codegen::custom_parts::{ClassRegion, CustomPart, check};
use object_core::dynamic::{FieldDecl, TypeDecl, TypeText};

fn result(path: &Path) -> String {
    let text = fs::read_to_string(path).expect("the case can be read");
    let header = text.lines().take_while(|line| line.contains(": ") && line.starts_with(['/', '#']));
    let header: Vec<(&str, Vec<&str>)> = header
        .filter_map(|line| line.trim_start_matches(['/', '#', ' ']).split_once(": "))
        .map(|(word, values)| (word, values.split_whitespace().collect()))
        .collect();
    let get = |word: &str| {
        header.iter().find(|(known, _)| *known == word).map(|(_, values)| values.clone()).unwrap_or_default()
    };
    let target = match get("dialect").as_slice() {
        ["cpp"] => Target::Cpp,
        ["python"] => Target::Python,
        other => panic!("{}: unknown dialect {other:?}", path.display()),
    };
    let mut decl = TypeDecl::new("demo.Thing");
    for word in get("by-hand") {
        match word {
            "visit" => decl.hand_written.visit_attrs = true,
            "equal" => decl.hand_written.sequal_reduce = true,
            "hash" => decl.hand_written.shash_reduce = true,
            other => panic!("unknown hook {other}"),
        }
    }
    let field = |name: &str| FieldDecl::required(name, TypeText::leaf("int"));
    decl.fields = get("fields").into_iter().map(field).collect();
    let inherited: Vec<FieldDecl> = get("inherited").into_iter().map(field).collect();
    let fields: Vec<&FieldDecl> = inherited.iter().chain(&decl.fields).collect();
    let generated = get("generated");
    let start = u32::try_from(header.len()).expect("a short header");
    let part = text.split_inclusive('\n').skip(header.len()).collect::<String>();
    let faults = check(&ClassRegion {
        target,
        class_name: "ThingNode",
        is_node: !get("class").contains(&"ref"),
        decl: &decl,
        fields: &fields,
        generated_methods: &generated,
        file: "thing",
        line: 1,
        parts: &[CustomPart { first_line: start + 1, text: &part }],
    });
    faults.iter().map(|fault| format!("{fault}\n")).collect()
}

#[test]
fn parts_have_their_faults() {
    crate::blessed::check_folder("custom_parts", "h", result);
    crate::blessed::check_folder("custom_parts", "py", result);
}

/// Every cut of every case has an answer.
#[test]
fn broken_parts_are_no_panic() {
    let decl = TypeDecl::new("demo.Thing");
    for entry in fs::read_dir(crate::blessed::folder("custom_parts")).expect("the folder can be read") {
        let path = entry.expect("an entry").path();
        let text = fs::read_to_string(&path).expect("the case can be read");
        for at in (0..=text.len()).filter(|at| text.is_char_boundary(*at)) {
            for text in [&text[..at], &text[at..]] {
                let _ = check(&ClassRegion {
                    target: Target::Cpp,
                    class_name: "ThingNode",
                    is_node: true,
                    decl: &decl,
                    fields: &[],
                    generated_methods: &["RegisterReflection"],
                    file: "thing",
                    line: 1,
                    parts: &[CustomPart { first_line: 1, text }],
                });
            }
        }
    }
}
