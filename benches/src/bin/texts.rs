//! Reads a text of a language `TIMES` times, and prints the number of its bytes: a circuit in the language that the tests of
//! object-syntax declare, by its formats, or a module of TVMScript, by the reader that is written by hand.
//!
//!     valgrind --tool=callgrind --callgrind-out-file=/dev/null texts circuit|script BYTES TIMES
//!
//! The difference of two runs is the reading, because only the number of readings differs. A text has at least `BYTES` bytes.

#![forbid(unsafe_code)]

use std::fmt::Write;
use std::hint::black_box;
use std::process::ExitCode;

use object_benches as workloads;
use object_syntax::Language;

#[path = "../../../object-syntax/tests/languages/hardware.rs"]
#[allow(missing_docs, reason = "the fields of the language speak for themselves")]
mod hardware;

fn main() -> ExitCode {
    match run() {
        Ok(bytes) => {
            println!("{bytes}");
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("texts: {message}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<usize, String> {
    const USAGE: &str = "usage: texts circuit|script BYTES TIMES";
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, bytes, times] = &arguments[..] else { return Err(USAGE.into()) };
    let (bytes, times): (usize, usize) = bytes.parse().ok().zip(times.parse().ok()).ok_or(USAGE)?;
    match name.as_str() {
        "circuit" => {
            let language = Language::of::<hardware::Circuit>().map_err(|error| error.to_string())?;
            let text = circuit(bytes);
            for _ in 0..times {
                let parsed = language.parse(black_box(&text)).map_err(|errors| errors.to_string())?;
                drop(black_box(parsed));
            }
            Ok(text.len())
        }
        "script" => {
            let text = script(bytes);
            for _ in 0..times {
                let module = object_script::parse::parse(black_box(&text)).map_err(|errors| errors.to_string())?;
                drop(black_box(module));
            }
            Ok(text.len())
        }
        _ => Err(USAGE.into()),
    }
}

/// Modules with every form of the language.
fn circuit(bytes: usize) -> String {
    let mut text = "circuit {\n".to_owned();
    for index in 0.. {
        if text.len() >= bytes {
            break;
        }
        // Writing to memory does not fail.
        let _ = write!(
            text,
            "    // module {index}
    module Stage{index}(clock: Clock, left: UInt<8>, right: UInt<8>) -> (sum: UInt<9>, wires: Bundle{{\"x\": UInt<1>}}) {{
        reg state: UInt<8> = left + right + {index};
        reg other: UInt<16>;
        sum := xor(left, state + 1, and(right, other)) {{annotations = {{\"line\": {index}}}}};
        when not(left) {{
            state := left;
            other := state + (right + 7);
        }} else {{
            state := %{index} = or(left, right);
            when right {{
                other := and(left, right);
            }}
        }}
    }}
"
        );
    }
    text + "}\n"
}

/// Functions of Relax with one operator in each binding.
fn script(bytes: usize) -> String {
    let text = |functions| object_script::print::print(&workloads::relax_module(functions, 100).build(0)).to_string();
    let each = text(2).len() - text(1).len();
    text(bytes / each + 1)
}
