import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './load.js';

const { latest } = await load('latest.ts');

/** Work that the test ends. */
function work() {
  const ends = [];
  const ask = latest(() => new Promise((resolve, reject) => ends.push({ resolve, reject })));
  return { ask, ends };
}

test('calls during a run cause one more run, and all callers wait for it', async () => {
  const { ask, ends } = work();
  let answered = 0;
  const callers = [ask(), ask(), ask()].map((caller) => caller.then(() => answered++));
  assert.equal(ends.length, 1, 'one at a time');
  ends[0].resolve();
  await new Promise(setImmediate);
  assert.deepEqual([ends.length, answered], [2, 0], 'one more run, and no caller gets an older result');
  ends[1].resolve();
  await Promise.all(callers);
  assert.equal(ends.length, 2);
  ask();
  assert.equal(ends.length, 3);
});

test('failed work rejects, and the next call runs again', async () => {
  const { ask, ends } = work();
  const failing = ask();
  ends[0].reject(new Error('no'));
  await assert.rejects(failing, /no/);
  const next = ask();
  ends[1].resolve();
  await next;
});
