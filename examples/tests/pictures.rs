//! The pictures of the guide are the ones that the program `pictures` draws. `UPDATE_EXPECT=1` renews them.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

use expect_test::expect_file;

#[test]
fn the_pictures_are_up_to_date() {
    let folder = env::temp_dir().join(format!("objir-pictures-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let status = Command::new(env!("CARGO_BIN_EXE_pictures")).arg(&folder).status();
    assert!(status.expect("the program runs").success());
    let mut names: Vec<_> =
        fs::read_dir(&folder).expect("a folder").map(|it| it.expect("a file").file_name()).collect();
    names.sort();
    assert!(names.len() >= 5);
    for name in names {
        let drawn = fs::read_to_string(folder.join(&name)).expect("a picture");
        expect_file![Path::new("../../docs/pictures").join(&name)].assert_eq(&drawn);
    }
    fs::remove_dir_all(&folder).expect("the folder");
}
