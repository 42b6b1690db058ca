//! The options of reading and writing: [`JsonReader`] and [`JsonWriter`].

use super::graph::Metadata;
use super::tensor_store::TensorStore;
use crate::error::Result;
use crate::evolution::{Newer, Release};
use crate::limits::Limits;
use crate::meter::Meter;
use crate::object::TypeInfo;
use crate::registry::{self, Types};

/// Reads JSON graphs with options. Unlike [`from_slice`](super::from_slice), it also gives the metadata.
///
/// ```
/// use object_core::{registry::Types, json::JsonReader};
/// let text = br#"{"root_index":0,"nodes":[{"type":"int","data":1}],"metadata":{}}"#;
/// let types = Types::linked();
/// let graph = JsonReader::new().types(&types).read(text)?;
/// assert_eq!(graph.root.cast::<i64>()?, 1);
/// assert_eq!(graph.metadata.unwrap().as_str(), "{}");
/// # Ok::<(), object_core::Error>(())
/// ```
#[derive(Clone, Copy, Default)]
pub struct JsonReader<'t> {
    types: Option<&'t Types>,
    pub(crate) limits: Limits,
    pub(crate) meter: Option<&'t Meter>,
    pub(crate) denies_unknown_fields: bool,
    pub(crate) newer: Newer,
    pub(crate) release: Option<&'t Release>,
    pub(crate) keeps_unknown_types: bool,
    pub(crate) verifies: bool,
    pub(crate) tensors: Option<&'t dyn TensorStore>,
}

impl<'t> JsonReader<'t> {
    /// A reader that looks types up in the registry.
    #[must_use]
    pub fn new() -> Self {
        JsonReader::default()
    }

    /// Looks types up in `types`.
    #[must_use]
    pub fn types(self, types: &'t Types) -> Self {
        JsonReader { types: Some(types), ..self }
    }

    /// Sets the limits of bytes, nodes, depth and messages.
    #[must_use]
    pub fn limits(self, limits: Limits) -> Self {
        JsonReader { limits, ..self }
    }

    /// Counts the memory of the graph while the reader makes it, and until the [`Graph`](super::Graph) is dropped.
    #[must_use]
    pub fn meter(self, meter: &'t Meter) -> Self {
        JsonReader { meter: Some(meter), ..self }
    }

    /// Puts the data of large tensors into `store` while the reader decodes the text, so that they are not in memory as a whole.
    #[must_use]
    pub fn tensors(self, store: &'t dyn TensorStore) -> Self {
        JsonReader { tensors: Some(store), ..self }
    }

    /// Makes a field that the type of its node does not have an error of the kind
    /// [`UnknownField`](crate::ErrorKind::UnknownField). Otherwise the reader skips such fields, as TVM does, so that a graph of a
    /// version with more fields reads.
    ///
    /// ```
    /// use object_core::{ErrorKind, json::JsonReader, prelude::*};
    ///
    /// #[derive(Object)]
    /// #[object(type_key = "doc.json.Loop")]
    /// #[structural_eq(tree)]
    /// struct LoopNode {
    ///     #[field(default = 1)]
    ///     step: i64,
    /// }
    ///
    /// let text = br#"{"root_index":0,"nodes":[{"type":"doc.json.Loop","data":{"stp":2}}]}"#;
    /// assert!(JsonReader::new().read(text).is_ok());
    /// let error = JsonReader::new().deny_unknown_fields().read(text).unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::UnknownField);
    /// assert!(error.to_string().contains("did you mean `step`?"), "{error}");
    /// ```
    #[must_use]
    pub fn deny_unknown_fields(self) -> Self {
        JsonReader { denies_unknown_fields: true, ..self }
    }

    /// Drops the values of fields that the file declares and the program does not. Otherwise such a value is an error, unless
    /// it is the default that the file declares.
    ///
    /// An older program reads the files of newer ones by this option, and loses what it does not know.
    #[must_use]
    pub fn skip_unknown_fields(self) -> Self {
        JsonReader { newer: Newer::Skip, ..self }
    }

