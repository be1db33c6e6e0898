import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './load.js';

const { blockedBy, patchLines, problemOf, projectFile, readSpec, specIds } = await load('chunks/spec.ts');
const { applyChunkEvents, costOf, noChunkProgress } = await load('chunks/progress.ts');
const { addChunk, changeChunk, moveChunk, pathsIn, removeChunk } = await load('chunks/edit.ts');
const { layoutOf, NODE } = await load('chunks/layout.ts');

const FOLDER = '.handoff/specs/shop/';
const chunk = (id, ...dependencies) => ({ id, title: id, description: 'Do it.', ...(dependencies.length && { dependencies }) });
const spec = (files) => {
  const texts = new Map(Object.entries(files).map(([path, value]) => [FOLDER + path, typeof value === 'string' ? value : JSON.stringify(value)]));
  return readSpec({ paths: [...texts.keys()], texts }, 'shop');
};

test('a spec is a folder with a text or with chunks', () => {
  const paths = ['.handoff/config.yaml', `${FOLDER}spec.md`, `${FOLDER}iterations/state.json`, '.handoff/specs/other/chunks.json', '.handoff/specs/empty/notes.md'];
  assert.deepEqual(specIds({ paths, texts: new Map() }), ['other', 'shop']);
});

for (const [what, list, words] of [
  ['a cycle', [chunk('a', 'b'), chunk('b', 'c'), chunk('c', 'b')], 'b → c → b'],
  ['a chunk that depends on itself', [chunk('a', 'a')], 'a → a'],
  ['an unknown dependency', [chunk('a', 'x')], '“x”'],
  ['an id twice', [chunk('a'), chunk('a')], 'two chunks'],
  ['an id that is no name', [chunk('../a')], '“../a”'],
  ['a blank title', [{ ...chunk('a'), title: ' ' }], 'title'],
]) {
  test(`chunks with ${what} cannot run`, () => {
    assert.ok(problemOf(list).includes(words));
    assert.ok(spec({ 'chunks.json': { chunks: list } }).problem.includes('chunks.json'));
  });
}

test('a diamond can run, and a list that is no JSON cannot', () => {
  assert.equal(problemOf([chunk('d', 'b', 'c'), chunk('b', 'a'), chunk('c', 'a'), chunk('a')]), null);
  assert.ok(spec({ 'chunks.json': '[' }).problem);
  assert.equal(spec({ 'spec.md': '# The shop\n' }).problem, null);
});

test('a failure blocks everything after it, until it ships or runs again', () => {
  const chunks = [chunk('a'), chunk('b', 'a'), chunk('c', 'b'), chunk('x')];
  const of = (id, { shipped = {}, failed = { a: {} }, running } = {}) => blockedBy({ chunks, shipped, failed }, id, running);
  assert.deepEqual(['a', 'b', 'c', 'x'].map((id) => of(id)), [null, 'a', 'a', null]);
  assert.equal(of('c', { running: 'a' }), null);
  assert.equal(of('c', { shipped: { b: {} } }), null);
});

test('the outcome of an attempt comes from its record', () => {
  const record = (number, files, of = 'a') => Object.fromEntries(Object.entries(files).map(([name, value]) => [`iterations/${of}/iteration-${number}/${name}`, value]));
  const read = spec({
    ...record(10, { 'context.md': 'x', 'summary.json': '{}', 'review.json': { decision: 'SHIP' } }),
    ...record(2, { 'feedback.md': 'x', 'verification.json': { verdict: 'passed' }, 'review.json': { decision: 'REVISE' } }),
    ...record(1, { 'feedback.md': 'x', 'verification.json': { verdict: 'failed' } }),
    ...record(3, { 'feedback.md': 'x' }),
    ...record(11, { 'context.md': 'x' }),
    ...record(1, { 'context.md': 'x' }, 'ab'),
    ...record(1, { 'review.json': { decision: 'SHIP' }, 'review-final.json': { decision: 'SHIP' } }, 'final-review'),
  });
  assert.deepEqual(read.attempts('a').map(({ number, outcome }) => [number, outcome]), [[1, 'not verified'], [2, 'revised'], [3, 'rejected'], [10, 'shipped'], [11, 'open']]);
  assert.deepEqual(read.attempts('final-review').map(({ outcome }) => outcome), ['reviewed']);
});

