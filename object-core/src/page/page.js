// The page of one text, or of two side by side with the edits between them.
const hint = byId("hint");
const types = byId("types").children;
const infos = byId("infos").children;
const reasons = [...byId("edits").children];
const main = document.querySelector("main");

// Elements have the steps from the place around them; a path that begins at the root is complete.
function pathOf(piece) {
  let path = "";
  for (let it = piece; it; it = it.parentElement.closest("[data-p]")) {
    path = it.dataset.p + path;
    if (it.dataset.p.startsWith("<root>")) break;
  }
  return path;
}

function addLine(name, text) {
  const line = element("div");
  line.append(element("span", "name", name + " "), text);
  hint.append(line);
}

const reasonOf = (number) => reasons[number - 1].querySelector("a").textContent;

let here = null;
function show(piece, mark) {
  if (here) here.classList.remove("here");
  here = piece;
  hint.hidden = !piece;
  if (!piece) return;
  piece.classList.add("here");
  hint.replaceChildren();
  if (mark) addLine(words.noun, reasonOf(mark.dataset.d));
  addLine(words.path, pathOf(piece));
  if (piece.dataset.t) addLine(words.type, types[piece.dataset.t].textContent);
  if (piece.dataset.s) addLine(words.note, infos[piece.dataset.s].textContent);
  const box = piece.getBoundingClientRect();
  const width = document.documentElement.clientWidth;
  const left = Math.max(4, Math.min(box.left, width - hint.offsetWidth - 16));
  hint.style.left = left + scrollX + "px";
  const isBelow = box.bottom + hint.offsetHeight + 12 < innerHeight;
  const top = isBelow ? box.bottom + 6 : box.top - hint.offsetHeight - 6;
  hint.style.top = top + scrollY + "px";
}

const pieceAt = (target) => target.closest && target.closest("main [data-p]");
main.addEventListener("mouseover", (event) => show(pieceAt(event.target), event.target.closest("mark")));
main.addEventListener("mouseleave", () => show(null));

// The marks of each edit, and the edits in the order of the page that the filters show.
const marksOf = new Map();
for (const mark of main.querySelectorAll("mark")) {
  const number = +mark.dataset.d;
  if (!marksOf.has(number)) marksOf.set(number, []);
  marksOf.get(number).push(mark);
}
const sections = [...main.querySelectorAll("details.function")].map((it) => {
  const numbers = new Set([...it.querySelectorAll("mark")].map((mark) => +mark.dataset.d));
  const isEqual = it.querySelector("summary > .equal") !== null;
  return { it, name: it.querySelector("summary").firstChild.textContent.trim().toLowerCase(), numbers, isEqual };
});
const kindOf = (number) => reasons[number - 1].dataset.k;
let order = [];
let chosen = 0;

function place() {
  const at = order.indexOf(chosen);
  byId("position").textContent = at === -1 ? `${order.length}` : `${at + 1} ${words.of} ${order.length}`;
  byId("about").textContent = at === -1 ? "" : `${reasonOf(chosen)}, ${reasons[chosen - 1].querySelector("code").textContent}`;
}

function choose(number) {
  for (const mark of marksOf.get(chosen) || []) mark.classList.remove("chosen");
  chosen = number;
  for (const mark of marksOf.get(chosen) || []) mark.classList.add("chosen");
  place();
}

function goTo(number) {
  choose(number);
  if (marksOf.has(number)) reveal(marksOf.get(number)[0]);
}

// The edit after the chosen one, or before it, around the end.
function move(by) {
  if (!order.length) return;
  const at = order.indexOf(chosen);
  goTo(order[at === -1 ? (by > 0 ? 0 : order.length - 1) : (at + by + order.length) % order.length]);
}

main.addEventListener("click", (event) => {
  const mark = event.target.closest("mark");
  if (mark) choose(+mark.dataset.d);
  show(pieceAt(event.target), mark);
});
byId("edits").addEventListener("click", (event) => {
  const link = event.target.closest("a");
  if (!link) return;
  event.preventDefault();
  goTo(+link.dataset.d);
});

// The filters: one box for each kind that occurs, and the names of sections.
const drawMap = showMap(() => order.map((number) => ({ at: marksOf.get(number)[0], kind: kindOf(number), go: () => goTo(number) })));
const boxes = new Map();
function addBox(kind, count) {
  const label = element("label"), box = element("input");
  box.type = "checkbox";
  box.checked = true;
  box.onchange = filter;
  label.append(box, ` ${words[kind]} `, element("span", kind, `${count}`));
  byId("kinds").append(label);
  boxes.set(kind, box);
}

function filter() {
  const text = byId("filter").value.trim().toLowerCase();
  const isShown = (kind) => !boxes.has(kind) || boxes.get(kind).checked;
  for (const { it, name, numbers, isEqual } of sections) {
    const isKind = isEqual ? isShown("equal") : !numbers.size || [...numbers].some((number) => isShown(kindOf(number)));
    it.hidden = !isKind || !name.includes(text);
  }
  order = [];
  for (const [number, marks] of marksOf) {
    const isOn = isShown(kindOf(number));
    marks.forEach((mark) => mark.classList.toggle("off", !isOn));
    if (isOn && !marks[0].closest("details.function[hidden]")) order.push(number);
  }
  const shown = new Set(order);
  reasons.forEach((it, index) => { it.hidden = !isShown(it.dataset.k) || (marksOf.has(index + 1) && !shown.has(index + 1)); });
  if (!shown.has(chosen)) choose(0);
  place();
  drawMap();
}

const counts = new Map();
reasons.forEach((it) => counts.set(it.dataset.k, (counts.get(it.dataset.k) || 0) + 1));
const equal = sections.filter((it) => it.isEqual).length;
if (equal) counts.set("equal", equal);
if (counts.size > 1) counts.forEach((count, kind) => addBox(kind, count));
byId("filter").oninput = filter;
document.querySelector("label.search").hidden = sections.length < 2;
byId("collapse").hidden = byId("expand").hidden = !sections.length;
document.querySelector("nav").hidden = !reasons.length;
bindKeys([
  ["n", "next", () => move(1)],
  ["p", "previous", () => move(-1)],
  ["c", "collapse", () => openAll(false)],
  ["e", "expand", () => openAll(true)],
  ["Escape", "hide", () => show(null)],
], byId("filter"));

filter();
colour(main);
// The first edit is in view, or the one that the address names.
const named = marksOf.get(+location.hash.slice(2));
const first = named || (document.body.className === "pair" && order.length && marksOf.get(order[0]));
if (first) reveal(first[0]);
if (named) choose(+location.hash.slice(2));
