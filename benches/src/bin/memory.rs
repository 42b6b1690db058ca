//! Measures the memory of a graph for `measure/peer.py`: loads a JSON file several times and prints one JSON line with
//! the growth of the resident memory per copy, in bytes.
//!
//!     memory FILE

#![forbid(unsafe_code)]

use std::process::ExitCode;

use object_core::json::JsonReader;
use object_ir as _;

/// The number of bytes of text to load, because memory grows in pages. One more copy is loaded before, so that the
/// growth excludes the memory of the reader itself. `measure/peer.py` does the same with TVM.
const TEXT_BYTES: usize = 64 << 20;

fn main() -> ExitCode {
    match measure() {
        Ok(bytes) => {
            println!(r#"{{"op": "memory", "bytes": {bytes}}}"#);
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("memory: {message}");
            ExitCode::from(2)
        }
    }
}

fn measure() -> Result<u64, String> {
    let path = std::env::args().nth(1).ok_or("usage: memory FILE")?;
    let text = object_benches::read(path.as_ref()).map_err(|error| format!("{path}: {error}"))?;
    let load = || JsonReader::new().read(&text).map_err(|error| format!("{path}: {error}"));
    let copies = 2 + TEXT_BYTES / text.len().max(1);
    let mut loaded = Vec::with_capacity(copies + 1);
    loaded.push(load()?);
    let before = resident()?;
    for _ in 0..copies {
        loaded.push(load()?);
    }
    let grown = resident()?.saturating_sub(before);
    drop(loaded);
    Ok(grown / copies as u64)
}

/// The resident memory of this process in bytes.
fn resident() -> Result<u64, String> {
    let status = std::fs::read_to_string("/proc/self/status").map_err(|error| format!("/proc/self/status: {error}"))?;
    let kilobytes = status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.trim().strip_suffix("kB"));
    let number = kilobytes.and_then(|number| number.trim().parse::<u64>().ok());
    number.map(|number| number * 1024).ok_or_else(|| "/proc/self/status has no line `VmRSS`".to_owned())
}
