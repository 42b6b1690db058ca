//! The places of the pieces of a text.

use object_core::access_path::{AccessPath, AccessStep, PathKey};
use object_core::json::JsonReader;
use object_core::{Any, AnyView};
use object_ir as _;
use object_script::print::print;

use crate::common::{fixture, printed_values, report};

/// The value at `path`.
fn at<'a>(root: &'a Any, path: &AccessPath) -> Option<AnyView<'a>> {
    path.steps().iter().try_fold(root.view(), |value, step| {
        let object = value.as_object()?;
        match step {
            AccessStep::Attr(name) => object.get(name),
            AccessStep::ArrayItem(index) => match object.as_shape() {
                Some(extents) => extents.get(*index).map(|extent| AnyView::Int(*extent)),
                None => object.as_array()?.get(*index),
            },
            AccessStep::MapItem(key) => {
                object.as_map()?.iter().find(|(own, _)| PathKey::of(*own) == *key).map(|(_, value)| value)
            }
            _ => None,
        }
    })
}

/// Each place of a piece of the script of `root` exists, and the pieces of all places lie in the text.
fn check(name: &str, root: &Any, wrong: &mut Vec<String>) -> usize {
    let script = print(root);
    let mut count = 0;
    for (range, path) in script.spans() {
        count += 1;
        match script.text().get(range.clone()) {
            None => wrong.push(format!("{name}: {path} is at {range:?}, which is not a piece of the text")),
            Some(piece) if at(root, &path).is_none() => wrong.push(format!("{name}: {path} does not exist: {piece}")),
            Some(_) => {}
        }
    }
    count
}

#[test]
fn every_place_exists() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for (name, root) in printed_values(&["mlp.json.gz", "constants.json.gz", "decoder_legalized.json.gz"]) {
        count += check(&name, &root, &mut wrong);
    }
    wrong.sort();
    wrong.dedup();
    assert!(count > 10_000, "there are only {count} places");
    report(&wrong, count);
}

#[test]
fn a_place_has_its_pieces_and_a_piece_its_place() {
    let root = JsonReader::new().read(&fixture("mlp.json.gz")).expect("a module").root;
    let script = print(&root);
    let name = "R.nn.relu";
    let offset = script.text().find(name).expect("the call");
    let path = script.path_at(offset).expect("a place");
    assert!(path.to_string().ends_with(".value.op"), "{path}");
    let pieces = script.pieces_of(&path);
    assert_eq!((pieces.len(), &pieces[0]), (1, &(offset..offset + name.len())));
    // The names of an operator are not in the text, so the operator is the innermost piece.
    let mut deeper = path.clone();
    deeper.push(AccessStep::Attr("name".into()));
    assert_eq!(script.pieces_of(&deeper), pieces);
    let excerpt = script.excerpt().underline(&path).context_lines(0).to_string();
    let underline = excerpt.lines().find(|line| line.contains('^')).expect("an underline");
    assert_eq!(underline.trim(), "^".repeat(name.len()));
}
