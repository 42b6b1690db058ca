//! Pages of texts in HTML, without a language.

use object_core::access_path::AccessStep;
use object_core::edit::edits;
use object_core::meter::Meter;
use object_core::page::{MAX_NOTE, Page};
use object_core::repr::Repr;
use object_core::{Array, ErrorKind, Map, Str};

/// Lists of numbers by name, each with more lines than one.
fn lists(last: i64) -> Map<Str, Array<i64>> {
    [("f", 0), ("g", last)]
        .map(|(name, last)| (Str::from(name), (100..200).chain([last]).collect()))
        .into_iter()
        .collect()
}

/// The titles of the sections of a page.
fn titles(html: &str) -> Vec<&str> {
    html.lines().filter(|line| line.starts_with("<details class=\"function\"")).collect()
}

#[test]
fn sections_have_names_and_counts() {
    let (a, b) = (lists(1), lists(2));
    let [text_a, text_b] = [&a, &b].map(|it| Repr::new(it).indented(true).printed());
    let script = edits(&a, &b).unwrap();
    let page = Page::new("a", &text_a, &a).beside("b", &text_b, &b, &script).sections(|path| match path.steps() {
        [AccessStep::MapItem(name)] => Some(format!("<{name}>")),
        _ => None,
    });
    let expected = [
        r#"<details class="function" open><summary>&lt;&quot;g&quot;&gt; <span class="changed">1 edit</span></summary>"#,
        r#"<details class="function"><summary>&lt;&quot;f&quot;&gt; <span class="equal">equal</span></summary>"#,
    ];
    assert_eq!(titles(&page.to_html().unwrap()), expected);
}

#[test]
fn notes_occur_once_and_end_at_the_limit() {
    let value = Array::from([Array::from([1]), Array::from([2]), Array::from([3])]);
    let text = Repr::new(&value).printed();
    let note = |length: usize| if length == 3 { "é".repeat(MAX_NOTE + 1) } else { "<one>".to_owned() };
    let page = Page::new("a", &text, &value).notes("size", |object| Some(note(object.as_array()?.len())));
    let html = page.to_html().unwrap();
    let notes = format!("<ol id=\"infos\" hidden><li>{}...</li><li>&lt;one&gt;</li></ol>", "é".repeat(MAX_NOTE));
    assert!(html.contains(&notes), "{html}");
    assert_eq!(html.matches("data-s=\"1\"").count(), 3);
    assert!(html.contains("\"note\":\"size\""));
}

/// Titles and labels are text on the page, never elements.
#[test]
fn names_are_escaped() {
    let value = Array::from([1]);
    let text = Repr::new(&value).printed();
    let page = Page::new("<script>alert(1)</script>", &text, &value).notes("\"</script><script>alert(2)", |_| None);
    let html = page.to_html().unwrap();
    assert!(html.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
    assert!(html.contains(r#""note":"\"\u003c/script>\u003cscript>alert(2)""#));
    assert!(!html.contains("<script>alert"));
}

/// A long page has the lines that are far from differences as text, of which its program makes elements.
#[test]
fn lines_without_differences_are_texts_on_a_long_page() {
    let page_of = |count: i64| {
        let (a, b) = ((0..count).collect::<Array<i64>>(), (0..count).map(|it| it.max(1)).collect::<Array<i64>>());
        let [text_a, text_b] = [&a, &b].map(|it| Repr::new(it).max_values(usize::MAX).indented(true).printed());
        let script = edits(&a, &b).unwrap();
        Page::new("a", &text_a, &a).beside("b", &text_b, &b, &script).to_html().unwrap()
    };
    for (count, texts) in [(1000, 0), (10_000, 200)] {
        let html = page_of(count);
        let blocks: Vec<&str> = html.split("<div class=\"rows\"").skip(1).collect();
        let is_text = |block: &str| block.contains("<script type=\"text/plain\">");
        assert_eq!(blocks.iter().filter(|block| is_text(block)).count(), texts, "{count}");
        assert!(blocks.iter().all(|block| !(is_text(block) && block.contains("<mark"))), "{count}");
        assert_eq!(html.matches("<div class=\"row ").count() as i64, count + 2);
    }
}

/// A page has the edits of large values, and of their equal lines only as many as a browser shows at once.
#[test]
fn a_page_leaves_out_equal_lines_of_large_values() {
    let [a, b] = [0, 1].map(|first| (0..60_000).map(|it: i64| it.max(first)).collect::<Array<i64>>());
    let [text_a, text_b] = [&a, &b].map(|it| Repr::new(it).max_values(usize::MAX).indented(true).printed());
    let script = edits(&a, &b).unwrap();
    let html = Page::new("a", &text_a, &a).beside("b", &text_b, &b, &script).to_html().unwrap();
    assert!(html.contains("<p>Further lines are not on the page, because it has too many of them.</p>"));
    assert!((8 << 20..9 << 20).contains(&html.len()), "{} bytes", html.len());
    assert_eq!(html.matches("<mark ").count(), 2);
}

#[test]
fn a_page_ends_at_the_limit() {
    let value = (0..1000).collect::<Array<i64>>();
    let text = Repr::new(&value).printed();
    let error = Page::new("a", &text, &value).meter(&Meter::with_limit(100_000)).to_html().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::LimitExceeded);
}
