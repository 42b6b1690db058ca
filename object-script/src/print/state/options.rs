//! [`ScriptPrinter`]: the options of printing.

use object_core::DataType;
use object_core::access_path::AccessPath;
use object_core::meter::Meter;
use object_ir::tvm::TvmVersion;

/// Prints values as TVMScript, with the options of TVM's `script.PrinterConfig`.
///
/// With the options that are set from the start, the text is byte for byte the one that `script()` of TVM 0.25 returns.
///
/// ```
/// use object_core::DataType;
/// use object_ir::ir::TensorStructInfo;
/// use object_script::print::ScriptPrinter;
///
/// let tensor = TensorStructInfo::new(None, DataType::float(32), None, 2);
/// let script = ScriptPrinter::new().relax_prefix("relax").print(&tensor);
/// assert_eq!(script.text(), r#"relax.Tensor(dtype="float32", ndim=2)"#);
/// ```
#[derive(Clone, Debug)]
pub struct ScriptPrinter {
    pub(crate) version: TvmVersion,
    pub(crate) name: Option<String>,
    pub(crate) show_meta: bool,
    pub(crate) ir_prefix: String,
    pub(crate) tir_prefix: String,
    pub(crate) relax_prefix: String,
    pub(crate) module_alias: String,
    pub(crate) buffer_dtype: DataType,
    pub(crate) int_dtype: DataType,
    pub(crate) float_dtype: DataType,
    pub(crate) verbose_expr: bool,
    pub(crate) indent_spaces: usize,
    pub(crate) syntax_sugar: bool,
    pub(crate) show_object_address: bool,
    pub(crate) show_all_struct_info: bool,
    pub(crate) readable: bool,
    pub(crate) exact: bool,
    pub(crate) annotate: Vec<(AccessPath, String)>,
    pub(crate) max_nesting: usize,
    pub(crate) max_nodes: usize,
    pub(crate) meter: Meter,
}

impl Default for ScriptPrinter {
    fn default() -> Self {
        ScriptPrinter {
            version: TvmVersion::V0_25,
            name: None,
            show_meta: false,
            ir_prefix: "I".to_owned(),
            tir_prefix: "T".to_owned(),
            relax_prefix: "R".to_owned(),
            module_alias: "cls".to_owned(),
            buffer_dtype: DataType::float(32),
            int_dtype: DataType::int(32),
            float_dtype: DataType::void(),
            verbose_expr: false,
            indent_spaces: 4,
            syntax_sugar: true,
            show_object_address: false,
            show_all_struct_info: true,
            readable: false,
            exact: false,
            annotate: Vec::new(),
            max_nesting: 1000,
            max_nodes: 1 << 24,
            meter: Meter::unlimited(),
        }
    }
}

impl ScriptPrinter {
    /// A printer with TVM's defaults.
    #[must_use]
    pub fn new() -> Self {
        ScriptPrinter::default()
    }

    /// The version of TVM whose words the text has, 0.25 by default. The text of a value that came from a module of this version
    /// is byte for byte the one that `script()` of this version returns.
    ///
    /// ```
    /// use object_ir::ir::ObjectStructInfo;
    /// use object_ir::tvm::TvmVersion;
    /// use object_script::print::ScriptPrinter;
    ///
    /// let any = ObjectStructInfo::new();
    /// assert_eq!(ScriptPrinter::new().print(&any).text(), "R.Object");
    /// assert_eq!(ScriptPrinter::new().version(TvmVersion::V0_27).print(&any).text(), "R.Any");
    /// ```
    #[must_use]
    pub fn version(mut self, version: TvmVersion) -> Self {
        self.version = version;
        self
    }

    /// The name of the printed module or function.
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Whether the text contains the values that it refers to as `metadata[...]`, as a section at its start. Without it,
    /// the text ends with a comment, and cannot be parsed. The default is `false`.
    #[must_use]
    pub fn show_meta(mut self, show: bool) -> Self {
        self.show_meta = show;
        self
    }

    /// The prefix of module-level names, `I` by default. It has to be a name of Python, as all prefixes; otherwise, the
    /// text cannot be parsed.
    #[must_use]
    pub fn ir_prefix(mut self, prefix: impl Into<String>) -> Self {
        self.ir_prefix = prefix.into();
        self
    }

    /// The prefix of names of TIR, `T` by default.
    #[must_use]
    pub fn tir_prefix(mut self, prefix: impl Into<String>) -> Self {
        self.tir_prefix = prefix.into();
        self
    }

    /// The prefix of names of Relax, `R` by default.
    #[must_use]
    pub fn relax_prefix(mut self, prefix: impl Into<String>) -> Self {
        self.relax_prefix = prefix.into();
        self
    }

    /// The name for the module inside of its functions, `cls` by default. With an empty one, functions use the name of the
    /// module.
    #[must_use]
    pub fn module_alias(mut self, alias: impl Into<String>) -> Self {
        self.module_alias = alias.into();
        self
    }

