import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './load.js';

const { applyEvents, idleRun } = await load('run/view.ts');
const { applyBases } = await load('run/bases.ts');
const { explanationText } = await load('run/calls.ts');
const { marksOf } = await load('run/changes.ts');
const { activity } = await load('run/activity.ts');

const events = (...list) => list.map((event, seq) => ({ v: 1, seq, at: 1000 + seq, runId: 'r', ...event }));
const view = (...list) => applyEvents(idleRun, events(...list));
const titles = (result) => result.entries.map(({ label, title }) => `${label}: ${title}`);
const limits = { maxRetries: 5 };
const started = (more = {}) => ({ type: 'run-started', work: { kind: 'task', message: 'x' }, limits, notes: [], ...more });
const call = (id, path) => ({ type: 'tool-call', id, name: 'read_file', args: { path } });
const result = (id, ok, output) => ({ type: 'tool-result', id, ok, output, durationMs: 1, changed: [] });
const gate = (name, verdict) => ({ type: 'gate-checked', report: { gate: name, verdict, durationMs: 1 } });
const file = (path, change, by) => ({ type: 'file-changed', path, change, by });

test('a streamed text is one line, ended by the next event', () => {
  const shown = view({ type: 'text-delta', answer: 1, text: 'Hello ' }, { type: 'usage', usage: {}, total: { inputTokens: 1, outputTokens: 2 } }, { type: 'text-delta', answer: 1, text: 'there.\nMore.' }, call('1', 'a'), { type: 'text-delta', text: 'Again' });
  assert.deepEqual(titles(shown), ['Says: Hello there.', 'Tool: Reading a', 'Says: Again']);
  assert.deepEqual(shown.entries[0].detail, { kind: 'text', text: 'Hello there.\nMore.', live: false, answer: 1 });
  assert.equal(shown.entries[2].detail.live, true);
  assert.deepEqual(shown.usage, { inputTokens: 1, outputTokens: 2 });
});

test('what the model said is one line, whether it was streamed in this tab or not', () => {
  const answered = (answer, text) => ({ type: 'model-answered', answer, text, reasoning: 0, usage: {} });
  const shown = view({ type: 'text-delta', answer: 1, text: 'Hello' }, answered(1, 'Hello'), answered(2, 'Again'), answered(3, ''));
  assert.deepEqual(titles(shown), ['Says: Hello', 'Says: Again']);
});

test('reasoning and text are different lines', () => {
  assert.deepEqual(titles(view({ type: 'reasoning-delta', text: 'Hm' }, { type: 'text-delta', text: 'Yes' })), ['Thinks: Hm', 'Says: Yes']);
});

test('a result is added to the last open call of its id', () => {
  const shown = view(call('1', 'a'), result('1', true, 'A'), call('1', 'b'), result('1', false, 'no such file'), result('9', true, 'nobody asked'));
  assert.deepEqual(shown.entries.map(({ tone, detail }) => [tone, detail.result.output]), [['neutral', 'A'], ['warn', 'no such file']]);
});

test('a round of gates starts with the phase check, or with a repeated gate', () => {
  const first = view({ type: 'phase-changed', from: 'build', to: 'check', why: 'done' }, gate('a', 'fail'), gate('b', 'pass'));
  assert.deepEqual([first.round, first.phase, first.gates.length], [1, 'check', 2]);
  const second = applyEvents(first, events(gate('a', 'pass')));
  assert.deepEqual([second.round, second.gates.map(({ verdict }) => verdict)], [2, ['pass']]);
  assert.equal(first.gates.length, 2, 'the earlier view does not change');
});

test('changes of a file are merged', () => {
  const shown = view(file('a', 'created', 'agent'), file('a', 'modified', 'agent'), file('b', 'modified', 'agent'), file('b', 'deleted', 'agent'));
  assert.deepEqual([...marksOf(shown.changes)].map(([path, { change }]) => [path, change]), [['a', 'created'], ['b', 'deleted']]);
  assert.equal(applyEvents(shown, events({ type: 'snapshot-restored', tag: 't', restored: 1, deleted: 1, durationMs: 1 })).changes.size, 0);
});

test('files changed by the harness share a line; files of the agent have none', () => {
  const shown = view(file('src/index.css', 'modified', 'harness'), file('src/b', 'modified', 'harness'), file('src/index.css', 'modified', 'harness'), file('src/x', 'created', 'agent'));
  assert.deepEqual(titles(shown), ['Files: loopgate changed 2 files']);
  assert.deepEqual(shown.entries[0].detail.paths, ['src/index.css', 'src/b']);
});

