//! The options of structural equality and hashing on the command line.

use clap::Args as ClapArgs;
use object_core::structural::{Scopes, StructuralOptions};

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
