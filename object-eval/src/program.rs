//! [`Program`]: a compiled module.

use std::sync::Arc;

use object_core::access_path::AccessPath;
use object_core::prelude::*;
use object_core::table::{Set, Table};
use object_ir::ir::{BaseFunc, Binding, ExternFunc, Function, IRModule};
use object_ir::tir::PrimFunc;
use object_relax::derivation::paths_of;

use super::closure::Closure;
use super::code::Code;
use super::compile::Compiler;
use super::loop_program::LoopProgram;

/// A function of a module.
#[derive(Clone, Debug)]
pub(super) enum Global {
    /// A function of Relax: the number of its code, or the reason why it has no meaning.
    Relax(Result<usize, Error>),
    /// A loop program.
    Loops(LoopProgram),
    /// A function outside of the module.
    Extern(Str),
}

/// A compiled module.
#[derive(Debug)]
pub(super) struct Program {
    module: IRModule,
    codes: Vec<Code>,
    globals: Table<Str, Global>,
    /// The functions by their `global_symbol`.
    symbols: Table<Str, Str>,
    /// The names of the functions with a `global_symbol`.
    public: Set<Str>,
    token: Arc<()>,
}

/// The name under which a function can be called from outside of its module.
fn global_symbol(function: &BaseFunc) -> Option<Str> {
    function.attrs.dict.get("global_symbol")?.clone().cast().ok()
}

impl Program {
    /// Compiles the functions of a module. A function without a meaning is an error for its callers only.
    pub(super) fn new(module: &IRModule) -> Self {
        let functions: Vec<(Str, BaseFunc)> =
            module.functions.iter().map(|(var, function)| (var.name_hint.clone(), function.clone())).collect();
        let relax: Vec<(&Str, &Function)> =
            functions.iter().filter_map(|(name, it)| Some((name, it.downcast_ref::<Function>()?))).collect();
        let numbers: Table<Str, usize> =
            relax.iter().enumerate().map(|(number, (name, _))| ((*name).clone(), number)).collect();
        let program =
            |name: &Str, it: &BaseFunc| Some(LoopProgram::named(name, it.downcast_ref::<PrimFunc>()?, module));
        let programs: Table<Str, LoopProgram> =
            functions.iter().filter_map(|(name, it)| Some((name.clone(), program(name, it)?))).collect();
        let mut compiler = Compiler::new(&numbers, &programs, relax.len());
        let mut globals = Table::default();
        let mut codes = Vec::with_capacity(relax.len());
        for (number, (name, function)) in relax.iter().enumerate() {
            let compiled = compiler.global(name, function);
            let global = compiled.as_ref().map(|_| number).map_err(Clone::clone);
            globals.insert((*name).clone(), Global::Relax(global));
            codes.push(compiled.unwrap_or_else(|error| Code::failing(name, function, error)));
        }
        codes.append(&mut compiler.locals);
        let mut symbols = Table::default();
        for (name, function) in &functions {
            if let Some(symbol) = global_symbol(function) {
                symbols.insert(symbol, name.clone());
            }
            if let Some(function) = function.downcast_ref::<ExternFunc>() {
                globals.insert(name.clone(), Global::Extern(function.global_symbol.clone()));
            }
        }
        globals.extend(programs.into_iter().map(|(name, program)| (name, Global::Loops(program))));
        let public = symbols.values().cloned().collect();
        Program { module: module.clone(), codes, globals, symbols, public, token: Arc::new(()) }
    }

    pub(super) fn module(&self) -> &IRModule {
        &self.module
    }

    pub(super) fn code(&self, number: usize) -> &Code {
        &self.codes[number]
    }

    /// The identity of the program.
    pub(super) fn token(&self) -> Arc<()> {
        self.token.clone()
    }

    /// Whether a closure belongs to this program.
    pub(super) fn owns(&self, closure: &Closure) -> bool {
        Arc::ptr_eq(&closure.program, &self.token)
    }

    /// A function by its name in the module.
    pub(super) fn global(&self, name: &str) -> Option<&Global> {
        self.globals.get(name)
    }

    /// A function by its `global_symbol`.
    pub(super) fn symbol(&self, symbol: &str) -> Option<&Global> {
        self.global(self.symbols.get(symbol)?)
    }

    /// The names of functions that can be called from outside, sorted.
    pub(super) fn entries(&self) -> Vec<&str> {
        let is_callable = |name: &str, global: &Global| matches!(global, Global::Relax(_)) && self.is_entry(name);
        let mut names: Vec<&str> =
            self.globals.iter().filter(|(name, global)| is_callable(name, global)).map(|(name, _)| &**name).collect();
        names.sort_unstable();
        names
    }

    /// Whether the function `name` is `main`, or has a `global_symbol`.
    fn is_entry(&self, name: &str) -> bool {
        name == "main" || self.public.contains(name)
    }

    /// The number of the code of an entry.
    ///
    /// # Errors
    /// [`UnknownFunction`](ErrorKind::UnknownFunction) for an unknown name, and for a private function.
    pub(super) fn entry(&self, name: &str) -> Result<usize, Error> {
        let found = self.global(name).map(|global| (global, self.is_entry(name)));
        let found = found.or_else(|| Some((self.symbol(name)?, true)));
        let message = match found {
            Some((Global::Relax(number), true)) => return number.clone(),
            Some((Global::Relax(_), false)) => format!(
                "the function `{name}` is private; give it the attribute `global_symbol`, or call it from an entry: {}",
                self.entries().join(", ")
            ),
            Some(_) => format!("`{name}` is not a function of Relax; call it from one of them"),
            None => format!("the module has no function `{name}`; its entries are: {}", self.entries().join(", ")),
        };
        Err(Error::new(ErrorKind::UnknownFunction, message))
    }

    /// The function of Relax with this name, whether it is an entry or not.
    pub(super) fn function(&self, name: &str) -> Option<Function> {
        let function = self.module.functions.iter().find(|(var, _)| *var.name_hint == *name)?.1;
        function.downcast_ref().cloned()
    }

    /// The path to a binding in the module.
    pub(super) fn path_of(&self, binding: &Binding) -> Option<AccessPath> {
        let object = binding.as_object();
        paths_of(&self.module, [object].into_iter()).remove(&object.view().address())
    }
}
