//! The command line: commands, their options and their help.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use object_core::DataType;
use object_core::limits::Limits;
use object_core::meter::{ByteSize, Meter};
use object_core::structural::{Scopes, StructuralOptions};
use object_relax::well_formed::{Phase, Profile, Rule, find_rule};
use object_script::print::ScriptPrinter;

use crate::codegen_args::CodegenArgs;
use crate::run_args::RunArgs;
use crate::source::Source;
use crate::tvm_arg::TvmArg;

/// Inspects, compares, hashes and checks files in TVM's JSON graph format and in TVMScript.
#[derive(Parser)]
#[command(
    version,
    after_help = "FILE is a JSON graph or a script, and may be gzipped; `-` is standard input.\n\
    `hash`, `check` and `diff` also take folders and patterns such as 'models/**/*.json'.\n\
    Exit codes: 0 for success or equal graphs, 1 for a difference or an ill-formed program, 2 for an error,\n\
    3 for runs that do not tell whether their results differ."
)]
pub(crate) struct Args {
    /// The command to run.
    #[command(subcommand)]
    pub(crate) command: Command,

    /// Write JSON instead of text.
    #[arg(long, global = true)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) types: TypeArgs,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

/// The limits of memory and work. The defaults are for files from strangers.
#[derive(ClapArgs)]
#[command(next_help_heading = "Limits")]
pub(crate) struct LimitArgs {
    /// The memory of all texts, pages, results, arrays and tensors at one time, in bytes or with a suffix: 512M, 8G.
    #[arg(long, global = true, value_name = "SIZE", default_value_t = ByteSize(2 << 30))]
    max_memory: ByteSize,

    /// The largest number of bytes of a file, unpacked. The default is an eighth of `--max-memory`: 256M.
    #[arg(long, global = true, value_name = "SIZE")]
    max_bytes: Option<ByteSize>,

    /// The largest number of nodes of a graph, with the elements of its lists. A value in a schema counts as 16. The default
    /// is one for each 107 bytes of `--max-memory`: 20 million.
    #[arg(long, global = true, value_name = "N")]
    max_nodes: Option<u64>,

    /// The largest number of objects on a path from the root of a graph.
    #[arg(long, global = true, value_name = "N", default_value_t = Limits::untrusted().max_depth)]
    max_depth: u64,

    /// The largest number of steps of an operation: of objects and references that it visits.
    #[arg(long, global = true, value_name = "N", default_value_t = Limits::untrusted().max_steps)]
    max_steps: u64,

    /// The largest number of characters of an error message; a longer message loses its middle.
    #[arg(long, global = true, value_name = "N", default_value_t = Limits::new().max_message)]
    max_message: usize,

    /// The largest edit distance of two arrays for which `diff` finds the shortest edit.
    #[arg(long, global = true, value_name = "N", default_value_t = Limits::untrusted().max_edit_distance)]
    max_edit_distance: usize,
}

impl LimitArgs {
    /// The limits that these arguments choose. Without other arguments, the memory is a multiple of the text and of the nodes
    /// as in [`Limits::untrusted`].
    pub(crate) fn limits(&self) -> Limits {
        let ByteSize(memory) = self.max_memory;
        Limits::untrusted()
            .max_bytes(self.max_bytes.map_or(memory / 8, |ByteSize(bytes)| bytes))
            .max_nodes(self.max_nodes.unwrap_or(memory / 107))
            .max_depth(self.max_depth)
            .max_steps(self.max_steps)
            .max_message(self.max_message)
            .max_edit_distance(self.max_edit_distance)
    }

    /// The account of memory of the process.
    pub(crate) fn meter(&self) -> Meter {
        Meter::with_limit(self.max_memory.0)
    }
}

/// The options that select the types.
#[derive(ClapArgs)]
pub(crate) struct TypeArgs {
    /// Take types that this program does not have from a schema: the output of `objir schema`, or TVM's recorded types.
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) schema: Option<Source>,

    /// Take types whose keys begin with PREFIX from the schema even if this program has them.
    #[arg(long, global = true, value_name = "PREFIX", requires = "schema")]
    pub(crate) dynamic_only: Vec<String>,

    /// Read all files with the types of this version of TVM: 0.25, 0.27, or a file with the types of another version: the
    /// output of `objir schema`, or TVM's recorded types. Without it, each file says which version wrote it.
    #[arg(long, global = true, value_name = "VERSION", conflicts_with = "schema")]
    pub(crate) tvm: Option<TvmArg>,

