// Tests of the page in Chromium, which `.ci/wasm` runs.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

const { PAGE, TOOLS, HASHES, CHROMIUM, SHOTS } = process.env;
const { chromium } = createRequire(path.join(TOOLS, 'package.json'))('playwright-core');
const fixtures = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../fixtures');
const fixture = (name) => readFileSync(path.join(fixtures, name));
const types = { '.html': 'text/html', '.css': 'text/css', '.js': 'text/javascript', '.wasm': 'application/wasm', '.json': 'application/json' };

let server, browser, page, address;
const faults = [];
// The files that the page loaded, and one that the server keeps back.
const loaded = new Set();
let kept = '';

before(async () => {
  server = createServer((request, response) => {
    const name = path.basename(new URL(request.url, 'http://page').pathname) || 'index.html';
    loaded.add(name);
    if (name === kept) return;
    try {
      const content = readFileSync(path.join(PAGE, name));
      response.writeHead(200, { 'content-type': types[path.extname(name)] ?? 'application/octet-stream' }).end(content);
    } catch {
      response.writeHead(404).end();
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  address = `http://127.0.0.1:${server.address().port}/`;
  browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
  page = await opened({});
});

after(async () => {
  await browser?.close();
  server?.close();
});

async function opened(options, hash = '') {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const made = await context.newPage();
  made.on('pageerror', (error) => faults.push(error));
  await made.goto(address + hash);
  return made;
}

// Waits for the end of the work, and returns the line of the result.
async function result(of = page) {
  await of.waitForFunction(() => document.getElementById('cancel').hidden && !document.getElementById('status').textContent.startsWith('Working'), null, { timeout: 120_000 });
  return of.textContent('#status');
}

async function put(letter, name, content, of = page) {
  if (letter === 'b') await of.click('[data-command="diff"]');
  await of.setInputFiles(`#input-${letter} input[type=file]`, { name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) });
  await of.waitForFunction(([id, text]) => document.getElementById(id).textContent.startsWith(text), [`name-${letter}`, name.replace(/\.gz$/, '')]);
}

async function command(name, of = page) {
  await of.click(`[data-command="${name}"]`);
  return result(of);
}

// A page in a frame draws its lines when they are first seen.
const shot = async (name, of = page) => {
  if (!SHOTS) return;
  await of.waitForTimeout(500);
  await of.screenshot({ path: path.join(SHOTS, `${name}.png`), fullPage: true });
};

// The answer of the worker without the page around it.
const ask = (request, contents, module = 'main', of = page) => of.evaluate(async ([request, contents, module]) => {
  try {
    return { answer: await window.ask(request, contents.map((it) => new TextEncoder().encode(it)), module) };
  } catch (error) {
    return { error };
  }
}, [request, contents, module]);

test('the page begins with a violation, underlined', async () => {
  assert.match(await result(), /ill-formed: 1 error/);
  assert.match(await page.textContent('mark.error'), /R\.matmul/);
  assert.match(await page.textContent('.marks'), /line \d+: /);
  assert.ok(loaded.has('object_web.wasm') && !loaded.has('object_web_run.wasm'));
  await shot('check');
});

test('a graph prints', async () => {
  await put('a', 'mlp.json.gz', fixture('mlp.json.gz'));
  assert.match(await command('print'), /^The script of TVM 0\.25/);
  assert.match(await page.textContent('#output .text'), /def main\(/);
  await shot('print');
  await page.click('#output button:last-child');
  await page.frameLocator('iframe').locator('.row').first().waitFor();
});

test('an inference prints the complete program', async () => {
  await put('a', 'mlp.json.gz', fixture('mlp.json.gz'));
  await command('infer');
  assert.match(await page.textContent('#output .text'), /R\.Tensor/);
});

test('two programs stand side by side', async () => {
  await put('a', 'mlp.json.gz', fixture('mlp.json.gz'));
  await put('b', 'mlp_changed.json.gz', fixture('mlp_changed.json.gz'));
  assert.match(await command('diff'), /^different: mlp\.json and mlp_changed\.json, in \d+ place/);
  const frame = page.frameLocator('iframe');
  await frame.locator('mark').first().waitFor();
  assert.ok(await frame.locator('mark').count() >= 2);
  await shot('diff');
});

test('work can be cancelled', async () => {
  const other = await opened({});
  await result(other);
  kept = 'object_web_run.wasm';
  await other.selectOption('#example', 'mlp');
  await other.click('#cancel');
  kept = '';
  assert.match(await result(other), /^Cancelled/);
  assert.match(await command('check', other), /^well-formed/);
  await other.close();
});

test('a run shows its result', async () => {
  await page.selectOption('#example', 'mlp');
  assert.match(await result(), /^main returned a tensor \(4, 2\) of type float32/);
  assert.match(await page.textContent('#output pre'), /^\[\[/);
  await shot('run');
});

test('the errors of a script are underlined', async () => {
  await page.fill('#text-a', '@I.ir_module\nclass Module:\n    @R.function\n    def main(x: R.Object):\n        retrun x\n');
  assert.match(await command('print'), /^Malformed: the script has \d+ error/);
  assert.match(await page.textContent('.marks'), /did you mean `return`\?/);
  assert.ok(await page.locator('mark.error').count() > 0);
  await shot('error');
});

test('a script with names of characters is read by the module that has them', async () => {
  const text = '@R.function\ndef main(x: R.Tensor((2,), "float32")):\n    y = R.print(format=R.str("\\N{LATIN SMALL LETTER A}\\N{DIGIT ONE}"))\n    return x\n';
  const { answer, error } = await ask({ request: 'print', names: ['names.py'] }, [text]);
  assert.match(answer?.script ?? '', /R\.str\("a1"\)/, error?.message);
  const wrong = await ask({ request: 'print', names: ['names.py'] }, [text.replace('DIGIT ONE', 'NO SUCH NAME')]);
  assert.equal(wrong.error?.kind, 'Malformed');
});

test('hashes are those of the command', async () => {
  const known = readFileSync(HASHES, 'utf8').trim();
  const rows = known.startsWith('[') ? JSON.parse(known) : known.split('\n').map((line) => JSON.parse(line)).flatMap((it) => it.files ?? it);
  assert.ok(rows.length >= 8, known.slice(0, 300));
  for (const { file, hash } of rows) {
    const text = gunzipSync(fixture(path.basename(file))).toString('utf8');
    const { answer } = await ask({ request: 'hash', names: [file] }, [text]);
    assert.equal(answer?.hash, hash, file);
  }
});

test('a file of five megabytes', async () => {
  const { answer } = await ask({ request: 'print', names: ['mlp'] }, [gunzipSync(fixture('mlp.json.gz')).toString('utf8')]);
  const at = answer.script.indexOf('    @R.function');
  const [head, main] = [answer.script.slice(0, at), answer.script.slice(at).trimEnd()];
  const count = Math.ceil(5e6 / main.length);
  const functions = Array.from({ length: count }, (_, number) => main.replace('def main(', `def main_${number}(`));
  const text = `${head}${functions.join('\n\n')}\n`;
  assert.ok(text.length > 5e6);
  await put('a', 'large.py', text);
  assert.match(await command('check'), /^well-formed/);
  assert.match(await command('hash'), /^hash [0-9a-f]{16}/);
  assert.match(await command('print'), /^The script/);
});

// A chain of arrays, one in the other.
function chain(levels) {
  const nodes = ['{"type":"None"}', '{"type":"ffi.Array","data":[]}'];
  for (let level = 1; level <= levels; level += 1) nodes.push(`{"type":"ffi.Array","data":[${level}]}`);
  return `{"root_index":${levels + 1},"nodes":[${nodes.join(',')}]}`;
}

// Tuples of Relax, one in the other.
function tuples(levels) {
  const nodes = ['{"type":"None"}', '{"type":"ffi.Array","data":[]}', '{"type":"relax.expr.Tuple","data":{"span":0,"struct_info_":0,"fields":1}}'];
  for (let level = 1; level <= levels; level += 1) {
    nodes.push(`{"type":"ffi.Array","data":[${nodes.length - 1}]}`, `{"type":"relax.expr.Tuple","data":{"span":0,"struct_info_":0,"fields":${nodes.length}}}`);
  }
  return `{"root_index":${nodes.length - 1},"nodes":[${nodes.join(',')}]}`;
}

test('hostile depth is an error with a kind, and the worker goes on', async () => {
  const deep = await ask({ request: 'hash', names: ['deep'] }, [chain(1_000_000)]);
  assert.equal(deep.answer?.depth, 1_000_001, JSON.stringify(deep).slice(0, 300));
  for (const request of ['print', 'check', 'infer']) {
    for (const content of [chain(1_000_000), tuples(100_000)]) {
      const { error } = await ask({ request, names: ['deep'] }, [content]);
      assert.equal(error?.kind, 'LimitExceeded', request);
      assert.match(error.message, /max_depth/);
    }
    // The deepest programs that the page accepts have answers, or errors about their content.
    const { error } = await ask({ request, names: ['tuples'] }, [tuples(245)]);
    assert.notEqual(error?.kind, 'LimitExceeded', `${request}: ${error?.message}`);
    assert.notEqual(error?.kind, 'Ended', `${request}: ${error?.message}`);
  }
  for (const nested of ['('.repeat(149) + 'x' + ')'.repeat(149), '('.repeat(100_000), Array(299).fill('x').join(' + '), Array(100_000).fill('x').join(' + '), '-'.repeat(100_000) + 'x']) {
    const text = `@R.function\ndef main(x: R.Tensor((2,), "float32")):\n    y = ${nested}\n    return y\n`;
    for (const request of ['print', 'check', 'infer']) {
      const { error } = await ask({ request, names: ['deep.py'] }, [text]);
      assert.ok(!error || error.kind === 'Malformed', `${request}: ${error?.kind} ${error?.message?.slice(0, 200)}`);
    }
  }
  const value = '['.repeat(500_000) + ']'.repeat(500_000);
  const schema = readFileSync(path.join(PAGE, 'example.schema.json'), 'utf8');
  const values = await ask({ request: 'language', names: [] }, [schema, value, value]);
  assert.equal(values.answer?.equal, true, JSON.stringify(values).slice(0, 300));
});

test('a language is compared while it changes', async () => {
  await page.click('#tab-language');
  await page.waitForFunction(() => document.getElementById('verdict').textContent === 'A and B differ');
  assert.match(await page.textContent('#facts'), /<root>\.body\.rhs\.value/);
  await shot('language');
  await page.fill('#value-b', 'demo.Lambda(param=%0 = demo.Var(name="z"), body=demo.Add(lhs=%0, rhs=demo.Num(value=1)))');
  await page.waitForFunction(() => document.getElementById('verdict').textContent === 'A and B are structurally equal');
  await page.fill('#schema', (await page.inputValue('#schema')).replace('"role": "def"', '"role": "content"'));
  await page.waitForFunction(() => document.getElementById('verdict').textContent === 'A and B differ');
  await page.fill('#value-b', 'demo.Lambdo(');
  await page.waitForFunction(() => document.getElementById('verdict').textContent.startsWith('B: '));
  assert.equal(await page.getAttribute('#value-b', 'aria-invalid'), 'true');
});

test('a link has the inputs and the command', async () => {
  await page.click('#tab-program');
  await page.selectOption('#example', 'difference');
  await result();
  await page.click('#share');
  await page.waitForFunction(() => location.hash.length > 1);
  const hash = await page.evaluate(() => location.hash);
  const other = await opened({}, hash);
  assert.match(await result(other), /^different: left and right/);
  assert.equal(await other.inputValue('#text-a'), await page.inputValue('#text-a'));
  await other.close();
});

test('a tab is chosen by keys', async () => {
  await page.focus('#tab-program');
  await page.keyboard.press('ArrowRight');
  assert.ok(await page.isVisible('#schema'));
  await page.keyboard.press('ArrowLeft');
  assert.ok(await page.isVisible('#text-a'));
});

test('nothing is wider than a phone', async () => {
  for (const colorScheme of ['light', 'dark']) {
    const phone = await opened({ viewport: { width: 390, height: 844 }, colorScheme });
    const widths = async () => phone.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    for (const example of ['violation', 'difference', 'mlp']) {
      await phone.selectOption('#example', example);
      await result(phone);
      assert.deepEqual(await widths(), [390, 390], example);
      await shot(`phone-${example}-${colorScheme}`, phone);
    }
    await phone.click('#tab-language');
    await phone.waitForFunction(() => document.getElementById('verdict').textContent);
    assert.deepEqual(await widths(), [390, 390], 'language');
    await shot(`phone-language-${colorScheme}`, phone);
    await phone.close();
  }
});

test('every control has a name', async () => {
  const unnamed = await page.evaluate(() => [...document.querySelectorAll('button, input, select, textarea, iframe')]
    .filter((it) => !(it.labels?.length || it.getAttribute('aria-label') || it.title || it.textContent.trim())).map((it) => it.outerHTML));
  assert.deepEqual(unnamed, []);
});

// The texts whose contrast with their background is less than WCAG asks for, with the ratio.
const faintTexts = (of) => of.evaluate(() => {
  const parts = (color) => color.match(/[\d.]+/g).map(Number);
  const luminance = (color) => parts(color).slice(0, 3).map((it) => it / 255)
    .map((it) => (it <= 0.04045 ? it / 12.92 : ((it + 0.055) / 1.055) ** 2.4))
    .reduce((sum, it, i) => sum + it * [0.2126, 0.7152, 0.0722][i], 0);
  const background = (element) => {
    for (let it = element; it; it = it.parentElement) {
      const color = getComputedStyle(it).backgroundColor;
      if (parts(color)[3] !== 0) return color;
    }
    return 'rgb(255, 255, 255)';
  };
  const faint = new Set();
  for (const element of document.querySelectorAll('body *')) {
    const hasText = element.value || [...element.childNodes].some((it) => it.nodeType === Node.TEXT_NODE && it.data.trim());
    if (!hasText || !element.checkVisibility() || element.disabled) continue;
    const { color } = getComputedStyle(element);
    const [low, high] = [luminance(color), luminance(background(element))].sort((a, b) => a - b);
    const ratio = (high + 0.05) / (low + 0.05);
    if (ratio < 4.5) faint.add(`${element.tagName}.${element.className}: ${color} on ${background(element)}, ${ratio.toFixed(1)}`);
  }
  return [...faint];
});

test('texts stand out from their background, in light and in the dark', async () => {
  for (const colorScheme of ['light', 'dark']) {
    const themed = await opened({ colorScheme });
    const ground = await themed.evaluate(() => getComputedStyle(document.body).backgroundColor);
    assert.equal(ground, colorScheme === 'dark' ? 'rgb(20, 23, 27)' : 'rgb(255, 255, 255)');
    for (const example of ['violation', 'difference', 'mlp']) {
      await themed.selectOption('#example', example);
      await result(themed);
      assert.deepEqual(await faintTexts(themed), [], `${colorScheme}, ${example}`);
      await shot(`${colorScheme}-${example}`, themed);
    }
    await themed.click('#tab-language');
    await themed.waitForFunction(() => document.getElementById('verdict').textContent);
    assert.deepEqual(await faintTexts(themed), [], `${colorScheme}, language`);
    await shot(`${colorScheme}-language`, themed);
    await themed.close();
  }
});

test('no script of the page failed', () => assert.deepEqual(faults, []));
