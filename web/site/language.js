// The tab of languages: a schema, two values and their comparison after each change.
'use strict';

const editors = ['schema', 'value-a', 'value-b'].map($);
const boxes = { map_free_vars: $('map-free-vars'), lexical: $('lexical') };
let schemaOfExample = '';

function languageState() {
  const [schema, a, b] = editors.map((it) => it.value);
  return { language: true, schema, a, b, map_free_vars: boxes.map_free_vars.checked, lexical: boxes.lexical.checked };
}

function useLanguage(state) {
  [state.schema, state.a, state.b].forEach((text, at) => { editors[at].value = String(text ?? ''); });
  for (const [name, box] of Object.entries(boxes)) box.checked = state[name] === true;
  compare();
}

let comparisons = 0;

async function compare() {
  comparisons += 1;
  const number = comparisons;
  const contents = editors.map((it) => new TextEncoder().encode(it.value));
  const { map_free_vars, lexical } = languageState();
  let parts = [];
  let [message, kind] = ['', 'bad'];
  let wrong = -1;
  try {
    const answer = await ask({ request: 'language', names: ['schema', 'A', 'B'], map_free_vars, lexical }, contents);
    [message, kind] = answer.equal ? ['A and B are structurally equal', 'good'] : ['A and B differ', 'bad'];
    const mismatch = answer.mismatch;
    parts = [
      ['hash of A', answer.hashes[0]], ['hash of B', answer.hashes[1]],
      ...(mismatch ? [['first mismatch', mismatch.text], ['place in A', mismatch.paths[0]], ['place in B', mismatch.paths[1]]] : []),
      ['A', answer.values[0]], ['B', answer.values[1]], ['types', answer.types.join(', ')],
    ];
  } catch (error) {
    wrong = error.file ?? -1;
    message = `${['The schema: ', 'A: ', 'B: '][wrong] ?? ''}${error.message}`;
    if (error.path) parts = [['path', error.path]];
  }
  if (number !== comparisons) return;
  editors.forEach((it, at) => {
    it.classList.toggle('wrong', at === wrong);
    it.setAttribute('aria-invalid', String(at === wrong));
  });
  $('verdict').textContent = message;
  $('verdict').className = kind;
  $('facts').replaceChildren(...factList(parts).childNodes);
}

let pause;
for (const editor of editors) {
  editor.oninput = () => { clearTimeout(pause); pause = setTimeout(compare, 200); };
}
for (const box of Object.values(boxes)) box.onchange = compare;
$('reset').onclick = () => useLanguage({ ...LANGUAGE, schema: schemaOfExample });

// Compares the example when the tab is first shown.
function compareFirst() {
  if (comparisons === 0 && editors[0].value) compare();
}

(async () => {
  try {
    schemaOfExample = await (await fetch('example.schema.json')).text();
  } catch {
    notice('The page needs a server: its files cannot be read from a folder.');
  }
  if (comparisons === 0 && !editors[0].value) {
    [schemaOfExample, LANGUAGE.a, LANGUAGE.b].forEach((text, at) => { editors[at].value = text; });
    if (!$('language').hidden) compareFirst();
  }
})();
