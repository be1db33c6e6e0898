import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const read = (path) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

test("the README's example is the one that is compiled and run", () => {
  const [, example] = read('README.md').match(/```ts\n([\s\S]*?)```/);
  assert.equal(example, read('tests/types/readme.ts'));
});
