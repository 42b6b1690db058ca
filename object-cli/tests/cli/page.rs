//! The pages of `objir diff --html` and `objir print --html`, in a browser where there is one.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::harness::{objir, root};

/// The programs of browsers that can run without a window.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// The widths of windows in the tests of layout: a desk, a small window, a phone.
const WIDTHS: [u32; 3] = [1400, 800, 390];

/// Runs `script` on the page in `file` after its first frames, and returns the value of its `result`. `None` without a browser.
pub(crate) fn run_in_browser(file: &Path, script: &str) -> Option<Value> {
    run_in_windows(file, script, &[1200], false)?.pop()
}

/// As [`run_in_browser`], in a window of each width, with dark colours or light ones.
fn run_in_windows(file: &Path, script: &str, widths: &[u32], is_dark: bool) -> Option<Vec<Value>> {
    let browser = BROWSERS.iter().find(|it| Command::new(it).arg("--version").output().is_ok());
    let Some(browser) = browser else {
        println!("skipped: no browser found, tried {}", BROWSERS.join(", "));
        return None;
    };
    let page = fs::read_to_string(file).expect("the page is there");
    let own_script = format!(
        "<script>addEventListener('load', () => setTimeout(() => {{ let result = {{}}; {script}\n\
         parent.postMessage(JSON.stringify(result), '*'); }}, 500));</script></body>"
    );
    let with_script = file.with_extension(format!("{is_dark}.script.html"));
    fs::write(&with_script, page.replace("</body>", &own_script)).expect("the page can be written");
    // A window is never as narrow as a phone, so a frame is. All frames are in view, because a browser draws no others. The title has
    // the results once each frame has one.
    let frame = |width: &u32| {
        let style = format!("border: 0; flex: none; width: {width}px; height: 700px");
        format!("<iframe style=\"{style}\" src=\"file://{}\"></iframe>", with_script.display())
    };
    let frames: String = widths.iter().map(frame).collect();
    let with_frames = file.with_extension(format!("{is_dark}.frames.html"));
    let content = format!(
        "<title></title><style>body {{ margin: 0; display: flex }}</style><script>const results = [];\n\
         onmessage = (it) => {{\n\
         const all = [...document.querySelectorAll('iframe')];\n\
         results[all.findIndex((frame) => frame.contentWindow === it.source)] = it.data;\n\
         if (Object.keys(results).length === all.length) document.title = `[${{results}}]`;\n\
         }};</script>{frames}"
    );
    fs::write(&with_frames, content).expect("the page can be written");
    let profile = file.with_extension(format!("{is_dark}.profile"));
    let run = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"])
        .args(["--disable-component-update", "--disable-sync", "--virtual-time-budget=2000"])
        .arg(format!("--window-size={},800", widths.iter().sum::<u32>() + 100))
        .arg(format!("--blink-settings=preferredColorScheme={}", u8::from(!is_dark)))
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg("--dump-dom")
        .arg(format!("file://{}", with_frames.display()))
        .output()
        .expect("the browser runs");
    let dom = String::from_utf8_lossy(&run.stdout);
    let title = dom.split_once("<title>").and_then(|(_, rest)| rest.split_once("</title>"));
    let (title, _) = title.unwrap_or_else(|| panic!("no page: {dom}{}", String::from_utf8_lossy(&run.stderr)));
    let title = title.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    Some(serde_json::from_str(&title).unwrap_or_else(|error| panic!("{error}: {title}: {}", with_frames.display())))
}

/// Asserts that nothing on the page stands outside of the window, and that the first element that `first` selects is in view, at each
/// width and with both sets of colours.
pub(crate) fn assert_layout(file: &Path, first: &str) {
    let script = r##"
        const { clientWidth, scrollWidth } = document.documentElement;
        result.window = innerWidth;
        result.fits = scrollWidth <= clientWidth;
        // Names in the heading lose their beginning.
        const isClipped = (it) => it.closest("h1 span, .unseen, option") !== null;
        const boxes = [...document.querySelectorAll("body *")].map((it) => [it, it.getBoundingClientRect()]);
        const isOutside = ([it, box]) => box.width > 0 && !isClipped(it) && (box.right > clientWidth + 0.5 || box.left < -0.5);
        result.outside = boxes.filter(isOutside).map(([it]) => it.outerHTML.slice(0, 80));
        const box = document.querySelector("FIRST").getClientRects()[0];
        const seen = document.elementFromPoint(box.left + 2, (box.top + box.bottom) / 2);
        result.first = seen !== null && seen.closest("FIRST") !== null;
        result.background = getComputedStyle(document.body).backgroundColor;
    "##
    .replace("FIRST", first);
    for (is_dark, background) in [(false, "rgb(255, 255, 255)"), (true, "rgb(20, 23, 27)")] {
        let Some(results) = run_in_windows(file, &script, &WIDTHS, is_dark) else { return };
        let expected = WIDTHS.map(
            |width| json!({ "window": width, "fits": true, "outside": [], "first": true, "background": background }),
        );
        assert_eq!(results, expected, "dark: {is_dark}");
    }
}