test("the harness's own files have no line", () => {
  const own = (...paths) => ({ type: 'harness-files-changed', paths });
  const shown = view(started(), own('.ralph/task.md', '.ralph/phase.txt'), file('src/index.css', 'modified', 'harness'), own('.ralph/status.txt'), call('1', 'a'));
  assert.deepEqual(titles(shown), ['Run: Started: x', 'Files: loopgate changed src/index.css', 'Tool: Reading a']);
  assert.deepEqual([...shown.changes.keys()], ['src/index.css'], 'only files of the project count as changed');
});

test("the user's changes and commits have lines, and what only the ledger needs has none", () => {
  const user = (...files) => ({ type: 'user-changed', files: files.map(([path, change = 'modified']) => ({ path, change })) });
  const shown = view(
    { type: 'run-prepared', branch: 'spec/shop', tag: 't', shipped: {}, dirty: [], repaired: [] },
    user(['src/a.ts']),
    user(['src/b.ts', 'created']),
    user(['src/c.ts', 'deleted']),
    user(['a'], ['b', 'created'], ['c']),
    user(['a'], ['b'], ['c'], ['d'], ['e']),
    user(),
    { type: 'branch-moved', from: '1111111111', to: '2222222222' },
    { type: 'write-started', writes: [{ path: 'a' }], by: 'agent' },
    { type: 'unguarded-started', what: 'shell', by: 'agent' },
    { type: 'unguarded-ended' },
  );
  assert.deepEqual(titles(shown).slice(1), [
    'You: You changed src/a.ts',
    'You: You created src/b.ts',
    'You: You deleted src/c.ts',
    'You: You changed 3 files: a, b, c',
    'You: You changed 5 files: a, b, c and 2 more',
    'Branch: You committed, so the run goes on from your commit',
  ]);
  assert.equal(shown.entries[4].detail.text, 'a: modified\nb: created\nc: modified');
});

test('a denial has the calls that its rule may be about, the most exact first', () => {
  const denied = (path) => ({ type: 'write-denied', path, rule: 'policy[0]' });
  const shell = { type: 'tool-call', id: '2', name: 'shell', args: { command: 'rm a' } };
  const build = { type: 'iteration-started', iteration: 1, attempt: 1, role: 'builder', promptBytes: 1 };
  const shown = view(started(), build, call('1', 'a'), denied('a'), result('1', false, 'no'), shell, denied('a'), result('2', false, 'no'), denied('b'));
  const as = { role: 'builder', phase: 'plan' };
  const write = (path) => ({ tool: 'write_file', path, ...as });
  assert.deepEqual(shown.entries.flatMap(({ detail }) => (detail?.kind === 'denial' ? [detail.calls] : [])), [
    [{ tool: 'read_file', path: 'a', ...as }, { tool: 'read_file', ...as }, write('a')],
    [{ tool: 'shell', command: 'rm a', ...as }, { tool: 'shell', path: 'a', ...as }, { tool: 'shell', ...as }, write('a')],
    [write('b')],
  ]);
  assert.equal(explanationText({ decision: 'deny', rule: 'policy[0]', file: 'config.yaml', line: 2 }), 'deny: policy[0], config.yaml, line 2');
  assert.equal(explanationText({ decision: 'deny', rule: 'closed' }), 'deny: closed, a rule of the harness');
});

test('the branch of a spec is the one of its run, and its base the one that the events name', () => {
  const prepared = { type: 'branch-prepared', branch: 'spec/0001-a', baseBranch: 'main', head: 'c', dirty: ['index.html'] };
  const shown = view(started(), prepared, { type: 'branch-moved', from: 'c', to: '2222222222' }, { type: 'spec-finished', spec: 'specs/0001-a.md', tag: 't', commit: '3333333333', branch: 'spec/0001-a' });
  assert.deepEqual(titles(shown).slice(1), [
    'Branch: Works on the branch spec/0001-a, which started from main',
    'Branch: You committed, so the run goes on from your commit',
    'Spec: specs/0001-a.md is done and committed to spec/0001-a',
  ]);
  const chunks = { type: 'run-prepared', branch: 'spec/shop', baseBranch: 'develop', tag: 't', shipped: {}, dirty: [], repaired: [] };
  const bases = applyBases(new Map([['spec/old', 'main']]), events(prepared, chunks, { ...prepared, branch: 'main', baseBranch: undefined }));
  assert.deepEqual([...bases], [['spec/old', 'main'], ['spec/0001-a', 'main'], ['spec/shop', 'develop']]);
});

