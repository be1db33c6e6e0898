import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './load.js';

const { inBatches } = await load('run/batch.ts');

/** Gives the items, and then ends as `end` does. */
async function* source(items, end = () => {}) {
  yield* items;
  end();
}

test('what comes together is handed over together', async () => {
  const batches = [];
  await inBatches(source([1, 2, 3]), (batch) => batches.push(batch));
  assert.deepEqual(batches, [[1, 2, 3]]);
  await inBatches(source([]), (batch) => batches.push(batch));
  assert.equal(batches.length, 1);
});

test('what came before a failure is handed over before it', async () => {
  const seen = [];
  const failing = source(['run-started'], () => {
    throw new Error('the disk is full');
  });
  await inBatches(failing, (batch) => seen.push(...batch)).catch((error) => seen.push(error.message));
  assert.deepEqual(seen, ['run-started', 'the disk is full']);
});
