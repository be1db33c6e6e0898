import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './load.js';

const { newSpecProblem, nextNumber, specRows } = await load('specs/rows.ts');
const { applySpecEvents, noProgress } = await load('specs/progress.ts');

const SPEC = 'specs/0001-foo.md';
const rows = (files) => specRows(new Map(Object.entries({ [SPEC]: '# Foo\n', ...files })));
const info = (status, more = {}) => ({ 'specs/plans/0001-foo.json': JSON.stringify({ version: 1, status, attempt: 1, ...more }) });
const plan = { 'specs/plans/0001-foo.md': '# Plan' };
const candidate = { 'specs/candidates/0001-foo.json': '{"commit":"abc"}' };
const done = { 'specs/done/0001-foo.md': '# Foo' };

for (const [what, files, expected] of [
  ['without files', {}, { kind: 'new' }],
  ['with a plan written by hand', plan, { kind: 'planned' }],
  ['with a plan and damaged metadata', { ...plan, 'specs/plans/0001-foo.json': '{"sta' }, { kind: 'planned' }],
  ['with an active plan', { ...plan, ...info('active', { attempt: 2 }) }, { kind: 'planned', attempt: 2 }],
  ['that must be fixed', { ...plan, ...info('active', { feedback: 'a test fails' }) }, { kind: 'planned', attempt: 1, feedback: 'a test fails' }],
  ['with an active plan whose text is missing', info('active'), { kind: 'new' }],
  ['with a draft', { ...plan, ...info('drafting') }, { kind: 'planning', attempt: 1 }],
  ['with an invalidated plan', info('invalidated', { invalidation_reason: 'wrong module' }), { kind: 'planning', attempt: 2, reason: 'wrong module' }],
  ['with a draft after an invalidated plan', info('drafting', { attempt: 2, invalidation_reason: 'wrong module' }), { kind: 'planning', attempt: 2, reason: 'wrong module' }],
  ['with a candidate', { ...plan, ...info('active'), ...candidate }, { kind: 'candidate', attempt: 1, commit: 'abc' }],
  ['with a candidate of an invalidated plan', { ...info('invalidated'), ...candidate }, { kind: 'planning', attempt: 2 }],
  ['that is done', { ...plan, ...info('active'), ...done }, { kind: 'done' }],
  ['that is done and runs again', { ...plan, ...info('active'), ...done, ...candidate }, { kind: 'candidate', attempt: 1, commit: 'abc' }],
]) {
  test(`the state of a spec ${what}`, () => assert.deepEqual(rows(files)[0].state, expected));
}

test('specs are sorted by their names, then come files that are not specs, with a reason', () => {
  const found = rows({ 'specs/area/0002-bar.md': '# Bar', 'specs/0003-baz.md': 'no heading', 'specs/README.md': '# Read me', 'specs/0004-empty.md': ' \n', 'specs/0005-x.attempt-1.md': '# X', 'src/0001-x.md': '# No' });
  assert.deepEqual(found.map(({ path, state }) => [path, state.kind]), [
    [SPEC, 'new'], ['specs/area/0002-bar.md', 'new'], ['specs/0003-baz.md', 'invalid'], ['specs/0004-empty.md', 'invalid'], ['specs/0005-x.attempt-1.md', 'invalid'], ['specs/README.md', 'invalid'],
  ]);
  assert.deepEqual(found.slice(2).map(({ state }) => /heading|empty|archived|name/.exec(state.reason)[0]), ['heading', 'empty', 'name', 'name']);
  assert.deepEqual(found.map(({ id, title }) => [id, title]).slice(0, 2), [['0001-foo', 'Foo'], ['area/0002-bar', 'Bar']]);
});