    /// Compare types of a schema by their fields if code compares them and this program does not have the code.
    #[arg(long, global = true)]
    pub(crate) custom_by_fields: bool,
}

/// The commands.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Show the size of a graph, how much of it is shared, and its types.
    Stats(StatsArgs),
    /// Print the structural hashes of graphs: the same in every process and on every machine.
    Hash(HashArgs),
    /// Compare two graphs structurally, and show the differences. Or compare the graphs of two folders, by their names.
    Diff(DiffArgs),
    /// Check whether programs are well-formed, and show every violation; one line for each file of a folder.
    Check(CheckArgs),
    /// Put a program into normal form: no nested expressions, and structural information everywhere.
    Normalize(ProgramArgs),
    /// Fill in the structural information of a program, and check the one that it states.
    Infer(ProgramArgs),
    /// Replace what the patterns of rules match in a program, until no rule applies.
    Rewrite(RewriteArgs),
    /// Load a file and save it again, and check that the bytes are the same.
    Roundtrip(RoundtripArgs),
    /// Print a file as TVMScript, as TVM does.
    Print(PrintArgs),
    /// Run a function of a module with given or random arguments, and print the result, or compare the results of two
    /// modules.
    Run(RunArgs),
    /// Read a script, and write it as a JSON graph.
    Parse(ParseArgs),
    /// Format the scripts of Python files as `print` writes them. Everything else stays as it is, and a script that cannot keep
    /// something is an error.
    Fmt(FmtArgs),
    /// Draw a graph: a box for each object, with arrows to its children.
    Draw(DrawArgs),
    /// Measure the operations on files: CPU time, median of many repeats.
    ///
    /// A repeat runs the operation once on each file. With many different files, the processor predicts branches as badly
    /// as in a program that reads a file once; with one file, it learns them.
    ///
    /// The operations are load; save; equal, mismatch and hash of two loads; walk and mutate, which visit every object
    /// once without a callback; copy, which is deep and keeps sharing; drop; if the graph has a free variable, substitute,
    /// which replaces the first one by a new variable; print and parse, which write and read its script; and, if the graph
    /// is a program of Relax, derive, which fills in its structural information, normalize, which puts it into normal form,
    /// and check; and, if all entries of the module run with random arguments, run, which calls each of them.
    Bench(BenchArgs),
    /// Print all types as a schema in JSON: keys, parents, fields, kinds, documentation.
    Schema(SchemaArgs),
    /// Generate C++, Python or Rust from a schema, as a whole file or in place in files with hand-written parts.
    ///
    /// Regions in place begin with `// tschema: NAME` and end with `// tschema: end`. Lines between `// tschema:
    /// custom-begin` and `// tschema: custom-end` stay, and move to the end of the class. In Python, a marker begins
    /// with `#`. If any file has a fault, no file changes.
    Codegen(CodegenArgs),
}

/// `objir schema`.
#[derive(ClapArgs)]
pub(crate) struct SchemaArgs {
    /// Print only types whose keys begin with one of these.
    pub(crate) prefixes: Vec<String>,

    /// Print the JSON Schema of the format instead.
    #[arg(long, conflicts_with = "prefixes")]
    pub(crate) format: bool,
}

/// `objir check`.
#[derive(ClapArgs)]
pub(crate) struct CheckArgs {
    /// The files, folders, patterns, or `-`.
    #[arg(required_unless_present = "explain", value_name = "FILE")]
    pub(crate) files: Vec<Source>,

    /// Check the rules of this phase and of earlier phases: ast, normal or typed.
    #[arg(long, default_value_t = Phase::Typed, value_parser = phase)]
    pub(crate) phase: Phase,

    /// Check what another implementation checks: tvm-0.25.
    #[arg(long, value_parser = Profile::find)]
    pub(crate) profile: Option<Profile>,

    /// Do not report violations of this rule.
    #[arg(long, value_name = "RULE", value_parser = find_rule, value_delimiter = ',')]
    pub(crate) allow: Vec<&'static Rule>,

    /// Report violations of this rule as warnings.
    #[arg(long, value_name = "RULE", value_parser = find_rule, value_delimiter = ',')]
    pub(crate) warn: Vec<&'static Rule>,

    /// Report violations of this rule as errors.
    #[arg(long, value_name = "RULE", value_parser = find_rule, value_delimiter = ',')]
    pub(crate) deny: Vec<&'static Rule>,

