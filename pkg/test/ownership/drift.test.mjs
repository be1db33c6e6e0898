// What changes while a verification runs, or between an inconclusive verification and the resume.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { done, drive, edit, isNamed, isRejected, isShipped, lines, meanwhile, project, revise, ship, turn, write } from './project.mjs';

const config = { verification: { enabled: true, steps: [{ name: 'Test', command: 'npm test' }] } };
const attempt = (text = 'AGENT\n') => turn(edit('src/app.ts', 'line_2\n', 'AGENT\n'), write('src/a.ts', text), done());

test('what the user repairs after an inconclusive verification stays, and is not committed', async (t) => {
  const p = project(t, { files: { 'test.config.js': 'broken\n' } });
  const shell = () => (p.text('test.config.js') === 'broken\n' ? new Error('no test runner') : 0);
  const first = await drive(p.page(), { config, shell, script: { builder: [attempt()] } });
  isRejected(first, 'shell', /inconclusive/);
  p.put('test.config.js', 'USER\n');
  p.line(8, 'USER');
  p.put('notes.txt', 'USER\n');
  const second = await drive(p.page(), { config, shell, resume: first.id });
  isShipped(second);
  assert.deepEqual([p.text('test.config.js'), p.text('notes.txt'), p.text('src/app.ts')], ['USER\n', 'USER\n', lines({ 2: 'AGENT', 8: 'USER' })]);
  assert.deepEqual(p.committed(), ['src/a.ts', 'src/app.ts']);
  assert.doesNotMatch(p.patches(), /USER/);
});

test('what the user saves during a verification and announces stays, and what the command changes is discarded', async (t) => {
  const p = project(t);
  const shell = (_, run) => {
    p.put('notes.txt', 'USER\n');
    p.line(8, 'USER');
    run.edited(['notes.txt', 'src/app.ts']);
    p.put('coverage.txt', 'COMMAND\n');
    p.put('src/a.ts', 'COMMAND\n');
  };
  const outcome = await drive(p.page(), { config, shell, script: { builder: [attempt()] } });
  isShipped(outcome);
  assert.deepEqual([p.text('notes.txt'), p.text('src/app.ts')], ['USER\n', lines({ 2: 'AGENT', 8: 'USER' })]);
  assert.deepEqual([p.text('coverage.txt'), p.text('src/a.ts')], [null, 'AGENT\n']);
  assert.deepEqual(p.committed(), ['src/a.ts', 'src/app.ts']);
  assert.doesNotMatch(p.patches(), /USER|COMMAND/);
});

test('what the user announces during a verification that fails outlives the reverted attempt', async (t) => {
  const p = project(t);
  let failures = 1;
  const shell = (_, run) => {
    p.put('notes.txt', 'USER\n');
    p.line(8, 'USER');
    run.edited(['notes.txt', 'src/app.ts']);
    return failures--;
  };
  const seen = [];
  const look = () => seen.push(p.text('notes.txt'), p.text('src/app.ts'), p.text('src/a.ts'));
  isShipped(await drive(p.page(), { config, shell, script: { builder: [attempt(), meanwhile(look, attempt('AGENT_2\n'))] } }));
  assert.deepEqual(seen, ['USER\n', lines({ 8: 'USER' }), null]);
  assert.deepEqual([p.text('notes.txt'), p.text('src/app.ts')], ['USER\n', lines({ 2: 'AGENT', 8: 'USER' })]);
  assert.doesNotMatch(p.patches(), /USER/);
});

test('an unannounced change during a verification counts as the command\'s: it is discarded, kept as an object, and named', async (t) => {
  const p = project(t);
  const shell = () => {
    p.put('notes.txt', 'written by somebody\n');
    p.put('src/a.ts', 'overwritten by somebody\n');
  };
  const outcome = await drive(p.page(), { config, shell, script: { builder: [attempt()] } });
  isShipped(outcome);
  assert.deepEqual([p.text('notes.txt'), p.text('src/a.ts')], [null, 'AGENT\n']);
  assert.ok(p.isKept('written by somebody\n') && p.isKept('overwritten by somebody\n'));
  for (const path of ['notes.txt', 'src/a.ts']) isNamed(outcome, path, ['status', 'user-changed', 'verification-finished']);
});

test('a file that the user wrote while the agent worked does not count as drift of the verification', async (t) => {
  const p = project(t);
  const shell = () => p.put('coverage.txt', 'COMMAND\n');
  const builder = [turn(write('src/a.ts', 'AGENT\n')), meanwhile(() => (p.put('notes.txt', 'USER\n'), p.line(8, 'USER')), turn(done()))];
  isShipped(await drive(p.page(), { config, shell, script: { builder } }));
  assert.deepEqual([p.text('notes.txt'), p.text('src/app.ts'), p.text('coverage.txt')], ['USER\n', lines({ 8: 'USER' }), null]);
  assert.deepEqual(p.committed(), ['src/a.ts']);
});

test('a second verification after REVISE starts from the user\'s files', async (t) => {
  const p = project(t);
  const found = [];
  const shell = () => void found.push(p.text('notes.txt'));
  const builder = [attempt(), attempt('AGENT_2\n')];
  const reviewer = [meanwhile(() => p.put('notes.txt', 'USER\n'), revise), ship];
  isShipped(await drive(p.page(), { config, shell, script: { builder, reviewer } }));
  assert.deepEqual(found, [null, 'USER\n']);
  assert.equal(p.text('notes.txt'), 'USER\n');
});
