// Commits and branch switches of the user while a run works, or between two runs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chunk, done, drive, isClosed, isRejected, isShipped, lines, meanwhile, project, refused, revise, sh, ship, turn, write } from './project.mjs';

const attempt = (text = 'AGENT\n') => turn(write('src/a.ts', text), done());
const shell = () => 0;

/** The user commits `docs.md`. */
const commits = (p) => () => {
  p.put('docs.md', 'USER\n');
  p.git('add', 'docs.md');
  p.git('commit', '-qm', 'docs');
};

for (const [how, builder] of [
  ['', attempt()],
  [' after a shell call', turn(sh('ls'), ...attempt().tool_calls)],
]) {
  test(`a commit of the user during a review${how} stays, and the attempt is committed on top`, async (t) => {
    const p = project(t);
    isShipped(await drive(p.page(), { shell, script: { builder: [builder], reviewer: [meanwhile(commits(p), ship)] } }));
    assert.deepEqual(p.log(), ['Add a', 'docs', 'by the user']);
    assert.deepEqual([p.committed(), p.status(), p.text('docs.md')], [['src/a.ts'], '', 'USER\n']);
  });

  test(`a commit of the user during a review${how} outlives REVISE`, async (t) => {
    const p = project(t);
    const seen = [];
    const look = () => seen.push(p.log(), p.text('docs.md'), p.text('src/a.ts'), p.status());
    const script = { builder: [builder, meanwhile(look, attempt('AGENT_2\n'))], reviewer: [meanwhile(commits(p), revise), ship] };
    isShipped(await drive(p.page(), { shell, script }));
    assert.deepEqual(seen, [['docs', 'by the user'], 'USER\n', null, '']);
    assert.deepEqual(p.log(), ['Add a', 'docs', 'by the user']);
  });
}

test('work that the user commits during the attempt ships as it is', async (t) => {
  const p = project(t);
  const takes = () => {
    p.git('add', 'src/a.ts');
    p.git('commit', '-qm', 'mine now');
  };
  isShipped(await drive(p.page(), { script: { builder: [turn(write('src/a.ts', 'AGENT\n')), meanwhile(takes, turn(done()))], reviewer: [ship] } }));
  assert.ok(p.log().includes('mine now'));
  assert.deepEqual([p.text('src/a.ts'), p.status()], ['AGENT\n', '']);
});

test('with `git.branch: current`, a commit on the user\'s own branch stays', async (t) => {
  const p = project(t);
  const builder = [turn(sh('ls'), ...attempt().tool_calls)];
  const config = { git: { branch: 'current' } };
  isShipped(await drive(p.page(), { config, shell, script: { builder, reviewer: [meanwhile(commits(p), ship)] } }));
  assert.deepEqual(p.log('main'), ['Add a', 'docs', 'by the user']);
  assert.deepEqual(p.committed(), ['src/a.ts']);
});

test('a commit of the user during an attempt that is abandoned stays in the next run', async (t) => {
  const p = project(t);
  const page = p.page();
  const closes = meanwhile(() => (commits(p)(), page.close()), ship);
  isClosed(await drive(page, { shell, script: { builder: [turn(sh('ls'), write('src/old.ts', 'AGENT\n'), done())], reviewer: [closes] } }));
  isShipped(await drive(p.page(), { script: { builder: [attempt()] } }));
  assert.deepEqual(p.log(), ['Add a', 'docs', 'by the user']);
  assert.deepEqual([p.text('src/old.ts'), p.committed()], [null, ['src/a.ts']]);
});

/** An attempt that a refused call interrupts; then the user checks out `main`, with the files as they are. */
async function elsewhere(t) {
  const p = project(t);
  const files = turn(write('src/app.ts', lines({ 2: 'AGENT' })), write('src/old.ts', 'AGENT\n'));
  const first = await drive(p.page(), { script: { builder: [files, refused] } });
  isRejected(first, 'model', /refuses/);
  p.git('checkout', '-q', 'main');
  p.line(8, 'USER');
  return { p, id: first.id };
}

test('a resume with HEAD on another branch is refused before any model call, with what to do', async (t) => {
  const { p, id } = await elsewhere(t);
  const second = await drive(p.page(), { resume: id });
  isRejected(second, 'conflict', /spec\/shop/);
  assert.match(second.error.message, /new run/i);
  assert.equal(second.requests.length, 0);
  assert.deepEqual([p.git('branch', '--show-current'), p.log('main'), p.log()], ['main', ['by the user'], ['by the user']]);
  assert.deepEqual([p.text('src/app.ts'), p.text('src/old.ts')], [lines({ 2: 'AGENT', 8: 'USER' }), 'AGENT\n']);
});

