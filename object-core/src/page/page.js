"use strict";
(() => {
  const hint = document.getElementById("hint");
  const types = document.getElementById("types").children;
  const infos = document.getElementById("infos").children;
  const reasons = document.getElementById("differences").children;

  // Elements have the steps from the place around them; a path that begins at the root is complete.
  function pathOf(element) {
    let path = "";
    for (let it = element; it; it = it.parentElement.closest("[data-p]")) {
      path = it.dataset.p + path;
      if (it.dataset.p.startsWith("<root>")) break;
    }
    return path;
  }

  function addLine(name, text) {
    const line = document.createElement("div");
    const label = document.createElement("span");
    label.className = "name";
    label.textContent = name + " ";
    line.append(label, text);
    hint.append(line);
  }

  let here = null;
  function show(element, mark) {
    if (here) here.classList.remove("here");
    here = element;
    hint.hidden = !element;
    if (!element) return;
    element.classList.add("here");
    hint.replaceChildren();
    if (mark) addLine("difference", reasons[mark.dataset.d - 1].querySelector("a").textContent);
    addLine("path", pathOf(element));
    if (element.dataset.t) addLine("type", types[element.dataset.t].textContent);
    if (element.dataset.s) addLine("note", infos[element.dataset.s].textContent);
    const box = element.getBoundingClientRect();
    const width = document.documentElement.clientWidth;
    const left = Math.max(4, Math.min(box.left, width - hint.offsetWidth - 4));
    hint.style.left = left + window.scrollX + "px";
    const isBelow = box.bottom + hint.offsetHeight + 12 < window.innerHeight;
    const top = isBelow ? box.bottom + 6 : box.top - hint.offsetHeight - 6;
    hint.style.top = top + window.scrollY + "px";
  }

  const pieceAt = (target) => target.closest && target.closest("main [data-p]");
  const main = document.querySelector("main");
  main.addEventListener("mouseover", (event) => show(pieceAt(event.target), event.target.closest("mark")));
  main.addEventListener("mouseleave", () => show(null));

  let chosen = 0;
  function choose(number) {
    document.querySelectorAll("mark.chosen").forEach((mark) => mark.classList.remove("chosen"));
    chosen = number;
    const marks = document.querySelectorAll(`mark[data-d="${number}"]`);
    marks.forEach((mark) => mark.classList.add("chosen"));
    document.getElementById("position").textContent = `${number} of ${reasons.length}`;
    return marks[0];
  }

  function goTo(number) {
    const mark = choose(number);
    if (!mark) return;
    for (let it = mark.closest("details"); it; it = it.parentElement.closest("details")) it.open = true;
    mark.scrollIntoView({ block: "center" });
  }

  function move(by) {
    if (reasons.length) goTo(((chosen - 1 + by + reasons.length) % reasons.length) + 1);
  }

  main.addEventListener("click", (event) => {
    const mark = event.target.closest("mark");
    if (mark) choose(Number(mark.dataset.d));
    show(pieceAt(event.target), mark);
  });
  document.getElementById("differences").addEventListener("click", (event) => {
    const link = event.target.closest("a");
    if (!link) return;
    event.preventDefault();
    goTo(Number(link.dataset.d));
  });
  document.getElementById("next").addEventListener("click", () => move(1));
  document.getElementById("previous").addEventListener("click", () => move(chosen ? -1 : 0));
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "n") move(1);
    if (event.key === "p") move(chosen ? -1 : 0);
    if (event.key === "Escape") show(null);
  });
  if (reasons.length) {
    document.querySelector("nav").hidden = false;
    document.getElementById("position").textContent = reasons.length;
  }
})();
