// Files that both the agent and the user changed: each side keeps its lines, and a conflict is named.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { done, drive, edit, feedback, isRejected, isShipped, lines, meanwhile, move, project, remove, revise, sh, ship, turn, write } from './project.mjs';

const second = turn(write('src/a.ts', 'AGENT_2\n'), done());

/** An attempt that is rejected while the user acts; `look` reads the project when the next one begins. Returns its prompt as well. */
async function rejected(p, calls, user, look, when = 'review') {
  let seen;
  const work = turn(...calls, ...(when === 'review' ? [done()] : []));
  const first = when === 'review' ? [work] : [work, meanwhile(() => user(p), turn(done()))];
  const review = when === 'review' ? meanwhile(() => user(p), revise) : revise;
  const outcome = await drive(p.page(), { script: { builder: [...first, meanwhile(() => (seen = look(p)), second)], reviewer: [review, ship] } });
  isShipped(outcome);
  assert.deepEqual(p.committed(), ['src/a.ts']);
  return { seen, prompt: outcome.prompts()[1], outcome };
}

const change = edit('src/app.ts', 'line_2\n', 'AGENT\n');
const app = (p) => p.text('src/app.ts');

for (const when of ['attempt', 'review']) {
  test(`REVISE takes the agent's lines out of a file that the user changed during the ${when}`, async (t) => {
    const { seen } = await rejected(project(t), [change], (p) => p.line(8, 'USER'), app, when);
    assert.equal(seen, lines({ 8: 'USER' }));
  });

  test(`where the user overwrote the agent's lines during the ${when}, the text of the user outlives REVISE, and the feedback names the file`, async (t) => {
    const { seen, prompt } = await rejected(project(t), [change], (p) => p.line(2, 'USER'), app, when);
    assert.equal(seen, lines({ 2: 'USER' }));
    assert.match(feedback(prompt), /src\/app\.ts/);
  });
}

test('REVISE keeps what the user wrote into a file that the agent created', async (t) => {
  const look = (p) => p.text('src/new.ts');
  const { seen, prompt } = await rejected(project(t), [write('src/new.ts', lines({ 1: 'AGENT' }))], (p) => p.line(9, 'USER', 'src/new.ts'), look);
  assert.match(seen, /USER/);
  if (/AGENT/.test(seen)) assert.match(feedback(prompt), /src\/new\.ts/);
});

test('REVISE keeps a file that the user wrote in place of one that the agent deleted or moved', async (t) => {
  const p = project(t, { files: { 'docs.md': 'old\n' } });
  const user = () => ['docs.md', 'src/app.ts'].forEach((path) => p.put(path, `USER ${path}\n`));
  const { seen } = await rejected(p, [remove('docs.md'), move('src/app.ts', 'src/moved.ts')], user, () => [p.text('docs.md'), app(p), p.text('src/moved.ts')]);
  assert.deepEqual(seen, ['USER docs.md\n', 'USER src/app.ts\n', null]);
});

test('REVISE keeps uncommitted lines of a file that the agent moved, where the user wrote another file in its place', async (t) => {
  const p = project(t);
  p.line(8, 'USER');
  const files = () => [app(p), p.text('src/moved.ts')];
  const { seen, prompt } = await rejected(p, [move('src/app.ts', 'src/moved.ts')], () => p.put('src/app.ts', 'USER 2\n'), files);
  assert.deepEqual(seen, ['USER 2\n', lines({ 8: 'USER' })]);
  assert.match(feedback(prompt), /src\/moved\.ts/);
});

test('REVISE leaves a file deleted that the agent created and the user deleted', async (t) => {
  const { seen } = await rejected(project(t), [write('src/new.ts', 'AGENT\n')], (p) => p.remove('src/new.ts'), (p) => p.has('src/new.ts'));
  assert.equal(seen, false);
});

test('where both changed a binary file, the bytes of the user outlive REVISE, and the feedback names the file', async (t) => {
  const p = project(t, { files: { 'logo.png': Buffer.from([0, 1, 2]) } });
  const own = Buffer.from([0, 9, 9, 9]);
  const { seen, prompt } = await rejected(p, [write('logo.png', 'AGENT')], () => p.put('logo.png', own), () => p.bytes('logo.png'));
  assert.deepEqual(seen, own);
  assert.match(feedback(prompt), /logo\.png/);
});

for (const when of ['attempt', 'review']) {
  test(`SHIP commits the agent's lines of a file that the user changed during the ${when}`, async (t) => {
    const p = project(t);
    const user = () => p.line(8, 'USER');
    const script = when === 'review' ? { builder: [turn(change, done())], reviewer: [meanwhile(user, ship)] } : { builder: [turn(change), meanwhile(user, turn(done()))] };
    isShipped(await drive(p.page(), { script }));
    assert.equal(p.git('show', 'spec/shop:src/app.ts'), lines({ 2: 'AGENT' }).trimEnd());
    assert.deepEqual([app(p), p.status()], [lines({ 2: 'AGENT', 8: 'USER' }), ' M src/app.ts']);
  });

  test(`no commit has the text of a user who overwrote the agent's lines during the ${when}`, async (t) => {
    const p = project(t);
    const user = () => p.line(2, 'USER');
    const script = when === 'review' ? { builder: [turn(change, done())], reviewer: [meanwhile(user, ship)] } : { builder: [turn(change), meanwhile(user, turn(done()))] };
    const outcome = await drive(p.page(), { script });
    if (outcome.error) isRejected(outcome, 'conflict', /src\/app\.ts/);
    assert.doesNotMatch(p.patches(), /USER/);
    assert.equal(app(p), lines({ 2: 'USER' }));
  });
}

test('the agent\'s edit of a file that the user changed a moment before keeps both, and commits only its own', async (t) => {
  const p = project(t);
  const builder = [meanwhile(() => p.line(8, 'USER'), turn(change)), turn(done())];
  isShipped(await drive(p.page(), { script: { builder } }));
  assert.equal(p.git('show', 'spec/shop:src/app.ts'), lines({ 2: 'AGENT' }).trimEnd());
  assert.equal(app(p), lines({ 2: 'AGENT', 8: 'USER' }));
});

test('what the user announces during a command stays after REVISE, and what the command changed in the same file goes', async (t) => {
  const p = project(t);
  const shell = (_, run) => {
    p.line(2, 'AGENT');
    p.put('src/gen.ts', 'AGENT\n');
    p.put('mine.txt', 'USER\n');
    run.edited(['mine.txt']);
  };
  let seen;
  const builder = [turn(sh('build'), done()), meanwhile(() => (seen = [app(p), p.has('src/gen.ts'), p.text('mine.txt')]), second)];
  isShipped(await drive(p.page(), { shell, script: { builder, reviewer: [revise, ship] } }));
  assert.deepEqual(seen, [lines(), false, 'USER\n']);
  assert.deepEqual([p.committed(), p.status()], [['src/a.ts'], '?? mine.txt']);
});
