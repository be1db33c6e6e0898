import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './load.js';

const { latest } = await load('plan/latest.ts');

test('what is asked for while it runs is answered once afterwards', async () => {
  const finish = [];
  const ask = latest(() => new Promise((resolve) => finish.push(resolve)));
  const answered = ask();
  await ask();
  await ask();
  assert.equal(finish.length, 1, 'one at a time');
  finish[0]();
  await new Promise(setImmediate);
  assert.equal(finish.length, 2, 'two questions, one answer');
  finish[1]();
  await answered;
  assert.equal(finish.length, 2);
  ask();
  assert.equal(finish.length, 3);
});
