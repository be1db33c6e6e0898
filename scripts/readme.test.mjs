import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { brotliSize } from './size.mjs';

const read = (path) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

test("the README's example is the one that is compiled and run", () => {
  const [, example] = read('README.md').match(/```ts\n([\s\S]*?)```/);
  assert.equal(example, read('tests/types/readme.ts'));
});

test("the README's scripted run works as it is pasted", (t) => {
  const [, example] = read('README.md').match(/```js\n(import fs[\s\S]*?)```/);
  // In the package's folder, where `loopgate` is the built package.
  const folder = mkdtempSync(fileURLToPath(new URL('../pkg/dist/readme-', import.meta.url)));
  t.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(`${folder}/run.mjs`, example);
  const output = execFileSync(process.execPath, [`${folder}/run.mjs`], { encoding: 'utf8' });
  assert.match(output, /^run-started\n/);
  assert.match(output, /success: true,\s+reason: 'done'/);
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
