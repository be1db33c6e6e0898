import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init } from 'loopgate';
import { load } from './load.js';

await init();
const { applyEvents, idleRun } = await load('run/view.ts');
const { activityOf, cardsOf, caughtIn, choiceOf, endingOf, foldPassed, groupsOf, checkedOf } = await load('run/cards.ts');

const events = (...list) => list.map((event, seq) => ({ v: 1, seq, at: 1000 + 1000 * seq, runId: 'r', ...event }));
const view = (...list) => applyEvents(idleRun, events(...list));
const texts = (result) => result.lines.map(({ text }) => text);
const shown = (result) => result.lines.filter(({ isQuiet }) => !isQuiet).map(({ text }) => text);
const task = { type: 'mutation', title: 'Two drinks', parsedBy: 'rules', requirements: [{ marker: 'ADD', description: 'two drinks' }], scope: { preserve: [], affectedFiles: [] } };
const started = (more = {}) => ({ type: 'run-started', work: { kind: 'task', message: 'Add two drinks' }, limits: { maxRetries: 5 }, ...more });
const begins = (iteration, role = 'builder', attempt = iteration) => ({ type: 'iteration-started', iteration, attempt, role, promptBytes: 1 });
const ends = (iteration, more = {}) => ({ type: 'iteration-finished', iteration, toolCalls: 2, filesChanged: ['a'], close: 'stopped', worked: true, plan: null, tree: '', ...more });
const call = (id, path) => ({ type: 'tool-call', id, name: 'read_file', args: { path } });
const result = (id, ok, output) => ({ type: 'tool-result', id, ok, output, durationMs: 1, changed: [] });
const gate = (name, verdict, more = {}) => ({ type: 'gate-checked', report: { gate: name, verdict, durationMs: 1, ...more } });
const required = (text, verdict) => ({ id: `R-${text}`, marker: 'ADD', text, verdict, evidence: [] });
const finished = (given) => ({ type: 'run-finished', result: { message: '', success: false, iterations: 1, gates: [], snapshots: {}, ...given } });
const DONE = { success: true, reason: 'done', gates: [{ gate: 'scope', verdict: 'pass', durationMs: 1 }], snapshots: { pre: 'task-1-pre' } };
const attempts = (run) => cardsOf(run).filter(({ kind }) => kind === 'attempt');

test('a thread has the message, the task, the plan where it was first checked, the attempts and what the agent got', () => {
  const report = { ok: true, root: null, failures: [], warnings: [], markers: [] };
  const run = view(started({ task }), begins(1), { type: 'plan-checked', report: { ...report, ok: false, failures: [{ id: 'x', message: 'no', line: 1, column: 1 }] }, plan: 'h', accepted: false, feedback: '' }, ends(1), begins(2), { type: 'plan-checked', report, plan: 'h', accepted: true, feedback: '' }, { type: 'steered', message: 'Use blue' }, ends(2));
  const cards = cardsOf(run, ['And green']);
  assert.deepEqual(cards.map(({ kind }) => kind), ['message', 'task', 'attempt', 'plan', 'attempt', 'message', 'message', 'activity']);
  assert.equal(cards[3].state, 'valid', 'the card has the last verdict');
  assert.match(cards[5].note, /delivered at attempt 2/);
  assert.deepEqual([cards[6].text, cards[6].note], ['And green', 'the agent reads it before its next step']);
  assert.match(cardsOf({ ...run, status: 'stopped' }, ['And green']).at(-1).note, /^not delivered/);
});

test('an attempt is one line: why it was sent back, or what it did', () => {
  const run = view(started(), begins(1), call('1', 'a'), ends(1, { signal: 'tool' }), gate('work-done', 'fail'), gate('scope', 'fail'), begins(2), ends(2, { signal: 'answer' }), gate('scope', 'fail'), begins(3), ends(3, { filesChanged: ['a', 'b', '.ralph/summary.md'] }), gate('scope', 'pass'), begins(4, 'verifier'));
  assert.deepEqual(attempts(run).map(({ title, isCaught }) => [title, isCaught]), [
    ['Attempt 1 · claimed to be done, refused: nothing that counts changed in the project (and 1 more)', true],
    ['Attempt 2 · sent back: the change does not match the request', false],
    ['Attempt 3 · 2 actions · 2 files', false],
    ['Attempt 4, verifier', false],
  ]);
});

