// The page that steps through the passes over a program.
const { passes, stages, texts } = JSON.parse(byId("data").textContent);

// A text has an invisible character around each name of a variable: the odd parts of a line are names.
const NAME = "\u0001";
const linesOf = texts.map((text) => text.split("\n").map((line) => {
  const parts = line.split(NAME);
  return { parts, plain: parts.join(""), key: parts.map((part, index) => (index % 2 ? NAME : part)).join("") };
}));

// The rows [a, b] of a longest common subsequence of keys (Myers, "An O(ND) Difference Algorithm and Its Variations", 1986).
function align(a, b) {
  let start = 0;
  while (start < a.length && start < b.length && a[start].key === b[start].key) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end].key === b[b.length - 1 - end].key) end += 1;
  const rows = [];
  for (let i = 0; i < start; i += 1) rows.push([i, i]);
  rows.push(...middle(a, b, start, a.length - end, b.length - end));
  for (let i = end; i > 0; i -= 1) rows.push([a.length - i, b.length - i]);
  return rows;
}

// Past this number of differing lines, the lines between the common start and end are all different.
const MOST = 4000;

function middle(a, b, start, endA, endB) {
  const n = endA - start, m = endB - start;
  const all = () => [...Array(n).keys()].map((i) => [start + i, null]).concat([...Array(m).keys()].map((i) => [null, start + i]));
  if (n === 0 || m === 0) return all();
  const history = [];
  let reach = new Map([[1, 0]]);
  for (let d = 0; d <= Math.min(n + m, MOST); d += 1) {
    history.push(new Map(reach));
    for (let k = -d; k <= d; k += 2) {
      const down = k === -d || (k !== d && reach.get(k - 1) < reach.get(k + 1));
      let x = down ? reach.get(k + 1) : reach.get(k - 1) + 1;
      while (x < n && x - k < m && a[start + x].key === b[start + x - k].key) x += 1;
      reach.set(k, x);
      if (x >= n && x - k >= m) return traced(history, n, m, start);
    }
  }
  return all();
}

function traced(history, n, m, start) {
  const rows = [];
  let x = n, y = m;
  for (let d = history.length - 1; d >= 0; d -= 1) {
    const reach = history[d], k = x - y;
    const down = k === -d || (k !== d && reach.get(k - 1) < reach.get(k + 1));
    const before = down ? k + 1 : k - 1;
    const fromX = d === 0 ? 0 : reach.get(before), fromY = d === 0 ? 0 : fromX - before;
    while (x > fromX && y > fromY) rows.push([start + --x, start + --y]);
    if (d > 0) rows.push(down ? [null, start + --y] : [start + --x, null]);
  }
  return rows.reverse();
}

// The names of two lines with one key, if each corresponds to the one with which it appeared first.
function corresponds(a, b, names) {
  for (let i = 1; i < a.parts.length; i += 2) {
    const known = names.to.get(a.parts[i]), back = names.from.get(b.parts[i]);
    if (known === undefined && back === undefined) {
      names.to.set(a.parts[i], b.parts[i]);
      names.from.set(b.parts[i], a.parts[i]);
    } else if (known !== b.parts[i] || back !== a.parts[i]) return false;
  }
  return true;
}

// Which lines of two texts are equal. A name that a line of one text introduces anew, as a definition does, is not compared
// with lines before it.
function compare(a, b) {
  const names = { to: new Map(), from: new Map() };
  return align(a, b).flatMap(([i, j]) => {
    if (i === null || j === null) return [[i, j]];
    return corresponds(a[i], b[j], names) ? [[i, j, true]] : [[i, null], [null, j]];
  });
}

function sectionsOf(from, to) {
  const right = new Map(stages[to]);
  const left = new Map(stages[from]);
  const gone = stages[from].filter(([name]) => !right.has(name)).map(([name]) => name);
  return stages[to].map(([name]) => name).concat(gone).map((name) => ({ name, a: left.get(name), b: right.get(name) }));
}

const escapeText = (text) => text.replace(/[&<>]/g, (it) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[it]);

// The part of a changed line that its counterpart lacks.
function emphasized(line, other) {
  if (!other) return escapeText(line);
  let start = 0;
  while (start < line.length && line[start] === other[start]) start += 1;
  let end = 0;
  while (end < Math.min(line.length, other.length) - start && line.at(-1 - end) === other.at(-1 - end)) end += 1;
  const [before, middle, after] = [line.slice(0, start), line.slice(start, line.length - end), line.slice(line.length - end)];
  return escapeText(before) + (middle && "<u>" + escapeText(middle) + "</u>") + escapeText(after);
}

const CONTEXT = 3;

