import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import init, { parseTask } from 'loopgate';
import { load } from './load.js';

const { editable, finished, problemOf, withLine, withNewLine, withNewRequirement, withoutLine, withoutRequirement, withRequirement } = await load('task/draft.ts');
before(() => init());

const CONTEXT = { planExists: true, planSections: ['hero', 'features'], lastSummary: 'A shop with 8 drinks', taskNumber: 3 };
const read = (message) => parseTask(message, CONTEXT);
const add = { marker: 'ADD', description: 'add 2 drinks', count: 2, existing: 8, span: [0, 12] };
const task = { type: 'mutation', title: 'Drinks', taskNumber: 3, requirements: [add, { marker: 'FIX', description: 'the toggle' }], scope: { preserve: ['the nav'], affectedFiles: [] }, rawMessage: 'm', parsedBy: 'rules' };

test('requirements are changed, added and removed without changing the others', () => {
  assert.deepEqual(withRequirement(task, 1, { marker: 'MODIFY' }).requirements, [add, { marker: 'MODIFY', description: 'the toggle' }]);
  assert.deepEqual(withNewRequirement(task).requirements.at(-1), { marker: 'ADD', description: '' });
  assert.deepEqual(withoutRequirement(task, 0).requirements, [{ marker: 'FIX', description: 'the toggle' }]);
  assert.equal(task.requirements.length, 2, 'the task does not change');
});

test('a changed description loses its span, and an invalid count is dropped', () => {
  assert.deepEqual(withRequirement(task, 0, { description: 'add 2 teas' }).requirements[0], { marker: 'ADD', description: 'add 2 teas', count: 2, existing: 8 });
  assert.deepEqual(withRequirement(task, 0, { count: 3 }).requirements[0], { ...add, count: 3 });
  for (const count of [Number.NaN, 0, -1, 1.5]) assert.equal('count' in withRequirement(task, 0, { count }).requirements[0], false);
});

test('scope lines are changed, added and removed', () => {
  assert.deepEqual(withLine(task, 'preserve', 0, 'the footer').scope, { preserve: ['the footer'], affectedFiles: [] });
  assert.deepEqual(withNewLine(task, 'affectedFiles').scope, { preserve: ['the nav'], affectedFiles: [''] });
  assert.deepEqual(withoutLine(task, 'preserve', 0).scope.preserve, []);
});

test('a finished task has a title, no empty lines, and the unchanged message', () => {
  const untidy = { ...withNewLine(task, 'preserve'), title: ' ', requirements: [{ ...add, description: ' add 2\n drinks ' }, ...task.requirements.slice(1), { marker: 'ADD', description: ' ' }] };
  assert.deepEqual(finished(untidy, 'as written'), { ...task, title: 'add 2 drinks', rawMessage: 'as written' });
  assert.equal(problemOf(task), null);
  assert.match(problemOf({ ...task, requirements: [{ marker: 'ADD', description: '  ' }] }), /at least one/);
});

test('an unclear task becomes editable', async () => {
  const asked = await read('some of the drinks should be for the night');
  assert.equal(asked.type, 'needs-clarification');
  const { type, questions, requirements } = editable(asked, true);
  assert.deepEqual([type, questions, requirements], ['mutation', undefined, [{ marker: 'ADD', description: '' }]]);
  assert.equal(editable(asked, false).type, 'fresh');
  assert.deepEqual(editable(task, true), task);
});
