// The tab of programs: inputs, commands and results; and the work in the worker.
'use strict';

const $ = (id) => document.getElementById(id);

// Files with more characters are not in the editor, which would be slow.
const MOST_EDITED = 400000;

// The longest text in a link, in characters. Many programs cut longer ones.
const MOST_IN_LINK = 30000;

let worker;
let requests = 0;
const waiting = new Map();

// Starts a worker. The requests of the one before it have no answer.
function startWorker(reason) {
  worker?.terminate();
  for (const { reject } of waiting.values()) reject(reason);
  waiting.clear();
  worker = new Worker('worker.js');
  worker.onmessage = ({ data }) => {
    const request = waiting.get(data.id);
    waiting.delete(data.id);
    if (data.error) request?.reject(data.error); else request?.resolve(data.answer);
    if (data.ended) startWorker(data.error);
  };
  worker.onerror = (event) => startWorker({ kind: 'Io', message: `the worker cannot run: ${event.message ?? 'the page needs a server'}` });
}

// The answer to a request about contents, which are arrays of bytes.
function ask(request, contents, module = 'main') {
  return new Promise((resolve, reject) => {
    requests += 1;
    waiting.set(requests, { resolve, reject });
    worker.postMessage({ id: requests, module, request, contents });
  });
}

function notice(message) {
  $('notice').textContent = message;
  $('notice').hidden = !message;
}

// A file of the page: in its editor, or only in memory if it is large or not a text.
class Input {
  constructor(letter) {
    this.box = $(`input-${letter}`);
    this.editor = $(`text-${letter}`);
    this.label = $(`name-${letter}`);
    this.bytes = null;
    this.setName('');
    const file = this.box.querySelector('input[type="file"]');
    this.box.querySelector('.open').onclick = () => file.click();
    file.onchange = () => { if (file.files[0]) this.read(file.files[0]); file.value = ''; };
    this.box.ondragover = (event) => { event.preventDefault(); this.box.classList.add('over'); };
    this.box.ondragleave = () => this.box.classList.remove('over');
    this.box.ondrop = (event) => {
      event.preventDefault();
      this.box.classList.remove('over');
      const [first, second] = event.dataTransfer.files;
      if (first) this.read(first);
      if (second && this === inputs.a) { showSecond(true); inputs.b.read(second); }
    };
    this.editor.oninput = () => { this.setName(''); };
  }

  setName(name, remark = '') {
    this.name = name;
    this.label.textContent = name + remark;
  }

  setText(text, name = '') {
    this.bytes = null;
    this.editor.readOnly = false;
    this.editor.value = text;
    this.setName(name);
  }

  async read(file) {
    let bytes = new Uint8Array(await file.arrayBuffer());
    let name = file.name;
    try {
      if (bytes[0] === 0x1f && bytes[1] === 0x8b) {
        const packed = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
        bytes = new Uint8Array(await new Response(packed).arrayBuffer());
        name = name.replace(/\.gz$/, '');
      }
      if (bytes.length > MOST_EDITED) throw new RangeError('long');
      this.setText(new TextDecoder('utf-8', { fatal: true }).decode(bytes), name);
    } catch {
      this.setText('', name);
      this.bytes = bytes;
      this.editor.value = `${name}: ${bytes.length.toLocaleString('en')} bytes, which the editor does not show.\nThe commands work on it. Open or choose something else to replace it.`;
      this.editor.readOnly = true;
      this.setName(name, `, ${(bytes.length / 1e6).toFixed(1)} MB`);
    }
  }

  content() {
    return this.bytes ?? new TextEncoder().encode(this.editor.value);
  }

  isEmpty() {
    return !this.bytes && !this.editor.value.trim();
  }
}

const inputs = { a: new Input('a'), b: new Input('b') };

function showSecond(shown) {
  inputs.b.box.hidden = !shown;
}

let command = 'check';

function choose(name) {
  command = name;
  for (const button of $('commands').querySelectorAll('[data-command]')) {
    button.setAttribute('aria-pressed', String(button.dataset.command === name));
  }
  showSecond(name === 'diff');
  $('run-options').hidden = name !== 'run';
}

function status(message, kind) {
  $('status').textContent = message;
  $('status').className = kind;
}

let runs = 0;