/// The path of a page that the tests write.
pub(crate) fn own_page(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

#[test]
fn a_page_of_differences_works_in_a_browser() {
    let page = own_page("differences.html");
    let run = objir(&[
        "diff",
        "fixtures/decoder.json.gz",
        "fixtures/decoder_legalized.json.gz",
        "--limit",
        "40",
        "--html",
        &page.display().to_string(),
    ]);
    assert_eq!(run.code, Some(1));
    let script = r##"
        const hint = document.getElementById("hint");
        result.heading = document.querySelector(".verdict").textContent;
        result.listed = document.querySelectorAll("#edits > li").length;
        document.getElementById("next").click();
        const first = document.querySelector("mark.chosen");
        result.first = first.textContent;
        result.isVisible = first.getBoundingClientRect().top > 0 && first.getBoundingClientRect().bottom < innerHeight;
        const [left, right] = ["a", "b"].map((side) => document.querySelector(`mark.chosen[id^=${side}]`).closest(".row"));
        result.isBeside = left === right;
        first.querySelector("i").dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
        result.hint = [...hint.children].map((it) => it.textContent);
        document.getElementById("previous").click();
        result.position = document.getElementById("position").textContent;
        const equal = [...document.querySelectorAll("details.run")][0];
        result.isFolded = !equal.open;
        result.width = document.documentElement.scrollWidth <= innerWidth;
    "##;
    let Some(result) = run_in_browser(&page, script) else { return };
    let path = "<root>.functions[I.GlobalVar(\"decode\")].body.blocks[0].bindings[8].value.op";
    assert_eq!(
        result,
        json!({
            "heading": "366 edits, of which the page shows 40",
            "listed": 40,
            "first": "R.reshape",
            "isVisible": true,
            "isBeside": true,
            "hint": ["edit reshape -> call_tir reshape, in decode", format!("path {path}"), "type ir.Op"],
            "position": "40 of 40",
            "isFolded": true,
            "width": true,
        })
    );
}

#[test]
fn a_page_of_one_module_works_in_a_browser() {
    let page = own_page("module.html");
    let run = objir(&["print", "fixtures/mlp.json.gz", "--html", &page.display().to_string()]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), ""));
    let script = r##"
        const hint = document.getElementById("hint");
        const name = [...document.querySelectorAll("main i")].find((it) => it.textContent === "h1");
        name.dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
        result.hint = [...hint.children].map((it) => it.textContent);
        result.script = [...document.querySelectorAll("main code")].map((it) => it.textContent).join("\n");
        result.isFolded = [...document.querySelectorAll("details.function")].some((it) => !it.open);
    "##;
    let Some(result) = run_in_browser(&page, script) else { return };
    let path = "<root>.functions[I.GlobalVar(\"main\")].body.blocks[0].bindings[1].var";
    let info = "struct info R.Tensor((n, 32), dtype=\"float32\")";
    assert_eq!(result["hint"], json!([format!("path {path}"), "type relax.expr.DataflowVar", info]),);
    assert_eq!(result["script"], objir(&["print", "fixtures/mlp.json.gz"]).stdout.trim_end());
    assert_eq!(result["isFolded"], false);
}

/// The page of the differences between two modules, under long names of files.
fn page_of(name: &str, a: &str, b: &str) -> std::path::PathBuf {
    let folder = own_page(&format!("{name}_{}", "a-folder-with-a-long-name-".repeat(6)));
    fs::create_dir_all(&folder).expect("a folder");
    let copies = [a, b].map(|file| {
        let copy = folder.join(Path::new(file).file_name().expect("a name"));
        fs::copy(root().join(file), &copy).expect("the fixture is there");
        copy.display().to_string()
    });
    let page = own_page(&format!("{name}.html"));
    let run = objir(&["diff", &copies[0], &copies[1], "--html", &page.display().to_string()]);
    assert_eq!(run.code, Some(1), "{}", run.show());
    page
}

#[test]
fn pages_of_differences_fit_into_windows() {
    assert_layout(&page_of("fits_mlp", "fixtures/mlp.json.gz", "fixtures/mlp_changed.json.gz"), "main mark");
    let decoders = ["fixtures/decoder.json.gz", "fixtures/decoder_legalized.json.gz"];
    assert_layout(&page_of("fits_decoder", decoders[0], decoders[1]), "main mark");
}

