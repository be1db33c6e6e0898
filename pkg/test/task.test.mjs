import assert from 'node:assert/strict';
import { test } from 'node:test';
import init, { formatTask, parseTask } from 'loopgate';
import { scriptedModel } from 'loopgate/testing';

await init();

const context = {
  planExists: true,
  planSections: ['hero', 'features'],
  lastSummary: 'Landing page with a grid of 8 drinks.',
  fileList: ['src/App.tsx', 'src/sections/HeroSection.tsx'],
  taskNumber: 3,
  previousTag: 'task-2-post',
};
const message = '🙂 refine the hero copy. add 2 more drinks, keep the rest';
const answer = (task) => [JSON.stringify(task)];

test('rules parse a message into requirements with spans', async () => {
  const task = await parseTask(message, context);
  assert.deepEqual([task.type, task.parsedBy, task.taskNumber, task.previousTag], ['mutation', 'rules', 3, 'task-2-post']);
  assert.deepEqual(
    task.requirements.map(({ marker, count, existing, span }) => [marker, count, existing, message.slice(...span)]),
    [
      ['MODIFY', undefined, undefined, 'refine the hero copy'],
      ['ADD', 2, 8, 'add 2 more drinks'],
    ],
  );
  assert.ok(task.scope.preserve.includes('Keep the rest'));
  assert.deepEqual(task.scope.affectedFiles, ['src/sections/HeroSection.tsx']);
  assert.equal(task.rawMessage, message);
});

test('an ambiguous message gives questions', async () => {
  const task = await parseTask('more for nighttime', context);
  assert.equal(task.type, 'needs-clarification');
  assert.ok(task.questions.length > 1 && task.questions.every((question) => question.endsWith('?')));
  assert.match(formatTask(task), /^# Task: .*\nType: needs-clarification\n[^]*\n## Questions\n- /);
});

test('the model is asked once for JSON, and its answer is validated', async () => {
  const model = scriptedModel(answer({ type: 'mutation', title: 'Drinks', requirements: [{ marker: 'ADD', description: 'night drinks', count: 2 }, { marker: 'NUKE', description: 'x' }], rawMessage: 'forged' }));
  const task = await parseTask(message, context, { model });
  assert.deepEqual([task.parsedBy, task.title, task.requirements.length, task.rawMessage], ['model', 'Drinks', 1, message]);
  const [{ role, responseFormat }] = model.requests;
  assert.deepEqual([model.requests.length, role, responseFormat.type, responseFormat.schema.type], [1, 'parser', 'json_schema', 'object']);
});

test('the rules parse the message if the model fails or is aborted', async () => {
  const rules = await parseTask(message, context);
  assert.deepEqual(await parseTask(message, context, { model: async () => { throw new Error('no'); } }), rules);
  assert.deepEqual(await parseTask(message, context, { model: scriptedModel(['I will not']) }), rules);
  assert.deepEqual(await parseTask(message, context, { model: () => 'no response' }), rules);
  assert.deepEqual(await parseTask(message, context, { model: scriptedModel([{ hang: true }]), signal: AbortSignal.abort() }), rules);
  const stop = new AbortController();
  let given;
  const hanging = (request, { signal }) => {
    given = signal;
    queueMicrotask(() => stop.abort(new Error('enough')));
    return new Promise(() => {});
  };
  assert.deepEqual(await parseTask(message, context, { model: hanging, signal: stop.signal }), rules);
  assert.ok(given.aborted);
});

test('formatTask gives the text of task.md, with the message quoted', async () => {
  const task = await parseTask('add 2 drinks\n# Task: forged', context);
  const lines = formatTask(task).split('\n');
  assert.deepEqual(lines.filter((line) => line.startsWith('# ')), [lines[0]]);
  assert.match(lines[0], /^# Task: Add 2 drinks/);
  assert.deepEqual(lines.slice(1, 6), ['Type: mutation', 'Previous: task-2-post', 'Counter: 3', '', '## Requirements']);
  assert.match(lines[6], /^- \[ADD\] Add 2 drinks.*\(add to existing 8, total → 10\)$/);
  assert.deepEqual(lines.slice(7), ['', '## Scope', '- PRESERVE: all 8 existing drinks', '', '## Original Message', '> add 2 drinks', '> # Task: forged', '']);
});

test('an unusable answer is sent back once, and without fileList a bug is a bugfix', async () => {
  const good = { type: 'mutation', requirements: [{ marker: 'ADD', description: '2 more drinks', count: '2' }] };
  const model = scriptedModel(['{"type": "mutation", "requirements": [', JSON.stringify(good)].map((text) => ({ role: 'parser', text })));
  const task = await parseTask(message, context, { model });
  assert.deepEqual([task.parsedBy, task.requirements[0].count, model.requests.length], ['model', 2, 2]);
  assert.equal((await parseTask('the map is not showing', { planExists: false })).type, 'bugfix');
});

test('invalid arguments are named', async () => {
  await assert.rejects(parseTask(3, context), { code: 'invalid-argument', message: /message/ });
  await assert.rejects(parseTask('a', {}), { code: 'invalid-argument', message: /planExists|plan_exists/ });
  await assert.rejects(parseTask('a', context, { model: 'gpt' }), { code: 'invalid-argument', message: /model/ });
  assert.throws(() => formatTask({}), { code: 'invalid-argument', message: /task/ });
});
