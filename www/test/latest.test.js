import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './load.js';

const { latest } = await load('latest.ts');

/** Work that ends when it is told to. */
function work() {
  const ends = [];
  const ask = latest(() => new Promise((resolve, reject) => ends.push({ resolve, reject })));
  return { ask, ends };
}

test('what is asked for while it runs is answered once afterwards, and all wait for that', async () => {
  const { ask, ends } = work();
  let answered = 0;
  const callers = [ask(), ask(), ask()].map((caller) => caller.then(() => answered++));
  assert.equal(ends.length, 1, 'one at a time');
  ends[0].resolve();
  await new Promise(setImmediate);
  assert.deepEqual([ends.length, answered], [2, 0], 'one more, and nobody is told what is older than the question');
  ends[1].resolve();
  await Promise.all(callers);
  assert.equal(ends.length, 2);
  ask();
  assert.equal(ends.length, 3);
});

test('work that fails says so to who asked, and the next question is answered', async () => {
  const { ask, ends } = work();
  const failing = ask();
  ends[0].reject(new Error('no'));
  await assert.rejects(failing, /no/);
  const next = ask();
  ends[1].resolve();
  await next;
});
