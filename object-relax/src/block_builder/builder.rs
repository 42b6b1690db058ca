//! [`BlockBuilder`]: builds modules, functions and bindings.

use object_core::prelude::*;
use object_ir::ir::{
    BaseFunc, DictAttrs, FuncStructInfo, Function, GlobalInfo, GlobalVar, IRModule, RelaxExpr, Source, SourceMap,
    SourceName, Var,
};

use super::header::FunctionHeader;
use super::module::Functions;
use crate::arith::Analyzer;
use crate::normal_form::{State, Walk, at};
use crate::op::InferContext;
use crate::op::describe::describe;
use crate::struct_info::is_at_least_as_specific;

/// Builds modules, functions and bindings. Everything that it builds is in normal form and has structural information.
///
/// Closures are the scopes: [`function`](Self::function), [`closure`](Self::closure), [`dataflow`](Self::dataflow) and
/// [`if_else`](Self::if_else) take a closure that emits the bindings of a body, a block or a branch. If a closure returns an
/// error, the builder removes what it emitted, and can be used further.
///
/// [`emit`](Self::emit) infers the structural information of an expression, so a call with wrong arguments is an error
/// where it is emitted. Nested expressions are bound to new variables first. Names of variables are unique in a function: a
/// name that is in use gets a number.
///
/// TVM 0.25 `relax.BlockBuilder`.
///
/// ```
/// use object_relax::block_builder::BlockBuilder;
/// use object_ir::tir;
/// use object_ir::ir::{TensorStructInfo, Var};
/// use object_relax::op;
///
/// let n = tir::Var::dim("n");
/// let x = Var::of("x", TensorStructInfo::of((&n, 16), "float32")?);
/// let w = Var::of("w", TensorStructInfo::of((16, 4), "float32")?);
///
/// let mut bb = BlockBuilder::new();
/// bb.function("main", [&x, &w], |bb| {
///     let y = bb.emit(op::matmul(&x, &w, None))?;
///     let error = bb.emit(op::add(&x, &w)).expect_err("16 rows, and any number of rows");
///     assert!(error.message().contains("shapes that broadcast"));
///     bb.emit(op::exp(&y))
/// })?;
/// let module = bb.finalize()?;
/// assert_eq!(module.functions.len(), 1);
/// # Ok::<(), object_core::Error>(())
/// ```
#[derive(Debug)]
pub struct BlockBuilder {
    pub(super) state: State,
    pub(super) analyzer: Analyzer,
    /// The facts of the module apart from its functions.
    pub(super) module: IRModule,
    pub(super) functions: Functions,
}

impl Default for BlockBuilder {
    fn default() -> Self {
        BlockBuilder::new()
    }
}

impl BlockBuilder {
    /// A builder of a new module.
    #[must_use]
    pub fn new() -> Self {
        let sources = SourceMap::new(Map::<SourceName, Source>::new([]));
        let functions = Map::<GlobalVar, BaseFunc>::new([]);
        let (names, infos) = (Map::<Str, GlobalVar>::new([]), Map::<Str, Array<GlobalInfo>>::new([]));
        BlockBuilder::of(&IRModule::new(functions, names, sources, DictAttrs::new(Map::new([])), infos))
    }

    /// A builder that adds to a module.
    #[must_use]
    pub fn of(module: &IRModule) -> Self {
        BlockBuilder {
            state: State::default(),
            analyzer: Analyzer::for_shapes(),
            module: module.clone(),
            functions: Functions::of(module),
        }
    }

    /// Compares dimensions by an analyzer with more facts.
    #[must_use]
    pub fn analyzer(mut self, analyzer: Analyzer) -> Self {
        self.analyzer = analyzer;
        self
    }

    /// Declares a global function, so that functions can call it before its definition.
    ///
    /// # Errors
    /// [`DuplicateKey`](ErrorKind::DuplicateKey) if the name is in use.
    ///
    /// ```
    /// use object_relax::block_builder::BlockBuilder;
    /// use object_ir::ir::{Call, FuncStructInfo, StructInfo, TensorStructInfo, Var};
    ///
    /// let tensor: StructInfo = TensorStructInfo::of([2], "float32")?.into();
    /// let x = Var::of("x", tensor.clone());
    /// let mut bb = BlockBuilder::new();
    /// let main = bb.declare("main", FuncStructInfo::of([tensor.clone()], tensor))?;
    /// bb.function("main", [&x], |bb| bb.emit(Call::new(&main, [(&x).into()], None, [])))?;
    /// # Ok::<(), object_core::Error>(())
    /// ```
    pub fn declare(&mut self, name: impl Into<Str>, info: FuncStructInfo) -> Result<GlobalVar, Error> {
        let var = GlobalVar::of(name, info);
        self.functions.declare(var.clone())?;
        Ok(var)
    }

