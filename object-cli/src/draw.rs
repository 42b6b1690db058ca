//! `objir draw`: the dataflow of a program, or a graph of objects, as a picture.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};
use object_core::picture::Picture;
use object_core::{Error, ErrorKind, Result};
use serde_json::json;

use crate::dataflow::{self, Group};
use crate::input::Reading;
use crate::output::{Output, Verdict, write_file};
use crate::source::Source;
use crate::types::Loaded;
use crate::{dataflow_json, dataflow_picture};

/// `objir draw`.
#[derive(ClapArgs)]
pub(crate) struct DrawArgs {
    /// The file, or `-`.
    file: Source,

    /// Write the picture to this file instead of standard output.
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,

    /// The format of the picture.
    #[arg(long, value_enum, default_value_t = PictureFormat::Svg)]
    format: PictureFormat,

    /// Draw the objects of the graph, with arrows to their children, as for files that have no function of Relax.
    #[arg(long)]
    objects: bool,

    /// The largest number of boxes. One further box stands for the rest. The default is 2000, and 300 for objects.
    #[arg(long, value_name = "N")]
    boxes: Option<usize>,
}

/// The largest numbers of boxes by default.
const BINDINGS: usize = 2000;
const OBJECTS: usize = 300;

/// The formats of pictures.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum PictureFormat {
    /// A text for Graphviz.
    Dot,
    /// A picture.
    Svg,
    /// A page with the picture, a search, and functions that close.
    Html,
    /// The dataflow as JSON for Model Explorer.
    ModelExplorer,
    /// The dataflow as JSON for Netron, in the form of ONNX with the operators of Relax.
    Netron,
}

pub(crate) fn run(args: &DrawArgs, reading: &Reading, output: &Output) -> Result<Verdict> {
    let loaded = args.file.load(reading)?;
    // Types of a file have no dataflow, and neither have objects that only later versions of TVM have.
    let loaded = if args.objects { loaded } else { loaded.into_common() };
    let groups = if args.objects || !loaded.origin.is_linked() {
        Vec::new()
    } else {
        dataflow::groups(&loaded.graph.root, &reading.printer(), args.boxes.unwrap_or(BINDINGS))
    };
    let text = if groups.is_empty() { objects(args, &loaded, reading)? } else { of_dataflow(args, &groups, reading) };
    if let Some(path) = &args.output {
        write_file(path, &text)?;
        if output.is_json() {
            let (file, path) = (args.file.to_string(), path.display().to_string());
            output.show_text(json!({ "file": file, "output": path, "bytes": text.len() }))?;
        }
        return Ok(Verdict::Same);
    }
    output.show(text.trim_end(), || json!({ "file": args.file.to_string(), "picture": text }))?;
    Ok(Verdict::Same)
}

/// The picture of the objects.
///
/// # Errors
/// [`TypeMismatch`](ErrorKind::TypeMismatch) for formats that show dataflow alone.
fn objects(args: &DrawArgs, loaded: &Loaded, reading: &Reading) -> Result<String> {
    let boxes = args.boxes.unwrap_or(OBJECTS);
    let picture = Picture::new(&loaded.graph.root).max_boxes(boxes).limits(reading.limits);
    Ok(match args.format {
        PictureFormat::Dot => picture.to_dot(),
        PictureFormat::Svg => picture.to_svg(),
        PictureFormat::Html => picture.to_html(),
        PictureFormat::ModelExplorer | PictureFormat::Netron => {
            let message = "this format shows the dataflow of functions of Relax, and the file has none; use `--format dot`, \
                           `svg` or `html`";
            return Err(Error::new(ErrorKind::TypeMismatch, message));
        }
    })
}

/// The picture of the dataflow.
fn of_dataflow(args: &DrawArgs, groups: &[Group], reading: &Reading) -> String {
    match args.format {
        PictureFormat::Dot => dataflow_picture::dot(groups),
        PictureFormat::Svg => dataflow_picture::svg(groups),
        PictureFormat::Html => dataflow_picture::html(&args.file.to_string(), groups),
        PictureFormat::ModelExplorer => dataflow_json::model_explorer(&args.file.to_string(), groups).to_string(),
        PictureFormat::Netron => dataflow_json::onnx(groups, &reading.printer()).to_string(),
    }
}
