// Answers requests by WebAssembly, beside the page. A module is loaded when the first request needs it.
'use strict';

const files = { main: 'object_web.wasm', run: 'object_web_run.wasm' };
const modules = {};
let panic = '';

async function load(name) {
  const answer = await fetch(files[name]);
  if (!answer.ok) throw new Error(`${files[name]}: ${answer.status} ${answer.statusText}`);
  let memory;
  const report = (start, length) => { panic = new TextDecoder().decode(new Uint8Array(memory.buffer, start, length)); };
  const { instance } = await WebAssembly.instantiate(await answer.arrayBuffer(), { page: { report } });
  memory = instance.exports.memory;
  instance.exports.init();
  return instance.exports;
}

function ask(module, request, contents) {
  for (const content of [new TextEncoder().encode(JSON.stringify(request)), ...contents]) {
    const start = module.buffer(content.length) >>> 0;
    new Uint8Array(module.memory.buffer, start, content.length).set(content);
  }
  const length = module.answer() >>> 0;
  const text = new TextDecoder().decode(new Uint8Array(module.memory.buffer, module.answer_start() >>> 0, length));
  module.release();
  return JSON.parse(text);
}

// The error of a module that ended. Its memory may be in any state, so the page starts another worker.
function ended(error) {
  if (error instanceof RangeError) {
    return { kind: 'LimitExceeded', message: 'the file is nested deeper than the stack of this browser allows; the command `objir` has no such limit' };
  }
  const message = panic || 'the work ended without a message, which is probably due to the limit of four gigabytes of memory';
  return { kind: 'Ended', message: `${message} (${error.message})` };
}

async function work({ id, module, request, contents }) {
  let loaded;
  try {
    modules[module] ??= load(module);
    loaded = await modules[module];
  } catch (error) {
    delete modules[module];
    postMessage({ id, error: { kind: 'Io', message: `the module cannot be loaded: ${error.message}` } });
    return;
  }
  try {
    const answer = ask(loaded, request, contents);
    const other = answer.error?.module;
    if (other && other !== module) await work({ id, module: other, request, contents });
    else postMessage({ id, ...answer });
  } catch (error) {
    postMessage({ id, error: ended(error), ended: true });
  }
}

onmessage = ({ data }) => work(data);
