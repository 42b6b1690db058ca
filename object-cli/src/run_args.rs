//! The arguments of `objir run`.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use crate::source::Source;

/// `objir run`.
#[derive(ClapArgs)]
pub(crate) struct RunArgs {
    /// The file, or `-`.
    pub(crate) file: Source,

    /// The second file for `--compare`.
    #[arg(requires = "compare")]
    pub(crate) other: Option<Source>,

    /// Run the function of two files on the same arguments, and show where their values first differ. The exit code is 1
    /// for a difference.
    #[arg(long, requires = "other", conflicts_with_all = ["out", "trace", "profile"])]
    pub(crate) compare: bool,

    /// The relative tolerance of `--compare` for floating-point numbers. The default depends on the data type: 1e-4 for
    /// float32.
    #[arg(long, value_name = "X", requires = "compare")]
    pub(crate) rtol: Option<f64>,

    /// The absolute tolerance of `--compare` for floating-point numbers. The default depends on the data type: 1e-5 for
    /// float32.
    #[arg(long, value_name = "X", requires = "compare")]
    pub(crate) atol: Option<f64>,

    /// The function.
    #[arg(long, value_name = "NAME", default_value = "main")]
    pub(crate) func: String,

    /// The value of a parameter: the path of a `.npy` file, `x.npz:name` for an array of a `.npz` file, or JSON: a number,
    /// nested lists for a tensor, a list for a shape. Other parameters get random values.
    #[arg(long = "arg", value_name = "NAME=VALUE", value_parser = name_and_value)]
    pub(crate) args: Vec<(String, String)>,

    /// The seed of random values.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,

    /// The size of a symbolic dimension in random values; 4 by default.
    #[arg(long = "dim", value_name = "NAME=SIZE", value_parser = name_and_size)]
    pub(crate) dims: Vec<(String, i64)>,

    /// Write the tensors of the result to this file: `.npy`, or `.npz` with the names `r0`, `r1` and so on.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,

    /// Print each binding with a summary of its value on standard error.
    #[arg(long)]
    pub(crate) trace: bool,

    /// Print the time of each operator on standard error.
    #[arg(long)]
    pub(crate) profile: bool,

    /// The largest number of bytes of all tensors at one time.
    #[arg(long, value_name = "N", default_value_t = 4 << 30)]
    pub(crate) max_memory: u64,
}

fn name_and_value(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    Ok((name.to_owned(), value.to_owned()))
}

fn name_and_size(text: &str) -> Result<(String, i64), String> {
    let (name, size) = name_and_value(text)?;
    let size = size.parse::<u32>().map_err(|error| format!("the size of `{name}`: {error}"))?;
    Ok((name, size.into()))
}
