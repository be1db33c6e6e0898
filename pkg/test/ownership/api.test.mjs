// What an IDE sees and does: whose change each file is, taking back the agent's part, and saying what its user edits.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as loopgate from 'loopgate';
import { changedByUser, chunk, done, drive, edit, isShipped, lines, meanwhile, move, project, remove, sh, turn, write } from './project.mjs';

/** What `changes` returns, by path, with the documented fields. */
async function changes(p, of) {
  const found = await loopgate.changes(p.page(), of);
  const fields = ({ path, change, from, by, added, removed }) => ({ path, change, ...(from && { from }), by, added, removed });
  return found.map(fields).sort((a, b) => (a.path < b.path ? -1 : 1));
}

const FILES = { 'docs.md': 'one\ntwo\n', 'ideas.md': 'an idea\nand another\n', 'same.md': 'same\n' };
const work = turn(
  edit('src/app.ts', 'line_2\n', 'AGENT\n'),
  write('src/a.ts', 'AGENT_1\nAGENT_2\nAGENT_3\n'),
  remove('docs.md'),
  move('ideas.md', 'notes/ideas.md'),
);
const saves = (p) => () => {
  p.line(8, 'USER');
  p.put('mine.txt', 'USER\n');
};
const CHANGES = [
  { path: 'docs.md', change: 'deleted', by: 'agent', added: 0, removed: 2 },
  { path: 'mine.txt', change: 'added', by: 'user', added: 1, removed: 0 },
  { path: 'notes/ideas.md', change: 'renamed', from: 'ideas.md', by: 'agent', added: 0, removed: 0 },
  { path: 'src/a.ts', change: 'added', by: 'agent', added: 3, removed: 0 },
  { path: 'src/app.ts', change: 'modified', by: 'both', added: 2, removed: 2 },
];
const files = (p) => ['docs.md', 'ideas.md', 'mine.txt', 'notes/ideas.md', 'src/a.ts', 'src/app.ts'].map(p.text);
const AFTER = [null, null, 'USER\n', FILES['ideas.md'], 'AGENT_1\nAGENT_2\nAGENT_3\n', lines({ 2: 'AGENT', 8: 'USER' })];
const REVERTED = [FILES['docs.md'], FILES['ideas.md'], 'USER\n', null, null, lines({ 8: 'USER' })];

/** A run over one chunk, in which the user works as well. */
async function ran(t) {
  const p = project(t, { files: FILES });
  const outcome = await drive(p.page(), { script: { builder: [work, meanwhile(saves(p), turn(done()))] } });
  isShipped(outcome);
  assert.deepEqual(files(p), AFTER);
  return { p, of: { runId: outcome.id }, outcome };
}

/** The same in a task. */
async function ranTask(t) {
  const p = project(t, { files: FILES });
  const summary = write('.ralph/summary.md', 'The files that were asked for are written.\n');
  const script = { builder: [work, meanwhile(saves(p), turn(summary, done()))] };
  isShipped(await drive(p.page(), { work: { kind: 'task', message: 'Write notes' }, plan: 'off', config: { gates: { only: ['work-done'] } }, script }));
  return { p, of: { taskNumber: 1 } };
}

for (const [what, make] of [
  ['a run', ran],
  ['a task', ranTask],
]) {
  test(`\`changes\` of ${what} has each file with its lines, and whose it is`, async (t) => {
    const { p, of } = await make(t);
    const found = (await changes(p, of)).filter(({ path }) => !path.startsWith('.ralph/'));
    assert.deepEqual(found, CHANGES);
  });

  test(`\`revert\` takes the agent's part of ${what} back, and \`undo\` brings it again`, async (t) => {
    const { p, of } = await make(t);
    const answer = await loopgate.revert(p.page(), of);
    assert.deepEqual(files(p), REVERTED);
    assert.deepEqual([answer.conflicts, typeof answer.undo], [[], 'string']);
    for (const path of ['docs.md', 'src/a.ts', 'src/app.ts']) assert.ok(answer.reverted.includes(path), answer.reverted.join());
    assert.ok(!answer.reverted.includes('mine.txt'));
    await loopgate.snapshot.undo(p.page());
    assert.deepEqual(files(p), AFTER);
  });
}

test('`changes` has no files of the harness, and nothing that was undone', async (t) => {
  const p = project(t, { files: FILES });
  const builder = [turn(write('src/a.ts', 'AGENT\n'), write('same.md', 'AGENT\n'), write('same.md', FILES['same.md']), write('gone.md', 'AGENT\n'), remove('gone.md'), done())];
  const { id } = await drive(p.page(), { script: { builder } });
  assert.deepEqual(await changes(p, { runId: id }), [{ path: 'src/a.ts', change: 'added', by: 'agent', added: 1, removed: 0 }]);
});

test('`revert` of one path leaves the others', async (t) => {
  const { p, of } = await ran(t);
  const answer = await loopgate.revert(p.page(), { ...of, paths: ['src/app.ts'], by: 'agent' });
  assert.deepEqual([answer.reverted, answer.conflicts], [['src/app.ts'], []]);
  assert.deepEqual(files(p), [...AFTER.slice(0, -1), lines({ 8: 'USER' })]);
});

test('`revert` keeps the text of a user who changed the agent\'s lines, and names the conflict', async (t) => {
  const { p, of } = await ran(t);
  p.line(2, 'USER');
  const answer = await loopgate.revert(p.page(), of);
  assert.deepEqual(answer.conflicts, ['src/app.ts']);
  assert.ok(!answer.reverted.includes('src/app.ts'));
  assert.deepEqual(files(p), [...REVERTED.slice(0, -1), lines({ 2: 'USER', 8: 'USER' })]);
});

