//! The pages of `objir diff --html` and `objir print --html`, in a browser where there is one.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::harness::objir;

/// The programs of browsers that can run without a window.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// Runs `script` on the page in `file`, and returns the value of its `result`. `None` without a browser.
pub(crate) fn run_in_browser(file: &Path, script: &str) -> Option<Value> {
    let browser = BROWSERS.iter().find(|it| Command::new(it).arg("--version").output().is_ok());
    let Some(browser) = browser else {
        println!("skipped: no browser found, tried {}", BROWSERS.join(", "));
        return None;
    };
    let page = fs::read_to_string(file).expect("the page is there");
    let own_script = format!(
        "<script>addEventListener('load', () => {{ let result = {{}}; {script}\n\
         document.title = JSON.stringify(result); }});</script></body>"
    );
    let with_script = file.with_extension("test.html");
    fs::write(&with_script, page.replace("</body>", &own_script)).expect("the page can be written");
    let profile = file.with_extension("profile");
    let run = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"])
        .args(["--disable-component-update", "--disable-sync", "--virtual-time-budget=2000", "--window-size=1200,800"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg("--dump-dom")
        .arg(format!("file://{}", with_script.display()))
        .output()
        .expect("the browser runs");
    let dom = String::from_utf8_lossy(&run.stdout);
    let title = dom.split_once("<title>").and_then(|(_, rest)| rest.split_once("</title>"));
    let (title, _) = title.unwrap_or_else(|| panic!("no page: {dom}{}", String::from_utf8_lossy(&run.stderr)));
    let title = title.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    Some(serde_json::from_str(&title).unwrap_or_else(|error| panic!("{error}: {title}")))
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
        result.listed = document.querySelectorAll("#differences li").length;
        document.getElementById("next").click();
        const first = document.querySelector("mark.chosen");
        result.first = first.textContent;
        result.isVisible = first.getBoundingClientRect().top > 0 && first.getBoundingClientRect().bottom < innerHeight;
        result.isBeside = [...document.querySelectorAll("mark.chosen")].map((it) => it.getBoundingClientRect().top);
        result.isBeside = result.isBeside.length === 2 && result.isBeside[0] === result.isBeside[1];
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
            "heading": "more than 40 differences",
            "listed": 40,
            "first": "R.reshape",
            "isVisible": true,
            "isBeside": true,
            "hint": ["difference the values differ", format!("path {path}"), "type ir.Op"],
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