    /// Reads a type that the file does not declare as `release` declared it: its enums by the numbers of the release, and its fields
    /// as declared by a file. Without a release, the reader takes the declarations of the program. Types in the form of TVM
    /// have no declarations.
    ///
    /// ```
    /// use object_core::dynamic::Schema;
    /// use object_core::json::JsonReader;
    /// use object_core::prelude::*;
    ///
    /// #[derive(Object, Clone, Copy, Debug, PartialEq)]
    /// enum Mode { Safe, Slow, Fast }
    ///
    /// #[derive(Object)]
    /// #[object(type_key = "doc.release.Run")]
    /// #[structural_eq(tree)]
    /// struct RunNode { mode: Mode }
    ///
    /// // A release without `Safe` wrote the schema and the file.
    /// let schema = Schema::parse(br#"{"format":"object-schema","version":3,
    ///     "enums":[{"name":"Mode","variants":[["Slow",0],["Fast",1]]}],
    ///     "types":[{"key":"doc.release.Run","kind":"tree","fields":[{"name":"mode","type":"int","enum":"Mode"}]}]}"#)?;
    /// let file = br#"{"root_index":0,"nodes":[{"type":"doc.release.Run","data":{"mode":1}}]}"#;
    /// let run: Run = JsonReader::new().release(&schema.release()?).read(file)?.root.cast()?;
    /// assert_eq!(run.mode, Mode::Fast);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn release(self, release: &'t Release) -> Self {
        JsonReader { release: Some(release), ..self }
    }

    /// Keeps an object of a type that the program does not know, as an object with the text of the file, instead of the error
    /// [`UnknownType`](crate::ErrorKind::UnknownType). So a tool shows, checks and copies files of programs with further plug-ins.
    ///
    /// A kept object has the type key of the file, and extends the open type that the field around it demands, with the fields
    /// of this type. Walks visit it and the objects below it, and a repr shows it. Comparing or hashing it, changing it or an
    /// object below it, and building another one are errors that name its type key. A program that does not change the numbers
    /// of the nodes below it writes it byte for byte: the text has references and numbers that nobody distinguishes
    /// without the type, so the writer returns [`NotSerializable`](crate::ErrorKind::NotSerializable) if a node has moved.
    ///
    /// The reader expects nodes after their children, as all writers put them. A process keeps at most 4096 types, with keys
    /// of at most 256 bytes, because types live as long as the process.
    ///
    /// ```
    /// use object_core::json::{self, JsonReader};
    /// use object_core::{Any, ErrorKind};
    ///
    /// let text = r#"{"root_index":1,"nodes":[{"type":"ffi.String","data":"roads"},{"type":"geo.Table","data":{"name":0,"srid":4326}}]}"#;
    /// assert_eq!(json::from_str::<Any>(text).unwrap_err().kind(), ErrorKind::UnknownType);
    /// let root = JsonReader::new().keep_unknown_types().read(text.as_bytes())?.root;
    /// assert_eq!(root.type_key(), "geo.Table");
    /// assert_eq!(json::to_string(&root)?, text);
    /// # Ok::<(), object_core::Error>(())
    /// ```
    #[must_use]
    pub fn keep_unknown_types(self) -> Self {
        JsonReader { keeps_unknown_types: true, ..self }
    }

    /// Runs the verifiers of all types after reading: the first violation is an error. The words of fields about values need no
    /// option, because every object obeys them.
    ///
    /// Verifiers are functions of the declarations, such as of plug-ins, and may look at the whole graph. So a reader runs them only
    /// where the program says so: a tool that shows or repairs a wrong program reads it first, and asks
    /// [`verify`](crate::verify::verify) for all violations.
    ///
    /// ```
    /// use object_core::access_path::AccessPath;
    /// use object_core::json::{self, JsonReader};
    /// use object_core::prelude::*;
    /// use object_core::verify::Findings;
    ///
    /// #[derive(Object)]
    /// #[object(type_key = "doc.verify.Pair", verify = is_in_order)]
    /// #[structural_eq(tree)]
    /// struct PairNode { low: i64, high: i64 }
    ///
    /// fn is_in_order(node: &PairNode, findings: &mut Findings) {
    ///     if node.high < node.low {
    ///         findings.add("order", AccessPath::root().field("high"), "`high` is less than `low`");
    ///     }
    /// }
    ///
    /// let text = json::to_string(&Pair::new(2, 1))?;
    /// assert!(JsonReader::new().read(text.as_bytes()).is_ok());
    /// let error = JsonReader::new().verify().read(text.as_bytes()).unwrap_err();
    /// assert_eq!(error.to_string(), "`doc.verify.Pair`: `high` is less than `low` [order] (at <root>.high)");
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn verify(self) -> Self {
        JsonReader { verifies: true, ..self }
    }

    /// The type with the given key.
    pub(crate) fn type_info(self, type_key: &str) -> Result<&'static TypeInfo> {
        self.types.map_or_else(|| registry::type_info(type_key), |types| types.get(type_key))
    }
}

/// Writes JSON graphs with options.
///
/// ```
/// use object_core::json::{JsonWriter, Metadata};
/// let metadata = Metadata::new(r#"{"tvm_version":"0.25.0"}"#)?;
/// let text = JsonWriter::new().metadata(&metadata).to_string(&1)?;
/// assert_eq!(text, r#"{"root_index":0,"nodes":[{"type":"int","data":1}],"metadata":{"tvm_version":"0.25.0"}}"#);
/// # Ok::<(), object_core::Error>(())
/// ```
#[derive(Clone, Copy, Default)]
pub struct JsonWriter<'m> {
    metadata: Option<&'m Metadata>,
    pub(crate) is_tvm_form: bool,
}

impl<'m> JsonWriter<'m> {
    /// A writer that writes no metadata.
    #[must_use]
    pub fn new() -> Self {
        JsonWriter::default()
    }

    /// Writes `metadata` after the nodes. It may be an `Option`, such as the metadata of a [`Graph`](super::Graph).
    #[must_use]
    pub fn metadata(self, metadata: impl Into<Option<&'m Metadata>>) -> Self {
        JsonWriter { metadata: metadata.into(), ..self }
    }

    /// Writes all objects in the form of TVM, for readers of other programs: no declarations, enums as numbers, and `NaN` and
    /// infinities as words that JSON does not have.
    ///
    /// ```
    /// use object_core::json::JsonWriter;
    /// use object_core::prelude::*;
    ///
    /// #[derive(Object, Clone, Copy)]
    /// enum Mode { Slow, Fast }
    ///
    /// #[derive(Object)]
    /// #[object(type_key = "doc.tvm_form.Run")]
    /// #[structural_eq(tree)]
    /// struct RunNode { mode: Mode }
    ///
    /// let run = Run::new(Mode::Fast);
    /// let text = JsonWriter::new().tvm_form().to_string(&run)?;
    /// assert_eq!(text, r#"{"root_index":0,"nodes":[{"type":"doc.tvm_form.Run","data":{"mode":1}}]}"#);
    /// assert!(JsonWriter::new().to_string(&run)?.contains(r#"{"mode":"Fast"}"#));
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn tvm_form(self) -> Self {
        JsonWriter { is_tvm_form: true, ..self }
    }

    /// The text of the metadata.
    pub(crate) fn metadata_text(self) -> Option<&'m str> {
        self.metadata.map(Metadata::as_str)
    }
}
