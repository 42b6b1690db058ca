//! A sample of the development corpus, where it is present beside the workspace.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use object_tests::corpus::{self, Exceptions, Options};

/// The archive, from the root of the workspace.
const ARCHIVE: &str = "../shared/corpus/dev.tar.gz";

#[test]
fn a_sample_of_the_development_corpus_agrees() {
    let archive = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(ARCHIVE);
    if !archive.exists() {
        println!("skipped: there is no {ARCHIVE}");
        return;
    }
    let dir = unpack(&archive).expect("the archive can be unpacked");
    let exceptions = Exceptions::listed().expect("the exceptions are well-formed");
    let options = Options { sample: Some(400), seed: 2, ..Options::default() };
    let report = corpus::run(&dir, &options, &exceptions).expect("the folder can be read");
    println!("{report}");
    assert!(report.is_clean(), "{report}");
}

/// Unpacks the archive under `target/corpus`, unless that has been done, and gives the folder that was in it.
fn unpack(archive: &Path) -> io::Result<PathBuf> {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../corpus");
    let (dir, done) = (target.join("dev"), target.join("dev.unpacked"));
    let version = format!("{} bytes", fs::metadata(archive)?.len());
    if fs::read_to_string(&done).is_ok_and(|text| text == version) {
        return Ok(dir);
    }
    fs::create_dir_all(&target)?;
    tar::Archive::new(GzDecoder::new(File::open(archive)?)).unpack(&target)?;
    fs::write(done, version)?;
    Ok(dir)
}