    /// The data type of buffers that print without data type, `float32` by default.
    #[must_use]
    pub fn buffer_dtype(mut self, dtype: DataType) -> Self {
        self.buffer_dtype = dtype;
        self
    }

    /// The data type of integers that print without data type in TIR, `int32` by default.
    #[must_use]
    pub fn int_dtype(mut self, dtype: DataType) -> Self {
        self.int_dtype = dtype;
        self
    }

    /// The data type of floating-point numbers that print without data type, none (`void`) by default.
    #[must_use]
    pub fn float_dtype(mut self, dtype: DataType) -> Self {
        self.float_dtype = dtype;
        self
    }

    /// Whether an expression that is printed alone comes with the declarations of its free variables. The default is
    /// `false`.
    #[must_use]
    pub fn verbose_expr(mut self, verbose: bool) -> Self {
        self.verbose_expr = verbose;
        self
    }

    /// The number of spaces for each level of indentation, 4 by default.
    #[must_use]
    pub fn indent_spaces(mut self, spaces: usize) -> Self {
        self.indent_spaces = spaces;
        self
    }

    /// Whether the text uses short forms, such as `T.grid` for nested loops. The default is `true`.
    #[must_use]
    pub fn syntax_sugar(mut self, sugar: bool) -> Self {
        self.syntax_sugar = sugar;
        self
    }

    /// Whether names contain the addresses of their objects. The default is `false`.
    #[must_use]
    pub fn show_object_address(mut self, show: bool) -> Self {
        self.show_object_address = show;
        self
    }

    /// Whether each binding of Relax shows the structural information of its variable. With `false`, a binding leaves it out
    /// if its value determines it. The default is `true`.
    #[must_use]
    pub fn show_all_struct_info(mut self, show: bool) -> Self {
        self.show_all_struct_info = show;
        self
    }

    /// Prints for people, without the forms that only the parser of TVM needs. The text is not byte for byte the one of TVM,
    /// and it cannot be parsed where it shows a summary or leaves out a data type.
    ///
    /// | in the text of TVM | in the readable text |
    /// |---|---|
    /// | `metadata["relax.expr.Constant"][0]` for a tensor | `R.const([1.0, 2.0], "float32")` up to 8 elements, `const<64x64 float32>` for more |
    /// | `metadata["key"][0]` for other objects and texts | the fields of the object, the text |
    /// | `0.10000000149011612`, `"inf"`, `"\xC3\xA9"` | `0.1`, `inf`, `"é"` |
    /// | `T.int64(2)`, `T.float32(0.5)` in TIR | `2`, `0.5` |
    /// | `cls = Module`, `cls.f` | `f` |
    /// | `x: R.Tensor(("n",), dtype="float32")`, `n = T.int64()` | `x: R.Tensor((n,), dtype="float32")` |
    /// | annotations that values determine, as with [`show_all_struct_info(false)`](Self::show_all_struct_info) | nothing |
    /// | attributes of a call that have their defaults, empty `T.reads()` and `T.writes()` | nothing |
    /// | comments with imports, about the root block and about omitted metadata | nothing |
    ///
    /// ```
    /// use object_core::prelude::*;
    /// use object_script::print::ScriptPrinter;
    ///
    /// let half = object_ir::ir::FloatImm::new(DataType::float(32), f64::from(0.1_f32));
    /// assert_eq!(ScriptPrinter::new().print(&half).text(), "T.float32(0.10000000149011612)");
    /// assert_eq!(ScriptPrinter::new().readable().print(&half).text(), "0.1");
    /// ```
    #[must_use]
    pub fn readable(mut self) -> Self {
        self.readable = true;
        self.show_all_struct_info = false;
        self
    }

    /// Adds a comment to the statement at `path`. Other places get no comment.
    #[must_use]
    pub fn annotate(mut self, path: AccessPath, comment: impl Into<String>) -> Self {
        self.annotate.push((path, comment.into()));
        self
    }

    /// The levels of nesting after which the text shows `...` instead of an object, 1000 by default. Python itself reads
    /// 100 levels of indentation and 200 levels of parentheses.
    #[must_use]
    pub fn max_nesting(mut self, levels: usize) -> Self {
        self.max_nesting = levels;
        self
    }

    /// The number of expressions and statements after which the text shows `...` instead of further objects, 16,777,216 by
    /// default. A shared object prints once for each use, so a small graph can have a text of any size.
    #[must_use]
    pub fn max_nodes(mut self, nodes: usize) -> Self {
        self.max_nodes = nodes;
        self
    }

    /// Counts the memory of printing and of the text in an account. By default, it has no limit. Where the memory ends, the
    /// text shows `...` instead of further objects.
    #[must_use]
    pub fn meter(mut self, meter: &Meter) -> Self {
        self.meter = meter.clone();
        self
    }
}
