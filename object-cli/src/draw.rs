//! `objir draw`: a graph as a picture.

use object_core::Result;
use object_core::picture::Picture;
use serde_json::json;

use crate::args::{DrawArgs, PictureFormat};
use crate::input::Reading;
use crate::output::{Output, Verdict, write_file};

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