test('the agent that plans and the one that builds are in the same attempt, so the first one says that it plans', () => {
  const run = view(started(), begins(1), ends(1), { type: 'phase-changed', from: 'plan', to: 'build', why: 'the plan is valid' }, begins(2, 'builder', 1), ends(2));
  assert.deepEqual(attempts(run).map(({ attempt }) => attempt.name), ['Attempt 1, plan', 'Attempt 1']);
});

test('a stall comes before the checks that led to it', () => {
  const run = view(started(), begins(1), ends(1), gate('work-done', 'fail'), { type: 'stall-detected', recovery: 1, section: 'hero', isLast: false });
  assert.match(attempts(run)[0].title, /^Attempt 1 · no progress on the section hero, stall 1.* \(and 1 more\)$/);
});

test('the attempt with the mistake of a story is marked once it happened', () => {
  const before = view(started(), begins(1), ends(1), gate('work-done', 'fail'), begins(2));
  const mistake = { type: 'tool-call', has: 'race_condition' };
  assert.deepEqual([caughtIn(before, mistake), cardsOf(before, [], mistake).some(({ isCaught }) => isCaught)], [undefined, false]);
  const run = applyEvents(before, events({ type: 'tool-call', id: '1', name: 'complete_task', args: { issues: [{ type: 'race_condition' }] } }));
  assert.deepEqual(cardsOf(run, [], mistake).flatMap(({ isCaught, attempt }) => (isCaught ? [attempt.number] : [])), [2]);
});

test('a run over steps names them by their titles, and an attempt has its number at the step', () => {
  const work = { kind: 'chunks', spec: 'shop' };
  const chunks = [{ id: 'cart', title: 'Fill the cart', description: 'x' }];
  const run = view({ type: 'run-started', kind: 'chunks', work, title: 'Shop', limits: {} }, begins(1, 'planner'), ends(1), { type: 'chunks-approved', chunks }, { type: 'phase-changed', from: 'plan', to: 'build', why: 'the steps are approved' }, { type: 'chunk-started', chunk: 'cart' }, { type: 'attempt-started', attempt: 3, folder: '.handoff/specs/shop/records/cart/attempt-3', base: 'b' }, begins(2), ends(2), begins(3, 'reviewer'));
  assert.deepEqual(attempts(run).map(({ attempt }) => attempt.name), ['Planner', 'Attempt 3', 'Attempt 3, reviewer']);
  assert.deepEqual(cardsOf(run).flatMap(({ kind, text }) => (kind === 'heading' ? [text] : [])), ['1 step approved', '“Fill the cart” starts']);
});

test('an attempt without an effect says why, and so does a run of them', () => {
  const talks = view(started({ task }), begins(1), ends(1, { toolCalls: 0, filesChanged: [] }), gate('has-summary', 'fail'), finished({ reason: 'gates-failed' }));
  assert.deepEqual(attempts(talks).map(({ title, tone }) => [title, tone]), [['Attempt 1 · called no tool · sent back: the summary does not describe the work', 'warn']]);
  assert.deepEqual([endingOf(talks).failed, endingOf(talks).text], [undefined, 'Failed: the model called no tool. Choose a model that calls tools']);
  const fails = view(started({ task }), begins(1), call('1', 'a'), result('1', false, 'no'), call('2', 'a'), result('2', false, 'no'), ends(1, { toolCalls: 2, filesChanged: [] }));
  assert.deepEqual(attempts(fails).map(({ title, tone }) => [title, tone]), [['Attempt 1 · every call failed (2)', 'warn']]);
  const verifies = view(started(), begins(1, 'verifier'), ends(1, { toolCalls: 0, filesChanged: [] }));
  assert.equal(attempts(verifies)[0].tone, 'good', 'a verifier answers with a text');
});

