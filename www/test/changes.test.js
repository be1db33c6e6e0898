import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './load.js';

const { applyChange, marksOf, noChanges } = await load('run/changes.ts');
const { edits, onEdits } = await load('project/edits.ts');

const A = '100644 a';
const kind = (before, after) => (before === null ? 'created' : after === null ? 'deleted' : 'modified');
/** The states of a file in git; null is no file. */
const states = (before, after) => ({ ...(before !== null && { before }), ...(after !== null && { after }) });
const change = (before, after, path) => ({ path, change: kind(before, after), ...states(before, after) });

const agent = (before, after, path = 'a.ts', from) => ({ type: 'file-changed', by: 'agent', ...change(before, after, path), ...(from && { from }) });
const harness = (before, after, path = 'a.ts') => ({ ...agent(before, after, path), by: 'harness' });
const user = (before, after, path = 'a.ts') => ({ type: 'user-changed', files: [change(before, after, path)] });
const attempt = { type: 'attempt-started', attempt: 1, folder: 'f', base: 'b' };
const reverted = (...restored) => ({ type: 'attempt-reverted', attempt: 1, restored, deleted: [] });
const unknown = (by, change) => ({ type: 'file-changed', by, path: 'a.ts', change });

const marks = (events) => [...marksOf(events.reduce(applyChange, noChanges))].map(([path, { change, by }]) => `${path} ${change} by ${by}`);

for (const [what, events, expected] of [
  ['changed by the agent', [agent(A, 'B')], 'modified by agent'],
  ['changed by the harness', [harness(A, 'B')], 'modified by agent'],
  ['changed by the user', [user(A, 'B')], 'modified by user'],
  ['changed by the agent, then by the user', [agent(A, 'B'), user('B', 'C')], 'modified by both'],
  ['changed by the user, then by the harness', [user(A, 'B'), harness('B', 'C')], 'modified by both'],
  ['created by the agent and changed again', [agent(null, 'A'), agent('A', 'B')], 'created by agent'],
  ['deleted by the user', [user(A, null)], 'deleted by user'],
  ['deleted by the agent and written again', [agent(A, null), agent(null, 'B')], 'modified by agent'],
  ['reverted by the harness to the state before', [agent(A, 'B'), harness('B', A)], null],
  ['created by the agent and deleted by the harness', [agent(null, A), harness(A, null)], null],
  ['reverted by the harness to the text of the user', [user(A, 'B'), agent('B', 'C'), harness('C', 'B')], 'modified by user'],
  ['set back by the user to the state before', [agent(A, 'B'), user('B', A)], null],
  ['reverted and changed again', [agent(null, A), harness(A, null), user(null, 'B')], 'created by user'],
  ['reverted while the user keeps other lines', [attempt, agent(A, 'B'), user('B', 'C'), harness('C', 'D'), reverted('a.ts')], 'modified by user'],
  ['reverted with a conflict', [attempt, agent(A, 'B'), user('B', 'C'), { ...reverted(), conflicts: ['a.ts'] }], 'modified by both'],
  ['committed by an attempt, and reverted in the next one', [attempt, agent(A, 'B'), attempt, agent('B', 'C'), user('C', 'D'), harness('D', 'E'), reverted('a.ts')], 'modified by both'],
  ['committed by an attempt, and restored in the next one', [attempt, agent(A, 'B'), attempt, agent('B', 'C'), harness('C', 'B'), reverted('a.ts')], 'modified by agent'],
  ['in a rollback', [agent(A, 'B'), { type: 'snapshot-restored', tag: 't', restored: 1, deleted: 0 }], null],
  ['changed without git', [unknown('agent', 'created'), unknown('harness', 'modified')], 'created by agent'],
]) {
  test(`a file ${what}: ${expected ?? 'no mark'}`, () => assert.deepEqual(marks(events), expected ? [`a.ts ${expected}`] : []));
}

test('a file of the user that the agent moved is changed by both, and has no mark where it was', () => {
  const moved = [agent(A, A, 'b.ts', 'a.ts'), agent(A, null)];
  const target = { ...moved[0], change: 'created' };
  delete target.before;
  for (const order of [[target, moved[1]], [moved[1], target]]) assert.deepEqual(marks([user(null, A), ...order]), ['b.ts created by both']);
});

test('every file of an event has its own mark, and other events change none', () => {
  const both = { type: 'user-changed', files: [change(A, 'B', 'b.ts'), change(null, 'B', 'c.ts')] };
  assert.deepEqual(marks([agent(A, 'B'), both, { type: 'status', text: 'on' }]), ['a.ts modified by agent', 'b.ts modified by user', 'c.ts created by user']);
});

test('the run of this tab gets the files that the user edits, until it ends', () => {
  const seen = [];
  edits('early.ts');
  onEdits((paths) => seen.push(paths));
  edits('a.ts');
  edits('b.ts', 'c.ts');
  onEdits(null);
  edits('late.ts');
  assert.deepEqual(seen, [['a.ts'], ['b.ts', 'c.ts']]);
});
