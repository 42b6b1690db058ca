//! Each command on hostile inputs, within limits of address space and CPU time: it ends with a documented exit code, without
//! a signal or a panic, and its messages are bounded.
//!
//! `HOSTILE_BYTES=10000000` makes larger inputs, which go to each command, `HOSTILE_NAME=script` only those whose names contain
//! `script`, and `HOSTILE_PROGRAM` names another `objir`, such as a release build. With `--nocapture`, the test prints a line
//! for each run.

mod files;
mod texts;

use std::env;
use std::ffi::OsString;
use std::fmt::Write;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::harness::{program, root};

/// The folder of the tables and of small inputs, from the root of the workspace.
const SEEDS: &str = "object-cli/tests/data/hostile";

/// The size of inputs.
const SMALL: usize = 10_000;

/// The address space of a run in KiB, and its CPU time in seconds, beside those for each megabyte of the input.
const SPACE: usize = 2 << 20;
const SPACE_PER_MB: usize = 400 << 10;
const TIME: usize = 10;
const TIME_PER_MB: usize = 10;

/// The most bytes of the messages: by default, the limit of a message is 4000 characters, and two files have one each.
const MOST_MESSAGES: usize = 10_000;

/// The most bytes of a result, for each byte of the input and at all.
const MOST_RESULT: [usize; 2] = [200, 10_000_000];

/// The memory that a run may take for texts and values in megabytes, beside that for each megabyte of the input: less than the
/// address space, so the limit ends a run before an allocation fails, because texts of shared objects are exponential; and
/// more than eight times the input, which is the largest file by default.
const MEMORY: usize = 32;
const MEMORY_PER_MB: usize = 32;

/// With inputs of the default size, each input goes to one of so many commands of its class, in turns.
const SHARE: usize = 8;

/// An input and a command.
struct Case {
    input: String,
    path: PathBuf,
    size: usize,
    command: String,
}

/// The program, by its path.
fn tested_program() -> OsString {
    env::var_os("HOSTILE_PROGRAM").unwrap_or_else(|| program().get_program().to_owned())
}

fn size() -> usize {
    env::var("HOSTILE_BYTES").map_or(SMALL, |size| size.parse().expect("a number of bytes"))
}

/// The lines of the table of commands for a class.
fn commands<'a>(table: &'a str, class: &str) -> Vec<&'a str> {
    let found = |line: &'a str| line.strip_prefix(class)?.strip_prefix(": ");
    let found: Vec<&str> = table.lines().filter_map(found).collect();
    assert!(!found.is_empty(), "no commands for the class `{class}`");
    found
}

/// All inputs, written to files, with the commands of their classes.
fn cases() -> Vec<Case> {
    let table = |name: &str| fs::read_to_string(root().join(SEEDS).join(name)).expect("the table is there");
    let (texts, lines) = (texts::rows(&table("texts.txt")), table("commands.txt"));
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("hostile");
    fs::create_dir_all(&folder).expect("a folder");
    let selected = env::var("HOSTILE_NAME").unwrap_or_default();
    let texts = texts.iter().map(|row| (row.name.clone(), row.class.clone(), row.bytes(size())));
    let files =
        files::FILES.iter().map(|(name, class, content)| ((*name).to_owned(), (*class).to_owned(), content(size())));
    let mut cases = Vec::new();
    let inputs = texts.chain(files).filter(|(name, ..)| name.contains(&selected)).enumerate();
    for (turn, (name, class, content)) in inputs {
        let path = folder.join(&name);
        fs::write(&path, &content).expect("a writable folder");
        let commands = commands(&lines, &class);
        let share = if env::var_os("HOSTILE_BYTES").is_some() { 1 } else { SHARE.min(commands.len()) };
        for (number, command) in commands.into_iter().enumerate() {
            if (number + turn) % share != 0 {
                continue;
            }
            let (input, command) = (name.clone(), command.to_owned());
            cases.push(Case { input, path: path.clone(), size: content.len(), command });
        }
    }
    cases
}

