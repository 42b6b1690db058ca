//! `objir reduce`: a smaller program on which a command behaves the same.

use std::fmt;

use object_core::reduce::Reducer;
use object_core::stats::GraphStats;
use object_core::visit::walk;
use object_core::{Any, Error, ErrorKind, Result, counted};
use object_ir::ir::{BaseFunc, Binding};
use object_relax::reduce::{is_whole, reduce, violates_no_more};
use object_relax::well_formed::{Checker, Profile};
use serde_json::{Value, json};

use crate::command_runs::{Behaviour, Runs, no_runs_left};
use crate::file_program::FileProgram;
use crate::input::Reading;
use crate::output::{Output, Verdict, print_remark};
use crate::progress::ProgressLine;
use crate::reduce_args::ReduceArgs;

pub(crate) fn run(args: &ReduceArgs, reading: &Reading, output: &Output) -> Result<Verdict> {
    let text = args.file.read(&reading.limits)?;
    let name = args.file.to_string();
    let program = FileProgram::of("reduce", &name, &text, reading).map_err(|error| args.file.name_in(error))?;
    let mut runs = Runs::new(&args.command, if program.is_script { ".py" } else { ".json" }, args.max_runs)?;
    let expected = expected(args, &text, &program, &mut runs)?;
    let before = Size::of(&program.graph.root);
    let (smallest, end) = smallest(args, &program, expected, &mut runs)?;
    let summary = Summary { before, after: Size::of(&smallest), runs: runs.count, end, behaviour: expected };
    if args.out.is_some() {
        output.show(&summary, || summary.to_json())?;
    } else {
        output.show_text(program.text(&smallest, program.has_script())?.trim_end())?;
        print_remark(&summary);
    }
    Ok(Verdict::Same)
}

/// The behaviour of the command on the original.
fn expected(args: &ReduceArgs, text: &[u8], program: &FileProgram, runs: &mut Runs<'_>) -> Result<Behaviour> {
    let first = runs.run(&[text])?[0];
    let unusable = |message: String| Err(Error::new(ErrorKind::Call, message));
    if first.is_not_run() && args.command.text.is_none() {
        let complaint = runs.first_complaint();
        return unusable(format!(
            "expected a command that the shell can run, but it {}: {complaint}",
            first.describe()
        ));
    }
    if !first.is_usable() {
        return unusable(format!("expected a command that behaves as wanted on the file, but it {}", first.describe()));
    }
    let second = runs.run(&[text])?[0];
    if first != second {
        let (first, second) = (first.describe(), second.describe());
        return unusable(format!(
            "expected a command that behaves the same in each run, but on the unchanged file it {first}, and then {second}"
        ));
    }
    let written = program.text(&program.graph.root, program.is_script)?;
    let rewritten = runs.run(&[written])?[0];
    if rewritten != first {
        let (first, second) = (first.describe(), rewritten.describe());
        return unusable(format!(
            "expected a command that depends on the program alone, but it {first} on the file, and {second} on the same program \
             as `objir` writes it"
        ));
    }
    Ok(first)
}

/// Why a reduction ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// No single part can go.
    Finished,
    /// `--max-runs` admits no more runs.
    NoRunsLeft,
    /// The user ends it.
    Interrupted,
}

/// The smallest program that the runs find, and why they end.
fn smallest(args: &ReduceArgs, program: &FileProgram, expected: Behaviour, runs: &mut Runs<'_>) -> Result<(Any, End)> {
    let root = &program.graph.root;
    let write = |smallest: &Any| args.out.as_deref().map_or(Ok(()), |out| program.write(smallest, out));
    write(root)?;
    let line = ProgressLine::new();
    let mut size = Size::of(root);
    let test = |candidates: &[Any]| {
        let texts = candidates.iter().enumerate();
        let texts = texts.filter_map(|(index, it)| Some((index, program.text(it, program.is_script).ok()?)));
        let (indices, texts): (Vec<usize>, Vec<String>) = texts.take(runs.left()).unzip();
        if runs.left() == 0 {
            return Err(no_runs_left());
        }
        line.show(format!("{} runs, {size}", runs.count));
        let behaviours = runs.run(&texts)?;
        let found = indices.into_iter().zip(behaviours).find(|(_, it)| *it == expected).map(|(index, _)| index);
        if let Some(index) = found {
            size = Size::of(&candidates[index]);
            write(&candidates[index])?;
        }
        Ok(found)
    };
    let is_valid =
        program.version.map(|version| violates_no_more(root, Checker::new().profile(Profile::of(version)).limit(0)));
    let is_valid = |candidate: &Any| is_valid.as_ref().is_none_or(|is_valid| is_valid(candidate));
    let mut reducer = Reducer::in_batches(root.clone(), args.jobs.into(), test).valid(is_valid).whole(is_whole);
    let reduced = reduce(&mut reducer);
    let smallest = reducer.into_value();
    let end = match reduced {
        Ok(()) => End::Finished,
        Err(_) if runs.is_interrupted() => End::Interrupted,
        Err(_) if runs.left() == 0 => End::NoRunsLeft,
        Err(error) => return Err(error),
    };
    Ok((smallest, end))
}

/// The size of a program.
struct Size {
    bindings: usize,
    functions: usize,
    objects: usize,
}

impl Size {
    fn of(root: &Any) -> Self {
        let (mut bindings, mut functions) = (0, 0);
        walk(root, |_: &Binding, _| bindings += 1);
        walk(root, |_: &BaseFunc, _| functions += 1);
        Size { bindings, functions, objects: GraphStats::of(root).nodes }
    }

    fn to_json(&self) -> Value {
        json!({"bindings": self.bindings, "functions": self.functions, "objects": self.objects})
    }
}

/// `2 bindings, 1 function, 40 objects`.
impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Size { bindings, functions, objects } = self;
        if *functions > 0 {
            write!(f, "{}, {}, ", counted(*bindings, "binding"), counted(*functions, "function"))?;
        }
        f.write_str(&counted(*objects, "object"))
    }
}

/// The outcome of the command.
struct Summary {
    before: Size,
    after: Size,
    runs: usize,
    end: End,
    behaviour: Behaviour,
}

impl Summary {
    fn to_json(&self) -> Value {
        json!({
            "before": self.before.to_json(),
            "after": self.after.to_json(),
            "runs": self.runs,
            "finished": self.end == End::Finished,
            "interrupted": self.end == End::Interrupted,
            "behaviour": self.behaviour.describe(),
        })
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Summary { before, after, runs, end, behaviour } = self;
        let counts = [
            ("bindings", before.bindings, after.bindings),
            ("functions", before.functions, after.functions),
            ("objects", before.objects, after.objects),
        ];
        for (noun, before, after) in counts.into_iter().filter(|(_, before, _)| *before > 0) {
            write!(f, "{before} -> {after} {noun}, ")?;
        }
        write!(f, "{runs} runs")?;
        f.write_str(match end {
            End::Finished => "",
            End::NoRunsLeft => ", the most that `--max-runs` admits; more may find a smaller program",
            End::Interrupted => ", and then Ctrl-C; this is the smallest program so far",
        })?;
        write!(f, "; the command {}, as on the original", behaviour.describe())
    }
}