function rowOf(kind, number, line, other, section) {
  const row = element("div", "row " + kind);
  const code = element("code");
  code.style.setProperty("--i", line.plain.length - line.plain.trimStart().length);
  code.innerHTML = emphasized(line.plain, other && other.plain);
  row.append(element("b", "", String(number + 1)), element("b", "", { old: "-", new: "+" }[kind] || ""), code);
  row.title = words.blame;
  row.onclick = () => blame((it) => it.key === line.key, line.plain.trim(), section);
  return row;
}

function rowsOf({ name, a, b }) {
  const [linesA, linesB] = [a, b].map((number) => (number === undefined ? [] : linesOf[number]));
  const rows = a === b ? linesA.map((_, i) => [i, i, true]) : compare(linesA, linesB);
  const shown = [];
  for (let i = 0; i < rows.length; ) {
    if (rows[i][2]) {
      shown.push({ equal: true, row: rowOf("same", rows[i][1], linesB[rows[i][1]], null, name) });
      i += 1;
      continue;
    }
    const old = [], added = [];
    for (; i < rows.length && !rows[i][2]; i += 1) {
      if (rows[i][0] !== null) old.push(rows[i][0]);
      if (rows[i][1] !== null) added.push(rows[i][1]);
    }
    // Of the changed lines, those that begin with one name stand beside each other.
    const named = (lines) => (it) => ({ key: lines[it].parts[1] || lines[it].plain });
    for (const [k, l] of align(old.map(named(linesA)), added.map(named(linesB)))) {
      const [lineA, lineB] = [linesA[old[k]], linesB[added[l]]];
      if (k !== null) shown.push({ row: rowOf("old", old[k], lineA, lineB, name) });
      if (l !== null) shown.push({ row: rowOf("new", added[l], lineB, lineA, name) });
    }
  }
  return shown;
}

// Rows in blocks, which the browser lays out one by one.
const BLOCK = 50;
function blocks(rows) {
  const made = [];
  for (let i = 0; i < rows.length; i += BLOCK) {
    const block = element("div", "rows");
    block.append(...rows.slice(i, i + BLOCK));
    block.style.setProperty("--n", block.childElementCount);
    made.push(block);
  }
  return made;
}

function folded(shown) {
  const parts = [], rows = shown.map((it) => it.row);
  let from = 0;
  for (let i = 0; i < shown.length; ) {
    let end = i;
    while (end < shown.length && shown[end].equal) end += 1;
    const before = i === 0 ? 1 : CONTEXT, after = end === shown.length ? 0 : CONTEXT;
    if (end - i > before + after + 4) {
      const run = element("details", "run");
      run.append(element("summary", "", `${end - i - before - after} ${words.equalLines}`));
      run.append(...blocks(rows.slice(i + before, end - after)));
      parts.push(...blocks(rows.slice(from, i + before)), run);
      from = end - after;
    }
    i = Math.max(end, i + 1);
  }
  return parts.concat(blocks(rows.slice(from)));
}

function sectionElement(section) {
  const { name, a, b } = section;
  const status = a === undefined ? "added" : b === undefined ? "removed" : a === b ? "equal" : "changed";
  const details = element("details", "function");
  const summary = element("summary", "", name ? name + " " : "(before the functions) ");
  details.append(summary);
  let shown = status === "equal" ? null : rowsOf(section);
  const changed = shown && shown.some((it) => !it.equal);
  const word = shown && !changed ? "equal" : status;
  summary.append(element("span", word, words[word]));
  const fill = () => {
    if (details.childElementCount > 1) return;
    shown = shown || rowsOf(section);
    details.append(...(changed ? folded(shown) : blocks(shown.map((it) => it.row))));
    colour(details);
  };
  // Equal sections get their lines when they are opened.
  details.ontoggle = () => details.open && fill();
  if (changed) {
    details.open = true;
    fill();
  }
  return [changed ? (status === "changed" ? 0 : 1) : 2, details, changed];
}

const [from, to] = [byId("from"), byId("to")];
stages.forEach((_, index) => {
  const step = passes.findLast((pass) => pass.after === index && pass.before !== index);
  const text = index + (step ? " after " + step.name : index === 0 ? " at the start" : "");
  [from, to].forEach((select) => select.append(new Option(text, index)));
});

// The row before a row, also at the start of a block.
function rowBefore(row) {
  const block = row.parentElement.previousElementSibling;
  return row.previousElementSibling || (block?.matches(".rows") && block.lastElementChild);
}
// The first rows of the runs of changed rows.
function differences() {
  const rows = [...byId("text").querySelectorAll(".row.old, .row.new")];
  return rows.filter((row) => !rowBefore(row)?.matches?.(".old, .new"));
}
const drawMap = showMap(() => differences().map((at) => {
  const kind = { old: "removed", new: "added" }[at.classList[1]];
  return { at, kind, go: () => goTo(at) };
}));