test('a call that the user is asked about has not failed', () => {
  const asks = { type: 'question-asked', question: { id: 'q', kind: 'tool', text: 'May the agent edit a?' } };
  const run = view(started(), begins(1), call('1', 'a'), asks, result('1', false, 'asked'), ends(1, { toolCalls: 1, close: 'asked' }));
  const [{ title, lines }] = attempts(run);
  assert.deepEqual([title, lines[0].tone, lines[0].call.result.ok], ['Attempt 1 · 1 action · 1 file', 'neutral', true]);
});

test('an attempt that goes on after a stop counts all its actions and files', () => {
  const stopped = view(started(), begins(1), call('1', 'a'), { type: 'file-changed', path: 'a', change: 'created', by: 'agent' }, ends(1, { close: 'model-failed', toolCalls: 0, filesChanged: [], fault: { code: 'model', message: 'stopped by you' } }));
  assert.deepEqual(attempts(stopped).map(({ title }) => title), ['Attempt 1 · 1 action · 1 file']);
  assert.deepEqual(attempts(applyEvents(stopped, events(begins(1), call('1', 'b'), ends(1, { toolCalls: 1, filesChanged: ['b'] })))).map(({ title }) => title), ['Attempt 1 · 2 actions · 2 files']);
});

test('a result that was restored away offers to restore it, and no preview, changes or undo', () => {
  const done = view(started({ task }), begins(1), ends(1), finished(DONE));
  for (const place of ['later', 'before']) assert.deepEqual(endingOf(done, place).actions, ['forward'], place);
  assert.deepEqual(endingOf(view(started({ task }), begins(1), ends(1), finished({ reason: 'aborted', message: 'x' })), 'before').actions, ['again', 'edit']);
});

test('only an interrupted run says that it was interrupted, and a discarded one was discarded', () => {
  const headings = (run) => cardsOf(run).filter(({ kind }) => kind === 'heading').map(({ text }) => text);
  const resumed = { type: 'run-resumed', repaired: [], plan: null };
  const discarded = finished({ reason: 'aborted', message: 'Aborted: discarded by you' });
  assert.deepEqual(headings(view(started(), begins(1), resumed)), ['Resumed where it was interrupted']);
  assert.deepEqual(headings(view(started(), begins(1), ends(1), finished({ reason: 'waiting' }), resumed)), []);
  const ended = view(started(), begins(1), resumed, discarded);
  assert.deepEqual([headings(ended), endingOf(ended).text], [[], 'Ended by you']);
});

test('an attempt hides quiet lines, and All events shows them', () => {
  const run = view(started(), begins(1), { type: 'harness-files-changed', paths: ['.ralph/task.md'] }, call('1', 'a'), { type: 'file-changed', path: 'a', change: 'created', by: 'agent' }, { type: 'status', text: 'on' }, gate('scope', 'pass'), ends(1));
  assert.deepEqual(shown(run), ['Reading a', 'Check passed: the change matches the request']);
  assert.deepEqual(attempts(run)[0].lines.map(({ text }) => text), shown(run));
  assert.equal(texts(run).length, 7);
});

test('passed checks that follow each other are one line', () => {
  const { lines } = view(begins(1), gate('a', 'pass'), gate('b', 'fail'), gate('c', 'pass'), gate('d', 'pass'));
  assert.deepEqual(foldPassed(lines.slice(1)).map((line) => line.passed?.length ?? line.text), [1, 'Check failed: b', 2]);
});