test('what is taken back, and what stays, is in the line', () => {
  const reverted = (conflicts) => ({ type: 'attempt-reverted', attempt: 2, restored: ['a', 'b'], deleted: ['c'], ...(conflicts && { conflicts }) });
  const shown = view(reverted(), reverted(['x']), reverted(['x', 'y']), { type: 'write-denied', path: 'p', rule: 'r' }, { type: 'write-denied', path: 'p', rule: 'r', undone: 'modified' });
  assert.deepEqual(titles(shown), [
    'Attempt: Attempt 2 is undone: 2 files restored, 1 removed',
    'Attempt: Attempt 2 is undone: 2 files restored, 1 removed. 1 file stays as you left it',
    'Attempt: Attempt 2 is undone: 2 files restored, 1 removed. 2 files stay as you left them',
    'Denied: Not allowed: p (r)',
    'Denied: Undone: a command or a tool changed p (r)',
  ]);
  assert.equal(shown.entries[2].detail.text, 'x\ny');
});

test('the build context is stored and is one line', () => {
  const context = { theme: { applied: true, command: 'theme preset mono --apply', output: 'Applied' }, sections: [{ gumdrop: 'hero', suggestedFile: 'src/sections/HeroSection.tsx', found: true }, { gumdrop: 'x', suggestedFile: 'src/sections/XSection.tsx', found: false }] };
  const shown = view({ type: 'plan-context', ...context });
  assert.deepEqual(shown.context, context);
  assert.deepEqual(titles(shown), ['Plan: Theme applied, 1 of 2 sections with an example']);
  assert.deepEqual([shown.entries[0].tone, shown.entries[0].detail], ['good', { kind: 'context', ...context }]);
  const failed = view({ type: 'plan-context', theme: { applied: false, command: '', output: '', error: 'no shell' }, sections: [] });
  assert.deepEqual([failed.entries[0].tone, failed.entries[0].title], ['warn', 'The theme is not applied: no shell. 0 of 0 sections with an example']);
});

test('the last line shows the result', () => {
  const end = (result) => view(started(), { type: 'run-finished', result: { message: '', ...result } });
  for (const [given, expected, title] of [
    [{ success: true, reason: 'done' }, ['finished', 'accept', 'good'], /Done/],
    [{ success: false, reason: 'aborted', message: 'Aborted: stopped by you' }, ['finished', 'plan', 'warn'], /Stopped by you$/],
    [{ success: false, reason: 'max-iterations', message: '20 were not enough.' }, ['finished', 'plan', 'bad'], /attempts.*20 were not enough$/],
  ]) {
    const shown = end(given);
    assert.deepEqual([shown.status, shown.phase, shown.entries.at(-1).tone], expected);
    assert.match(shown.entries.at(-1).title, title);
  }
  const failed = view({ type: 'run-failed', error: { code: 'fs', message: 'the disk is full' } });
  assert.deepEqual([failed.status, failed.failure.code], ['failed', 'fs']);
});

test('the first event has the task, and a stall names its section and marker', () => {
  const task = { type: 'bugfix', title: 'x', requirements: [] };
  const shown = view(started({ task }), { type: 'stall-detected', section: 'hero', marker: 'MODIFY', recovery: 1, feedback: 'Look at the hero.' }, { type: 'stall-detected', recovery: 2, feedback: '' });
  assert.deepEqual(shown.task, task);
  assert.deepEqual(titles(shown).slice(1), ['Stall: No progress on the section hero (MODIFY), stall 1: the agent gets advice', 'Stall: No progress, stall 2: the agent gets advice']);
  assert.deepEqual(shown.entries.slice(1).map(({ detail }) => detail), [{ kind: 'note', text: 'Look at the hero.' }, undefined]);
});

