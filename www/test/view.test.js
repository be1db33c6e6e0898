import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './load.js';

const { applyEvents, idleRun } = await load('run/view.ts');

const events = (...list) => list.map((event, seq) => ({ v: 1, seq, at: 1000 + seq, runId: 'r', ...event }));
const view = (...list) => applyEvents(idleRun, events(...list));
const titles = (result) => result.entries.map(({ label, title }) => `${label}: ${title}`);
const started = (more = {}) => ({ type: 'run-started', work: { kind: 'task', message: 'x' }, notes: [], ...more });
const call = (id, path) => ({ type: 'tool-call', id, name: 'read_file', args: { path } });
const result = (id, ok, output) => ({ type: 'tool-result', id, ok, output, durationMs: 1, changed: [] });
const gate = (name, verdict) => ({ type: 'gate-checked', report: { gate: name, verdict, durationMs: 1 } });
const file = (path, change, by) => ({ type: 'file-changed', path, change, by });

test('a streamed text is one line, and ends with what follows it', () => {
  const shown = view({ type: 'text-delta', text: 'Hello ' }, { type: 'usage', usage: {}, total: { inputTokens: 1, outputTokens: 2 } }, { type: 'text-delta', text: 'there.\nMore.' }, call('1', 'a'), { type: 'text-delta', text: 'Again' });
  assert.deepEqual(titles(shown), ['Says: Hello there.', 'Tool: read_file a', 'Says: Again']);
  assert.deepEqual(shown.entries[0].detail, { kind: 'text', text: 'Hello there.\nMore.', live: false });
  assert.equal(shown.entries[2].detail.live, true);
  assert.deepEqual(shown.usage, { inputTokens: 1, outputTokens: 2 });
});

test('reasoning and speech are different lines', () => {
  assert.deepEqual(titles(view({ type: 'reasoning-delta', text: 'Hm' }, { type: 'text-delta', text: 'Yes' })), ['Thinks: Hm', 'Says: Yes']);
});

test('a result goes to the last open call of its id', () => {
  const shown = view(call('1', 'a'), result('1', true, 'A'), call('1', 'b'), result('1', false, 'no such file'), result('9', true, 'nobody asked'));
  assert.deepEqual(shown.entries.map(({ tone, detail }) => [tone, detail.result.output]), [['neutral', 'A'], ['warn', 'no such file']]);
});

test('a round of gates starts with the check, or with a gate that was judged already', () => {
  const first = view({ type: 'phase-changed', from: 'build', to: 'check', why: 'done' }, gate('a', 'fail'), gate('b', 'pass'));
  assert.deepEqual([first.round, first.phase, first.gates.length], [1, 'check', 2]);
  const second = applyEvents(first, events(gate('a', 'pass')));
  assert.deepEqual([second.round, second.gates.map(({ verdict }) => verdict)], [2, ['pass']]);
  assert.equal(first.gates.length, 2, 'the earlier view is not touched');
});

test('changes of a run add up for each file', () => {
  const shown = view(file('a', 'created', 'agent'), file('a', 'modified', 'agent'), file('b', 'modified', 'agent'), file('b', 'deleted', 'agent'));
  assert.deepEqual([...shown.changes], [['a', 'created'], ['b', 'deleted']]);
  assert.equal(applyEvents(shown, events({ type: 'snapshot-restored', tag: 't', restored: 1, deleted: 1, durationMs: 1 })).changes.size, 0);
});

test('files that the harness changes share a line; files of the agent have none', () => {
  const shown = view(file('src/index.css', 'modified', 'harness'), file('src/b', 'modified', 'harness'), file('src/index.css', 'modified', 'harness'), file('src/x', 'created', 'agent'));
  assert.deepEqual(titles(shown), ['Files: The harness wrote 2 files']);
  assert.deepEqual(shown.entries[0].detail.paths, ['src/index.css', 'src/b']);
});

test("the harness's own files are one line that hides no other", () => {
  const own = (...paths) => ({ type: 'harness-files-changed', paths });
  const shown = view(started(), own('.ralph/task.md', '.ralph/phase.txt'), own('.ralph/phase.txt', '.ralph/feedback.md'), file('src/index.css', 'modified', 'harness'), own('.ralph/status.txt'), call('1', 'a'));
  assert.deepEqual(titles(shown), [
    'Run: Started: x',
    'Files: The harness wrote 3 of its own files',
    'Files: The harness modified src/index.css',
    'Files: The harness wrote .ralph/status.txt',
    'Tool: read_file a',
  ]);
  assert.deepEqual(shown.entries[1].detail.paths, ['.ralph/task.md', '.ralph/phase.txt', '.ralph/feedback.md']);
  assert.deepEqual([...shown.changes.keys()], ['src/index.css'], 'only files of the project count as changed');
});

