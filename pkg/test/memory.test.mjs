import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { runLoop } from 'loopgate';
import load from '../dist/loopgate.js';
import { call, done, notes, project, summary, task } from './project.mjs';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

const write = (path, content) => call('write_file', { path, content });
const initial = (count) => Object.fromEntries(Array.from({ length: count }, (_, number) => [path(number), 'old']));
const path = (number) => `src/part-${number % 10}/deep/file-${number}.ts`;

/** The size of the wasm memory in pages of 64 KB. It never shrinks. */
async function pages() {
  const { memory } = await load();
  return memory.buffer.byteLength / 65_536;
}

test('a run that has ended releases its host, even if the host refers to the run', async () => {
  async function ended() {
    const format = { name: 'format', description: 'formats', parameters: { type: 'object' }, execute: (_, { fs }) => fs.readFile('README.md', 'utf8') };
    const { host } = await project({ turns: [call('format'), ...notes], tools: [format] });
    let run;
    const model = (request, context) => host.model(request, context, run);
    run = runLoop({ ...host, model, work: task() });
    assert.equal((await run.result).success, true);
    run.abort('too late');
    run.steer('too late');
    return { fs: new WeakRef(host.fs), model: new WeakRef(model), run: new WeakRef(run) };
  }
  const references = Object.entries(await ended());
  const left = () => references.filter(([, reference]) => reference.deref() !== undefined).map(([name]) => name);
  // On a busy machine, a timer of the run may be due only now.
  for (let round = 0; round < 100 && left().length > 0; round++) {
    await setTimeout(10);
    collectGarbage();
  }
  assert.deepEqual(left(), []);
});

test('30 runs need no more memory than the first ones', async () => {
  const sizes = [];
  for (let number = 0; number < 30; number++) {
    const { host } = await project({ files: initial(100), turns: [write(path(number), 'fresh'), summary, done] });
    assert.equal((await runLoop({ ...host, work: task() }).result).success, true);
    await setImmediate();
    collectGarbage();
    sizes.push(await pages());
  }
  // The allocator settles in the first runs; a page more may come later. A leak of 7 KB a run takes two more.
  assert.ok(sizes.at(-1) - sizes[9] <= 1, `pages after each run: ${sizes}`);
});

for (const [what, iterations] of [['without records', 0], ['with records', 200]]) {
  test(`1,000 iterations ${what} need no more memory than the first ones`, async () => {
    const count = 1_000;
    const turns = Array.from({ length: count }, (_, number) => write(path(number % 50), `export const value = ${number};`));
    const { host } = await project({ files: initial(50), turns });
    const limits = { maxIterations: count, maxToolCallsPerIteration: 1 };
    const run = runLoop({ ...host, work: task(), plan: 'off', config: { records: { iterations } }, limits });
    const sizes = [];
    for await (const { type, iteration } of run) if (type === 'iteration-finished' && iteration % 100 === 0) sizes.push(await pages());
    const { reason, iterations: made } = await run.result;
    assert.deepEqual([reason, made], ['max-iterations', count]);
    // The check for stalls keeps a digest of every state: about 50 bytes an iteration, less than one page of 64 KB.
    assert.ok(sizes.at(-1) <= sizes[0] + 1, `pages after every 100 iterations: ${sizes}`);
  });
}
