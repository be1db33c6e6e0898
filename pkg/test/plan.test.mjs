// The report of a plan as a page sees it: the tree is read when it is asked for, and nothing shows that.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import init, { validatePlan } from 'loopgate';

await init();
const PLAN = '\uFEFFexport default <App name="Tea"><Theme mood="zen" />\n<Screen name="a"><Section gumdrop="hero" cols={[1, 2]} /></Screen></App>';

test('a report has its tree, with places as editors count them', () => {
  const { ok, root } = validatePlan(PLAN);
  assert.equal(ok, true);
  assert.deepEqual([root.component, root.props, root.line, root.column], ['App', { name: 'Tea' }, 1, 16]);
  assert.deepEqual(root.children[1].children[0], { component: 'Section', props: { gumdrop: 'hero', cols: [1, 2] }, children: [], line: 2, column: 18 });
});

test('the tree is there for whatever a page does with a report', () => {
  const { component } = validatePlan(PLAN).root;
  assert.equal({ ...validatePlan(PLAN) }.root.component, component);
  assert.equal(JSON.parse(JSON.stringify(validatePlan(PLAN))).root.component, component);
  assert.equal(structuredClone(validatePlan(PLAN)).root.component, component);
  assert.deepEqual(validatePlan(PLAN), validatePlan(PLAN));
  assert.deepEqual(Object.keys(validatePlan(PLAN)), ['ok', 'root', 'failures', 'warnings', 'markers']);
});

test('the tree is one object, which a page may replace', () => {
  const report = validatePlan(PLAN);
  assert.equal(report.root, report.root);
  report.root = null;
  assert.equal(report.root, null);
});

test('a source without a tree has none', () => {
  for (const source of ['', 'export default', '<'.repeat(10_000)]) assert.equal(validatePlan(source).root, null);
});
