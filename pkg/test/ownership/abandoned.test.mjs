// Runs that are not resumed: the next run takes their open attempts back.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findUnfinishedRun } from 'loopgate';
import { chunk, done, drive, isClosed, isNamed, isShipped, lines, meanwhile, project, refused, tool, turn, write } from './project.mjs';

const OLD = turn(write('src/app.ts', lines({ 2: 'AGENT' })), write('src/old.ts', 'AGENT\n'), tool('delete_file', { path: 'docs.md' }));
const attempt = turn(write('src/a.ts', 'AGENT\n'), done());
const found = (p) => [p.text('src/app.ts'), p.text('src/old.ts'), p.text('docs.md')];
const BEFORE = [lines(), null, 'USER\n'];

/** A run whose page is closed in the middle of an attempt. */
async function abandoned(t, more = {}) {
  const p = project(t, { files: { 'docs.md': 'USER\n' }, ...more });
  const page = p.page();
  const first = await drive(page, { script: { builder: [OLD, meanwhile(page.close, attempt)] } });
  isClosed(first);
  assert.deepEqual(found(p), [lines({ 2: 'AGENT' }), 'AGENT\n', null]);
  return { p, id: first.id };
}

/** The next run sees the files of before, and ships. */
async function takesBack(p, before = BEFORE, options = {}) {
  let seen;
  const outcome = await drive(p.page(), { script: { builder: [meanwhile(() => (seen = found(p)), attempt)] }, ...options });
  isShipped(outcome);
  assert.deepEqual(seen, before);
  assert.deepEqual(p.committed(), ['src/a.ts']);
  return outcome;
}

test('the next run takes back an attempt that was abandoned', async (t) => {
  const { p } = await abandoned(t);
  await takesBack(p);
});

test('the next run keeps what the user changed on top of an abandoned attempt', async (t) => {
  const { p } = await abandoned(t);
  p.line(8, 'USER');
  p.put('mine.txt', 'USER\n');
  await takesBack(p, [lines({ 8: 'USER' }), null, 'USER\n']);
  assert.equal(p.text('mine.txt'), 'USER\n');
  assert.equal(p.status(), ' M src/app.ts\n?? mine.txt');
});

test('where the user overwrote the lines of an abandoned attempt, the text of the user stays and an event names the file', async (t) => {
  const { p } = await abandoned(t);
  p.line(2, 'USER');
  const outcome = await takesBack(p, [lines({ 2: 'USER' }), null, 'USER\n']);
  isNamed(outcome, 'src/app.ts');
});

test('an abandoned attempt is taken back although a task came between', async (t) => {
  const { p } = await abandoned(t);
  const summary = write('.ralph/summary.md', 'The notes that were asked for are written.\n');
  const script = { builder: [turn(write('notes.md', 'AGENT notes\n'), summary, done())] };
  isShipped(await drive(p.page(), { work: { kind: 'task', message: 'Write notes' }, plan: 'off', config: { gates: { only: ['work-done'] } }, script }));
  await takesBack(p);
  assert.equal(p.text('notes.md'), 'AGENT notes\n');
});

test('an abandoned attempt is taken back although an aborted run came between', async (t) => {
  const { p } = await abandoned(t);
  const second = await drive(p.page(), { signal: AbortSignal.abort() });
  assert.equal(second.result.reason, 'aborted');
  await takesBack(p);
});

test('an abandoned attempt is taken back although the run that began to do so was closed as well', async (t) => {
  const { p } = await abandoned(t);
  let unlinked = false;
  const on = (method, path) => {
    const end = unlinked || (method === 'unlink' && path === 'src/old.ts') ? 'before' : undefined;
    unlinked ||= end !== undefined;
    return end;
  };
  isClosed(await drive(p.page({ on }), { script: { builder: [attempt] } }));
  await takesBack(p);
});

test('an attempt at another spec is taken back as well', async (t) => {
  const { p } = await abandoned(t, { files: { 'docs.md': 'USER\n', '.handoff/specs/blog/chunks.json': JSON.stringify([chunk('b')]) } });
  const page = p.page();
  const blog = { kind: 'chunks', spec: 'blog' };
  isClosed(await drive(page, { work: blog, script: { builder: [turn(write('src/blog.ts', 'AGENT\n')), meanwhile(page.close, attempt)] } }));
  await takesBack(p);
  assert.equal(p.text('src/blog.ts'), null);
});

test('an attempt whose provider refused is taken back by a new run', async (t) => {
  const p = project(t, { files: { 'docs.md': 'USER\n' } });
  await drive(p.page(), { script: { builder: [OLD, refused] } });
  await takesBack(p);
});

test('a write that the page did not record before it was closed is taken back', async (t) => {
  const p = project(t, { files: { 'docs.md': 'USER\n' } });
  const on = (method, path) => (method === 'writeFile' && path === 'src/old.ts' ? 'after' : undefined);
  isClosed(await drive(p.page({ on }), { script: { builder: [turn(write('src/old.ts', 'AGENT\n')), attempt] } }));
  assert.equal(p.text('src/old.ts'), 'AGENT\n');
  await takesBack(p);
});

test('with a clock that goes back, the run that started last is the one to resume or to take back', async (t) => {
  const p = project(t, { files: { 'docs.md': 'USER\n' }, chunks: [chunk('z'), chunk('a')] });
  isShipped(await drive(p.page(), { work: { kind: 'chunks', spec: 'shop', only: ['z'] }, script: { builder: [turn(write('src/z.ts', 'AGENT\n'), done())] } }));
  const now = Date.now;
  t.mock.method(Date, 'now', () => now() - 86_400_000);
  const page = p.page();
  const second = await drive(page, { script: { builder: [OLD, meanwhile(page.close, attempt)] } });
  isClosed(second);
  assert.equal((await findUnfinishedRun(p.page()))?.runId, second.id);
  let seen;
  isShipped(await drive(p.page(), { script: { builder: [meanwhile(() => (seen = found(p)), attempt)] } }));
  assert.deepEqual(seen, BEFORE);
  assert.deepEqual(p.committed(), ['src/a.ts', 'src/z.ts']);
});