test('what BUILD starts with is kept, and is one line', () => {
  const context = { theme: { applied: true, command: 'theme preset mono --apply', output: 'Applied' }, sections: [{ gumdrop: 'hero', suggestedFile: 'src/sections/HeroSection.tsx', found: true }, { gumdrop: 'x', suggestedFile: 'src/sections/XSection.tsx', found: false }] };
  const shown = view({ type: 'plan-context', ...context });
  assert.deepEqual(shown.context, context);
  assert.deepEqual(titles(shown), ['Plan: Theme applied, 1 of 2 recipes found']);
  assert.deepEqual([shown.entries[0].tone, shown.entries[0].detail], ['good', { kind: 'context', ...context }]);
  const failed = view({ type: 'plan-context', theme: { applied: false, command: '', output: '', error: 'no shell' }, sections: [] });
  assert.deepEqual([failed.entries[0].tone, failed.entries[0].title], ['warn', 'Plan: No theme applied, 0 of 0 recipes found'.slice(6)]);
});

test('a run ends as its result says', () => {
  const end = (result) => view(started(), { type: 'run-finished', result: { message: '', ...result } });
  for (const [given, expected] of [
    [{ success: true, reason: 'done' }, ['finished', 'accept', 'good', 'Run: Done: every gate passed']],
    [{ success: false, reason: 'aborted', message: 'stopped by the user' }, ['finished', 'plan', 'warn', 'Run: Stopped by you']],
    [{ success: false, reason: 'max-iterations', message: '20 were not enough.' }, ['finished', 'plan', 'bad', 'Run: Gave up: no iterations left. 20 were not enough.']],
  ]) {
    const shown = end(given);
    assert.deepEqual([shown.status, shown.phase, shown.entries.at(-1).tone, titles(shown).at(-1)], expected);
  }
  const failed = view({ type: 'run-failed', error: { code: 'fs', message: 'the disk is full' } });
  assert.deepEqual([failed.status, failed.failure.code], ['failed', 'fs']);
});

test('the task as the agent gets it comes with the start, and a stall says what it is about', () => {
  const task = { type: 'bugfix', title: 'x', requirements: [] };
  const shown = view(started({ task }), { type: 'stall-detected', section: 'hero', marker: 'MODIFY', recovery: 1, feedback: 'Look at the hero.' }, { type: 'stall-detected', recovery: 2, feedback: '' });
  assert.deepEqual(shown.task, task);
  assert.deepEqual(titles(shown).slice(1), ['Stall: No progress on hero (MODIFY): recovery 1', 'Stall: No progress: recovery 2']);
  assert.deepEqual(shown.entries.slice(1).map(({ detail }) => detail), [{ kind: 'note', text: 'Look at the hero.' }, undefined]);
});

test('what the harness does on its own is told, with what it is about', () => {
  const shown = view(
    started({ notes: ['There is no git: nothing is saved.', 'There is no shell.'] }),
    { type: 'steered', message: 'Use blue' },
    { type: 'completion-refused', feedback: 'Write the plan first.' },
    { type: 'fixes-applied', gates: ['a', 'b'] },
    { type: 'evidence-outdated', judged: 'abc', paths: ['src/a.ts', 'src/b.ts'] },
    { type: 'snapshot-skipped', tag: 'task-1-post' },
  );
  assert.deepEqual(shown.entries.map(({ tone, label, title, detail }) => [tone, label, title, detail?.text]), [
    ['active', 'Run', 'Started: x', 'There is no git: nothing is saved.\nThere is no shell.'],
    ['active', 'You', 'Use blue', undefined],
    ['warn', 'Plan', 'The agent ended the task without a plan: it goes on', 'Write the plan first.'],
    ['neutral', 'Gate', 'The harness wrote what a, b offered', undefined],
    ['warn', 'Gate', 'Files changed after the gates judged them: they judge again', 'src/a.ts\nsrc/b.ts'],
    ['warn', 'Snapshot', 'task-1-post was not saved: there is no git', undefined],
  ]);
});

test('an event of a newer version is passed over', () => {
  assert.deepEqual(titles(view({ type: 'invented-later', what: 1 }, { type: 'status', text: 'on' })), ['Status: on']);
});
