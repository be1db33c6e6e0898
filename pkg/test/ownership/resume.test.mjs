// What the user does between the end of a page, or a refused call, and the resume.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changedByUser, done, drive, isRejected, isShipped, lines, meanwhile, project, refused, revise, ship, tool, turn, write } from './project.mjs';

/** A run whose provider refuses after the agent wrote `src/a.ts`; then the user works on. */
async function interrupted(t, answers = [turn(write('src/a.ts', 'AGENT_1\n')), refused]) {
  const p = project(t, { files: { 'docs.md': 'old\n', 'notes.txt': 'old\n' } });
  const first = await drive(p.page(), { script: { builder: answers } });
  isRejected(first, 'model', /refuses/);
  p.put('src/mine.ts', 'USER\n');
  p.line(2, 'USER');
  p.remove('docs.md');
  return { p, id: first.id };
}

const ofTheUser = (p) => [p.text('src/mine.ts'), p.text('src/app.ts'), p.text('docs.md')];
const MINE = ['USER\n', lines({ 2: 'USER' }), null];

test('REVISE takes back nothing that the user changed between a refused call and the resume', async (t) => {
  const { p, id } = await interrupted(t);
  const seen = [];
  const look = () => seen.push(...ofTheUser(p), p.text('src/a.ts'));
  const builder = [turn(done()), meanwhile(look, turn(write('src/a.ts', 'AGENT_2\n'), done()))];
  isShipped(await drive(p.page(), { resume: id, script: { builder, reviewer: [revise, ship] } }));
  assert.deepEqual(seen, [...MINE, null]);
  assert.deepEqual(ofTheUser(p), MINE);
});

test('SHIP commits nothing that the user changed between a refused call and the resume', async (t) => {
  const { p, id } = await interrupted(t);
  isShipped(await drive(p.page(), { resume: id, script: { builder: [turn(done())] } }));
  assert.deepEqual(p.committed(), ['src/a.ts']);
  assert.deepEqual(ofTheUser(p), MINE);
  assert.equal(p.status(), ' D docs.md\n M src/app.ts\n?? src/mine.ts');
});

test('a file that the agent wrote and the user changed before the resume is committed without the user\'s lines', async (t) => {
  const p = project(t);
  const first = await drive(p.page(), { script: { builder: [turn(write('src/app.ts', lines({ 2: 'AGENT' }))), refused] } });
  p.line(8, 'USER');
  isShipped(await drive(p.page(), { resume: first.id, script: { builder: [turn(done())] } }));
  assert.deepEqual([p.git('show', 'spec/shop:src/app.ts'), p.text('src/app.ts')], [lines({ 2: 'AGENT' }).trimEnd(), lines({ 2: 'AGENT', 8: 'USER' })]);
});

test('a resume reports what the user changed meanwhile', async (t) => {
  const { p, id } = await interrupted(t);
  const second = await drive(p.page(), { resume: id, script: { builder: [turn(done())] } });
  isShipped(second);
  assert.deepEqual(changedByUser(second), [
    { path: 'docs.md', change: 'deleted' },
    { path: 'src/app.ts', change: 'modified' },
    { path: 'src/mine.ts', change: 'created' },
  ]);
});

test('an attempt in which only the user changed files has no work', async (t) => {
  const { p, id } = await interrupted(t, [turn(tool('list_files')), refused]);
  const builder = [turn(done()), turn(write('src/a.ts', 'AGENT_2\n'), done())];
  const second = await drive(p.page(), { resume: id, script: { builder } });
  isShipped(second);
  assert.equal(second.of('attempt-rejected').length, 1);
  assert.deepEqual(p.committed(), ['src/a.ts']);
  assert.deepEqual(ofTheUser(p), MINE);
});

const summary = write('.ralph/summary.md', 'The notes that were asked for are written.\n');
const task = { work: { kind: 'task', message: 'Write notes' }, plan: 'off', config: { gates: { only: ['work-done'] } }, limits: { maxIterations: 1 } };

test('in a task, `work-done` does not count what the user changed between a refused call and the resume', async (t) => {
  const p = project(t);
  const first = await drive(p.page(), { ...task, script: { builder: [turn(tool('list_files')), refused] } });
  isRejected(first, 'model', /refuses/);
  p.put('notes.md', 'USER\n');
  const second = await drive(p.page(), { ...task, resume: first.id, script: { builder: [turn(summary, done())] } });
  assert.equal(second.error, undefined);
  assert.deepEqual(second.result.gates.map(({ gate, verdict }) => [gate, verdict]), [['work-done', 'fail']]);
  assert.equal(second.result.success, false);
  assert.equal(p.text('notes.md'), 'USER\n');
});

test('in a task, `work-done` counts what the agent changed before the refused call', async (t) => {
  const p = project(t);
  const first = await drive(p.page(), { ...task, script: { builder: [turn(write('notes.md', 'AGENT\n')), refused] } });
  const second = await drive(p.page(), { ...task, resume: first.id, script: { builder: [turn(summary, done())] } });
  isShipped(second);
  assert.deepEqual(second.result.gates.map(({ gate, verdict }) => [gate, verdict]), [['work-done', 'pass']]);
});
