import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findUnfinishedRun, formatTask, runLoop } from 'loopgate';
import { call, notes, parsed, project, task } from './project.mjs';

/** Runs to the end. */
async function finished(options) {
  const run = runLoop(options);
  const events = [];
  for await (const event of run) events.push(event);
  return { result: await run.result, events };
}

test('the message is parsed before the run, and the first event has the task', async () => {
  const { host, read, model } = await project({ turns: notes });
  const { result, events } = await finished({ ...host, work: task('Write notes. Keep the README.') });
  assert.equal(result.success, true);
  const { type, task: parsed } = events[0];
  assert.deepEqual([type, parsed.taskNumber, parsed.parsedBy, parsed.rawMessage], ['run-started', 1, 'rules', 'Write notes. Keep the README.']);
  assert.equal(read('.ralph/task.md'), formatTask(parsed));
  assert.match(read('.ralph/task.md'), /^# Task: .*\nType: fresh\nCounter: 1\n\n## Requirements\n- \[ADD\] /);
  assert.equal(model.requests.length, 3, 'the parser took no turn of the agent');
});

test("the model's answer becomes the task, and its usage is counted", async () => {
  const answer = { type: 'fresh', title: 'Notes', requirements: [{ marker: 'ADD', description: 'notes of today' }] };
  const turns = [{ role: 'parser', text: JSON.stringify(answer), usage: { inputTokens: 300, outputTokens: 100 } }, ...notes];
  const { host, model } = await project({ turns });
  const { result, events } = await finished({ ...host, work: task() });
  const { task: parsed } = events[0];
  assert.deepEqual([parsed.parsedBy, parsed.title, parsed.requirements[0].description], ['model', 'Notes', 'notes of today']);
  assert.deepEqual([model.requests[0].role, model.requests[0].responseFormat.type, model.requests[1].role], ['parser', 'json_schema', 'builder']);
  assert.deepEqual(events[1].usage, { inputTokens: 300, outputTokens: 100 });
  assert.ok(result.usage.inputTokens >= 300 && result.usage.outputTokens >= 100);
});

test('the rules parse the message if the model fails', async () => {
  for (const turn of [{ role: 'parser', fail: new Error('offline') }, { role: 'parser', text: 'I cannot say.' }]) {
    const { host } = await project({ turns: [turn, ...notes] });
    const { result, events } = await finished({ ...host, work: task() });
    assert.deepEqual([result.success, events[0].task.parsedBy], [true, 'rules']);
  }
});

test('the rules parse the message if the model exceeds `modelIdleMs`', async () => {
  const { host } = await project({ turns: [{ role: 'parser', hang: true }, ...notes] });
  const { result, events } = await finished({ ...host, work: task(), limits: { modelIdleMs: 50 } });
  assert.deepEqual([result.success, events[0].task.parsedBy], [true, 'rules']);
});

test('a task in `work.parsed` is not parsed again', async () => {
  const { host, read } = await project({ turns: notes });
  const given = { ...parsed, taskNumber: 99, previousTag: 'task-98-post', rawMessage: 'forged' };
  const roles = new Set();
  const model = (request, context) => (roles.add(request.role), host.model(request, context));
  const { events } = await finished({ ...host, model, work: { ...task(), parsed: given } });
  assert.deepEqual([...roles], ['builder']);
  const { taskNumber, previousTag, rawMessage, parsedBy } = events[0].task;
  assert.deepEqual([taskNumber, previousTag, rawMessage, parsedBy], [1, undefined, 'Write notes', 'model']);
  assert.match(read('.ralph/task.md'), /^# Task: Notes\n[^]*- \[ADD\] notes of the day\n[^]*- PRESERVE: README.md\n/);
});

test('an unclear message ends the run with questions, and the answer continues the task', async () => {
  const { host, model, read, fs } = await project({ turns: notes });
  await finished({ ...host, work: task() });
  const before = JSON.stringify(snapshot(fs));
  const asked = await finished({ ...host, work: task('more for nighttime') });
  assert.deepEqual([asked.result.success, asked.result.reason, asked.result.iterations], [false, 'needs-clarification', 0]);
  assert.deepEqual(asked.result.clarification, asked.events[0].task.questions);
  assert.ok(asked.result.clarification.length > 0);
  assert.deepEqual(asked.events.map(({ type }) => type), ['run-started', 'run-finished']);
  assert.equal(JSON.stringify(snapshot(fs)), before, 'nothing of the project changed');
  assert.equal(await findUnfinishedRun(host), null);

  const more = call('write_file', { path: 'notes.md', content: 'notes for the night' });
  const { model: agent } = await project({ turns: [more, ...notes.slice(1)] });
  const { result, events } = await finished({ ...host, model: agent, work: task(asked.result.clarification[0]) });
  assert.deepEqual([result.success, events[0].task.taskNumber, asked.events[0].task.taskNumber], [true, 2, 2]);
  assert.equal(events[0].task.rawMessage, `more for nighttime\n\n${asked.result.clarification[0]}`);
  assert.match(read('.ralph/task.md'), /> more for nighttime\n> \n> .*should new items be added/);
  assert.equal(read('.ralph/task-history.md').split('\n').length, 2, 'one line, for the first task');
  assert.equal(model.remaining, 0);
});

test('an unclear task runs once the user has edited it', async () => {
  const { host } = await project({ turns: notes });
  const unclear = { ...parsed, type: 'needs-clarification', requirements: [], questions: ['Which notes?'] };
  const asked = await finished({ ...host, work: { ...task(), parsed: unclear } });
  assert.deepEqual([asked.result.reason, asked.result.clarification], ['needs-clarification', ['Which notes?']]);
  const { result, events } = await finished({ ...host, work: { ...task(), parsed: { ...unclear, ...parsed, type: 'fresh' } } });
  assert.deepEqual([result.success, events[0].task.taskNumber, events[0].task.rawMessage], [true, 1, 'Write notes']);
  assert.equal(events[0].task.questions, undefined);
});

test('a resumed run uses its stored task and does not parse again', async () => {
  const answer = { type: 'fresh', title: 'Notes', requirements: [{ marker: 'ADD', description: 'notes of today' }] };
  const { host, read } = await project({ turns: [{ role: 'parser', text: JSON.stringify(answer) }, { fail: Object.assign(new Error('gone'), { status: 400 }) }] });
  await assert.rejects(runLoop({ ...host, work: task() }).result);
  const { runId } = await findUnfinishedRun(host);
  const { model } = await project({ turns: [call('list_files'), ...notes] });
  const roles = new Set();
  const watched = (request, context) => (roles.add(request.role), model(request, context));
  assert.equal((await runLoop({ ...host, model: watched, work: task(), resume: runId }).result).success, true);
  assert.deepEqual([...roles], ['builder']);
  assert.match(read('.ralph/task.md'), /- \[ADD\] notes of today\n/);
});

/** The project's files without git's and the harness's. */
function snapshot(fs, folder = '/project') {
  return fs.readdirSync(folder).filter((name) => !['.git', '.loopgate'].includes(name)).map((name) => {
    const path = `${folder}/${name}`;
    return [path, fs.statSync(path).isDirectory() ? snapshot(fs, path) : fs.readFileSync(path, 'utf8')];
  });
}
