//! [`Program`]: a file as a graph with Rust types.

use object_core::json::Graph;
use object_core::meter::Meter;
use object_core::{Bytes, Error, ErrorKind, Limits, binary};
use object_ir::tvm::{GraphReader, TvmVersion};
use object_script::file::{is_script, unpacked};
use object_script::parse::{ScriptParser, version_of};

use crate::failure::Failure;

/// The memory that the values of a request may take. A module of WebAssembly has at most four gigabytes.
const MEMORY: u64 = 2 << 30;

/// The objects on a path from the root of a program. Workers of browsers have half a megabyte of stack for the recursions over
/// programs; this depth takes less than half of it. Operations of `object-core`, such as the hash, have frames on the heap.
const DEPTH: u64 = 500;

/// A file of a request.
pub(crate) struct File<'a> {
    /// The name, for texts.
    pub(crate) name: &'a str,
    pub(crate) content: &'a [u8],
}

/// A program with Rust types.
pub(crate) struct Program {
    pub(crate) graph: Graph,
    /// The version of TVM that wrote it.
    pub(crate) version: TvmVersion,
    /// The version in words, if its types are those of another version.
    pub(crate) remark: Option<String>,
    /// The text of the file, if it is a script.
    pub(crate) script: Option<String>,
}

/// How deep a graph may be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Depth {
    /// As deep as the functions over programs recurse.
    Program,
    /// Any depth.
    Any,
}

impl Depth {
    pub(crate) fn limits(self) -> Limits {
        let limits = Limits::untrusted();
        if self == Depth::Program { limits.max_depth(DEPTH) } else { limits }
    }
}

/// A new account of the memory of a request.
pub(crate) fn meter() -> Meter {
    Meter::with_limit(MEMORY)
}

impl Program {
    /// Reads a program that the meaning of Relax applies to.
    pub(crate) fn of(file: &File<'_>, meter: &Meter) -> Result<Self, Failure> {
        let (program, is_common) = Program::read(file, Depth::Program, meter)?;
        match is_common {
            Ok(()) => Ok(program),
            Err(error) => Err(error.into()),
        }
    }

    /// Reads a graph. If a version has it and no other, it keeps the types of this version, and the second result is the reason.
    pub(crate) fn read(
        file: &File<'_>,
        depth: Depth,
        meter: &Meter,
    ) -> Result<(Self, object_core::Result<()>), Failure> {
        let limits = depth.limits();
        let text = unpacked(file.content, file.content.len() as u64, &limits)?;
        let _text = meter.reserve(text.len() as u64)?;
        if is_script(file.name, &text) {
            let program = Program::of_script(text)?;
            return Ok((program, Ok(())));
        }
        let reader = GraphReader::new().limits(limits).meter(meter);
        let read = if binary::is_binary(&text) { reader.read_binary(&Bytes::new(&text)) } else { reader.read(&text) }?;
        let (version, is_exact) = (read.version.version, read.version.is_exact());
        let remark = (!is_exact).then(|| {
            let stated = &read.version;
            format!("it is of {stated}, whose types this page lacks, so the types of TVM {version} read it")
        });
        let graph = read.graph;
        let (graph, is_common) = match version.to_rust_types(graph.clone()) {
            Ok(common) => (common, Ok(())),
            Err(error) => (graph, Err(error)),
        };
        Ok((Program { graph, version, remark, script: None }, is_common))
    }

    fn of_script(text: Vec<u8>) -> Result<Self, Failure> {
        let text = String::from_utf8(text).map_err(|error| {
            let valid = error.utf8_error().valid_up_to();
            Error::new(ErrorKind::Malformed, format!("a script is UTF-8, but the byte {valid} is not"))
        })?;
        let version = version_of(&text);
        let root = ScriptParser::new().version(version).parse(&text);
        let root = root.map_err(|errors| Failure::of_script(&text, &errors))?;
        Ok(Program { graph: Graph::new(root, None), version, remark: None, script: Some(text) })
    }
}
