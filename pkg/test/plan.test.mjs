// The tree of a report is parsed on first access, which callers must not notice.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import init, { validatePlan } from 'loopgate';

await init();
const PLAN = '\uFEFFexport default <App name="Tea"><Theme mood="zen" />\n<Screen name="a"><Section gumdrop="hero" cols={[1, 2]} /></Screen></App>';

test('a report has the tree, with positions in UTF-16 code units', () => {
  const { ok, root } = validatePlan(PLAN);
  assert.equal(ok, true);
  assert.deepEqual([root.component, root.props, root.line, root.column], ['App', { name: 'Tea' }, 1, 16]);
  assert.deepEqual(root.children[1].children[0], { component: 'Section', props: { gumdrop: 'hero', cols: [1, 2] }, children: [], line: 2, column: 18 });
});

test('the tree survives spreading, JSON, cloning and comparison', () => {
  const { component } = validatePlan(PLAN).root;
  assert.equal({ ...validatePlan(PLAN) }.root.component, component);
  assert.equal(JSON.parse(JSON.stringify(validatePlan(PLAN))).root.component, component);
  assert.equal(structuredClone(validatePlan(PLAN)).root.component, component);
  assert.deepEqual(validatePlan(PLAN), validatePlan(PLAN));
  assert.deepEqual(Object.keys(validatePlan(PLAN)), ['ok', 'root', 'failures', 'warnings', 'markers']);
});

test('the tree is one object, which can be replaced', () => {
  const report = validatePlan(PLAN);
  assert.equal(report.root, report.root);
  report.root = null;
  assert.equal(report.root, null);
});

test('an unparsable source has no tree', () => {
  for (const source of ['', 'export default', '<'.repeat(10_000)]) assert.equal(validatePlan(source).root, null);
});
