import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runLoop } from 'loopgate';
import { call, done, project, summary } from './project.mjs';

const PLAN = `export default (
  <App name="Drinks">
    <Theme mood="minimal" />
    <Screen name="main">
      <Section gumdrop="hero" />
      <Section gumdrop="features" />
    </Screen>
  </App>
)
`;

/** A project in which two tasks were done. */
const planned = (turns) =>
  project({
    files: { 'src/app.ts': 'export const app = 1\n', '.ralph/plan.tsx': PLAN, '.ralph/task-counter.txt': '2', '.ralph/summary.md': 'Built hero and features.' },
    turns,
  });

async function finished(host, message) {
  const run = runLoop({ ...host, work: { kind: 'task', message }, config: { gates: { disabled: ['scope'] } } });
  const events = [];
  for await (const event of run) events.push(event);
  return { result: await run.result, of: (type) => events.filter((event) => event.type === type) };
}

const text = (request) => JSON.stringify(request.messages);
const work = call('write_file', { path: 'src/app.ts', content: 'export const app = 2\n' });

test('case 118, case 141: a change of what is planned updates the plan first', async () => {
  const { host, model, read } = await planned([summary, done, call('plan', { action: 'update' }), done, work, summary, done]);
  const { result, of } = await finished(host, 'Make the copy of the hero friendlier');
  assert.equal(result.success, true, result.message);
  assert.equal(of('completion-refused').length, 1);
  assert.match(of('completion-refused')[0].feedback, /# Plan Update Required[^]*- main\/hero: \{\/\* TASK-3 \[MODIFY\]: Make the copy of the hero friendlier \*\/\}/);
  assert.match(text(model.requests[0]), /update `.ralph\/plan.tsx`[^]*not mentioned by any requirement, main\/features/);
  assert.deepEqual(of('plan-checked').map(({ report }) => report.ok), [true]);
  assert.match(read('.ralph/plan.tsx'), /gumdrop="hero">\n\s+\{\/\* TASK-3 \[MODIFY\]/);
});

test('case 141: what the update lacks is said in the report and to the agent', async () => {
  const less = PLAN.replace('      <Section gumdrop="features" />\n', '');
  const turns = [call('write_file', { path: '.ralph/plan.tsx', content: less }), done, call('write_file', { path: '.ralph/plan.tsx', content: PLAN }), call('plan', { action: 'update' }), done, work, summary, done];
  const { host, model } = await planned(turns);
  const { result, of } = await finished(host, 'Make the copy of the hero friendlier');
  assert.equal(result.success, true, result.message);
  const [refused, accepted] = of('plan-checked').map(({ report }) => report);
  assert.deepEqual([refused.ok, refused.failures.map(({ id }) => id), accepted.ok], [false, ['requirement-marker', 'section-removed'], true]);
  assert.match(text(model.requests[2]), /The section main\/features was removed/);
});

test('case 142: a bugfix is asked for no plan', async () => {
  const { host, model } = await planned([work, summary, done]);
  const { result, of } = await finished(host, 'The menu button does not work');
  assert.equal(result.success, true, result.message);
  assert.deepEqual([of('plan-checked').length, of('run-started')[0].task.type], [0, 'bugfix']);
  assert.match(text(model.requests[0]), /## Phase: BUILD/);
});