let row = null;
function place(chosen) {
  if (row) row.classList.remove("chosen");
  row = chosen;
  const all = differences(), at = all.indexOf(row);
  byId("position").textContent = at === -1 ? `${all.length}` : `${at + 1} ${words.of} ${all.length}`;
}
function goTo(chosen) {
  reveal(chosen);
  place(chosen);
  chosen.classList.add("chosen");
}
function move(by) {
  const all = differences(), at = all.indexOf(row);
  if (all.length) goTo(all[at === -1 ? (by > 0 ? 0 : all.length - 1) : (at + by + all.length) % all.length]);
}

function show() {
  const sections = sectionsOf(+from.value, +to.value).map(sectionElement);
  sections.sort(([a], [b]) => a - b);
  const count = sections.filter(([, , changed]) => changed).length;
  byId("summary").textContent = count ? count + (count === 1 ? " section differs" : " sections differ") : "equal";
  byId("problem").textContent = (current && current.problem) || "";
  colourNothing();
  byId("text").replaceChildren(...sections.map(([, details]) => details));
  colour(byId("text"));
  place(null);
  drawMap();
  buttons.forEach(([pass, button]) => {
    const chosen = pass === current;
    button.classList.toggle("chosen", chosen);
    button.setAttribute("aria-current", chosen);
  });
}

let current = null;
function choose(pass) {
  current = pass;
  [from.value, to.value] = [pass.before, pass.after];
  show();
  const found = buttons.find(([it]) => it === pass);
  if (found) found[1].scrollIntoView({ block: "nearest" });
  const [first] = differences();
  if (first) reveal(first);
}

const buttons = passes.map((pass) => {
  const button = element("button", pass.before === pass.after ? "still" : "", pass.name);
  button.style.setProperty("--depth", pass.depth);
  button.append(element("span", "detail", pass.detail));
  if (pass.problem) button.append(element("span", "problem", pass.problem.split("\n")[0]));
  button.onclick = () => choose(pass);
  const item = element("li");
  item.append(button);
  byId("passes").append(item);
  return [pass, button, item];
});
const isStep = (pass) => pass.before !== pass.after || pass.problem;
// The passes inside of a pass.
function inside(pass) {
  const inner = passes.slice(passes.indexOf(pass) + 1);
  const end = inner.findIndex((it) => it.depth <= pass.depth);
  return end === -1 ? inner : inner.slice(0, end);
}
// The passes that change the program themselves.
const leaves = passes.filter((pass) => isStep(pass) && !inside(pass).some(isStep));
function filter() {
  const only = byId("changing").checked;
  buttons.forEach(([pass, , item]) => { item.hidden = only && !isStep(pass); });
}
byId("changing").onchange = filter;
from.onchange = to.onchange = () => {
  current = null;
  show();
};

// Passes whose stages before and after differ in how often a line has the text.
function blame(matches, what, section) {
  const count = (stage) => stages[stage]
    .filter(([name]) => section === undefined || name === section)
    .reduce((sum, [, text]) => sum + linesOf[text].filter(matches).length, 0);
  const counts = stages.map((_, index) => count(index));
  const found = byId("found");
  found.replaceChildren(element("div", "", "`" + what + "`" + (counts[0] ? ": in " + counts[0] + " lines at the start" : "")));
  // Of a pass inside of another one, both change the count; the inner one did it.
  passes.forEach((pass) => {
    const change = counts[pass.after] - counts[pass.before];
    if (change === 0 || inside(pass).some((it) => counts[it.after] !== counts[it.before])) return;
    const text = pass.name + (change > 0 ? " adds " + change : " removes " + -change) + (Math.abs(change) === 1 ? " line" : " lines");
    const button = element("button", "", text);
    button.onclick = () => choose(pass);
    found.append(button);
  });
  if (found.childElementCount === 1) found.append(element("div", "", "no pass changes the number of these lines"));
}
byId("find").oninput = () => {
  const text = byId("find").value;
  if (text) blame((line) => line.plain.includes(text), text);
  else byId("found").replaceChildren();
};

function step(by) {
  const at = leaves.indexOf(current);
  const next = leaves[at === -1 ? (by > 0 ? 0 : leaves.length - 1) : at + by];
  if (next) choose(next);
}
bindKeys([
  ["n", "next", () => move(1)],
  ["p", "previous", () => move(-1)],
  ["j", "nextPass", () => step(1)],
  ["k", "previousPass", () => step(-1)],
  ["c", "collapse", () => openAll(false)],
  ["e", "expand", () => openAll(true)],
], byId("find"));

filter();
const start = leaves.find((pass) => pass.problem) || leaves[0];
if (start) choose(start);
else if (stages.length) show();
