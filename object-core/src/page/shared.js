// Elements, keys, syntax colours and the map of differences, for all pages. `words` has the texts.
const byId = (id) => document.getElementById(id);

function element(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

// The styles know the height of the header, below which other elements stick.
const header = document.querySelector("header");
new ResizeObserver(() => document.documentElement.style.setProperty("--header", `${header.offsetHeight}px`)).observe(header);

// Shows an element: opens what is closed around it, and scrolls there unless it is in view.
function reveal(it) {
  for (let around = it.closest("details"); around; around = around.parentElement.closest("details")) around.open = true;
  const top = getComputedStyle(header).position === "sticky" ? header.offsetHeight : 0;
  const box = it.getBoundingClientRect();
  if (box.top < top || box.bottom > innerHeight) it.scrollIntoView({ block: "center" });
}

function openAll(isOpen) {
  document.querySelectorAll("details.function").forEach((it) => { it.open = isOpen; });
}

// Binds keys, each with its help and what it does, and the buttons whose ids are the keys of `words` for the help.
function bindKeys(keys, search) {
  const help = element("dialog");
  help.setAttribute("aria-label", words.keys);
  const list = element("dl");
  const all = keys.concat([["/", "search", () => search.focus()], ["?", "help", () => help.showModal()]]);
  for (const [key, word, run] of all) {
    const term = element("dt");
    term.append(element("kbd", "", key));
    list.append(term, element("dd", "", words[word]));
    const button = byId(word);
    if (!button) continue;
    button.title = `${words[word]} (${key})`;
    button.setAttribute("aria-label", words[word]);
    button.onclick = run;
  }
  const close = element("button", "", words.close);
  close.onclick = () => help.close();
  help.append(list, close);
  document.body.append(help);
  document.addEventListener("keydown", (event) => {
    if (help.open || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest?.("input, select")) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    const found = all.find(([key]) => key === event.key);
    if (!found) return;
    event.preventDefault();
    found[2]();
  });
}

// The words of the texts: Python's, which scripts are in, and what texts of other languages share with it.
const KEYWORDS = "and|as|assert|break|class|continue|def|elif|else|for|from|global|if|import|in|is|lambda|nonlocal|not|or|pass|return|while|with|yield";
const TOKENS = new RegExp(
  [
    `(?<comment>#.*)`,
    `(?<string>"(?:[^"\\\\]|\\\\.)*"?|'(?:[^'\\\\]|\\\\.)*'?)`,
    `(?<keyword>@[\\w.]+|\\b(?:${KEYWORDS})\\b)`,
    `(?<constant>\\b(?:True|False|None|\\d[\\w.]*)\\b)`,
    `(?<call>\\b[A-Za-z_]\\w*(?=\\())`,
    // A name takes the digits and the words in it.
    `\\w+`,
  ].join("|"),
  "g",
);
// A browser without highlights shows texts in one colour.
const highlights = typeof Highlight === "function" && {};
if (highlights) {
  for (const kind of ["comment", "string", "keyword", "constant", "call"]) {
    highlights[kind] = new Highlight();
    CSS.highlights.set(kind, highlights[kind]);
  }
}

// Colours a line, whose tokens can lie in several elements.
function colourLine(code) {
  const nodes = [];
  let text = "";
  const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    nodes.push({ node: walker.currentNode, start: text.length });
    text += walker.currentNode.data;
  }
  let at = 0;
  const place = (offset, isEnd) => {
    while (at + 1 < nodes.length && nodes[at + 1].start + (isEnd ? 1 : 0) <= offset) at += 1;
    return [nodes[at].node, offset - nodes[at].start];
  };
  for (const { index, 0: token, groups } of text.matchAll(TOKENS)) {
    const kind = Object.keys(groups).find((it) => groups[it] !== undefined);
    if (!kind) continue;
    const [startContainer, startOffset] = place(index, false);
    const [endContainer, endOffset] = place(index + token.length, true);
    highlights[kind].add(new StaticRange({ startContainer, startOffset, endContainer, endOffset }));
  }
}

// Makes the rows of a block that is text.
function fill(block) {
  const text = block.firstElementChild;
  if (text?.tagName === "SCRIPT") block.innerHTML = text.textContent;
}

// Fills and colours blocks of rows when they come near the window, because a text can have many thousands of lines.
const nearWindow = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    nearWindow.unobserve(target);
    fill(target);
    if (highlights) target.querySelectorAll("code").forEach(colourLine);
  }
}, { rootMargin: "400px" });

// Fills and colours the blocks of rows in an element.
function colour(around) {
  around.querySelectorAll(".rows").forEach((it) => nearWindow.observe(it));
}

// Forgets the colours of elements that are no longer there.
function colourNothing() {
  nearWindow.disconnect();
  if (highlights) Object.values(highlights).forEach((it) => it.clear());
}

// The map beside the scroll bar. `differences` returns the differences in the order of the page: an element with the class of
// the difference, and what a click does.
function showMap(differences) {
  const map = element("div");
  map.id = "map";
  map.setAttribute("aria-hidden", "true");
  document.body.append(map);
  let ticks = [];

  // The middle of an element on the page. A block that is not laid out has its size alone, and a closed section its title.
  function heightOf(it) {
    for (let closed = it.closest("details:not([open])"); closed; closed = closed.parentElement.closest("details:not([open])")) it = closed;
    const row = it.closest(".row"), block = row && row.parentElement.closest(".rows");
    if (!block || row.checkVisibility?.({ contentVisibilityAuto: true })) return it.getBoundingClientRect().top + scrollY;
    const box = block.getBoundingClientRect();
    const at = Array.prototype.indexOf.call(block.children, row);
    return box.top + scrollY + (box.height * (at + 0.5)) / block.childElementCount;
  }

  function draw() {
    const height = document.documentElement.scrollHeight;
    ticks = differences().map((it) => ({ ...it, part: heightOf(it.at) / height }));
    // Differences of several kinds at one height are one tick.
    const kinds = new Map();
    for (const { part, kind } of ticks) {
      const at = Math.min(Math.round((part * innerHeight) / 4), Math.floor(innerHeight / 4) - 1);
      kinds.set(at, kinds.has(at) && kinds.get(at) !== kind ? "changed" : kind);
    }
    map.replaceChildren(...[...kinds].map(([at, kind]) => {
      const tick = element("i", kind);
      tick.style.top = `${4 * at}px`;
      return tick;
    }));
  }
  map.onclick = (event) => {
    const part = event.clientY / innerHeight;
    const nearest = ticks.reduce((best, it) => (best && Math.abs(best.part - part) <= Math.abs(it.part - part) ? best : it), null);
    if (nearest) nearest.go();
  };
  let isWaiting = false;
  const drawSoon = () => {
    if (isWaiting) return;
    isWaiting = true;
    requestAnimationFrame(() => {
      isWaiting = false;
      draw();
    });
  };
  new ResizeObserver(drawSoon).observe(document.querySelector("main"));
  addEventListener("resize", drawSoon);
  return drawSoon;
}