test('a streamed text is one line, ended by the next event', () => {
  const run = view({ type: 'text-delta', answer: 1, text: 'Hello ' }, { type: 'usage', usage: {}, total: { inputTokens: 1, outputTokens: 2 } }, { type: 'text-delta', answer: 1, text: 'there.\nMore.' }, call('1', 'a'), { type: 'text-delta', text: 'Again' });
  assert.deepEqual(texts(run), ['Says: Hello there.', 'Reading a', 'Says: Again']);
  assert.deepEqual([run.lines[0].note, run.lines[0].isLive, run.lines[2].isLive], ['Hello there.\nMore.', false, true]);
});

test('what the model said is one line, whether it was streamed in this tab or not', () => {
  const answered = (answer, text) => ({ type: 'model-answered', answer, text, reasoning: 0, usage: {} });
  assert.deepEqual(texts(view({ type: 'text-delta', answer: 1, text: 'Hello' }, answered(1, 'Hello'), answered(2, 'Again'), answered(3, ''))), ['Says: Hello', 'Says: Again']);
  assert.deepEqual(texts(view({ type: 'reasoning-delta', text: 'Hm' }, { type: 'text-delta', text: 'Yes' })), ['Thinks: Hm', 'Says: Yes']);
});

test('a result is added to the last open call of its id', () => {
  const run = view(call('1', 'a'), result('1', true, 'A'), call('1', 'b'), result('1', false, 'no such file'), result('9', true, 'nobody asked'));
  assert.deepEqual(run.lines.map(({ tone, call }) => [tone, call.result.output]), [['neutral', 'A'], ['warn', 'no such file']]);
});

test('a run has no phase before its first attempt, unless it has skipped the plan', () => {
  assert.deepEqual([view(started()).phase, view(started(), begins(1)).phase], [undefined, 'plan']);
  assert.equal(view(started(), { type: 'phase-changed', from: 'plan', to: 'build', why: 'no plan is required' }, begins(1)).phase, 'build');
});

test('a round of checks starts with the phase check, or with a repeated check', () => {
  const first = view({ type: 'phase-changed', from: 'build', to: 'check', why: 'done' }, gate('a', 'fail'), gate('b', 'pass'));
  assert.deepEqual([first.round, first.phase, first.gates.length], [1, 'check', 2]);
  const second = applyEvents(first, events(gate('a', 'pass')));
  assert.deepEqual([second.round, second.gates.map(({ verdict }) => verdict)], [2, ['pass']]);
  assert.equal(first.gates.length, 2, 'the earlier view does not change');
});

test('what is behind a line is its feedback, its paths or its output', () => {
  const { lines } = view(
    { type: 'stall-detected', recovery: 1, feedback: 'Look at the hero.' },
    { type: 'evidence-outdated', judged: 'abc', paths: ['src/a.ts', 'src/b.ts'] },
    { type: 'user-changed', files: [{ path: 'a', change: 'modified' }, { path: 'b', change: 'created' }] },
    { type: 'verdict-given', verdict: 'fix', reason: 'incomplete', findings: ['a.ts:1 is empty'], feedback: 'x' },
    { type: 'chunk-failed', chunk: 'a', reason: 'used up', blocked: [['b', 'a']] },
    { type: 'chunks-proposed', chunks: [{ id: 'a', title: 'Cart' }] },
    gate('scope', 'fail', { feedback: 'eight are left' }),
  );
  assert.deepEqual(lines.map(({ note }) => note), ['Look at the hero.', 'src/a.ts\nsrc/b.ts', 'a: modified\nb: created', 'a.ts:1 is empty', 'b waits for a', 'Cart', 'eight are left']);
});

test('a denial has the calls that its rule may be about, the most exact first', () => {
  const denied = (path) => ({ type: 'write-denied', path, rule: 'policy[0]' });
  const shell = { type: 'tool-call', id: '2', name: 'shell', args: { command: 'rm a' } };
  const run = view(started(), begins(1), call('1', 'a'), denied('a'), result('1', false, 'no'), shell, denied('a'), result('2', false, 'no'), denied('b'));
  const as = { role: 'builder', phase: 'plan' };
  const write = (path) => ({ tool: 'write_file', path, ...as });
  assert.deepEqual(run.lines.flatMap(({ denial }) => (denial ? [denial.calls] : [])), [
    [{ tool: 'read_file', path: 'a', ...as }, { tool: 'read_file', ...as }, write('a')],
    [{ tool: 'shell', command: 'rm a', ...as }, { tool: 'shell', path: 'a', ...as }, { tool: 'shell', ...as }, write('a')],
    [write('b')],
  ]);
});

