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

    /// Run the function of two files on the same arguments, several times, and show where their values first differ. The
    /// exit code is 0 for the same results, 1 for a difference, 2 for an error, and 3 if the runs do not tell: NaN or
    /// infinity hides the values, or no run gets to the end. Random values stay in the domains of operators, and in a
    /// narrower range if numbers overflow.
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

    /// The value of a parameter: the path of a `.npy` file, `FILE:NAME` for a tensor of a `.npz`, `.safetensors` or `.params`
    /// file, or JSON: a number, nested lists for a tensor, a list for a shape. Other parameters get random values.
    #[arg(long = "arg", value_name = "NAME=VALUE", value_parser = name_and_value)]
    pub(crate) args: Vec<(String, String)>,

    /// The values of all parameters without `--arg`, by name: a `.npz` or `.safetensors` file, or a `.params` file, as
    /// `tvm.runtime.save_param_dict` writes it. The members of a tuple `t` have the names `t.0`, `t.1` and so on.
    #[arg(long, value_name = "FILE")]
    pub(crate) arg_file: Option<PathBuf>,

    /// The seed of random values.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,

    /// The number of seeds of `--compare`: `--seed` and the numbers after it.
    #[arg(long, value_name = "K", requires = "compare", default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) seeds: u64,

    /// The size of a symbolic dimension in random values; by default the one in the values of `--arg`, or else 4.
    #[arg(long = "dim", value_name = "NAME=SIZE", value_parser = name_and_size)]
    pub(crate) dim: Vec<(String, i64)>,

    /// The sizes of a symbolic dimension for `--compare`, which runs each seed with each of them. By default, the first
    /// seed has the size 4 for all dimensions, the second one 1, and the third one different sizes.
    #[arg(long, value_name = "NAME=SIZE,...", requires = "compare", value_parser = name_and_sizes)]
    pub(crate) dims: Vec<(String, Vec<i64>)>,

    /// Write the result to this file: one array as `.npy`, or `.npz`, `.safetensors` or `.params` with the names `r0`, `r1` and
    /// so on, and `r1.0` for the member of a tuple. Shapes and numbers are arrays, too.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,

    /// Print each binding with a summary of its value on standard error.
    #[arg(long)]
    pub(crate) trace: bool,

    /// Print the time of each operator on standard error.
    #[arg(long)]
    pub(crate) profile: bool,
}

pub(crate) fn name_and_value(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    Ok((name.to_owned(), value.to_owned()))
}

pub(crate) fn name_and_size(text: &str) -> Result<(String, i64), String> {
    match name_and_sizes(text)? {
        (name, sizes) if sizes.len() == 1 => Ok((name, sizes[0])),
        (name, _) => Err(format!("expected one size of `{name}`; `--dims` takes several")),
    }
}

pub(crate) fn name_and_sizes(text: &str) -> Result<(String, Vec<i64>), String> {
    let (name, sizes) = name_and_value(text)?;
    let size = |text: &str| text.parse::<u32>().map_err(|error| format!("the size of `{name}`: {error}"));
    let sizes = sizes.split(',').map(|text| size(text).map(i64::from)).collect::<Result<_, _>>()?;
    Ok((name, sizes))
}
