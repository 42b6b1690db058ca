//! `objir draw`: a graph as a picture.

use object_core::Result;
use object_core::picture::Picture;
use serde_json::json;

use crate::args::{DrawArgs, PictureFormat};
use crate::input::Reading;
use crate::output::{Output, Verdict};

pub(crate) fn run(args: &DrawArgs, reading: &Reading, output: &Output) -> Result<Verdict> {
    let graph = args.file.load(reading)?.graph;
    let picture = Picture::new(&graph.root).max_boxes(args.boxes).limits(reading.limits);
    let text = match args.format {
        PictureFormat::Dot => picture.to_dot(),
        PictureFormat::Svg => picture.to_svg(),
        PictureFormat::Html => picture.to_html(),
    };
    output.show(text.trim_end(), || json!({ "file": args.file.to_string(), "picture": text }))?;
    Ok(Verdict::Same)
}
