// Files of the user that are not committed, line ends, and names that are not UTF-8.
import assert from 'node:assert/strict';
import nodeFs from 'node:fs';
import { test } from 'node:test';
import { findUnfinishedRun } from 'loopgate';
import { chunk, done, drive, edit, isRejected, isShipped, lines, project, turn, write } from './project.mjs';

/** One attempt is all that the chunk has. */
const chunks = [chunk('a', { maxIterations: 1 })];
const edits = (text = 'line_2') => turn(edit('src/app.ts', `${text}\n`, 'AGENT\n'), write('src/a.ts', 'AGENT\n'), done());

/** The run stopped once, with the file and what to do; the change is kept. */
async function stops(p, outcome, text) {
  isRejected(outcome, 'conflict', /src\/app\.ts/);
  assert.match(outcome.error.message, /commit/i);
  assert.deepEqual([outcome.prompts().length, outcome.of('attempt-rejected').length, outcome.of('attempt-reverted').length], [1, 0, 0]);
  assert.deepEqual([p.text('src/app.ts'), p.text('src/a.ts')], [text, 'AGENT\n']);
  assert.equal((await findUnfinishedRun(p.page()))?.runId, outcome.id);
}

/** The user commits `src/app.ts` with this text; the folder stays as it is. */
function commits(p, text) {
  const now = p.text('src/app.ts');
  p.put('src/app.ts', text);
  p.git('add', 'src/app.ts');
  p.git('commit', '-qm', 'mine');
  p.put('src/app.ts', now);
}

for (const [what, options, prepare, own] of [
  ['that git does not track', {}, (p) => (p.git('rm', '-q', '--cached', 'src/app.ts'), p.git('commit', '-qm', 'untracked')), lines()],
  ['with uncommitted lines at the same place', {}, (p) => p.line(2, 'USER'), lines({ 2: 'USER' })],
]) {
  test(`a change of a file ${what} stops the run at once, and the attempt ships after the user's commit`, async (t) => {
    const p = project(t, { chunks, ...options });
    prepare(p);
    const first = await drive(p.page(), { script: { builder: [edits(own === lines() ? 'line_2' : 'USER')] } });
    await stops(p, first, lines({ 2: 'AGENT' }));
    commits(p, own);
    const second = await drive(p.page(), { resume: first.id });
    isShipped(second);
    assert.equal(second.prompts().length, 0);
    assert.deepEqual([p.log().slice(0, 2), p.committed()], [['Add a', 'mine'], ['src/a.ts', 'src/app.ts']]);
    assert.equal(p.git('show', 'spec/shop:src/app.ts'), lines({ 2: 'AGENT' }).trimEnd());
  });
}

test('a change that cannot be committed is taken back by a new run', async (t) => {
  const p = project(t, { chunks });
  p.line(2, 'USER');
  isRejected(await drive(p.page(), { script: { builder: [edits('USER')] } }), 'conflict', /src\/app\.ts/);
  isShipped(await drive(p.page(), { script: { builder: [turn(write('src/a.ts', 'AGENT_2\n'), done())] } }));
  assert.deepEqual([p.text('src/app.ts'), p.committed()], [lines({ 2: 'USER' }), ['src/a.ts']]);
});

test("in a repository without a commit, the files as they are come first, on the run's branch only", async (t) => {
  const p = project(t, { chunks, committed: false });
  isShipped(await drive(p.page(), { script: { builder: [edits()] } }));
  assert.deepEqual([p.log(), p.committed()], [['Add a', 'The project before the first chunk'], ['src/a.ts', 'src/app.ts']]);
  assert.deepEqual([p.text('src/app.ts'), p.git('show', 'spec/shop~1:src/app.ts')], [lines({ 2: 'AGENT' }), lines().trimEnd()]);
  assert.equal(p.git('branch', '--list', 'main'), '');
});

test('a change beside the uncommitted lines of the user is committed without them', async (t) => {
  const p = project(t, { chunks });
  p.line(8, 'USER');
  isShipped(await drive(p.page(), { script: { builder: [edits()] } }));
  assert.equal(p.git('show', 'spec/shop:src/app.ts'), lines({ 2: 'AGENT' }).trimEnd());
  assert.deepEqual([p.text('src/app.ts'), p.status()], [lines({ 2: 'AGENT', 8: 'USER' }), ' M src/app.ts']);
});

/** `core.autocrlf` is on, and `src/app.ts` is checked out with CRLF. */
function windows(t) {
  const p = project(t, { chunks });
  p.git('config', 'core.autocrlf', 'true');
  p.remove('src/app.ts');
  p.git('checkout', '--', 'src/app.ts');
  assert.equal(p.text('src/app.ts'), lines().replaceAll('\n', '\r\n'));
  return p;
}

for (const [how, change] of [
  ['an edit', edit('src/app.ts', 'line_2', 'AGENT')],
  ['a new text with LF', write('src/app.ts', lines({ 2: 'AGENT' }))],
  ['a new text with CRLF', write('src/app.ts', lines({ 2: 'AGENT' }).replaceAll('\n', '\r\n'))],
]) {
  test(`with \`core.autocrlf\`, ${how} is committed as one changed line`, async (t) => {
    const p = windows(t);
    isShipped(await drive(p.page(), { script: { builder: [turn(change, done())] } }));
    assert.equal(p.git('diff', '--numstat', 'main', 'spec/shop'), '1\t1\tsrc/app.ts');
    assert.equal(p.git('show', 'spec/shop:src/app.ts'), lines({ 2: 'AGENT' }).trimEnd());
    assert.equal(p.status(), '');
  });
}

test('a file name that is not UTF-8 stays as it is in the commit and on disk', async (t) => {
  const p = project(t, { chunks });
  p.put('legacy/readme.md', 'USER\n');
  const name = Buffer.from([...Buffer.from(`${p.dir}/legacy/caf`), 0xe9]);
  nodeFs.writeFileSync(name, 'USER\n');
  p.git('add', '.');
  p.git('commit', '-qm', 'a name in Latin-1');
  isShipped(await drive(p.page(), { script: { builder: [edits()] } }));
  assert.equal(p.git('diff', '--name-only', 'main', 'spec/shop'), 'src/a.ts\nsrc/app.ts');
  assert.deepEqual([nodeFs.readFileSync(name, 'utf8'), p.status()], ['USER\n', '']);
});

test('a change beside a file whose name is not UTF-8 stops the run with its name', async (t) => {
  const p = project(t, { chunks });
  nodeFs.writeFileSync(Buffer.from([...Buffer.from(`${p.dir}/caf`), 0xe9]), 'USER\n');
  p.git('add', '.');
  p.git('commit', '-qm', 'a name in Latin-1');
  isRejected(await drive(p.page(), { script: { builder: [edits()] } }), 'conflict', /src\/app\.ts/);
  assert.equal(p.git('diff', '--name-only', 'main', 'spec/shop'), '');
});