    /// Print the text, the source and two examples of a rule, and check nothing.
    #[arg(long, value_name = "RULE", value_parser = find_rule, conflicts_with = "files")]
    pub(crate) explain: Option<&'static Rule>,

    /// The largest number of violations to show for a file.
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(crate) limit: usize,
}

/// The phase of this name.
fn phase(name: &str) -> Result<Phase, String> {
    let names = Phase::ALL.map(Phase::name).join(", ");
    Phase::ALL.into_iter().find(|phase| phase.name() == name).ok_or_else(|| format!("the phases are {names}"))
}

/// `objir normalize` and `objir infer`.
#[derive(ClapArgs)]
pub(crate) struct ProgramArgs {
    /// The file of a module, a function or another expression, or `-`.
    pub(crate) file: Source,

    /// Write the program into this file, packed if its name ends in .gz, and print a summary. Without it, the program is
    /// the output.
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,
}

/// `objir rewrite`.
#[derive(ClapArgs)]
pub(crate) struct RewriteArgs {
    #[command(flatten)]
    pub(crate) program: ProgramArgs,

    /// The rules: each is the file of a module with the functions `pattern` and `replacement`, which have the same
    /// parameters. Of several rules for one binding, the first one applies.
    #[arg(long, value_name = "RULE", required = true, num_args = 1..)]
    pub(crate) rules: Vec<Source>,
}

/// `objir roundtrip`.
#[derive(ClapArgs)]
pub(crate) struct RoundtripArgs {
    /// The file, or `-`.
    pub(crate) file: Source,
}

/// `objir stats`.
#[derive(ClapArgs)]
pub(crate) struct StatsArgs {
    /// The files, folders, patterns, or `-`.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<Source>,

    /// The number of types to list, the most frequent first; 0 for all.
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) top: usize,
}

/// `objir hash`.
#[derive(ClapArgs)]
pub(crate) struct HashArgs {
    /// The files, folders, patterns, or `-`.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<Source>,

    #[command(flatten)]
    pub(crate) options: StructuralArgs,
}

/// `objir diff`.
#[derive(ClapArgs)]
pub(crate) struct DiffArgs {
    /// The first file, folder or pattern, or `-`.
    pub(crate) a: Source,

    /// The second file, folder or pattern, or `-`.
    pub(crate) b: Source,

    /// The maximal number of differences to show. The default is 20, and 1000 on a page.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) limit: Option<u32>,

    /// Write a page that shows both scripts side by side, besides the text.
    #[arg(long, value_name = "FILE", conflicts_with = "first")]
    pub(crate) html: Option<PathBuf>,

    /// Show only the first mismatch, with arrays compared by index.
    #[arg(long, conflicts_with = "limit")]
    pub(crate) first: bool,

    #[command(flatten)]
    pub(crate) options: StructuralArgs,
}

/// `objir print`.
#[derive(ClapArgs)]
pub(crate) struct PrintArgs {
    /// The file, or `-`.
    pub(crate) file: Source,

    /// Print the tensors and other values that the text refers to as `metadata[...]`, before the text.
    #[arg(long)]
    pub(crate) show_meta: bool,

    /// Begin each line with its number.
    #[arg(long)]
    pub(crate) line_numbers: bool,

    /// Write the script as a page to a file, instead of as text to standard output.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["line_numbers", "json"])]
    pub(crate) html: Option<PathBuf>,

    /// The name of the module or function.
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,

    /// The number of spaces for each level of indentation.
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub(crate) indent: usize,

    /// Leave out structural information that the values of bindings determine.
    #[arg(long)]
    pub(crate) hide_struct_info: bool,

    /// Print for people: small tensors as their values, large ones as their shapes, no data types of constants, and nothing
    /// that other parts of the text determine. The text is not byte for byte the one of TVM, and may not parse.
    #[arg(long)]
    pub(crate) readable: bool,

    /// Print a text that reads back as the same value, also where the text of TVM leaves out facts.
    #[arg(long, conflicts_with_all = ["readable", "html", "line_numbers", "hide_struct_info"])]
    pub(crate) exact: bool,

    /// Use no short forms, such as `T.grid` for nested loops.
    #[arg(long)]
    pub(crate) no_sugar: bool,

    /// Print an expression with the declarations of its free variables.
    #[arg(long)]
    pub(crate) verbose: bool,

    /// The name for the module inside of its functions; empty for the name of the module.
    #[arg(long, value_name = "NAME", default_value = "cls")]
    pub(crate) module_alias: String,