// Runs the command; a later run of a command replaces it.
async function run(name) {
  choose(name);
  runs += 1;
  const number = runs;
  const isLatest = () => number === runs;
  const used = name === 'diff' ? [inputs.a, inputs.b] : [inputs.a];
  if (used.some((input) => input.isEmpty())) {
    $('output').replaceChildren();
    status(name === 'diff' ? 'Diff compares two programs: drop, paste or open both.' : 'Drop, paste or open a program first.', 'busy');
    return;
  }
  const request = { request: name, names: used.map((input, at) => input.name || (used.length === 1 ? 'program' : ['left', 'right'][at])) };
  status('Working …', 'busy');
  $('output').setAttribute('aria-busy', 'true');
  $('cancel').hidden = false;
  const started = performance.now();
  try {
    const contents = used.map((input) => input.content());
    if (name === 'run') await fillFunctions(request, contents);
    const answer = await ask(name === 'run' ? { ...request, ...runOptions() } : request, contents, name === 'run' ? 'run' : 'main');
    if (!isLatest()) return;
    show[name](answer);
    $('status').append(` (${Math.max(1, Math.round(performance.now() - started)).toLocaleString('en')} ms)`);
  } catch (error) {
    if (isLatest()) showError(error);
  } finally {
    if (isLatest()) {
      $('output').removeAttribute('aria-busy');
      $('cancel').hidden = true;
    }
  }
}

async function fillFunctions(request, contents) {
  const { functions } = await ask({ ...request, request: 'functions' }, contents, 'run');
  const chosen = $('function').value;
  $('function').replaceChildren(...functions.map(({ name }) => new Option(name, name)));
  const usual = ['main', functions[0]?.name].find((name) => functions.some((it) => it.name === name));
  $('function').value = functions.some((it) => it.name === chosen) ? chosen : usual ?? '';
  const dimensions = functions.find((it) => it.name === $('function').value)?.dimensions ?? [];
  $('dims').disabled = dimensions.length === 0;
  $('dims-help').textContent = dimensions.length ? `of ${dimensions.join(', ')}; 4 by default` : 'no symbolic dimensions';
}

function runOptions() {
  const dims = $('dims').value.split(',').filter((it) => it.includes('='));
  return {
    function: $('function').value || undefined,
    seed: Number($('seed').value) || 0,
    dims: $('dims').disabled ? {} : Object.fromEntries(dims.map((it) => it.split('=').map((part) => part.trim())).map(([name, size]) => [name, Number(size)])),
  };
}

const remarks = (list) => list.filter(Boolean).map((text) => element('p', { className: 'remark', textContent: text }));

function download(text, name) {
  const link = element('a', { download: name, textContent: `Save as ${name}`, href: URL.createObjectURL(new Blob([text])) });
  return element('p', {}, link);
}

function withMarks(shown) {
  const text = textElement(shown);
  return shown.marks.length ? [markList(shown, text), text] : [text];
}

const show = {
  print(answer) {
    status(`The script of TVM ${answer.version}`, '');
    const explore = element('button', { textContent: 'Explore: paths and types of places' });
    explore.onclick = async () => {
      try {
        const { page } = await ask({ request: 'print', page: true, names: [inputs.a.name || 'program'] }, [inputs.a.content()]);
        explore.replaceWith(frame(page, 'The script with the paths and types of its places'));
      } catch (error) {
        showError(error);
      }
    };
    $('output').replaceChildren(...remarks([answer.remark]), textElement({ text: answer.script }), download(answer.script, 'program.py'), explore);
  },
  check(answer) {
    status(`${answer.verdict}, by the rules of ${answer.profile}`, answer.is_well_formed ? 'good' : 'bad');
    const incomplete = answer.is_complete ? null : 'the check gave up, because scopes share large parts of the graph';
    $('output').replaceChildren(...remarks([answer.remark, incomplete]), ...withMarks(answer.shown));
  },
  infer(answer) {
    status(answer.is_changed ? 'Structural information filled in' : 'Nothing to fill in', answer.is_changed ? '' : 'good');
    $('output').replaceChildren(...remarks([answer.remark]), ...withMarks(answer.shown), download(answer.shown.text, 'inferred.py'));
  },
  diff(answer) {
    status(answer.summary, answer.equal ? 'good' : 'bad');
    const more = answer.has_more ? 'there are more differences than the page shows' : null;
    $('output').replaceChildren(...remarks([...answer.remarks, more]));
    if (answer.equal) return;
    $('output').append(
      frame(answer.page, 'Both programs side by side'),
      element('details', {}, element('summary', { textContent: 'As text' }), element('pre', { textContent: answer.text })),
    );
  },
  run(answer) {
    status(`${answer.function} returned ${answer.kind}`, 'good');
    const values = answer.arguments.map(({ name, value }) => [element('dt', { textContent: name }), element('dd', {}, element('pre', { className: 'wrap', textContent: value }))]);
    $('output').replaceChildren(
      element('pre', { className: 'wrap', textContent: answer.value }),
      element('details', {}, element('summary', { textContent: 'Random inputs' }), element('dl', {}, ...values.flat())),
    );
  },
  hash(answer) {
    status(`hash ${answer.hash}`, 'good');
    const facts = [
      ['root', answer.root], ['version', `TVM ${answer.version}`], ['objects', answer.nodes], ['references', answer.edges],
      ['shared objects', answer.shared], ['depth', answer.depth],
      ['most frequent types', answer.types.map((it) => `${it.type} (${it.nodes.toLocaleString('en')})`).join(', ')],
    ];
    $('output').replaceChildren(...remarks([answer.remark]), factList(facts));
  },
};