test('each end has its actions, and a requirement that is only mentioned is never a plain success', () => {
  for (const [given, tone, actions] of [
    [{ ...DONE, requirements: [required('two drinks', 'checked')] }, 'good', ['preview', 'changes', 'restore']],
    [{ ...DONE, requirements: [required('two drinks', 'checked'), required('make it dark', 'mentioned')] }, 'warn', ['preview', 'changes', 'restore']],
    [{ reason: 'aborted', message: 'Aborted: stopped by you' }, 'warn', ['again', 'undo', 'edit']],
    [{ reason: 'budget', message: 'x' }, 'bad', ['continue', 'undo', 'edit']],
    [{ reason: 'waiting', questions: [{ id: 'q', kind: 'plan' }] }, 'warn', []],
    [{ reason: 'waiting', questions: [{ id: 'q', kind: 'chunks' }] }, 'warn', ['review']],
    [{ reason: 'blocked', message: 'The proposed chunks are not approved' }, 'warn', ['again']],
    [{ reason: 'needs-clarification', clarification: ['a?'] }, 'warn', []],
    [{ reason: 'gates-failed' }, 'bad', ['again', 'edit', 'undo', 'model']],
    [{ reason: 'stalled', message: 'rolled back to task-1-pre' }, 'bad', ['again', 'edit', 'model']],
  ]) {
    const ending = endingOf(view(started({ task }), begins(1), ends(1), finished(given)));
    assert.deepEqual([ending.tone, ending.actions], [tone, actions], given.reason);
    if (tone === 'warn' && given.success) assert.deepEqual([checkedOf(ending.requirements), ending.text], ['Requirements: 1 of 2 checked', 'Checks passed, but 1 of 2 requirements is not settled: look at the preview']);
  }
  assert.equal(endingOf(view(started(), finished({ reason: 'waiting', questions: [{ id: 'q', kind: 'chunks' }] }))).text, 'The steps wait for your approval');
  const failed = endingOf(view(started({ task }), { type: 'run-failed', error: { code: 'fs', message: 'the disk is full' } }));
  assert.deepEqual([failed.tone, failed.actions], ['bad', ['again', 'edit', 'model']]);
});

test('a stop is no fault of the model, and the run can go on', () => {
  const fault = { code: 'model', message: 'model.complete failed: stopped by you' };
  const stopped = view(started({ task }), begins(1), ends(1, { close: 'model-failed', fault }), { type: 'run-failed', error: fault });
  const { tone, text, actions } = endingOf(stopped);
  assert.deepEqual([stopped.status, tone, text, actions], ['stopped', 'warn', 'Stopped by you', ['continue', 'undo', 'edit']]);
  assert.deepEqual(attempts(stopped).map(({ title }) => title.split(' · ')[0]), ['Attempt 1']);
  assert.equal(applyEvents(stopped, events({ type: 'run-resumed', repaired: [], plan: null })).status, 'running');
});

test('a failed result shows its last failed check and its facts, and no evidence', () => {
  const usage = { type: 'usage', usage: {}, total: { inputTokens: 36_000, outputTokens: 2_000 }, cost: { spent: 0.034, estimated: false } };
  const run = view(started({ task }), begins(1), usage, ends(1), gate('a', 'pass'), gate('scope', 'fail', { feedback: 'eight are left' }), finished({ reason: 'gates-failed', requirements: [required('two drinks', 'checked')] }));
  const ending = endingOf(run);
  assert.deepEqual([ending.title, ending.failed, ending.facts, ending.requirements], ['Two drinks', 'Check failed: the change does not match the request', '1 attempt · 6 s · 38k tokens · $0.03', []]);
  assert.equal(endingOf(view(started())), null, 'the run goes on');
});

