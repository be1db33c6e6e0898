import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { chat, messages, responses } from '../pkg/test/adapters/dialects.mjs';
import { serve, startStream } from '../pkg/test/adapters/server.mjs';
import { brotliSize } from './size.mjs';

const read = (path) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

test("the README's example is the one that is compiled and run", () => {
  const [, example] = read('README.md').match(/```ts\n([\s\S]*?)```/);
  assert.equal(example, read('tests/types/readme.ts'));
});

/** Runs a file in the package's folder, where `loopgate` is the built package; what it prints. */
async function output(t, text, ...options) {
  const folder = mkdtempSync(fileURLToPath(new URL('../pkg/dist/readme-', import.meta.url)));
  t.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(`${folder}/run.mjs`, text);
  return (await promisify(execFile)(process.execPath, [...options, `${folder}/run.mjs`])).stdout;
}

const scriptedRun = () => read('README.md').match(/```js\n(import fs[\s\S]*?)```/)[1];

test("the README's scripted run works as it is pasted", async (t) => {
  const printed = await output(t, scriptedRun());
  assert.match(printed, /^run-started\n/);
  assert.match(printed, /success: true,\s+reason: 'done'/);
});

/** The lines of the README's table for the model that `name` creates. */
function linesOf(name) {
  const row = read('README.md').split('\n').find((line) => line.startsWith('| ') && line.includes(`const model = ${name}(`));
  const lines = [...row.matchAll(/`([^`]+;)`/g)].map(([, line]) => line);
  return { imports: lines.filter((line) => line.startsWith('import ')), model: lines.find((line) => line.startsWith('const ')) };
}

const parsed = JSON.stringify({ type: 'fresh', title: 'Notes', requirements: [{ marker: 'ADD', description: 'notes' }] });
const turns = [
  ['write_file', { path: 'notes.md', content: 'Buy milk.\n' }],
  ['write_file', { path: '.ralph/summary.md', content: 'The notes are in notes.md.\n' }],
  ['complete_task', {}],
];

for (const [name, dialect, packages] of [
  ['openAiCompatible', chat, ['']],
  ['openAiResponses', responses, ['']],
  ['anthropic', messages, ['']],
  ['aiSdk', responses, ['ai-sdk-openai-v2', 'ai-sdk-openai-v3', 'ai-sdk-openai-v4']],
]) {
  for (const provider of packages) {
    test(`the README's scripted run works with the lines for ${name} in place of those for the script${provider && `, over ${provider}`}`, async (t) => {
      let next = 0;
      const { address, asked } = await serve(t, ({ tools }, response) => {
        const call = tools?.length > 0 && turns[next];
        const answer = call ? { calls: [{ id: `call_${next}`, name: call[0], args: JSON.stringify(call[1]) }] } : { text: parsed };
        if (call) next += 1;
        startStream(response);
        response.end(dialect.stream({ ...answer, usage: { input: 9, output: 4 } }).join('') + dialect.end);
      });
      const { imports, model } = linesOf(name);
      const text = scriptedRun()
        .replace(/import \{ scriptedModel \}.*/, () => imports.join('\n').replace('@ai-sdk/openai', provider))
        .replace(/^const model = scriptedModel\([^]*?^\]\);/m, () => model);
      assert.ok(!text.includes('scriptedModel'));
      // A service's address leads to the test's server, and the user's key is there.
      const preload = `globalThis.apiKey = 'sk-of-the-user'; const { fetch } = globalThis; globalThis.fetch = (url, init) => fetch('${address}' + new URL(url).pathname, init);`;
      const printed = await output(t, text, '--import', `data:text/javascript,${encodeURIComponent(preload)}`);
      assert.match(printed, /success: true,\s+reason: 'done'/);
      assert.ok(asked.length > turns.length && next === turns.length);
    });
  }
}

test('the README names the versions of the AI SDK that the adapter is tested with', () => {
  const named = read('README.md').match(/The packages are (.*)\./)[1];
  const { devDependencies } = JSON.parse(read('pkg/package.json'));
  const versions = Object.values(devDependencies).filter((range) => /^npm:(ai|@ai-sdk\/)/.test(range)).map((range) => range.match(/^npm:(.+)@(.+)$/).slice(1));
  assert.equal(versions.length, 12);
  for (const [name, version] of versions) assert.match(named, new RegExp(`\`${name}\` [^\`]*\\b${version.replaceAll('.', '\\.')}\\b`), name);
});

test('the README names every tool of the agent', () => {
  const [, tools] = read('README.md').match(/The agent's tools are (.*?)`complete_task`/);
  const names = [...read('src/agent/tools/mod.rs').matchAll(/BuiltIn::\w+ => "(\w+)"/g)].map(([, name]) => name);
  assert.ok(names.length > 9);
  for (const name of names) assert.ok(`${tools} \`complete_task\``.includes(`\`${name}\``), name);
});

test('the README has the size of the download, within a tenth', () => {
  const bytes = readFileSync(new URL('../pkg/dist/loopgate_bg.wasm', import.meta.url));
  const [, compressed, plain] = read('README.md').match(/download ([\d.]+) MB for the wasm module, if the server compresses with brotli \(([\d.]+) MB without\)/);
  for (const [named, size] of [[compressed, brotliSize(bytes)], [plain, bytes.length]]) {
    assert.ok(Math.abs(named * 1e6 - size) <= Math.max(size / 10, 5e4), `${named} MB, not ${size} bytes`);
  }
});

test("the README's line for `Buffer` is the one that is compiled", () => {
  const [line] = read('tests/types/buffer.ts').match(/^Object\.assign.*(?=;)/m);
  assert.ok(read('README.md').includes(`\`${line}\``));
});
