//! The limits of memory and work on the command line.

use clap::Args as ClapArgs;
use object_core::limits::Limits;
use object_core::meter::{ByteSize, Meter};

/// The limits of memory and work, which `--help-all` shows. The defaults are for files from strangers.
#[derive(ClapArgs)]
#[command(next_help_heading = "Limits")]
pub(crate) struct LimitArgs {
    /// The memory of all graphs, texts, pages, results, arrays and tensors at one time, in bytes or with a suffix: 512M, 8G
    /// or 8GiB; 8GB are 8 billion.
    #[arg(long, hide = true, global = true, value_name = "SIZE", default_value_t = ByteSize(4 << 30))]
    max_memory: ByteSize,

    /// The largest number of bytes of a file, unpacked. The default is half of `--max-memory`: 2G.
    #[arg(long, hide = true, global = true, value_name = "SIZE")]
    max_bytes: Option<ByteSize>,

    /// The largest number of bytes to which a byte of a packed file unpacks, for the bytes beyond 256M.
    #[arg(long, hide = true, global = true, value_name = "N", default_value_t = Limits::untrusted().max_expansion)]
    max_expansion: u64,

    /// The largest number of nodes of a graph, with the elements of its lists. A value in a schema counts as 16. The default
    /// is one for each 107 bytes of `--max-memory`: 40 million.
    #[arg(long, hide = true, global = true, value_name = "N")]
    max_nodes: Option<u64>,

    /// The largest number of objects on a path from the root of a graph.
    #[arg(long, hide = true, global = true, value_name = "N", default_value_t = Limits::untrusted().max_depth)]
    max_depth: u64,

    /// The largest number of steps of an operation: of objects and references that it visits.
    #[arg(long, hide = true, global = true, value_name = "N", default_value_t = Limits::untrusted().max_steps)]
    max_steps: u64,

    /// The largest number of characters of an error message; a longer message loses its middle.
    #[arg(long, hide = true, global = true, value_name = "N", default_value_t = Limits::new().max_message)]
    max_message: usize,

    /// The largest edit distance of two arrays for which `diff` finds the shortest edit.
    #[arg(long, hide = true, global = true, value_name = "N", default_value_t = Limits::untrusted().max_edit_distance)]
    max_edit_distance: usize,
}

impl LimitArgs {
    /// The limits that these arguments choose. Without other arguments, the memory is a multiple of the text and of the nodes
    /// as in [`Limits::untrusted`].
    pub(crate) fn limits(&self) -> Limits {
        let ByteSize(memory) = self.max_memory;
        Limits::untrusted()
            .max_bytes(self.max_bytes.map_or(memory / 2, |ByteSize(bytes)| bytes))
            .max_expansion(self.max_expansion)
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