    /// The prefix of module-level names.
    #[arg(long, value_name = "NAME", default_value = "I")]
    pub(crate) ir_prefix: String,

    /// The prefix of names of TIR.
    #[arg(long, value_name = "NAME", default_value = "T")]
    pub(crate) tir_prefix: String,

    /// The prefix of names of Relax.
    #[arg(long, value_name = "NAME", default_value = "R")]
    pub(crate) relax_prefix: String,

    /// The data type of integers that print without data type in TIR.
    #[arg(long, value_name = "DTYPE", default_value = "int32")]
    pub(crate) int_dtype: DataType,

    /// The data type of floating-point numbers that print without data type; none by default.
    #[arg(long, value_name = "DTYPE", default_value = "")]
    pub(crate) float_dtype: DataType,
}

impl PrintArgs {
    /// The printer that these arguments describe.
    pub(crate) fn printer(&self) -> ScriptPrinter {
        let printer = ScriptPrinter::new()
            .show_meta(self.show_meta)
            .indent_spaces(self.indent)
            .show_all_struct_info(!self.hide_struct_info)
            .syntax_sugar(!self.no_sugar)
            .verbose_expr(self.verbose)
            .module_alias(&*self.module_alias)
            .ir_prefix(&*self.ir_prefix)
            .tir_prefix(&*self.tir_prefix)
            .relax_prefix(&*self.relax_prefix)
            .int_dtype(self.int_dtype)
            .float_dtype(self.float_dtype);
        let printer = if self.readable { printer.readable() } else { printer };
        match &self.name {
            Some(name) => printer.name(&**name),
            None => printer,
        }
    }
}

/// `objir parse`.
#[derive(ClapArgs)]
pub(crate) struct ParseArgs {
    /// The file, or `-`.
    pub(crate) file: Source,

    /// Write to this file instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// `objir fmt`.
#[derive(ClapArgs)]
pub(crate) struct FmtArgs {
    /// The files, folders, patterns, or `-`. Of folders and patterns, it takes the scripts.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<Source>,

    /// Write to the files instead of standard output.
    #[arg(short, long, conflicts_with = "check")]
    pub(crate) write: bool,

    /// Write nothing, name the files that are not formatted, and exit with 1 if there is one.
    #[arg(long)]
    pub(crate) check: bool,

    /// Write nothing, show the changes as a unified diff, and exit with 1 if there is one.
    #[arg(long, conflicts_with_all = ["write", "check"])]
    pub(crate) diff: bool,

    /// The number of spaces for each level of indentation.
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub(crate) indent: usize,
}

/// `objir draw`.
#[derive(ClapArgs)]
pub(crate) struct DrawArgs {
    /// The file, or `-`.
    pub(crate) file: Source,

    /// Write the picture to this file instead of standard output.
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,

    /// The format of the picture.
    #[arg(long, value_enum, default_value_t = PictureFormat::Svg)]
    pub(crate) format: PictureFormat,

    /// The largest number of boxes. One further box stands for all other objects.
    #[arg(long, value_name = "N", default_value_t = 300)]
    pub(crate) boxes: usize,
}

/// The formats of pictures.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum PictureFormat {
    /// A text for Graphviz.
    Dot,
    /// A picture.
    Svg,
    /// A page with the picture.
    Html,
}

/// `objir bench`.
#[derive(ClapArgs)]
pub(crate) struct BenchArgs {
    /// The files, folders, patterns, or `-`.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<Source>,

    #[command(flatten)]
    pub(crate) options: StructuralArgs,
}

/// The options of structural equality and hashing.
#[derive(ClapArgs, Clone, Copy)]
pub(crate) struct StructuralArgs {
    /// Free variables match by position, as if they were parameters.
    #[arg(long)]
    pub(crate) map_free_vars: bool,

    /// Tensors match by shape and data type alone.
    #[arg(long)]
    pub(crate) skip_tensor_content: bool,

    /// A binding ends with its function instead of with the file.
    #[arg(long)]
    pub(crate) lexical: bool,
}

impl StructuralArgs {
    /// The options that these arguments choose.
    pub(crate) fn options(self) -> StructuralOptions {
        let scopes = if self.lexical { Scopes::Lexical } else { Scopes::Persistent };
        let options = StructuralOptions::new().scopes(scopes);
        options.map_free_vars(self.map_free_vars).skip_tensor_content(self.skip_tensor_content)
    }
}
