//! `objir man`: the manual, one page for each command.

use std::io;
use std::path::PathBuf;

use clap::{Args as ClapArgs, Command};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};
use object_core::{Error, Result};
use serde_json::json;

use crate::examples::examples;
use crate::output::{Output, Verdict, write_file};

/// `objir man`.
#[derive(ClapArgs)]
pub(crate) struct ManArgs {
    /// Write each page into this folder, such as `objir-check.1`. Without it, all pages are the output, one after the other.
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
}

/// Writes the pages of a command with all of its options.
pub(crate) fn run(args: &ManArgs, mut command: Command, output: &Output) -> Result<Verdict> {
    command.build();
    let mut pages = Vec::new();
    add_pages(command, &mut pages).map_err(Error::from)?;
    let names: Vec<&str> = pages.iter().map(|(name, _)| &**name).collect();
    if let Some(folder) = &args.folder {
        std::fs::create_dir_all(folder).map_err(|error| Error::from(error).context(folder.display()))?;
        for (name, page) in &pages {
            write_file(&folder.join(name), page)?;
        }
        let count = pages.len();
        output.show(format_args!("{count} pages in {}", folder.display()), || json!({"pages": names}))?;
        return Ok(Verdict::Same);
    }
    let text = pages.iter().map(|(_, page)| &**page).collect::<String>();
    output.show(text.trim_end(), || json!({"pages": names, "manual": text}))?;
    Ok(Verdict::Same)
}

/// Adds the pages of a built command and of the commands in it: the name of the file and the text of each.
fn add_pages(command: Command, pages: &mut Vec<(String, String)>) -> io::Result<()> {
    // The tree of `help` repeats the commands.
    let inner: Vec<Command> = command.get_subcommands().filter(|it| it.get_name() != "help").cloned().collect();
    let name = command.get_display_name().unwrap_or_else(|| command.get_name()).to_owned();
    let shown = name.strip_prefix("objir-").and_then(examples);
    let mut page = Vec::new();
    Man::new(command.version(env!("CARGO_PKG_VERSION"))).render(&mut page)?;
    if let Some(lines) = shown {
        let mut section = Roff::new();
        section.control("SH", ["EXAMPLES"]).control("nf", []);
        for example in lines {
            section.text([bold("$ "), roman(example)]);
        }
        section.control("fi", []).to_writer(&mut page)?;
    }
    pages.push((format!("{name}.1"), String::from_utf8_lossy(&page).into_owned()));
    inner.into_iter().try_for_each(|it| add_pages(it, pages))
}