    /// Builds a global function, whose result `body` returns, and adds it to the module. The function is public: its
    /// `global_symbol` is its name, unless its header says that it is private.
    ///
    /// # Errors
    /// The errors of `body`, [`DuplicateKey`](ErrorKind::DuplicateKey) if the name is in use,
    /// [`MissingField`](ErrorKind::MissingField) for a parameter without structural information, and
    /// [`TypeMismatch`](ErrorKind::TypeMismatch) if the result does not fit its annotation, or the function its declaration.
    pub fn function<E: Into<RelaxExpr>>(
        &mut self,
        name: impl Into<Str>,
        header: impl Into<FunctionHeader>,
        body: impl FnOnce(&mut Self) -> Result<E, Error>,
    ) -> Result<GlobalVar, Error> {
        let (name, header) = (name.into(), header.into());
        if self.functions.is_defined(&name) {
            let message = format!("the module has a function `{name}` already; choose another name");
            return Err(Error::new(ErrorKind::DuplicateKey, message));
        }
        // A global function sees no variables of the function that is open.
        let outer = std::mem::take(&mut self.state);
        let function = self.build(&header, Some(&name), body);
        self.state = outer;
        self.define(name, function?.into())
    }

    /// Adds a global function to the module. If the name is in use, the function gets another one, unless it has a
    /// `global_symbol`. A function of Relax is normalized first.
    ///
    /// # Errors
    /// [`DuplicateKey`](ErrorKind::DuplicateKey) if another function has its `global_symbol`, and the errors of
    /// [`Normalizer::function`](crate::normal_form::Normalizer::function).
    pub fn add_function(&mut self, name: &str, function: impl Into<BaseFunc>) -> Result<GlobalVar, Error> {
        let function = self.normalized(function.into())?;
        let symbol = function.attrs.dict.get("global_symbol").and_then(|symbol| symbol.cast::<Str>().ok());
        let name = match symbol {
            Some(symbol) => symbol,
            None => (0..)
                .map(|number| Str::from(if number == 0 { name.to_owned() } else { format!("{name}{number}") }))
                .find(|name| self.functions.get(name).is_none())
                .unwrap_or_else(|| unreachable!("there are more numbers than functions")),
        };
        self.define(name, function)
    }

    /// Replaces a function of the module. Callers rely on its signature, so the new function accepts the same arguments and
    /// has the same or more specific results.
    ///
    /// # Errors
    /// [`MissingField`](ErrorKind::MissingField) if the module does not have the function,
    /// [`TypeMismatch`](ErrorKind::TypeMismatch) for another signature, and the errors of
    /// [`Normalizer::function`](crate::normal_form::Normalizer::function).
    pub fn update_function(&mut self, var: &GlobalVar, function: impl Into<BaseFunc>) -> Result<(), Error> {
        let function = self.normalized(function.into())?;
        self.check_signature(var, &function)?;
        self.functions.replace(var, function)
    }

    /// The global variable of a function that is declared or defined.
    #[must_use]
    pub fn global_var(&self, name: &str) -> Option<GlobalVar> {
        self.functions.get(name).cloned()
    }

    /// The module with all functions.
    ///
    /// # Errors
    /// [`MissingField`](ErrorKind::MissingField) for a function that is declared, but not defined.
    pub fn finalize(self) -> Result<IRModule, Error> {
        self.functions.finish(self.module)
    }

    fn normalized(&mut self, function: BaseFunc) -> Result<BaseFunc, Error> {
        if !function.is::<Function>() {
            return Ok(function);
        }
        let root: RelaxExpr = function.into();
        let context = InferContext::new(&self.analyzer).module(&self.module);
        let normal = Walk::new(&mut State::of(&root), context).root(&root);
        Any::from(normal.map_err(|located| at(&root, located))?).cast()
    }

    /// Defines a function under a name that may be declared.
    fn define(&mut self, name: Str, function: BaseFunc) -> Result<GlobalVar, Error> {
        let var = match self.functions.get(&name) {
            Some(declared) => {
                let declared = declared.clone();
                self.check_signature(&declared, &function)?;
                declared
            }
            None => match &function.struct_info {
                Some(info) => GlobalVar::of(name, info),
                None => GlobalVar::new(name),
            },
        };
        self.functions.define(&var, function)?;
        Ok(var)
    }

    /// Checks that calls by the structural information of a global variable suit a function.
    fn check_signature(&self, var: &GlobalVar, function: &BaseFunc) -> Result<(), Error> {
        let (Some(expected), Some(given)) = (&var.struct_info, &function.struct_info) else { return Ok(()) };
        if is_at_least_as_specific(given, expected, &self.analyzer) {
            return Ok(());
        }
        let (name, expected, given) = (&var.name_hint, describe(expected), describe(given));
        Err(Error::new(ErrorKind::TypeMismatch, format!("the function `{name}`: expected {expected}, got {given}")))
    }

    /// The facts beside an expression that inference may use.
    pub(super) fn parts(&mut self) -> (&mut State, InferContext<'_>) {
        (&mut self.state, InferContext::new(&self.analyzer).module(&self.module))
    }

    /// The value of a visible variable that a binding binds; `None` for parameters and casts.
    #[must_use]
    pub fn lookup(&self, var: &Var) -> Option<RelaxExpr> {
        self.state.surroundings.value(var)
    }

    /// A name that no variable of the open function has: `hint`, with a number if it is in use.
    #[must_use]
    pub fn unique_name(&mut self, hint: &str) -> Str {
        self.state.names().fresh(hint)
    }
}