function factList(facts) {
  const row = ([name, value]) => [element('dt', { textContent: name }), element('dd', { textContent: value.toLocaleString('en') })];
  return element('dl', {}, ...facts.flatMap(row));
}

// A page of its own, whose program can reach nothing of this one.
function frame(page, title) {
  const made = element('iframe', { title, srcdoc: page });
  made.setAttribute('sandbox', 'allow-scripts');
  return made;
}

function showError(error) {
  const file = command === 'diff' && error.file !== null ? ['left: ', 'right: '][error.file] ?? '' : '';
  const shown = error.shown;
  const count = shown?.marks.length ?? 0;
  status(`${error.kind}: ${file}${count ? `the script has ${count} error${count === 1 ? '' : 's'}` : error.message}`, 'bad');
  const parts = shown ? withMarks(shown) : [];
  if (error.path) parts.unshift(factList([['path', error.path]]));
  $('output').replaceChildren(...parts);
}

$('commands').onclick = ({ target }) => { if (target.dataset.command) run(target.dataset.command); };
$('cancel').onclick = () => startWorker({ kind: 'Cancelled', message: 'the work was cancelled' });
$('run-options').onsubmit = (event) => { event.preventDefault(); run('run'); };
$('example').onchange = () => {
  const example = EXAMPLES[$('example').value];
  $('example').value = '';
  if (example) useExample(example);
};
for (const input of Object.values(inputs)) {
  input.editor.onkeydown = (event) => { if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) run(command); };
}

function useExample({ command: name, a, b }) {
  inputs.a.setText(a);
  inputs.b.setText(b ?? '');
  run(name);
}

// The tabs: arrows move between them.
const tabs = [...$('tabs').children];
function showTab(chosen) {
  for (const tab of tabs) {
    const isChosen = tab === chosen;
    tab.setAttribute('aria-selected', String(isChosen));
    tab.tabIndex = isChosen ? 0 : -1;
    $(tab.getAttribute('aria-controls')).hidden = !isChosen;
  }
  if (chosen.id === 'tab-language') compareFirst();
}
for (const tab of tabs) tab.onclick = () => showTab(tab);
$('tabs').onkeydown = (event) => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  const next = tabs[(tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length];
  showTab(next);
  next.focus();
};

// Links: the inputs, packed, after the `#`.
const through = async (bytes, stream) => new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

async function pack(value) {
  const bytes = await through(new TextEncoder().encode(JSON.stringify(value)), new CompressionStream('deflate-raw'));
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

async function unpack(text) {
  const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (it) => it.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(await through(bytes, new DecompressionStream('deflate-raw'))));
}

$('share').onclick = async () => {
  const isLanguage = $('program').hidden;
  if (!isLanguage && (inputs.a.bytes || (command === 'diff' && inputs.b.bytes))) {
    notice('A file that the editor does not show is too long for a link.');
    return;
  }
  const state = isLanguage ? languageState() : {
    command,
    a: inputs.a.editor.value, nameA: inputs.a.name,
    ...(command === 'diff' ? { b: inputs.b.editor.value, nameB: inputs.b.name } : {}),
  };
  const packed = await pack(state);
  if (packed.length > MOST_IN_LINK) {
    notice(`The link would have ${packed.length.toLocaleString('en')} characters, more than ${MOST_IN_LINK.toLocaleString('en')}.`);
    return;
  }
  history.replaceState(null, '', `#${packed}`);
  try {
    await navigator.clipboard.writeText(location.href);
    notice('The link is in the clipboard.');
  } catch {
    notice('The link is in the address bar.');
  }
};

async function open() {
  const packed = location.hash.slice(1);
  if (!packed) return useExample(EXAMPLES.violation);
  try {
    const state = await unpack(packed);
    if (state.language) {
      useLanguage(state);
      return showTab($('tab-language'));
    }
    inputs.a.setText(String(state.a ?? ''), state.nameA);
    inputs.b.setText(String(state.b ?? ''), state.nameB);
    return run(state.command in show ? state.command : 'check');
  } catch {
    notice('The link is cut or changed, so the page shows an example.');
    return useExample(EXAMPLES.violation);
  }
}

startWorker();
addEventListener('hashchange', open);
addEventListener('DOMContentLoaded', open);