test('`revert` moves no branch, and leaves the index of git', async (t) => {
  const { p, of } = await ran(t);
  p.put('staged.txt', 'USER\n');
  p.git('add', 'staged.txt');
  const before = [p.log(), p.log('main'), p.git('branch', '--show-current'), p.git('diff', '--cached', '--name-only')];
  await loopgate.revert(p.page(), of);
  assert.deepEqual([p.log(), p.log('main'), p.git('branch', '--show-current'), p.git('diff', '--cached', '--name-only')], before);
});

test('`changes` and `revert` of a run that does not exist are refused', async (t) => {
  const p = project(t);
  for (const ask of [loopgate.changes, loopgate.revert]) await assert.rejects(async () => ask(p.page(), { runId: 'none' }), { code: 'not-found' });
});

test('the event `user-changed` has what the user changed between the calls of the agent, and nothing of the agent', async (t) => {
  const p = project(t, { files: FILES });
  const user = () => {
    saves(p)();
    p.remove('same.md');
  };
  const outcome = await drive(p.page(), { script: { builder: [turn(write('src/a.ts', 'AGENT\n')), meanwhile(user, turn(done()))] } });
  isShipped(outcome);
  assert.deepEqual(changedByUser(outcome), [
    { path: 'mine.txt', change: 'created' },
    { path: 'same.md', change: 'deleted' },
    { path: 'src/app.ts', change: 'modified' },
  ]);
  assert.deepEqual(outcome.of('file-changed').map(({ path, by }) => [path, by]), [['src/a.ts', 'agent']]);
});

test('what the user announces during a command of the agent is the user\'s, with a relative or an absolute path', async (t) => {
  const p = project(t);
  const shell = (_, run) => {
    p.put('src/gen.ts', 'AGENT\n');
    saves(p)();
    run.edited(['mine.txt', `${p.dir}/src/app.ts`]);
  };
  const outcome = await drive(p.page(), { shell, script: { builder: [turn(sh('build')), turn(write('src/a.ts', 'AGENT\n'), done())] } });
  isShipped(outcome);
  assert.deepEqual([p.committed(), p.status()], [['src/a.ts', 'src/gen.ts'], ' M src/app.ts\n?? mine.txt']);
  assert.deepEqual(changedByUser(outcome).map(({ path }) => path), ['mine.txt', 'src/app.ts']);
  assert.deepEqual([...new Set(outcome.of('file-changed').map(({ path }) => path))].sort(), ['src/a.ts', 'src/gen.ts']);
});

test('an unannounced change during a command counts as the agent\'s, and an event names it', async (t) => {
  const p = project(t);
  const outcome = await drive(p.page(), { shell: () => p.put('mine.txt', 'USER\n'), script: { builder: [turn(sh('build')), turn(write('src/a.ts', 'AGENT\n'), done())] } });
  isShipped(outcome);
  assert.deepEqual(p.committed(), ['mine.txt', 'src/a.ts']);
  assert.ok(outcome.of('file-changed').some(({ path, by }) => path === 'mine.txt' && by === 'agent'));
});

test('`edited` refuses anything but a list of paths, and does nothing after the end of the run', async (t) => {
  const p = project(t, { chunks: [chunk('a')] });
  let thrown;
  const wrong = ({ run }) => {
    thrown = ['src/app.ts', [1], undefined].map((paths) => {
      try {
        return run.edited(paths);
      } catch (error) {
        return error.code ?? error;
      }
    });
  };
  const outcome = await drive(p.page(), { script: { builder: [meanwhile(wrong, turn(write('src/a.ts', 'AGENT\n'), done()))] } });
  isShipped(outcome);
  assert.deepEqual(thrown, ['invalid-argument', 'invalid-argument', 'invalid-argument']);
  outcome.run.edited(['src/app.ts']);
});

const edited = turn(edit('src/app.ts', 'line_2\n', 'AGENT\n'), write('src/a.ts', 'AGENT\n'));
const renames = (p) => {
  p.put('src/page.ts', p.text('src/app.ts').replace('line_8', 'USER'));
  p.remove('src/app.ts');
};

for (const [when, inRun] of [['in the run', true], ['after it', false]]) {
  for (const paths of [undefined, ['src/app.ts'], ['src/page.ts']]) {
    test(`\`revert\` of ${paths ?? 'all'} follows a file that the user renamed and edited ${when}`, async (t) => {
      const p = project(t);
      const builder = [edited, meanwhile(() => inRun && renames(p), turn(done()))];
      const { id } = await drive(p.page(), { script: { builder } });
      if (inRun) {
        const found = (await changes(p, { runId: id })).filter(({ path }) => path !== 'src/a.ts');
        assert.deepEqual(found, [{ path: 'src/page.ts', change: 'renamed', from: 'src/app.ts', by: 'both', added: 2, removed: 2 }]);
      } else {
        renames(p);
      }
      const answer = await loopgate.revert(p.page(), { runId: id, ...(paths && { paths }) });
      assert.deepEqual([answer.conflicts, p.text('src/page.ts'), p.has('src/app.ts')], [[], lines({ 8: 'USER' }), false]);
    });
  }
}

test('`revert` of the old name of a file that the agent renamed brings it back and removes the new one', async (t) => {
  const p = project(t);
  const { id } = await drive(p.page(), { script: { builder: [turn(move('src/app.ts', 'src/page.ts'), write('src/a.ts', 'AGENT\n'), done())] } });
  const answer = await loopgate.revert(p.page(), { runId: id, paths: ['src/app.ts'] });
  assert.deepEqual([answer.reverted.sort(), p.text('src/app.ts'), p.has('src/page.ts'), p.has('src/a.ts')], [['src/app.ts', 'src/page.ts'], lines(), false, true]);
});
