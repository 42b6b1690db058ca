//! [`Functions`]: the functions of a module under construction.

use std::collections::HashMap;

use object_core::prelude::*;
use object_ir::ir::{BaseFunc, GlobalVar, IRModule};

/// The functions, in the order in which they were declared. A declared function may lack its definition.
#[derive(Debug, Default)]
pub(super) struct Functions {
    entries: Vec<(GlobalVar, Option<BaseFunc>)>,
    by_name: HashMap<Str, usize>,
}

impl Functions {
    /// The functions of a module.
    pub(super) fn of(module: &IRModule) -> Self {
        let mut functions = Functions::default();
        for (var, function) in &module.functions {
            functions.push(var.clone(), Some(function.clone()));
        }
        functions
    }

    fn push(&mut self, var: GlobalVar, function: Option<BaseFunc>) {
        self.by_name.insert(var.name_hint.clone(), self.entries.len());
        self.entries.push((var, function));
    }

    /// The global variable of this name.
    pub(super) fn get(&self, name: &str) -> Option<&GlobalVar> {
        self.by_name.get(name).map(|&index| &self.entries[index].0)
    }

    /// Whether a function of this name is defined.
    pub(super) fn is_defined(&self, name: &str) -> bool {
        self.by_name.get(name).is_some_and(|&index| self.entries[index].1.is_some())
    }

    /// Declares a function.
    ///
    /// # Errors
    /// [`DuplicateKey`](ErrorKind::DuplicateKey) if the name is in use.
    pub(super) fn declare(&mut self, var: GlobalVar) -> Result<(), Error> {
        if self.get(&var.name_hint).is_some() {
            return Err(in_use(&var.name_hint));
        }
        self.push(var, None);
        Ok(())
    }

    /// Defines a function, which may be declared already.
    ///
    /// # Errors
    /// [`DuplicateKey`](ErrorKind::DuplicateKey) if it is defined already.
    pub(super) fn define(&mut self, var: &GlobalVar, function: BaseFunc) -> Result<(), Error> {
        match self.by_name.get(&var.name_hint) {
            Some(&index) if self.entries[index].1.is_some() => return Err(in_use(&var.name_hint)),
            Some(&index) => self.entries[index].1 = Some(function),
            None => self.push(var.clone(), Some(function)),
        }
        Ok(())
    }

    /// Replaces the definition of a function.
    ///
    /// # Errors
    /// [`MissingField`](ErrorKind::MissingField) if no function has this global variable.
    pub(super) fn replace(&mut self, var: &GlobalVar, function: BaseFunc) -> Result<(), Error> {
        let entry = self.by_name.get(&var.name_hint).and_then(|&index| self.entries.get_mut(index));
        let Some((_, definition)) = entry.filter(|(known, _)| known.ptr_eq(var)) else {
            let message = format!("the module has no function `{}`; add it first", var.name_hint);
            return Err(Error::new(ErrorKind::MissingField, message));
        };
        *definition = Some(function);
        Ok(())
    }

    /// The module with these functions.
    ///
    /// # Errors
    /// [`MissingField`](ErrorKind::MissingField) for a function without definition.
    pub(super) fn finish(self, mut module: IRModule) -> Result<IRModule, Error> {
        let mut functions = Vec::with_capacity(self.entries.len());
        for (var, function) in self.entries {
            let function = function.ok_or_else(|| {
                let message = format!("the function `{}` is declared, but not defined", var.name_hint);
                Error::new(ErrorKind::MissingField, message)
            })?;
            functions.push((var, function));
        }
        let names = Map::new(functions.iter().map(|(var, _)| (var.name_hint.clone(), var.clone())));
        let node = module.make_mut();
        node.global_var_map = names;
        node.functions = Map::new(functions);
        Ok(module)
    }
}

fn in_use(name: &Str) -> Error {
    Error::new(ErrorKind::DuplicateKey, format!("the module has a function `{name}` already; choose another name"))
}
