import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { before, test } from 'node:test';
import init, { defaultRegistry as registry, resolvePlanContext } from 'loopgate';
import { load } from './load.js';

const { recipe, recipes } = await load('recipes/recipes.ts');
before(() => init());

test('recipe ids are unique', () => {
  const ids = recipes.map(({ id }) => id);
  assert.ok(ids.length > 0);
  assert.equal(new Set(ids).size, ids.length);
});

for (const { id, content } of recipes) {
  test(`the recipe ${id} belongs to a gumdrop and has all parts`, () => {
    const [, matter, body] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(content);
    const fields = Object.fromEntries(matter.split('\n').map((line) => line.split(': ')));
    assert.equal(id, `gumdrop-${fields.name}`);
    assert.ok(registry.gumdrops.includes(fields.name), fields.name);
    const components = fields.components.split(', ');
    assert.deepEqual(components.filter((name) => !registry.components.includes(name)), []);
    assert.match(body, /^# \S/);
    for (const heading of ['Structure', 'Content', 'Accessibility', 'Responsive']) assert.ok(body.includes(`\n## ${heading}\n`), heading);
    assert.match(body, /```tsx\n[\s\S]+?\n```/);
    assert.doesNotMatch(body, /#[0-9a-f]{3,8}\b(?!["'])|oklch\(/i, 'colors come from the theme');
  });
}

test('the harness finds each recipe by its gumdrop and reads its components', async () => {
  const gumdrops = [...recipes.map(({ id }) => id.replace('gumdrop-', '')), 'kanban-board'];
  const source = `export default (<App name="a"><Theme mood="mono" /><Screen name="s">${gumdrops.map((name) => `<Section gumdrop="${name}" />`).join('')}</Screen></App>)`;
  const shell = { execute: async () => ({ exitCode: 0, stdout: '', stderr: '' }) };
  const { sections } = await resolvePlanContext({ fs, dir: tmpdir(), shell, recipes: async (id) => recipe(id) }, source);
  assert.deepEqual(sections.map(({ gumdrop }) => gumdrop), gumdrops);
  const unknown = sections.pop();
  assert.equal(unknown.recipe, null);
  for (const { gumdrop, recipe, components } of sections) {
    assert.ok(recipe?.includes('# '), gumdrop);
    assert.ok(components.length >= 1 && components.every((name) => registry.components.includes(name)), `${gumdrop}: ${components}`);
  }
});