impl Case {
    /// Runs the command within the limits.
    fn run(&self, number: usize) -> (Output, Duration) {
        let file = self.path.display().to_string();
        let out = self.path.with_file_name(format!("out-{number}")).display().to_string();
        let text = || fs::read_to_string(&self.path).expect("a text");
        let argument = |word: &str| {
            let word = word.replace("FILE", &file).replace("OUT", &out).replace("SEEDS", SEEDS);
            if word.contains("TEXT") { word.replace("TEXT", &text()) } else { word }
        };
        let megabytes = self.size.div_ceil(1_000_000);
        let (space, time) = (SPACE + SPACE_PER_MB * megabytes, TIME + TIME_PER_MB * megabytes);
        let memory = format!("{}M", MEMORY + MEMORY_PER_MB * megabytes);
        let limits = format!("ulimit -c 0; ulimit -v {space}; ulimit -t {time}; exec \"$@\"");
        let mut shell = Command::new("sh");
        shell.args(["-c", &limits, "sh"]).arg(tested_program()).args(["--max-memory", &memory]);
        shell.args(self.command.split(' ').map(argument)).current_dir(root()).stdin(Stdio::null());
        let start = Instant::now();
        let output = shell.output().expect("the shell runs");
        let elapsed = start.elapsed();
        for ending in ["json", "html", "svg", "dot", "h", "py", "rs"] {
            let _ = fs::remove_file(format!("{out}.{ending}"));
        }
        (output, elapsed)
    }

    /// The part of the law that a run broke.
    fn fault(&self, output: &Output) -> Option<String> {
        let messages = String::from_utf8_lossy(&output.stderr);
        let [factor, most] = MOST_RESULT;
        if let Some(signal) = output.status.signal() {
            return Some(format!("signal {signal}"));
        }
        if messages.contains("this is a defect of objir") {
            return Some("a panic".to_owned());
        }
        match output.status.code() {
            Some(0..=3) => {}
            code => return Some(format!("exit code {code:?}")),
        }
        // With `--json`, errors are on standard output.
        let has_errors = || String::from_utf8_lossy(&output.stdout).contains("\"message\":");
        if output.status.code() == Some(2) && messages.is_empty() && !has_errors() {
            return Some("an error without message".to_owned());
        }
        if messages.len() > MOST_MESSAGES {
            return Some(format!("{} bytes of messages", messages.len()));
        }
        let result = output.stdout.len();
        (result > most + factor * self.size).then(|| format!("{result} bytes of results"))
    }
}

#[test]
fn commands_survive_hostile_inputs() {
    let cases = cases();
    let (next, faults) = (AtomicUsize::new(0), Mutex::new(String::new()));
    let work = || {
        while let Some((number, case)) =
            Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|it| Some((it, cases.get(it)?)))
        {
            let (output, elapsed) = case.run(number);
            let fault = case.fault(&output);
            let Case { input, command, size, .. } = case;
            let code = output.status.code().map_or("-".to_owned(), |code| code.to_string());
            let shown = fault.as_deref().unwrap_or("kept");
            let row = format!("{input} ({size} bytes): {command}: {code}, {:.1} s: {shown}", elapsed.as_secs_f64());
            println!("{row}");
            if fault.is_some() {
                let start: String = String::from_utf8_lossy(&output.stderr).chars().take(400).collect();
                let _ = writeln!(faults.lock().unwrap_or_else(PoisonError::into_inner), "{row}\n    {start}");
            }
        }
    };
    thread::scope(|scope| {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        (0..threads).for_each(|_| drop(scope.spawn(work)));
    });
    let faults = faults.into_inner().unwrap_or_else(PoisonError::into_inner);
    assert!(faults.is_empty(), "of {} runs, these break the law:\n{faults}", cases.len());
}
