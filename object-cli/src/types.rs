//! The types with which a run reads graphs: of the version of TVM that wrote a file, or as the options choose.

use clap::Args as ClapArgs;
use object_core::dynamic::{Schema, SchemaLoader};
use object_core::json::{Graph, JsonReader, TensorStore};
use object_core::meter::Meter;
use object_core::registry::Types;
use object_core::{Error, ErrorKind, Limits, Result, binary};
use object_ir::tvm::{FileVersion, GraphReader, TvmVersion};

use crate::output::print_remark;
use crate::source::{Content, Source};
use crate::tvm_arg::{TvmArg, versions};

/// The options that select the types.
#[derive(ClapArgs)]
pub(crate) struct TypeArgs {
    /// Take types that this program does not have from a schema: the output of `objir schema`, or TVM's recorded types.
    #[arg(long, global = true, value_name = "FILE")]
    schema: Option<Source>,

    /// Take types whose keys begin with PREFIX from the schema even if this program has them.
    #[arg(long, global = true, value_name = "PREFIX", requires = "schema")]
    dynamic_only: Vec<String>,

    /// Read all files with the types of this version of TVM: 0.25, 0.26, 0.27, or a file with the types of another version: the
    /// output of `objir schema`, or TVM's recorded types. Without it, each file says which version wrote it.
    #[arg(long, global = true, value_name = "VERSION", conflicts_with = "schema")]
    tvm: Option<TvmArg>,

    /// Compare types of a schema by their fields if code compares them and this program does not have the code.
    #[arg(long, global = true)]
    custom_by_fields: bool,
}

/// The types with which a run reads graphs.
pub(crate) enum TypeChoice {
    /// The types of the version that wrote the file.
    Recognized,
    /// The types of this version.
    Version(TvmVersion),
    /// The linked types with the types of `--schema`.
    Extended(Types),
    /// The types of `--tvm FILE` alone, with the name of the file.
    Standalone(Types, String),
}

/// A graph with the origin of its types.
pub(crate) struct Loaded {
    pub(crate) graph: Graph,
    pub(crate) origin: Origin,
}

/// The origin of the types of a graph.
pub(crate) struct Origin {
    /// The version whose types these are; `None` if they are the types of a file.
    version: Option<TvmVersion>,
    /// The version that wrote the graph, or the file with the types, for people.
    name: String,
}

impl Loaded {
    /// The graph with Rust types, whose meaning this program knows, for `command`.
    ///
    /// # Errors
    /// [`TypeMismatch`](ErrorKind::TypeMismatch) for types of a file, and the errors of [`TvmVersion::to_rust_types`].
    pub(crate) fn into_linked(self, command: &str) -> Result<Graph> {
        let Loaded { graph, origin } = self;
        origin.version(command)?.to_rust_types(graph)
    }

    /// The graph as the version `to` has it, for `command`.
    ///
    /// # Errors
    /// [`TypeMismatch`](ErrorKind::TypeMismatch) for types of a file, and the errors of [`TvmVersion::convert`].
    pub(crate) fn into_version(self, to: TvmVersion, command: &str) -> Result<Graph> {
        let from = self.origin.version(command)?;
        to.convert(self.graph, from)
    }

    /// The graph in the form that all versions have in common, which is the one with Rust types; as it is if that form cannot
    /// express it, and with types of a file.
    pub(crate) fn into_common(self) -> Self {
        match self.origin.version.map(|version| version.to_rust_types(self.graph.clone())) {
            Some(Ok(graph)) => Loaded { graph, origin: Origin::linked() },
            _ => self,
        }
    }

    /// Both graphs with types of one set, because objects of two sets are never equal: with Rust types if the versions differ.
    ///
    /// # Errors
    /// [`TypeMismatch`](ErrorKind::TypeMismatch), naming both, if one has the types of a file, and the errors of
    /// [`TvmVersion::to_rust_types`].
    pub(crate) fn in_one_version(self, other: Loaded) -> Result<[Loaded; 2]> {
        let (first, second) = (&self.origin, &other.origin);
        if first.version == second.version {
            return Ok([self, other]);
        }
        if first.version.is_none() || second.version.is_none() {
            let message = format!(
                "the first is of {}, the second of {}, whose types differ, so no objects of the two are equal; `--tvm` reads both with the types of one version",
                first.name, second.name
            );
            return Err(Error::new(ErrorKind::TypeMismatch, message));
        }
        let linked = |graph| Loaded { graph, origin: Origin::linked() };
        Ok([linked(self.into_linked("diff")?), linked(other.into_linked("diff")?)])
    }
}

impl Origin {
    /// The types that this program is linked with.
    pub(crate) fn linked() -> Self {
        Origin::of(TvmVersion::V0_25)
    }

    /// The types of this version.
    pub(crate) fn of(version: TvmVersion) -> Self {
        Origin { version: Some(version), name: format!("TVM {version}") }
    }

    /// The version of the types, for `command`.
    ///
    /// # Errors
    /// [`TypeMismatch`](ErrorKind::TypeMismatch) for types of a file.
    pub(crate) fn version(&self, command: &str) -> Result<TvmVersion> {
        self.version.ok_or_else(|| {
            let name = &self.name;
            let versions = versions();
            let message =
                format!("`{command}` needs the types of TVM {versions}, and this graph has the types of {name}");
            Error::new(ErrorKind::TypeMismatch, message)
        })
    }

