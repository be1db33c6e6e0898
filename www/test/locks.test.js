import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './load.js';

/** How many more times the lock of the project is seen as held by another tab. */
let held = 0;
const isHeld = () => held-- > 0;
const locks = {
  request: async (name, { ifAvailable }, hold) => hold(ifAvailable && isHeld() ? null : { name, mode: 'exclusive' }),
  query: async () => ({ held: isHeld() ? [{ name: 'loopgate-demo:run', mode: 'exclusive' }] : [] }),
};
Object.defineProperty(globalThis, 'navigator', { value: { locks }, configurable: true });
globalThis.BroadcastChannel = class {
  postMessage() {}
};
const { exclusively, isLocked } = await load('run/locks.ts');

test('a lock that another tab holds for a moment is waited for', async () => {
  held = 3;
  assert.equal(await exclusively('write', async () => 'written'), 'written');
});

test('a project that another tab keeps is not written', async (t) => {
  held = Infinity;
  const work = t.mock.fn(async () => {});
  await assert.rejects(exclusively('replace', work), /in use in another tab/);
  assert.equal(work.mock.callCount(), 0);
  held = 0;
  await exclusively('replace', work);
  assert.equal(work.mock.callCount(), 1);
});

test('the lock of the page before a reload is not another tab', async () => {
  held = 3;
  assert.equal(await isLocked(), false);
  held = Infinity;
  assert.equal(await isLocked(), true);
});

test('a tab that waits for the end of another one does not hold the lock', async (t) => {
  held = Infinity;
  t.mock.method(locks, 'query', async () => ({ held: [{ name: 'loopgate-demo:run', mode: 'shared' }] }));
  assert.equal(await isLocked(), false);
});

test('an error of the work is not taken for a lock of another tab', async () => {
  held = 0;
  await assert.rejects(exclusively('write', () => Promise.reject(new Error('the disk is full'))), /the disk is full/);
});
