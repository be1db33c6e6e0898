// What an IDE lists after a reload, and what runs cost: the README's examples over memfs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import init, { checkChunks, estimate, isWorkFile, listChunks, listRuns, listSpecs, parseTask, runLoop, taskContext } from 'loopgate';
import { scriptedModel } from 'loopgate/testing';
import { call, notes, project, task } from './project.mjs';

const priced = (turns) => turns.map((turn) => ({ ...turn, usage: { inputTokens: 1_000_000, outputTokens: 0 }, model: 'm' }));
const prices = { m: { inputPerMillion: 0.5, outputPerMillion: 2 } };

test('runs are listed newest first, with how they ended and what they cost', async () => {
  const { host } = await project({ turns: priced(notes), prices });
  const stored = { fs: host.fs, dir: host.dir };
  assert.deepEqual(await listRuns(stored), []);
  const first = await runLoop({ ...host, work: task() }).result;
  await assert.rejects(runLoop({ ...host, model: scriptedModel([]), work: task('Write more notes') }).result);
  const [failed, done] = await listRuns(stored);
  assert.deepEqual([failed.title, failed.reason, failed.questions], ['Write more notes', 'failed', []]);
  assert.deepEqual([done.runId, done.title, done.reason, done.work], [first.runId, 'Write notes', 'done', task()]);
  assert.deepEqual([done.cost.spent, done.cost.accepted, done.cost.roles.builder.spent], [1.5, 1.5, 1.5]);
  assert.ok(done.startedAt <= done.endedAt && done.message === first.message);
});

test('a message is parsed for a preview as the next run parses it', async () => {
  const { host, fs } = await project({ turns: [...notes, ...notes], files: { 'src/App.tsx': 'export const App = () => null;\n' } });
  assert.equal((await taskContext(host)).taskNumber, 1);
  await runLoop({ ...host, work: task() }).result;
  fs.mkdirSync('/project/.ralph', { recursive: true });
  fs.writeFileSync('/project/.ralph/summary.md', `The menu has 8 drinks. ${'x'.repeat(10_000)}`);
  const context = await taskContext(host);
  assert.deepEqual([context.taskNumber, context.previousTag, context.fileList.includes('src/App.tsx')], [2, 'task-1-post', true]);
  const message = 'Add 2 more drinks to the menu';
  const preview = await parseTask(message, context);
  const events = [];
  for await (const event of runLoop({ ...host, work: task(message) })) events.push(event);
  assert.deepEqual(events.find(({ type }) => type === 'run-started').task, preview);
});

test('the preview of an answer to a question has the message that was asked about', async () => {
  const { host } = await project({ turns: notes });
  await runLoop({ ...host, work: task() }).result;
  const asked = await runLoop({ ...host, model: scriptedModel([]), work: task('more for nighttime') }).result;
  assert.equal(asked.reason, 'needs-clarification');
  const context = await taskContext(host);
  assert.deepEqual(context.asked, { message: 'more for nighttime', questions: asked.clarification });
  const preview = await parseTask('8 items', context);
  assert.match(preview.requirements[0].description, /nighttime.*8 items/);
  const started = [];
  const run = runLoop({ ...host, model: scriptedModel([]), work: task('8 items') });
  for await (const event of run) if (event.type === 'run-started') started.push(event.task);
  await run.result.catch(() => {});
  assert.deepEqual(started, [preview]);
});

test('isWorkFile separates the files of loopgate and the agent from the files of the project', () => {
  assert.deepEqual(['src/App.tsx', 'specs/0001-foo.md', '.handoff/config.yaml', '.ralph/task.md', '.loopgate/lease', 'specs/done/0001-foo.md'].map(isWorkFile), [false, false, false, true, true, true]);
  assert.throws(() => isWorkFile(), /`path` must be a string/);
});

test('specs are listed with their state, and other files with the reason', async () => {
  const { host } = await project({ files: { 'specs/0001-foo.md': '# Foo\nBar.\n', 'specs/0002-done.md': '# Old\n', 'specs/done/0002-done.md': 'verified', 'specs/README.md': '# Specs\n' } });
  const listed = await listSpecs(host);
  assert.deepEqual(listed.map(({ path, title, state }) => [path, title, state]), [
    ['specs/0001-foo.md', 'Foo', 'new'],
    ['specs/0002-done.md', 'Old', 'done'],
    ['specs/README.md', 'README.md', 'not-a-spec'],
  ]);
  assert.match(listed[2].reason, /named like 0001-short-name/);
});

