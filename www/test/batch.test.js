import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './load.js';

const { inBatches } = await load('run/batch.ts');

/** Yields the items, then calls `end`. */
async function* source(items, end = () => {}) {
  yield* items;
  end();
}

test('the first item is passed on at once, and the others that arrive together are one batch', async () => {
  const batches = [];
  await inBatches(source([1, 2, 3]), (batch) => batches.push(batch));
  assert.deepEqual(batches, [[1], [2, 3]]);
  await inBatches(source([]), (batch) => batches.push(batch));
  assert.equal(batches.length, 2);
});

test('items before a failure are passed on before it', async () => {
  const seen = [];
  const failing = source(['run-started'], () => {
    throw new Error('the disk is full');
  });
  await inBatches(failing, (batch) => seen.push(...batch)).catch((error) => seen.push(error.message));
  assert.deepEqual(seen, ['run-started', 'the disk is full']);
});