test('only a path inside the project can be opened', () => {
  for (const path of ['src/a.ts', './src/a.ts']) assert.equal(projectFile(path), 'src/a.ts');
  for (const path of ['', '../a', 'src/../../a', '/etc/hosts', 'C:\\a', 'https://a/b', 'a//b', 'a\n']) assert.equal(projectFile(path), null, path);
});

test('the lines of a patch are told apart by the counts of their hunk', () => {
  const patch = ['diff', '--- a/x', '+++ b/x', '@@ -1,2 +1,2 @@', ' same', '--- removed', '+++ added', '--- a/y', '+++ b/y', '@@ -1 +0,0 @@', '-gone'].join('\n');
  assert.deepEqual(patchLines(patch).map(({ kind }) => kind), ['context', 'header', 'header', 'hunk', 'context', 'removed', 'added', 'header', 'header', 'hunk', 'removed']);
});

const run = (runId, ...list) => list.map((event, seq) => ({ v: 1, seq, at: seq, runId, ...event }));
const usage = (inputTokens, costUsd, model) => ({ type: 'usage', usage: { inputTokens, outputTokens: 1, ...(costUsd !== undefined && { costUsd }) }, total: {}, model });
const started = { type: 'run-started', work: { kind: 'chunks', spec: 'shop' }, chunks: [] };

test('the cost of a chunk is what its answers cost in all runs, and a journal read twice counts once', () => {
  const first = run('1', started, usage(5, 1, 'm'), { type: 'chunk-started', chunk: 'a' }, usage(10, 0.5, 'm'), usage(10, 0.25, 'n'), { type: 'chunk-started', chunk: 'b' }, usage(7));
  const second = run('2', started, { type: 'chunk-started', chunk: 'a' }, usage(1, 0.25, 'm'));
  const progress = [first, second, first].reduce(applyChunkEvents, noChunkProgress);
  assert.deepEqual(costOf(progress, 'shop', 'a'), { inputTokens: 21, outputTokens: 3, costUsd: 1, models: ['m', 'n'] });
  assert.equal(costOf(progress, 'shop', 'b').costUsd, null, 'an unknown cost is not 0');
  assert.equal(costOf(progress, 'shop', 'c'), null);
});

test('the steps of a chunk follow the events', () => {
  const steps = [];
  run('1', started, { type: 'chunk-started', chunk: 'a' }, { type: 'attempt-started', attempt: 1, folder: 'f' }, { type: 'attempt-recorded' }, { type: 'verification-finished', feedback: null }, { type: 'review-given', review: { decision: 'REVISE' } }, { type: 'attempt-reverted' }, { type: 'attempt-started', attempt: 2, folder: 'g' }, { type: 'run-finished' })
    .reduce((progress, event) => {
      const next = applyChunkEvents(progress, [event]);
      steps.push(next.current?.step);
      return next;
    }, noChunkProgress);
  assert.deepEqual(steps, ['preparing', 'preparing', 'executing', 'verifying', 'reviewing', 'reverting', 'preparing', 'executing', undefined]);
});

test('edits keep the dependencies consistent', () => {
  const list = [chunk('a'), chunk('b', 'a'), chunk('c', 'a', 'b')];
  assert.deepEqual(removeChunk(list, 'a'), [chunk('b'), chunk('c', 'b')]);
  assert.deepEqual(changeChunk(list, 0, { id: 'z' }).map(({ dependencies }) => dependencies), [undefined, ['z'], ['z', 'b']]);
  assert.deepEqual(moveChunk(list, 0, 1).map(({ id }) => id), ['b', 'a', 'c']);
  assert.equal(addChunk([chunk('chunk-2')]).at(-1).id, 'chunk-3');
  assert.deepEqual(pathsIn(' src/a.ts,\nsrc/b.ts ,'), ['src/a.ts', 'src/b.ts']);
});

test('the graph places a chunk to the right of what it depends on, without overlaps', () => {
  const { places, edges } = layoutOf([{ id: 'd', dependencies: ['b', 'c'] }, { id: 'b', dependencies: ['a'] }, { id: 'c', dependencies: ['a'] }, { id: 'a', dependencies: [] }]);
  assert.equal(edges.length, 4);
  for (const { from, to } of edges) assert.ok(places.get(from).left + NODE.width < places.get(to).left, `${from} ${to}`);
  assert.ok(Math.abs(places.get('b').top - places.get('c').top) >= NODE.height);
});