test('chunks are listed in the order of the file, and a list that cannot run is refused as a run refuses it', async () => {
  const chunks = [{ id: 'b', title: 'B', description: 'd', dependencies: ['a'] }, { id: 'a', title: 'A', description: 'd' }];
  const { host, fs } = await project({ files: { '.handoff/specs/shop/chunks.json': JSON.stringify(chunks) } });
  assert.deepEqual((await listChunks(host, 'shop')).map(({ id, state, attempts, blockedBy }) => [id, state, attempts, blockedBy]), [['b', 'pending', [], ['a']], ['a', 'pending', [], undefined]]);
  assert.deepEqual(await listChunks(host, 'other'), []);
  fs.writeFileSync('/project/.handoff/specs/shop/chunks.json', JSON.stringify(chunks.slice(0, 1)));
  await assert.rejects(listChunks(host, 'shop'), { code: 'invalid-config', message: /depends on "a"/ });
  await assert.rejects(listChunks(host), { code: 'invalid-argument' });
});

test('`checkChunks` names every problem with its line and column, and the order of a list that can run', async () => {
  await init();
  const text = JSON.stringify([{ id: 'b', title: 'B', description: 'd', dependencies: ['a'] }, { id: 'a', title: 'A', description: 'd', notes: 'n' }], null, 2);
  const good = checkChunks(text);
  assert.deepEqual([good.ok, good.order, good.failures], [true, ['a', 'b'], []]);
  assert.deepEqual(good.warnings.map(({ id, line, column }) => [id, line, column]), [['unknown-field', 14, 5]]);
  const bad = checkChunks(text.replace('"a"\n', '"x"\n'));
  assert.deepEqual(bad.failures.map(({ id, line, column }) => [id, line, column]), [['unknown-dependency', 6, 5]]);
  assert.deepEqual(checkChunks('[{').failures.map(({ id, line }) => [id, line]), [['unreadable', 1]]);
  assert.throws(() => checkChunks(3), { code: 'invalid-argument' });
});

test('a run is estimated from the runs before it', async () => {
  const { host } = await project({ turns: [...priced(notes), ...priced(notes)], prices });
  assert.deepEqual(await estimate(host, task()), { runs: 0, tokens: 'unknown', costUsd: 'unknown' });
  await runLoop({ ...host, work: task() }).result;
  const { runs, tokens, costUsd } = await estimate(host, task('Write more notes'));
  assert.equal(runs, 1);
  assert.ok(tokens.min < 3_000_000 && tokens.max > 3_000_000 && costUsd.min < 1.5 && costUsd.max > 1.5, JSON.stringify({ tokens, costUsd }));
  await assert.rejects(estimate(host, { kind: 'task', message: ' ' }), { code: 'invalid-argument' });
  await assert.rejects(estimate({ ...host, config: { limits: { perDay: -1 } } }, task()), { code: 'invalid-config' });
});

test('`limits.perDay` of the project\'s configuration holds across runs, and a higher one continues the run', async () => {
  const { host } = await project({ files: { 'README.md': 'x', '.handoff/config.yaml': 'limits: { perDay: 1.9 }\n' }, turns: priced(notes), prices });
  assert.equal((await runLoop({ ...host, work: task() }).result).reason, 'done');
  const model = scriptedModel(priced([call('write_file', { path: 'more.md', content: 'more notes' }), ...notes.slice(1)]));
  const stopped = await runLoop({ ...host, model, work: task('Write more notes') }).result;
  assert.deepEqual([stopped.reason, model.requests.length], ['budget', 0]);
  assert.match(stopped.message, /78 % of the budget of \$1\.90 for today/);
  const { cost } = await runLoop({ ...host, model, resume: stopped.runId, limits: { perDay: 9 } }).result;
  assert.deepEqual([model.requests.length, cost.spent], [3, 1.5]);
});
