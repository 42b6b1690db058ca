//! [`Runs`]: the runs of a command of the user on programs.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use clap::Args as ClapArgs;
use memchr::memmem;
use object_core::{Error, ErrorKind, Result};
use tempfile::TempDir;

use crate::ctrl_c::CtrlC;

/// The time between two looks at a process that runs.
const PERIOD: Duration = Duration::from_millis(2);

/// The longest run without `--timeout`. An option with a default value would count as given.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The command, as options.
#[derive(ClapArgs)]
pub(crate) struct CommandArgs {
    /// The command, for the shell. The path of a file takes the place of each `{}`, or stands at the end.
    #[arg(long, value_name = "COMMAND", required = false)]
    pub(crate) test: String,

    /// The standard output or the standard error of the command contains this text, too.
    #[arg(long = "match", value_name = "TEXT", requires = "test")]
    pub(crate) text: Option<String>,

    /// The largest number of seconds for a run, which then ends and counts as a run without the behaviour [default: 60].
    #[arg(long, value_name = "SECONDS", requires = "test")]
    pub(crate) timeout: Option<u64>,
}

/// The behaviour of the command in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Behaviour {
    /// The exit code; `None` if the run took too long.
    code: Option<i32>,
    /// Whether the output has the text of `--match`.
    has_text: bool,
}

impl Behaviour {
    /// The behaviour for people.
    pub(crate) fn describe(self) -> String {
        let Some(code) = self.code else { return "takes longer than `--timeout`".to_owned() };
        format!("ends with exit code {code}{}", if self.has_text { "" } else { ", without the text of `--match`" })
    }

    /// Whether this is the failure that the options describe: the text of `--match`, or else another exit code than 0.
    pub(crate) fn is_failure(self, args: &CommandArgs) -> bool {
        if args.text.is_some() { self.has_text } else { self.code != Some(0) }
    }

    /// Whether the shell did not run the command, because it is not there or not a program.
    pub(crate) fn is_not_run(self) -> bool {
        matches!(self.code, Some(126 | 127))
    }

    /// Whether a program can be reduced that shows this behaviour.
    pub(crate) fn is_usable(self) -> bool {
        self.code.is_some() && self.has_text
    }
}

/// The runs of the command.
pub(crate) struct Runs<'a> {
    args: &'a CommandArgs,
    /// The name of a program's file.
    name: String,
    folder: TempDir,
    /// The largest number of runs.
    max: usize,
    /// The number of runs so far.
    pub(crate) count: usize,
    ctrl_c: CtrlC,
}

impl<'a> Runs<'a> {
    /// No runs, of which at most `max` follow. The files of programs have a name with the ending `suffix`.
    ///
    /// # Errors
    /// [`Io`](ErrorKind::Io) if the system makes no folder for temporary files, or does not report signals.
    pub(crate) fn new(args: &'a CommandArgs, suffix: &str, max: usize) -> Result<Self> {
        Ok(Runs {
            args,
            name: format!("program{suffix}"),
            folder: TempDir::new()?,
            max,
            count: 0,
            ctrl_c: CtrlC::new()?,
        })
    }

    /// Whether Ctrl-C ended the runs.
    pub(crate) fn is_interrupted(&self) -> bool {
        self.ctrl_c.came()
    }

    /// The first line that the command wrote on its standard error in the last run of one text.
    pub(crate) fn first_complaint(&self) -> String {
        let text = fs::read(self.folder.path().join("0/stderr")).unwrap_or_default();
        String::from_utf8_lossy(&text).lines().next().unwrap_or_default().to_owned()
    }

    /// The number of runs that may follow.
    pub(crate) fn left(&self) -> usize {
        self.max.saturating_sub(self.count)
    }

    /// Runs the command on these texts, all at one time.
    ///
    /// # Errors
    /// [`Io`](ErrorKind::Io) if a file cannot be written or the shell does not start, and [`Call`](ErrorKind::Call) after Ctrl-C,
    /// which ends the command.
    pub(crate) fn run(&mut self, texts: &[impl AsRef<[u8]> + Sync]) -> Result<Vec<Behaviour>> {
        self.count += texts.len();
        let one = |(slot, text)| self.run_one(slot, text);
        thread::scope(|scope| {
            let runs: Vec<_> =
                texts.iter().map(AsRef::as_ref).enumerate().map(|it| scope.spawn(move || one(it))).collect();
            let join = |run: thread::ScopedJoinHandle<'_, Result<Behaviour>>| {
                run.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            runs.into_iter().map(join).collect()
        })
    }

    /// Runs the command in a folder of its own.
    fn run_one(&self, slot: usize, text: &[u8]) -> Result<Behaviour> {
        let folder = self.folder.path().join(slot.to_string());
        fs::create_dir_all(&folder)?;
        let program = folder.join(&self.name);
        fs::write(&program, text)?;
        // Files, because a process below the command can keep a pipe open after its end.
        let outputs = [folder.join("stdout"), folder.join("stderr")];
        let [stdout, stderr] = [File::create(&outputs[0])?, File::create(&outputs[1])?];
        let mut shell = self.shell(&program);
        let child = shell.stdin(Stdio::null()).stdout(stdout).stderr(stderr).spawn();
        let child = child.map_err(|error| Error::from(error).context("the shell `sh`"))?;
        let status = self.end(child, self.args.timeout.map_or(TIMEOUT, Duration::from_secs))?;
        let has_text = match &self.args.text {
            Some(text) => {
                let [stdout, stderr] = [fs::read(&outputs[0])?, fs::read(&outputs[1])?];
                [stdout, stderr].iter().any(|output| memmem::find(output, text.as_bytes()).is_some())
            }
            None => true,
        };
        Ok(Behaviour { code: status.map(code), has_text })
    }

    /// The shell with the command for a file, in a group of processes, which the end of a run ends as a whole.
    fn shell(&self, program: &Path) -> Command {
        let path = format!("'{}'", program.display().to_string().replace('\'', r"'\''"));
        let test = &self.args.test;
        let line = if test.contains("{}") { test.replace("{}", &path) } else { format!("{test} {path}") };
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(line);
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut shell, 0);
        shell
    }

    /// Waits for the end of a run; `None` if it takes longer than `timeout`.
    fn end(&self, mut child: Child, timeout: Duration) -> Result<Option<ExitStatus>> {
        let start = Instant::now();
        loop {
            if let Some(status) = child.try_wait()? {
                return Ok(Some(status));
            }
            let is_interrupted = self.ctrl_c.check();
            if is_interrupted.is_err() || start.elapsed() > timeout {
                kill(&mut child);
                child.wait()?;
                return is_interrupted.map(|()| None);
            }
            thread::sleep(PERIOD.max(start.elapsed() / 50).min(Duration::from_millis(50)));
        }
    }
}

/// Ends a run. It may have ended by itself, so a failure does not matter.
fn kill(child: &mut Child) {
    #[cfg(unix)]
    if let Some(group) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    let _ = child.kill();
}

/// The exit code as a shell states it: 128 and the number of the signal for a process that a signal ended.
fn code(status: ExitStatus) -> i32 {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return 128 + signal;
    }
    status.code().unwrap_or(-1)
}

/// The error of a test when the runs are used up.
pub(crate) fn no_runs_left() -> Error {
    Error::new(ErrorKind::LimitExceeded, "the runs of `--max-runs` are used up")
}