test('archives and runs are newest first, and logs are in the order of the work', () => {
  const archive = (number) => `specs/plans/0001-foo.attempt-${number}.md`;
  const log = (time, name) => `runs/0001-foo/${time}/${name}.log`;
  const [row] = rows({
    ...info('drafting', { attempt: 11, invalidation_reason: 'too slow' }), [archive(9)]: 'nine', [archive(10)]: 'ten', 'specs/plans/0001-foo.attempt-x.md': 'not one',
    ...Object.fromEntries(['verify-1', 'plan-attempt-1', 'impl-attempt-10', 'impl-attempt-2'].map((name) => [log('2026-01-01T00-00-00Z', name), ''])),
    [log('2026-01-02T00-00-00Z', 'verify-1')]: '', 'runs/0001-foo/bar/2026-01-01T00-00-00Z/verify-1.log': '',
  });
  assert.deepEqual(row.archives.map(({ number, reason }) => [number, reason]), [[10, 'too slow'], [9, undefined]]);
  assert.deepEqual(row.runs.map(({ time, logs }) => [time, logs.map((path) => path.split('/').at(-1))]), [
    ['2026-01-02T00-00-00Z', ['verify-1.log']],
    ['2026-01-01T00-00-00Z', ['plan-attempt-1.log', 'impl-attempt-2.log', 'impl-attempt-10.log', 'verify-1.log']],
  ]);
});

test('a new spec needs a free name below specs/ and a heading', () => {
  const existing = rows({});
  assert.equal(newSpecProblem('specs/area/0002-bar.md', '# Bar', existing), null);
  for (const [path, text] of [[SPEC, '# Foo'], ['specs/foo.md', '# Foo'], ['src/0002-x.md', '# X'], ['specs/done/0002-x.md', '# X'], ['specs/../0002-x.md', '# X'], ['specs//0002-x.md', '# X'], ['specs/0002-x.md', 'X']]) {
    assert.notEqual(newSpecProblem(path, text, existing), null, path);
  }
  assert.equal(nextNumber(rows({ 'specs/0041-x.md': '# X', 'specs/notes.md': '# 99' })), '0042');
  assert.equal(nextNumber([]), '0001');
});

test('the events have the present work, the reasons of archived plans, and the outcome of each attempt', () => {
  const log = (name) => ({ type: 'log-written', path: `runs/0001-foo/t/${name}.log` });
  const iteration = (role) => ({ type: 'iteration-started', role });
  const start = [{ type: 'run-started', specs: [{ path: SPEC }, { path: 'specs/0002-bar.md' }] }, { type: 'spec-started', spec: SPEC, attempt: 1, planned: false }];
  const first = [iteration('planner'), log('plan-attempt-1'), { type: 'plan-accepted', attempt: 1 }, iteration('builder'), log('impl-attempt-1'), { type: 'candidate-recorded', candidate: { commit: '0123456789' } }];
  const verdict = [iteration('verifier'), log('verify-1'), { type: 'verdict-given', verdict: 'invalidate_plan', reason: 'wrong module', findings: [] }, { type: 'plan-invalidated', reason: 'wrong module', attempt: 1 }];

  const verifying = applySpecEvents(noProgress, [...start, ...first, verdict[0]]);
  assert.deepEqual(verifying.current, { path: SPEC, attempt: 1, role: 'verifier', iterations: { planner: 1, builder: 1, verifier: 1 } });
  const replanning = applySpecEvents(verifying, [...verdict.slice(1), iteration('planner')]);
  assert.deepEqual(replanning.current, { path: SPEC, attempt: 2, role: 'planner', iterations: { planner: 2, builder: 1, verifier: 1 } });
  assert.deepEqual([...replanning.reasons], [['specs/plans/0001-foo.attempt-1.md', 'wrong module']]);
  assert.deepEqual([...replanning.outcomes.values()].map(({ tone, text, detail }) => [tone, text, detail]), [
    ['good', 'The plan is written', ''], ['good', 'Candidate 0123456', ''], ['bad', 'The plan is wrong', 'wrong module'],
  ]);
  const finished = applySpecEvents(replanning, [{ type: 'spec-finished', spec: SPEC }]);
  assert.deepEqual([finished.current, finished.finished, finished.total], [null, 1, 2]);
  const next = applySpecEvents(finished, [{ type: 'run-started', specs: [] }]);
  assert.deepEqual([next.total, next.finished, next.reasons.size], [0, 0, 1], 'the next run keeps the reasons');
});
