// The deepest accepted plans must not overflow the stack of the release build.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import init, { validatePlan } from 'loopgate';
import { deepest } from '../../tests/fixtures/nesting/deepest.js';

const shapes = JSON.parse(readFileSync(new URL('../../tests/fixtures/nesting/shapes.json', import.meta.url), 'utf8'));

test('the deepest accepted nesting of every kind does not overflow the stack', async () => {
  await init();
  for (const { open, alone, inTree } of deepest(validatePlan, shapes)) {
    assert.ok(alone >= 40 && (inTree === null || inTree >= 40), `${open}: ${alone}, ${inTree}`);
  }
});

test('256 levels are accepted and 257 are refused', async () => {
  await init();
  const plan = (levels) => `export default ${'<App>'.repeat(levels)}${'</App>'.repeat(levels)}`;
  let levels = 0;
  for (let node = validatePlan(plan(256)).root; node; node = node.children[0]) levels += 1;
  assert.equal(levels, 256);
  const { failures, root } = validatePlan(plan(257));
  assert.deepEqual([failures.map(({ id }) => id), root], [['too-large'], null]);
});

test('a hundred thousand levels are refused, and the module still works', async () => {
  await init();
  for (const [open, close] of shapes) {
    const source = `export default ${open.repeat(100_000)}1${close.repeat(100_000)}`;
    const { ok, failures } = validatePlan(source);
    assert.deepEqual([ok, failures.length > 0], [false, true], open);
  }
  assert.equal(validatePlan('export default <App />').failures.length > 0, true);
});