    /// Whether the types are Rust types, whose meaning this program knows.
    pub(crate) fn is_linked(&self) -> bool {
        self.version == Some(TvmVersion::V0_25)
    }
}

impl TypeChoice {
    /// A reader of values with these types in other files than graphs of TVM.
    pub(crate) fn json_reader(&self, limits: Limits) -> JsonReader<'_> {
        let reader = JsonReader::new().limits(limits);
        match self {
            TypeChoice::Extended(types) | TypeChoice::Standalone(types, _) => reader.types(types),
            TypeChoice::Recognized | TypeChoice::Version(_) => reader,
        }
    }

    /// The choice of the options.
    ///
    /// # Errors
    /// Errors of reading and loading a schema.
    pub(crate) fn of(args: &TypeArgs, limits: Limits) -> Result<Self> {
        let schema = |source: &Source, load: &dyn Fn(SchemaLoader, &Schema) -> Result<Types>| {
            let text = source.read(&limits)?;
            let loader = SchemaLoader::new().name(source.to_string()).limits(limits);
            let loader = loader.custom_by_fields(args.custom_by_fields);
            let loaded = Schema::parse_with(&text, &limits).and_then(|schema| load(loader, &schema));
            loaded.map_err(|error| source.name_in(error))
        };
        match (&args.tvm, &args.schema) {
            (Some(TvmArg::Version(version)), _) => Ok(TypeChoice::Version(*version)),
            (Some(TvmArg::Schema(source)), _) => {
                let load = |loader: SchemaLoader, schema: &Schema| {
                    loader
                        .standalone(true)
                        .prefer_linked(true)
                        .hooks(TvmVersion::of_schema(schema)?.hooks())
                        .load(schema)
                };
                let types = schema(source, &load).map_err(|error| match error.kind() {
                    ErrorKind::Io => {
                        error.context(format_args!("`--tvm` takes {}, or the file of a schema", versions()))
                    }
                    _ => error,
                })?;
                Ok(TypeChoice::Standalone(types, source.to_string()))
            }
            (None, Some(source)) => {
                let load = |loader: SchemaLoader, schema: &Schema| {
                    let loader = loader.prefer_linked(true).hooks(TvmVersion::V0_25.hooks());
                    let replace = |loader: SchemaLoader, prefix: &String| loader.replace_linked(prefix);
                    args.dynamic_only.iter().fold(loader, replace).load(schema)
                };
                schema(source, &load).map(TypeChoice::Extended)
            }
            (None, None) => Ok(TypeChoice::Recognized),
        }
    }

    /// The types without a file: of TVM 0.25 if the options choose none.
    ///
    /// # Errors
    /// As [`TvmVersion::types`].
    pub(crate) fn types(&self) -> Result<&Types> {
        match self {
            TypeChoice::Recognized => TvmVersion::V0_25.types(),
            TypeChoice::Version(version) => version.types(),
            TypeChoice::Extended(types) | TypeChoice::Standalone(types, _) => Ok(types),
        }
    }

    /// Whether scripts have these types.
    pub(crate) fn reads_scripts(&self) -> bool {
        !matches!(self, TypeChoice::Standalone(..))
    }

    /// The graph in a JSON text or in a binary graph, with the data of large tensors of a text in `tensors`. A remark says that the file `name` is of a version without types here.
    ///
    /// # Errors
    /// Errors of loading.
    pub(crate) fn read(
        &self,
        name: &str,
        text: &Content,
        limits: Limits,
        meter: &Meter,
        tensors: Option<&dyn TensorStore>,
    ) -> Result<Loaded> {
        let is_binary = binary::is_binary(text);
        let reader = GraphReader::new().limits(limits).meter(meter);
        let reader = match self {
            TypeChoice::Recognized => reader,
            TypeChoice::Version(version) => reader.version(*version),
            TypeChoice::Extended(types) | TypeChoice::Standalone(types, _) => {
                let reader = JsonReader::new().types(types).limits(limits).meter(meter);
                let reader = tensors.map_or(reader, |tensors| reader.tensors(tensors));
                let graph = if is_binary { reader.read_binary(&text.bytes) } else { reader.read(text) }?;
                let origin = match self {
                    TypeChoice::Standalone(_, name) => Origin { version: None, name: format!("the schema {name}") },
                    _ => Origin::linked(),
                };
                return Ok(Loaded { graph, origin });
            }
        };
        let read = match tensors {
            _ if is_binary => reader.read_binary(&text.bytes),
            Some(tensors) => reader.read_storing(text, tensors),
            None => reader.read(text),
        }?;
        let FileVersion { version, .. } = read.version;
        if !read.version.is_exact() {
            let stated = &read.version;
            print_remark(format_args!(
                "{name}: it is of {stated}, whose types this program lacks, so the types of TVM {version} read it"
            ));
        }
        let origin = Origin { version: Some(version), name: read.version.to_string() };
        Ok(Loaded { graph: read.graph, origin })
    }
}
