//! `objir print`: a file as TVMScript.

use object_core::Result;
use object_script::page::ScriptPage;
use serde_json::{Value, json};

use crate::args::PrintArgs;
use crate::input::Reading;
use crate::output::{Output, Verdict, write_file};

pub(crate) fn run(args: &PrintArgs, reading: &Reading, output: &Output) -> Result<Verdict> {
    let graph = args.file.load_for("print", reading)?;
    if args.exact {
        let text = args.printer().print_exact(&graph.root).map_err(|error| args.file.name_in(error))?;
        output.show(&text, || json!({"file": args.file.to_string(), "root": graph.root.type_key(), "script": text}))?;
        return Ok(Verdict::Same);
    }
    let script = args.printer().print(&graph.root);
    if let Some(file) = &args.html {
        write_file(file, ScriptPage::new(args.file.to_string(), &script, &graph.root).to_html())?;
        return Ok(Verdict::Same);
    }
    let excerpt = script.excerpt().line_numbers(args.line_numbers);
    output.show(&excerpt, || {
        let spans: Vec<Value> =
            script.spans().map(|(range, path)| json!([range.start, range.end, path.to_string()])).collect();
        json!({
            "file": args.file.to_string(),
            "root": graph.root.type_key(),
            "script": script.text(),
            "spans": spans,
        })
    })?;
    Ok(Verdict::Same)
}
