// Moves, files that git does not track, and hosts that ignore letter case.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WRITES, done, drive, isClosed, isRejected, isShipped, lines, meanwhile, move, project, remove, revise, ship, turn, write } from './project.mjs';

const attempt = (text = 'AGENT\n') => turn(write('src/a.ts', text), done());
const places = (p, from = 'src/app.ts', to = 'src/moved.ts') => [p.text(from), p.text(to)];

/** The page is closed at a move of `src/app.ts`, at a moment. */
function closing(moment) {
  let moved = false;
  return (method, path) => {
    if (moved && WRITES.includes(method)) return 'before';
    if (method !== 'rename' || path !== 'src/app.ts') return undefined;
    moved = true;
    return moment;
  };
}

for (const [when, moment] of [
  ['before the file moves', 'before'],
  ['when the file has moved', 'after'],
  ['before the move is in the journal', undefined],
]) {
  const interrupted = async (t) => {
    const p = project(t);
    const first = await drive(p.page({ on: closing(moment) }), { script: { builder: [turn(move('src/app.ts', 'src/moved.ts')), attempt()] } });
    isClosed(first);
    return { p, id: first.id };
  };

  test(`a move that a closed page interrupts ${when} is taken back by REVISE after the resume`, async (t) => {
    const { p, id } = await interrupted(t);
    let seen;
    const builder = [attempt(), meanwhile(() => (seen = places(p)), attempt('AGENT_2\n'))];
    isShipped(await drive(p.page(), { resume: id, script: { builder, reviewer: [revise, ship] } }));
    assert.deepEqual(seen, [lines(), null]);
    assert.deepEqual(p.committed(), ['src/a.ts']);
  });

  test(`a move that a closed page interrupts ${when} is taken back by a new run`, async (t) => {
    const { p } = await interrupted(t);
    let seen;
    isShipped(await drive(p.page(), { script: { builder: [meanwhile(() => (seen = places(p)), attempt())] } }));
    assert.deepEqual(seen, [lines(), null]);
    assert.deepEqual([p.committed(), p.status()], [['src/a.ts'], '']);
  });
}

test('a move that a closed page interrupts when the file has moved is committed by SHIP after the resume', async (t) => {
  const p = project(t);
  const first = await drive(p.page({ on: closing('after') }), { script: { builder: [turn(move('src/app.ts', 'src/moved.ts'))] } });
  isClosed(first);
  isShipped(await drive(p.page(), { resume: first.id, script: { builder: [attempt()] } }));
  assert.deepEqual([p.committed(), p.status()], [['src/a.ts', 'src/app.ts', 'src/moved.ts'], '']);
  assert.deepEqual(places(p), [null, lines()]);
});

test('REVISE brings back an untracked file of the user that the agent deleted or moved', async (t) => {
  const p = project(t);
  p.put('notes.txt', 'USER notes\n');
  p.put('ideas.txt', 'USER ideas\n');
  let seen;
  const look = () => (seen = [...places(p, 'ideas.txt', 'docs/ideas.txt'), p.text('notes.txt')]);
  const builder = [turn(remove('notes.txt'), move('ideas.txt', 'docs/ideas.txt'), ...attempt().tool_calls), meanwhile(look, attempt('AGENT_2\n'))];
  isShipped(await drive(p.page(), { script: { builder, reviewer: [revise, ship] } }));
  assert.deepEqual(seen, ['USER ideas\n', null, 'USER notes\n']);
  assert.equal(p.status(), '?? ideas.txt\n?? notes.txt');
});

test('an untracked file of the user that the agent moved is not committed as the agent\'s', async (t) => {
  const p = project(t);
  p.put('notes.txt', 'USER notes\n');
  const outcome = await drive(p.page(), { script: { builder: [turn(move('notes.txt', 'docs/notes.txt'), ...attempt().tool_calls)] } });
  if (outcome.error) isRejected(outcome, 'conflict', /notes\.txt/);
  assert.doesNotMatch(p.patches(), /USER/);
  assert.ok(places(p, 'notes.txt', 'docs/notes.txt').includes('USER notes\n'));
});

test('an untracked file of the user that the agent deleted can be read back after SHIP', async (t) => {
  const p = project(t);
  p.put('notes.txt', 'USER notes\n');
  const outcome = await drive(p.page(), { script: { builder: [turn(remove('notes.txt'), ...attempt().tool_calls)] } });
  if (outcome.error) isRejected(outcome, 'conflict', /notes\.txt/);
  assert.ok(p.has('notes.txt') || p.isKept('USER notes\n'));
  assert.doesNotMatch(p.patches(), /USER/);
});

test('on a host that ignores letter case, a file that the agent wrote in another case is committed', async (t) => {
  const p = project(t, { files: { 'src/page.ts': 'USER\n' } });
  isShipped(await drive(p.page({ anyCase: true }), { script: { builder: [turn(write('src/Page.ts', 'AGENT\n'), done())] } }));
  assert.deepEqual([p.committed(), p.status(), p.text('src/page.ts')], [['src/page.ts'], '', 'AGENT\n']);
});

test('on a host that ignores letter case, REVISE takes back a file that the agent wrote in another case', async (t) => {
  const p = project(t, { files: { 'src/page.ts': 'USER\n' } });
  let seen;
  const builder = [turn(write('src/Page.ts', 'AGENT\n'), ...attempt().tool_calls), meanwhile(() => (seen = p.text('src/page.ts')), attempt('AGENT_2\n'))];
  isShipped(await drive(p.page({ anyCase: true }), { script: { builder, reviewer: [revise, ship] } }));
  assert.equal(seen, 'USER\n');
  assert.deepEqual([p.committed(), p.status()], [['src/a.ts'], '']);
});