#[test]
fn a_page_of_differences_has_filters_keys_and_a_map() {
    let page = page_of("filters", "fixtures/decoder_small.json.gz", "fixtures/decoder_small_legalized.json.gz");
    let script = r##"
        const byId = (id) => document.getElementById(id);
        const type = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
        const position = () => byId("position").textContent;
        const names = () => [...document.querySelectorAll("details.function:not([hidden]) > summary")].map((it) => it.textContent);
        const all = +position();
        result.changedFirst = /edits?$/.test(names()[0]) && names().at(-1).endsWith("only");
        type("n");
        type("n");
        type("p");
        result.first = position() === `1 of ${all}`;
        result.about = byId("about").textContent.includes("<root>.functions");
        type("p");
        result.around = position() === `${all} of ${all}`;
        const boxes = [...document.querySelectorAll("#kinds label")].map((it) => it.textContent.trim().replace(/\d+/, "N"));
        result.kinds = boxes.sort();
        const box = [...document.querySelectorAll("#kinds label")].find((it) => it.querySelector(".added"));
        const added = +box.querySelector(".added").textContent;
        box.querySelector("input").click();
        result.withoutAdded = +position() === all - added && document.querySelector("#edits > li[data-k=added]:not([hidden])") === null;
        result.shown = names().length;
        box.querySelector("input").click();
        const find = byId("filter");
        find.value = "prefill";
        find.dispatchEvent(new Event("input"));
        result.named = names().map((it) => it.split(" ")[0]);
        find.value = "";
        find.dispatchEvent(new Event("input"));
        result.all = +position() === all;
        type("c");
        result.closed = document.querySelector("details.function[open]") === null;
        type("e");
        result.open = document.querySelector("details.function:not([open])") === null;
        type("/");
        result.focused = document.activeElement === find;
        type("?");
        result.help = [...document.querySelectorAll("dialog[open] kbd")].map((it) => it.textContent);
        document.querySelector("dialog button").click();
        result.labels = [...document.querySelectorAll("header button")].every((it) => it.ariaLabel && it.title);
        result.title = document.querySelector("h1 .a").title.endsWith("decoder_small.json.gz");
        const text = document.querySelector("h1 .a bdi").getBoundingClientRect(), box2 = document.querySelector("h1 .a").getBoundingClientRect();
        result.losesItsBeginning = text.left < box2.left && text.right <= box2.right + 1;
    "##;
    let Some(result) = run_in_browser(&page, script) else { return };
    assert_eq!(
        result,
        json!({
            "changedFirst": true, "first": true, "about": true, "around": true,
            "kinds": ["different N", "on the right only N"],
            "withoutAdded": true, "shown": 2, "named": ["prefill"], "all": true,
            "closed": true, "open": true, "focused": true, "help": ["n", "p", "c", "e", "Escape", "/", "?"],
            "labels": true, "title": true, "losesItsBeginning": true,
        })
    );
}

#[test]
fn a_page_has_colours_and_a_map() {
    let page = page_of("colours", "fixtures/mlp.json.gz", "fixtures/mlp_changed.json.gz");
    let script = r##"
        const tick = document.querySelector("#map i").getBoundingClientRect();
        const mark = document.querySelector("mark").getBoundingClientRect();
        result.beside = Math.abs(tick.top / innerHeight - mark.top / document.documentElement.scrollHeight) < 0.02;
        document.getElementById("map").dispatchEvent(new MouseEvent("click", { clientY: tick.top }));
        result.chosen = document.querySelectorAll("mark.chosen").length;
        const text = (it) => it.startContainer.data.slice(it.startOffset, it.endOffset);
        result.colours = Object.fromEntries([...CSS.highlights].map(([kind, ranges]) =>
            [kind, [...new Set([...ranges].filter((it) => it.startContainer === it.endContainer).map(text))].sort().slice(0, 4)]));
    "##;
    let Some(result) = run_in_browser(&page, script) else { return };
    let colours = json!({
        "comment": ["# from tvm.script import ir as I", "# from tvm.script import relax as R",
                    "# from tvm.script import tirx as T", "# from tvm.tirx.layout import Axis"],
        "string": ["\"float32\"", "\"void\""],
        "keyword": ["@I.ir_module", "@R.function", "class", "def"],
        "constant": ["1", "16", "32", "8"],
        "call": ["Tensor", "add", "dataflow", "gelu"],
    });
    assert_eq!(result, json!({ "beside": true, "chosen": 2, "colours": colours }));
}
