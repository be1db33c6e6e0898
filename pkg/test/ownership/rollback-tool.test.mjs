// The agent's own rollback takes back its own changes of the present attempt, and nothing else.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { snapshot } from 'loopgate';
import { done, drive, isShipped, lines, meanwhile, project, tool, turn, withoutWaits, write } from './project.mjs';

const rollback = (tag) => tool('snapshot', { action: 'rollback', tag });
const saves = (p) => () => {
  p.line(8, 'USER');
  p.put('mine.txt', 'USER\n');
};

test('a rollback in a chunk takes back the changes of the attempt and keeps the user\'s', async (t) => {
  const p = project(t);
  await snapshot.save(p.page(), { tag: 'old' });
  let seen;
  const look = () => (seen = [p.text('src/app.ts'), p.text('mine.txt'), p.text('src/x.ts')]);
  const builder = [
    turn(write('src/app.ts', lines({ 2: 'AGENT' })), write('src/x.ts', 'AGENT\n')),
    meanwhile(saves(p), turn(rollback('old'))),
    meanwhile(look, turn(write('src/a.ts', 'AGENT\n'), done())),
  ];
  isShipped(await drive(p.page(), { script: { builder } }));
  assert.deepEqual(seen, [lines({ 8: 'USER' }), 'USER\n', null]);
  assert.deepEqual(p.committed(), ['src/a.ts']);
});

test('a rollback in a task takes back the changes of the task and keeps the user\'s', async (t) => {
  const p = project(t);
  let seen;
  const look = () => (seen = [p.text('src/app.ts'), p.text('mine.txt'), p.text('src/x.ts')]);
  const summary = write('.ralph/summary.md', 'The notes that were asked for are written.\n');
  const builder = [
    turn(write('src/app.ts', lines({ 2: 'AGENT' })), write('src/x.ts', 'AGENT\n')),
    meanwhile(saves(p), turn(rollback('task-1-pre'))),
    meanwhile(look, turn(write('notes.md', 'AGENT\n'), summary, done())),
  ];
  isShipped(await drive(p.page(), { work: { kind: 'task', message: 'Write notes' }, plan: 'off', config: { gates: { only: ['work-done'] } }, script: { builder } }));
  assert.deepEqual(seen, [lines({ 8: 'USER' }), 'USER\n', null]);
});

test('a rollback to a snapshot from before the attempt does not bring back older states of other files', async (t) => {
  const p = project(t, { files: { 'docs.md': 'old\n', 'gone.md': 'old\n' } });
  await snapshot.save(p.page(), { tag: 'old' });
  p.put('docs.md', 'USER\n');
  p.put('new.md', 'USER\n');
  p.remove('gone.md');
  p.git('add', '-A');
  p.git('commit', '-qm', 'docs');
  let seen;
  const look = () => (seen = [p.text('docs.md'), p.text('new.md'), p.text('gone.md'), p.text('src/x.ts')]);
  const builder = [turn(write('src/x.ts', 'AGENT\n'), rollback('old')), meanwhile(look, turn(write('src/a.ts', 'AGENT\n'), done()))];
  isShipped(await drive(p.page(), { script: { builder } }));
  assert.deepEqual(seen, ['USER\n', 'USER\n', null, null]);
  assert.deepEqual([p.committed(), p.log()], [['src/a.ts'], ['Add a', 'docs', 'by the user']]);
});

test('a rollback of an implementer leaves the plans and the done files of all specs, and the work of the others', async (t) => {
  withoutWaits(t);
  const files = { 'specs/0001-notes.md': '# Notes\nWrite src/a.ts.\n', 'specs/0002-more.md': '# More\nWrite src/b.ts.\n' };
  const p = project(t, { files });
  await snapshot.save(p.page(), { tag: 'old' });
  const planOf = (id) => turn(write(`specs/plans/${id}.md`, `# Plan: ${id}\n`), done());
  const paths = ['specs/plans/0001-notes.md', 'specs/plans/0001-notes.json', 'specs/done/0001-notes.md', 'specs/plans/0002-more.md', 'specs/plans/0002-more.json'];
  const state = () => [...paths, 'src/a.ts', 'src/b.ts'].map(p.text);
  let before, seen;
  const builder = [
    turn(write('src/a.ts', 'AGENT_a\n'), done()),
    meanwhile(() => (before = state()), turn(write('src/b.ts', 'AGENT_1\n'), rollback('old'))),
    meanwhile(() => (seen = state()), turn(write('src/b.ts', 'AGENT_2\n'), done())),
  ];
  const script = { planner: [planOf('0001-notes'), planOf('0002-more')], builder, verifier: [turn(done({ verdict: 'accept', reason: 'Done.' }))] };
  const outcome = await drive(p.page(), { work: { kind: 'spec' }, script });
  isShipped(outcome);
  assert.ok(before.slice(0, 6).every((text) => text !== null), JSON.stringify(before));
  assert.deepEqual(seen, before);
  assert.deepEqual(outcome.of('spec-finished').map(({ spec }) => spec), Object.keys(files));
  assert.ok(p.has('specs/done/0001-notes.md') && p.has('specs/done/0002-more.md'));
});