test('actions of the harness have lines with details', () => {
  const shown = view(
    started({ notes: ['There is no git: nothing is saved.', 'There is no shell.'] }),
    { type: 'steered', message: 'Use blue' },
    { type: 'completion-refused', feedback: 'Write the plan first.' },
    { type: 'fixes-applied', gates: ['a', 'b'] },
    { type: 'evidence-outdated', judged: 'abc', paths: ['src/a.ts', 'src/b.ts'] },
    { type: 'snapshot-skipped', tag: 'task-1-post' },
  );
  const expected = [
    ['active', 'Run', 'Started: x', 'There is no git: nothing is saved.\nThere is no shell.'],
    ['active', 'You', 'Use blue', undefined],
    ['warn', 'Plan', 'there is no plan', 'Write the plan first.'],
    ['neutral', 'Gate', 'a; b', undefined],
    ['active', 'Gate', 'Files changed', 'src/a.ts\nsrc/b.ts'],
    ['warn', 'Snapshot', 'Not saved', undefined],
  ];
  assert.deepEqual(shown.entries.map(({ tone, label, detail }) => [tone, label, detail?.text]), expected.map(([tone, label, , text]) => [tone, label, text]));
  for (const [index, [, , words]] of expected.entries()) assert.ok(shown.entries[index].title.includes(words), shown.entries[index].title);
});

test('a run over specs has lines for its verdicts and plans, and no rounds of gates', () => {
  const shown = view(
    { type: 'run-started', limits, work: { kind: 'spec' }, specs: [], skipped: [{ path: 'specs/README.md', reason: 'no number' }] },
    { type: 'spec-started', spec: 'specs/0001-foo.md', attempt: 1, planned: false, base: 'b', logs: 'l', repaired: [] },
    { type: 'phase-changed', from: 'build', to: 'check', why: 'done' },
    { type: 'verdict-given', verdict: 'fix', reason: 'incomplete', findings: ['a.ts:1 is empty'], feedback: '' },
    { type: 'verdict-given', verdict: 'invalidate_plan', reason: 'wrong module', findings: [], feedback: '' },
    { type: 'plan-invalidated', reason: 'wrong module', attempt: 1 },
    { type: 'run-finished', result: { success: true, reason: 'done', message: 'Done: 3 specs are verified.', gates: [] } },
  );
  assert.equal(shown.round, 0);
  assert.deepEqual(shown.entries.map(({ tone, label }) => [tone, label]), [
    ['active', 'Run'], ['active', 'Spec'], ['active', 'Phase'], ['bad', 'Verdict'], ['bad', 'Verdict'], ['warn', 'Plan'], ['good', 'Run'],
  ]);
  assert.match(shown.entries[0].detail.text, /specs\/README\.md/);
  assert.equal(shown.entries[3].detail.text, 'a.ts:1 is empty');
  for (const index of [4, 5]) assert.match(shown.entries[index].title, /wrong module/);
  assert.match(shown.entries.at(-1).title, /3 specs/);
});

test('failed calls of the model share a line until one is answered, and the wait is shown', () => {
  const begins = { type: 'iteration-started', iteration: 1, attempt: 1, role: 'builder', promptBytes: 10 };
  const fails = (kind) => ({ type: 'iteration-finished', iteration: 1, toolCalls: 0, filesChanged: [], close: 'model-failed', worked: false, plan: null, tree: '', fault: { code: 'model', message: 'busy', kind } });
  const waits = { type: 'wait-started', until: 5_007, reason: 'busy', attempt: 2, of: 6 };
  const again = [begins, fails('unavailable'), waits];
  const failed = view(started(), ...again, { type: 'harness-files-changed', paths: ['.ralph/iteration.txt'] }, ...again);
  assert.deepEqual(titles(failed).slice(1), ['Iteration: Attempt 1: the agent starts', 'Model: The model cannot be reached: busy (call 2 of 6)', 'Status: Waiting 4 s before try 2 of 6']);
  assert.equal(activity(failed, false), 'Waiting 4 s before try 2 of 6');
  const answered = applyEvents(failed, events({ type: 'waited', ms: 4_000 }, begins, { type: 'model-answered', answer: 1, text: 'Hello', reasoning: 0, usage: {} }));
  assert.equal(activity(answered, false), 'Waiting for the model …');
  const later = applyEvents(answered, events(fails('unavailable')));
  assert.deepEqual(titles(later).filter((title) => title.startsWith('Model')), ['Model: The model cannot be reached: busy (call 2 of 6)', 'Model: The model cannot be reached: busy (call 1 of 6)']);
  assert.equal(titles(view(started(), begins, fails(undefined))).at(-1), 'Model: The model failed: busy', 'the run does not try again');
});

test('an unknown event is ignored', () => {
  assert.deepEqual(titles(view({ type: 'invented-later', what: 1 }, { type: 'status', text: 'on' })), ['Status: on']);
});
