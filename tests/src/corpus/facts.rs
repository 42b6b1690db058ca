//! The facts and texts of a corpus folder.

use std::collections::BTreeSet;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use object_core::json::{Graph, JsonReader};
use object_core::registry::Types;
use object_core::structural::StructuralOptions;
use object_core::{Any, AnyView, Bytes};
use object_ir::tvm::{FileVersion, GraphReader, TvmVersion};
use serde_json::Value;

/// A disagreement between a fact and this project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The recorded result.
    pub expected: String,
    /// The result here.
    pub got: String,
}

impl Problem {
    /// Pairs the recorded result with the result here.
    #[expect(clippy::needless_pass_by_value, reason = "callers hand over texts, numbers and verdicts alike")]
    pub fn new(expected: impl ToString, got: impl ToString) -> Self {
        Problem { expected: expected.to_string(), got: got.to_string() }
    }

    /// A check that panicked.
    pub(super) fn panic(message: &str) -> Self {
        Problem::new("no panic", format!("panic: {message}"))
    }

    /// An unexpected error.
    pub(super) fn failed(what: &str, error: impl std::fmt::Display) -> Self {
        Problem::new(what, format!("error: {error}"))
    }
}

/// One line of an index.
#[derive(Clone, Debug)]
pub struct Fact {
    id: String,
    kind: String,
    data: Value,
}

impl Fact {
    fn parse(line: &str) -> Result<Fact, String> {
        let data: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let text = |name: &str| data[name].as_str().map(str::to_owned).ok_or(format!("`{name}` is missing"));
        Ok(Fact { id: text("id")?, kind: text("kind")?, data })
    }

    /// A line of the index of the large modules, which has neither id nor kind: its file identifies it.
    fn parse_bench(line: &str) -> Result<Fact, String> {
        let data: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let file = data["file"].as_str().ok_or("`file` is missing")?;
        Ok(Fact { id: format!("bench/{file}"), kind: "bench".into(), data })
    }

    /// The id of the fact.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The kind of the fact, such as `eq` or `roundtrip`.
    #[must_use]
    pub fn kind(&self) -> &str {
        &self.kind
    }

    /// The kind, with a subkind if there is one: `roundtrip/json`.
    #[must_use]
    pub fn name(&self) -> String {
        match (self.kind(), self.data["what"].as_str()) {
            (kind @ ("roundtrip" | "normalize"), Some(what)) => format!("{kind}/{what}"),
            (kind, _) => kind.into(),
        }
    }

    /// The value of an entry; null if there is none.
    #[must_use]
    pub fn get(&self, name: &str) -> &Value {
        &self.data[name]
    }

    /// The text of a required entry.
    pub(super) fn text(&self, name: &str) -> Result<&str, Problem> {
        let missing = || Problem::new(format!("`{name}` in the fact"), "the fact does not have it");
        self.get(name).as_str().ok_or_else(missing)
    }

    /// Whether an entry is true.
    pub(super) fn flag(&self, name: &str) -> bool {
        self.get(name).as_bool() == Some(true)
    }

    /// The structural options of the fact.
    pub(super) fn options(&self) -> StructuralOptions {
        options(self.flag("map_free_vars"), self.flag("skip_tensor_content"))
    }
}

/// These structural options.
pub(super) fn options(map_free_vars: bool, skip_tensor_content: bool) -> StructuralOptions {
    StructuralOptions::new().map_free_vars(map_free_vars).skip_tensor_content(skip_tensor_content)
}

/// A corpus folder.
#[derive(Debug)]
pub struct Corpus {
    dir: PathBuf,
    facts: Vec<Fact>,
    /// The types of all texts; of the version that wrote each text if `None`.
    types: Option<Types>,
}

impl Corpus {
    /// Reads the indexes of the folder `dir`. The corpus reads texts when facts need them, with these types, or else with the
    /// types of the version that wrote the text.
    ///
    /// # Errors
    /// Names the index that cannot be read, or its line that is not a fact.
    pub fn open(dir: &Path, types: Option<Types>) -> Result<Corpus, String> {
        let mut facts = read_index(&dir.join("index.jsonl"), Fact::parse)?;
        let bench = dir.join("bench/index.jsonl");
        if bench.exists() {
            facts.extend(read_index(&bench, Fact::parse_bench)?);
        }
        facts.extend(programs(&facts));
        Ok(Corpus { dir: dir.to_owned(), facts, types })
    }

    /// All facts, in the order of the indexes.
    #[must_use]
    pub fn facts(&self) -> &[Fact] {
        &self.facts
    }