test('the time between a closed page and its resume does not count', () => {
  const at = (at, event) => ({ v: 1, seq: 0, runId: 'r', ...event, at });
  const run = applyEvents(idleRun, [at(0, started()), at(2000, begins(1)), at(900_000, { type: 'run-resumed', repaired: [], plan: null }), at(901_000, begins(2, 'builder', 1)), at(903_000, finished(DONE))]);
  assert.equal(run.elapsedMs, 5000);
  assert.deepEqual(attempts(run).map(({ title }) => title.split(' · ')[0]), ['Attempt 1'], 'the attempt that goes on has one row');
});

test('tries of an unreachable model share the row of their attempt, and the wait is replaced in place', () => {
  const fails = ends(1, { close: 'model-failed', toolCalls: 0, filesChanged: [], fault: { code: 'model', message: 'busy', kind: 'unavailable' } });
  const waits = (attempt) => ({ type: 'wait-started', until: 5_007, reason: 'busy', attempt, of: 6 });
  const waiting = view(started(), begins(1), fails, waits(2), { type: 'waited', ms: 1 }, begins(2, 'builder', 1), fails, waits(3));
  assert.deepEqual(cardsOf(waiting).map(({ kind }) => kind), ['message', 'attempt', 'wait']);
  assert.deepEqual([waiting.wait.attempt, activityOf(waiting)], [3, null]);
  const goesOn = applyEvents(waiting, events({ type: 'waited', ms: 4_000 }, begins(3, 'builder', 1)));
  assert.equal(activityOf(goesOn), 'Waiting for the model …');
});

test('steps and a resume stand between the attempts', () => {
  const chunks = { type: 'run-started', limits: {}, work: { kind: 'chunks', spec: 'shop' } };
  const run = view(chunks, { type: 'chunk-started', chunk: 'cart', settings: {}, config: '' }, begins(1), ends(1), { type: 'chunk-committed', chunk: 'cart', commit: 'c', files: [] }, { type: 'run-resumed', repaired: [], plan: null });
  assert.deepEqual(cardsOf(run).filter(({ kind }) => kind === 'heading').map(({ text }) => text), ['Step cart starts', 'Step cart is done: 0 files committed', 'Resumed where it was interrupted']);
  assert.equal(run.round, 0, 'only tasks have rounds of checks');
});

test('checks are in three groups, without those that do not apply', () => {
  const groups = groupsOf([gate('build-succeeds', 'pass').report, gate('scope', 'pass').report, gate('no-placeholders', 'warn').report, gate('my-own', 'pass').report, gate('css-theme-complete', 'pass', { notApplicable: true }).report]);
  assert.deepEqual(groups.map(({ title, reports }) => [title, reports.map(({ gate }) => gate)]), [['Does it run', ['build-succeeds', 'my-own']], ['Did it do the task', ['scope']], ['Is it clean', ['no-placeholders']]]);
});

test('questions about the same part become one question with several answers', () => {
  const about = '“some drinks”';
  assert.deepEqual(choiceOf([`${about}: should new ones be added?`, `${about}: should they change?`]), {
    about, answers: [{ text: 'Should new ones be added?', question: `${about}: should new ones be added?` }, { text: 'Should they change?', question: `${about}: should they change?` }],
  });
  for (const apart of [['Should a dashboard be built?', 'Should an app be built?'], ['“a”: one?', '“b”: other?'], ['“a”: alone?'], []]) {
    assert.deepEqual(choiceOf(apart), { about: null, answers: apart.map((question) => ({ text: question, question })) });
  }
});

test('an unknown event is ignored', () => {
  assert.deepEqual(texts(view({ type: 'invented-later', what: 1 }, { type: 'status', text: 'on' })), ['on']);
});
