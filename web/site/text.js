// Texts with line numbers, colours and underlined places.
'use strict';

const LINES_OF_BLOCK = 200;
const MOST_LINES = 20000;
const MOST_COLOURED = 1 << 20;

const TOKENS = /(?<comment>#.*)|(?<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|\b(?<keyword>def|return|with|for|in|if|else|elif|while|class|from|import|as|not|and|or|True|False|None|lambda|pass)\b|(?<number>\b\d[\w.]*)/g;

function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

// The text `shown.text` as an element; `shown.marks` are underlined and have the numbers of their places in the list.
function textElement(shown) {
  const { text } = shown;
  const ranges = (shown.marks ?? []).map((mark, number) => ({ ...mark, number })).filter((mark) => mark.range);
  const ends = [];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) ends.push(at);
  if (ends.at(-1) !== text.length - 1 || ends.length === 0) ends.push(text.length);
  const whole = element('div', { className: 'text', tabIndex: 0, role: 'region' });
  whole.setAttribute('aria-label', 'Text');
  let shownLines = 0;
  const more = () => {
    const until = Math.min(ends.length, shownLines + MOST_LINES);
    while (shownLines < until) {
      const count = Math.min(LINES_OF_BLOCK, until - shownLines);
      const block = element('div', { className: 'block' });
      block.style.setProperty('--n', count);
      block.style.setProperty('--first', shownLines);
      for (let line = shownLines; line < shownLines + count; line += 1) {
        block.append(lineElement(text, line === 0 ? 0 : ends[line - 1] + 1, ends[line], ranges));
      }
      whole.append(block);
      shownLines += count;
    }
    if (shownLines < ends.length) {
      const button = element('button', { textContent: `Show ${Math.min(MOST_LINES, ends.length - shownLines)} more of ${ends.length} lines` });
      button.onclick = () => { button.remove(); more(); };
      whole.append(button);
    }
  };
  more();
  return whole;
}

function lineElement(text, start, end, ranges) {
  const line = element('div', { className: 'line' });
  const pieces = [];
  if (text.length <= MOST_COLOURED) {
    for (const found of text.slice(start, end).matchAll(TOKENS)) {
      const kind = Object.keys(found.groups).find((name) => found.groups[name] !== undefined);
      pieces.push({ start: start + found.index, end: start + found.index + found[0].length, kind });
    }
  }
  // A mark of no characters shows one.
  const marks = ranges.filter((mark) => mark.range[0] <= end && Math.max(mark.range[1], mark.range[0] + 1) > start);
  const cuts = new Set([start, end]);
  for (const piece of pieces) cuts.add(piece.start).add(piece.end);
  for (const mark of marks) for (const cut of mark.range) cuts.add(Math.min(Math.max(cut, start), end));
  const sorted = [...cuts].sort((a, b) => a - b);
  for (let index = 0; index + 1 < sorted.length; index += 1) {
    const [from, to] = [sorted[index], sorted[index + 1]];
    let node = document.createTextNode(text.slice(from, to));
    const piece = pieces.find((it) => it.start <= from && to <= it.end);
    if (piece) node = element('span', { className: piece.kind }, node);
    const mark = marks.find((it) => it.range[0] <= from && to <= it.range[1]);
    if (mark) {
      node = element('mark', { className: mark.level, title: mark.message }, node);
      node.dataset.number = mark.number;
    }
    line.append(node);
  }
  return line;
}

// The list of the marks; a mark with a place leads to it in `text`.
function markList(shown, text) {
  const list = element('ol', { className: 'marks' });
  shown.marks.forEach((mark, number) => {
    const level = element('span', { className: `level ${mark.level}`, textContent: mark.rule ? `${mark.level} [${mark.rule}]` : mark.level });
    const line = mark.range ? shown.text.slice(0, mark.range[0]).split('\n').length : null;
    const message = element('button', { textContent: line ? `line ${line}: ${mark.message}` : mark.message, disabled: !line });
    message.onclick = () => {
      text.querySelectorAll('.chosen').forEach((it) => it.classList.remove('chosen'));
      const places = text.querySelectorAll(`mark[data-number="${number}"]`);
      places.forEach((it) => it.classList.add('chosen'));
      places[0]?.scrollIntoView({ block: 'center', inline: 'nearest' });
    };
    const item = element('li', {}, level, ' ', message);
    if (mark.help) item.append(element('span', { className: 'help', textContent: `help: ${mark.help}` }));
    list.append(item);
  });
  return list;
}
