import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LoopgateError, changes, findUnfinishedRun, followRun, runLoop } from 'loopgate';
import { scriptedModel } from 'loopgate/testing';
import { done, notes, project, summary, task } from './project.mjs';

/** Locks as a browser has them. */
function memoryLocks() {
  const taken = new Set();
  const names = [];
  const request = async (name, { ifAvailable, mode }, callback) => {
    assert.deepEqual([ifAvailable, mode], [true, 'exclusive']);
    names.push(name);
    if (taken.has(name)) return callback(null);
    taken.add(name);
    try {
      return await callback({ name, mode });
    } finally {
      taken.delete(name);
    }
  };
  return { request, names, taken };
}

async function seen(run, type) {
  for await (const event of run) if (event.type === type) return;
}

async function collect(events, until = () => false) {
  const all = [];
  for await (const event of events) {
    all.push(event);
    if (until(event)) break;
  }
  return all;
}

const refused = { request: () => Promise.reject(new DOMException('not allowed', 'SecurityError')) };

for (const [title, locks, isLock] of [['a lock', memoryLocks(), true], ['the file', undefined, false], ['the file, where locks are not allowed', refused, false]]) {
  test(`a second run is refused with its holder, by ${title}`, async () => {
    const { host, model } = await project({ turns: [notes[0], { hang: true }], locks });
    const first = runLoop({ ...host, work: task() });
    await seen(first, 'tool-result');
    await assert.rejects(runLoop({ ...host, work: task() }).result, (error) => {
      assert.ok(error instanceof LoopgateError);
      assert.deepEqual([error.code, error.retryable, error.holder.runId], ['locked', true, first.id]);
      assert.ok(error.holder.since <= Date.now() && error.message.includes(first.id) && error.message.includes(error.holder.id));
      return true;
    });
    assert.equal(model.requests.length, 2);
    if (isLock) assert.deepEqual([...new Set(locks.names)], ['loopgate:run:/project']);
    first.abort();
    assert.equal((await first.result).reason, 'aborted');
    assert.equal((await runLoop({ ...host, work: task(), signal: AbortSignal.abort() }).result).reason, 'aborted');
    assert.equal(locks?.taken?.size ?? 0, 0);
  });
}

for (const [title, locks] of [['a lock', memoryLocks()], ['the file', undefined]]) {
  test(`a page that resumes its own run replaces it, by ${title}`, async () => {
    const { host } = await project({ turns: [notes[0], { hang: true }, summary, done], locks });
    const first = runLoop({ ...host, work: task() });
    await seen(first, 'tool-result');
    const second = runLoop({ ...host, work: task(), resume: first.id });
    assert.equal((await second.result).success, true);
    first.abort();
    await assert.rejects(first.result, { code: 'locked' });
    assert.equal(locks?.taken?.size ?? 0, 0);
  });
}

test('`locks` without `request` is an invalid option', async () => {
  const { host } = await project();
  assert.throws(() => runLoop({ ...host, work: task(), locks: {} }), /`locks`.*`request`/);
});

test('a run is followed from its journal until it ends', async () => {
  let next;
  const { host } = await project({ turns: [notes[0], () => new Promise((resolve) => (next = () => resolve(summary))), done] });
  const run = runLoop({ ...host, work: task() });
  await seen(run, 'tool-result');
  const journaled = async () => (await collect(run)).filter(({ type }) => !type.endsWith('-delta'));
  const stop = new AbortController();
  const part = await collect(followRun(host, { runId: run.id, signal: stop.signal }), ({ type }) => type === 'tool-result' && stop.abort() === undefined);
  const rest = collect(followRun(host, { after: part.at(-1).seq }));
  while (!next) await new Promise((resolve) => setImmediate(resolve));
  next();
  await run.result;
  assert.deepEqual([...part, ...(await rest)], await journaled());
  const all = await collect(followRun(host, { runId: run.id }));
  assert.deepEqual(all.length, (await journaled()).length);
  assert.deepEqual(await collect(followRun(host, { runId: run.id, after: all.at(-1).seq })), [], 'nothing follows the end');
  assert.deepEqual(await collect(followRun(host, { runId: run.id, after: all.at(-1).seq + 100 })), [], 'nothing follows a number beyond the end');
  assert.equal(await findUnfinishedRun(host), null);
});

test('the newest run is the one that began last, also after the clock went back', async (t) => {
  const { host, model } = await project({ turns: notes });
  const first = runLoop({ ...host, work: task() });
  assert.equal((await first.result).success, true);
  const now = Date.now;
  t.after(() => (Date.now = now));
  Date.now = () => now() - 86_400_000;
  const second = runLoop({ ...host, model: () => Promise.reject(new Error('gone')), work: task() });
  await assert.rejects(second.result, { code: 'model' });
  assert.ok(second.id < first.id);
  assert.equal((await findUnfinishedRun(host)).runId, second.id);
  const stop = new AbortController();
  const ids = (await collect(followRun(host, { signal: stop.signal }), () => stop.abort() === undefined)).map(({ runId }) => runId);
  assert.deepEqual(ids, [second.id]);
  assert.equal(model.requests.length, 3);
});

test('the id of a run that does not exist rejects', async () => {
  const { host } = await project();
  await assert.rejects(collect(followRun(host, { runId: 'none', pollMs: 1 })), { code: 'not-found', message: /no run none/ });
});

test('following a failed run ends, although a warning followed its failure', async () => {
  const { host } = await project({ turns: notes, files: { 'README.md': 'x', '.handoff/config.yaml': 'runs: { keep: 1 }\n' } });
  const first = await runLoop({ ...host, work: task() }).result;
  const isOfFirst = (path) => path.includes(`/journal/${first.runId}`);
  const unlink = (path) => (isOfFirst(path) ? Promise.reject(new Error('busy')) : host.fs.unlink(path));
  const fs = new Proxy(host.fs, { get: (target, name) => (name === 'unlink' ? unlink : target[name]) });
  const run = runLoop({ ...host, fs, model: scriptedModel([]), work: task('Write more notes') });
  await assert.rejects(run.result, { code: 'model' });
  const all = await collect(followRun(host, { runId: run.id }));
  assert.deepEqual(all.slice(-2).map(({ type }) => type), ['run-failed', 'status']);
  for (const { seq } of all.slice(-3)) assert.deepEqual(await collect(followRun(host, { runId: run.id, after: seq })), all.filter((event) => event.seq > seq));
});

test('the id of a run is checked before its folder is read', async () => {
  const { host } = await project();
  for (const runId of ['', '..', '../journal', 'a/']) {
    await assert.rejects(collect(followRun(host, { runId, pollMs: 1 })), { code: 'invalid-argument' });
    await assert.rejects(changes(host, { runId }), { code: 'invalid-argument' });
  }
});

test('wrong options of `followRun` throw', async () => {
  const { host } = await project();
  for (const options of [{ runId: 1 }, { after: -1 }, { pollMs: NaN }, { signal: {} }]) assert.throws(() => followRun(host, options), { code: 'invalid-argument' });
  await assert.rejects(collect(followRun({ ...host, dir: 'project' })), { code: 'invalid-argument' });
});