    /// The path of a file of the folder.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.dir.join(name)
    }

    /// The text of a module.
    pub(super) fn module_text(&self, hash: &str) -> Result<Vec<u8>, Problem> {
        let plain = self.dir.join("modules").join(format!("{hash}.json"));
        let packed = plain.with_extension("json.gz");
        self.file_text(if plain.exists() { &plain } else { &packed })
    }

    /// A recorded script.
    pub(super) fn script(&self, hash: &str) -> Result<Vec<u8>, Problem> {
        self.file_text(&self.dir.join("script").join(format!("{hash}.py.txt")))
    }

    /// The text of a large module.
    pub(super) fn bench_text(&self, file: &str) -> Result<Vec<u8>, Problem> {
        self.file_text(&self.dir.join("bench").join(file))
    }

    fn file_text(&self, path: &Path) -> Result<Vec<u8>, Problem> {
        let name = path.strip_prefix(&self.dir).unwrap_or(path);
        read(path).map_err(|error| Problem::failed(&format!("file {}", name.display()), error))
    }

    /// The reader of `text`.
    pub(super) fn reader(&self, text: &[u8]) -> object_core::Result<JsonReader<'_>> {
        let types = match &self.types {
            Some(types) => types,
            None => FileVersion::of(text)?.version.types()?,
        };
        Ok(JsonReader::new().types(types))
    }

    /// Whether the fact asks for the meaning of a program, and a version wrote the program whose meaning this project does
    /// not know.
    pub(super) fn is_beyond(&self, fact: &Fact) -> bool {
        let Some((kind, hash)) = fact.id().split_once('/') else { return false };
        let text = || self.module_text(hash).ok();
        PROGRAM_KINDS.contains(&kind)
            && text().and_then(|text| FileVersion::of(&text).ok()).is_some_and(|it| it.version != TvmVersion::V0_25)
    }

    /// Reads the graph in a text.
    fn read(&self, text: &[u8]) -> object_core::Result<Graph> {
        match &self.types {
            Some(types) => JsonReader::new().types(types).read(text),
            None => GraphReader::new().read(text).map(|read| read.graph),
        }
    }

    /// Loads the graph in a text.
    pub(super) fn load(&self, text: &[u8]) -> Result<Graph, Problem> {
        self.read(text).map_err(|error| Problem::failed("it loads", error))
    }

    /// Loads a binary graph.
    pub(super) fn load_binary(&self, bytes: &Bytes) -> Result<Graph, Problem> {
        let read = match &self.types {
            Some(types) => JsonReader::new().types(types).read_binary(bytes),
            None => GraphReader::new().read_binary(bytes).map(|read| read.graph),
        };
        read.map_err(|error| Problem::failed("its binary form loads", error))
    }

    /// Loads a module.
    pub(super) fn load_module(&self, hash: &str) -> Result<Graph, Problem> {
        self.load(&self.module_text(hash)?).map_err(|problem| Problem::new(format!("module {hash} loads"), problem.got))
    }

    /// The two operands of an `eq` or `mismatch` fact: two modules, or the elements of an array loaded at once.
    pub(super) fn operands(&self, fact: &Fact) -> Result<(Any, Any), Problem> {
        let Ok(pair) = fact.text("pair") else {
            let load = |name| Ok(self.load_module(fact.text(name)?)?.root);
            return Ok((load("lhs")?, load("rhs")?));
        };
        let root = self.load_module(pair)?.root;
        let array = root.view().as_object().and_then(|object| object.as_array());
        let item = |index| array.and_then(|array| array.get(index)).map(AnyView::to_any);
        let not_a_pair = || Problem::new("an array of two", root.type_key());
        item(0).zip(item(1)).ok_or_else(not_a_pair)
    }
}

/// Fails unless `got` equals `expected`; the message shows the first difference.
pub(super) fn same_text(what: &str, expected: &[u8], got: &[u8]) -> Result<(), Problem> {
    if expected == got {
        return Ok(());
    }
    let at = expected.iter().zip(got).take_while(|(a, b)| a == b).count();
    let around = |text: &[u8]| {
        let around = &text[at.saturating_sub(30)..text.len().min(at + 30)];
        format!("{what}, at byte {at} of {}: {}", text.len(), String::from_utf8_lossy(around))
    };
    Err(Problem::new(around(expected), around(got)))
}

fn read_index(path: &Path, parse: fn(&str) -> Result<Fact, String>) -> Result<Vec<Fact>, String> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let fact = |(index, line)| parse(line).map_err(|error| format!("{}:{}: {error}", path.display(), index + 1));
    lines.map(fact).collect()
}

/// The kinds of the facts that [`programs`] makes.
const PROGRAM_KINDS: [&str; 4] = ["exact", "infer", "normal_form", "reparse"];

/// A fact of the kinds `exact`, `infer` and `reparse` for each program in the facts: the texts that evaluation and round trips
/// record. A fact of the kind `normal_form` for each of them, and for each mutant whose well-formedness is recorded.
fn programs(facts: &[Fact]) -> Vec<Fact> {
    let hash = |fact: &Fact| match fact.name().as_str() {
        "roundtrip/json" => Some((true, fact.get("obj").as_str()?.to_owned())),
        "eval" => Some((true, fact.get("module").as_str()?.to_owned())),
        "well_formed" => Some((false, fact.get("obj").as_str()?.to_owned())),
        _ => None,
    };
    let recorded: BTreeSet<(bool, String)> = facts.iter().filter_map(hash).collect();
    let kinds = |is_program: bool| if is_program { &PROGRAM_KINDS[..] } else { &["normal_form"] };
    let all: BTreeSet<(&str, String)> = recorded
        .iter()
        .flat_map(|(is_program, hash)| kinds(*is_program).iter().map(|kind| (*kind, hash.clone())))
        .collect();
    let fact =
        |(kind, hash): (&str, String)| Fact { id: format!("{kind}/{hash}"), kind: kind.to_owned(), data: Value::Null };
    all.into_iter().map(fact).collect()
}

/// Reads a file, and unpacks it if it is gzipped.
fn read(path: &Path) -> std::io::Result<Vec<u8>> {
    let raw = fs::read(path)?;
    if !raw.starts_with(&[0x1f, 0x8b]) {
        return Ok(raw);
    }
    let mut text = Vec::new();
    MultiGzDecoder::new(&raw[..]).read_to_end(&mut text)?;
    Ok(text)
}
