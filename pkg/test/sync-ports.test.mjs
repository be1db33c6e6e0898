import assert from 'node:assert/strict';
import { test } from 'node:test';
import init, { guardFs, runLoop, snapshot } from 'loopgate';
import { call, notes, project, task } from './project.mjs';

/** The same methods, each of which answers at once or throws. */
const synchronous = (fs) =>
  Object.fromEntries(['readFile', 'writeFile', 'readdir', 'mkdir', 'rmdir', 'unlink', 'rename', 'stat', 'lstat', 'readlink', 'symlink', 'chmod'].map((name) => [name, fs[`${name}Sync`].bind(fs)]));

/** Answers as soon as the first turn of a script is known. */
function synchronousModel(turns) {
  let calls = 0;
  return ({ role }) => {
    if (role === 'parser') return { content: null, finish_reason: 'stop' };
    const { toolCalls } = turns.shift();
    return { content: null, finish_reason: 'tool_calls', tool_calls: toolCalls.map(({ name, args }) => ({ id: `c${++calls}`, type: 'function', function: { name, arguments: JSON.stringify(args) } })) };
  };
}

test('every port may be synchronous', async () => {
  const { fs, host, read } = await project({ files: { 'README.md': 'hello', 'package.json': '{"scripts":{"build":"x"}}' } });
  const seen = [];
  const run = runLoop({
    ...host,
    fs: synchronous(fs),
    model: synchronousModel([call('shell', { command: 'ls' }), ...structuredClone(notes)]),
    shell: { execute: (command) => (seen.push(command), { exitCode: 0, stdout: 'README.md', stderr: '' }) },
    build: () => ({ success: true, errors: [], warnings: [] }),
    preview: { runtimeErrors: () => [], console: () => [] },
    hooks: { beforeTool: () => ({ decision: 'allow' }), afterTool: () => {} },
    work: task(),
  });
  const { success, message } = await run.result;
  assert.ok(success, message);
  assert.equal(read('notes.md'), 'notes');
  assert.deepEqual(seen, ['ls']);
  assert.equal((await snapshot.list({ ...host, fs: synchronous(fs) })).length, 2);
});

test('a synchronous git port is enough for snapshots, and a guard has promises over a synchronous file system', async () => {
  const { fs, host } = await project();
  const answers = new Map();
  // Answers of the real port, given at once when they are asked for again.
  const git = new Proxy(host.git, {
    get: (target, name) =>
      typeof target[name] !== 'function' ? target[name] : (...args) => {
        const key = JSON.stringify([name, args]);
        if (!/^read/.test(name)) return target[name](...args);
        if (answers.has(key)) return answers.get(key);
        return target[name](...args).then((answer) => (answers.set(key, answer), answer));
      },
  });
  await snapshot.save({ ...host, git, fs: synchronous(fs) }, { tag: 'one' });
  assert.equal((await snapshot.verify({ ...host, git }, 'one')).ok, true);
  assert.equal((await snapshot.verify({ ...host, git }, 'one')).ok, true);
  const guarded = guardFs(synchronous(fs), { dir: '/project' });
  const written = guarded.writeFile('a.txt', 'a');
  assert.ok(written instanceof Promise);
  await written;
  assert.equal(await guarded.readFile('a.txt', 'utf8'), 'a');
});

test('an error that a synchronous port throws is the error of the call', async () => {
  const { fs, host } = await project();
  const failing = { ...synchronous(fs), readdir: () => { throw Object.assign(new Error('the disk is gone'), { code: 'EIO' }); } };
  await assert.rejects(snapshot.save({ ...host, fs: failing }), (error) => error.code === 'fs' && /the disk is gone/.test(error.message));
});

test('a file system that never settles ends every call with an error that names the limit', async (t) => {
  await init();
  const never = () => new Promise(() => {});
  const fs = Object.fromEntries(['readFile', 'writeFile', 'readdir', 'mkdir', 'rmdir', 'unlink', 'rename', 'stat', 'lstat'].map((name) => [name, never]));
  const { host } = await project();
  const timer = globalThis.setTimeout;
  globalThis.setTimeout = (act, ms, ...more) => timer(act, ms / 1000, ...more);
  t.after(() => (globalThis.setTimeout = timer));
  for (const act of [
    () => runLoop({ ...host, fs, git: undefined, work: task() }).result,
    () => runLoop({ ...host, fs, work: task() }).result,
    () => snapshot.save({ ...host, fs }),
  ]) {
    await assert.rejects(act(), (error) => error.code === 'fs' && error.retryable && /no answer within 60000 ms; check that the host's fs port settles/.test(error.message));
  }
});
