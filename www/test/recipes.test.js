import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultRegistry as registry } from 'loopgate';
import { load } from './load.js';

const { recipes } = await load('recipes/recipes.ts');

test('there are recipes for at least twelve gumdrops, each once', () => {
  const ids = recipes.map(({ id }) => id);
  assert.ok(ids.length >= 12);
  assert.equal(new Set(ids).size, ids.length);
});

for (const { id, content } of recipes) {
  test(`the recipe ${id} belongs to a gumdrop and covers what it takes to build one`, () => {
    const [, matter, body] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(content);
    const fields = Object.fromEntries(matter.split('\n').map((line) => line.split(': ')));
    assert.equal(id, `gumdrop-${fields.name}`);
    assert.ok(registry.gumdrops.includes(fields.name), fields.name);
    const components = fields.components.split(', ');
    assert.deepEqual(components.filter((name) => !registry.components.includes(name)), []);
    assert.match(body, /^# \S/);
    for (const heading of ['Structure', 'Content', 'Accessibility', 'Responsive']) assert.ok(body.includes(`\n## ${heading}\n`), heading);
    assert.match(body, /```tsx\n[\s\S]+?\n```/);
    assert.doesNotMatch(body, /#[0-9a-f]{3,8}\b(?!["'])|oklch\(/i, 'colours come from the theme');
  });
}