test('a run that was refused on another branch resumes after switching back', async (t) => {
  const { p, id } = await elsewhere(t);
  isRejected(await drive(p.page(), { resume: id }), 'conflict');
  p.git('checkout', '-q', 'spec/shop');
  isShipped(await drive(p.page(), { resume: id, script: { builder: [turn(done())] } }));
  assert.deepEqual(p.log(), ['Add a', 'by the user']);
  assert.equal(p.git('show', 'spec/shop:src/app.ts'), lines({ 2: 'AGENT' }).trimEnd());
  assert.equal(p.text('src/app.ts'), lines({ 2: 'AGENT', 8: 'USER' }));
});

test('a new run takes the attempt of the last one back by content, on whatever branch HEAD is', async (t) => {
  const { p } = await elsewhere(t);
  const seen = [];
  const look = () => seen.push(p.text('src/app.ts'), p.text('src/old.ts'));
  isShipped(await drive(p.page(), { script: { builder: [meanwhile(look, attempt())] } }));
  assert.deepEqual(seen, [lines({ 8: 'USER' }), null]);
  assert.deepEqual([p.log('main'), p.committed()], [['by the user'], ['src/a.ts']]);
  assert.equal(p.text('src/app.ts'), lines({ 8: 'USER' }));
});

/** The chunk `a` is shipped; the user is back on `main`. */
async function shippedA(t) {
  const p = project(t, { chunks: [chunk('a'), chunk('b')] });
  isShipped(await drive(p.page(), { work: { kind: 'chunks', spec: 'shop', only: ['a'] }, script: { builder: [attempt()] } }));
  p.git('checkout', '-q', 'main');
  return p;
}

test('a switch to the branch of the run carries the uncommitted files of the user along', async (t) => {
  const p = await shippedA(t);
  p.line(8, 'USER');
  p.put('notes.txt', 'USER\n');
  isShipped(await drive(p.page(), { script: { builder: [turn(write('src/b.ts', 'AGENT\n'), done())] } }));
  assert.deepEqual(p.log(), ['Add b', 'Add a', 'by the user']);
  assert.equal(p.status(), ' M src/app.ts\n?? notes.txt');
  assert.equal(p.text('src/app.ts'), lines({ 8: 'USER' }));
  assert.deepEqual(p.committed(), ['src/a.ts', 'src/b.ts']);
});

test('a switch that would overwrite a file of the user is refused by its name', async (t) => {
  const p = await shippedA(t);
  p.put('src/a.ts', 'USER\n');
  const second = await drive(p.page(), { script: { builder: [turn(write('src/b.ts', 'AGENT\n'), done())] } });
  isRejected(second, 'conflict', /src\/a\.ts/);
  assert.equal(second.requests.length, 0);
  assert.deepEqual([p.git('branch', '--show-current'), p.text('src/a.ts'), p.log()], ['main', 'USER\n', ['Add a', 'by the user']]);
});

/** Two branches that change the same line; HEAD is on `main`. */
function diverged(t) {
  const p = project(t);
  for (const branch of ['side', 'main']) {
    p.git('checkout', '-q', ...(branch === 'side' ? ['-b'] : []), branch);
    p.line(1, `USER on ${branch}`);
    p.git('commit', '-qam', branch);
  }
  return p;
}

for (const [what, begin, file] of [
  ['merge', ['merge', '-q', 'side'], '.git/MERGE_HEAD'],
  ['rebase', ['rebase', '-q', 'side'], '.git/rebase-merge'],
  ['cherry-pick', ['cherry-pick', 'side'], '.git/CHERRY_PICK_HEAD'],
]) {
  test(`a run is refused before any model call while a ${what} of the user is in progress`, async (t) => {
    const p = diverged(t);
    assert.throws(() => p.git(...begin));
    const before = [p.text('.git/HEAD'), p.text('src/app.ts'), p.status()];
    const outcome = await drive(p.page(), { script: { builder: [attempt()] } });
    isRejected(outcome, 'conflict', new RegExp(what, 'i'));
    assert.equal(outcome.requests.length, 0);
    assert.deepEqual([p.text('.git/HEAD'), p.text('src/app.ts'), p.status()], before);
    assert.ok(p.has(file));
  });
}
