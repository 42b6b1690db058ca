//! `objir draw`: a graph as a picture.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};
use object_core::Result;
use object_core::picture::Picture;
use serde_json::json;

use crate::input::Reading;
use crate::output::{Output, Verdict, write_file};
use crate::source::Source;

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

    /// The largest number of boxes. One further box stands for all other objects.
    #[arg(long, value_name = "N", default_value_t = 300)]
    boxes: usize,
}

/// The formats of pictures.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum PictureFormat {
    /// A text for Graphviz.
    Dot,
    /// A picture.
    Svg,
    /// A page with the picture.
    Html,
}

pub(crate) fn run(args: &DrawArgs, reading: &Reading, output: &Output) -> Result<Verdict> {
    let graph = args.file.load(reading)?.graph;
    let picture = Picture::new(&graph.root).max_boxes(args.boxes).limits(reading.limits);
    let text = match args.format {
        PictureFormat::Dot => picture.to_dot(),
        PictureFormat::Svg => picture.to_svg(),
        PictureFormat::Html => picture.to_html(),
    };
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
