// Tags of a run that something moves: what is judged and what ships is found by ids.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { done, drive, isRejected, isShipped, project, sh, turn, withoutWaits, write } from '../ownership/project.mjs';

const SPECS = { 'specs/0001-notes.md': '# Notes\nWrite src/a.ts.\n' };
const accept = turn(done({ verdict: 'accept', reason: 'It is all there.' }));
const planner = [turn(write('specs/plans/0001-notes.md', '# Plan\n'), done())];
const summary = write('.ralph/summary.md', 'The notes that were asked for are written.');
const verified = { verification: { enabled: true, steps: [{ name: 'Test', command: 'npm test' }] } };

/** The ref of a snapshot. */
const refOf = (tag) => (tag.startsWith('task-') ? `refs/tags/${tag}` : `refs/loopgate/snapshots/${tag.replaceAll('/', '=')}`);

/** A commit with content that no judge saw. */
const other = (p) => p.git('commit-tree', '-m', 'other', p.git('rev-parse', 'main^{tree}'));

for (const [what, tag, options] of [
  ['the snapshot before a task, by a command of the agent', 'task-1-pre', {
    work: { kind: 'task', message: 'Write notes to src/a.ts' },
    script: { builder: [turn(write('src/a.ts', 'AGENT\n'), sh('move'), summary, done())] },
  }],
  ['the snapshot before a spec, by a command of the implementer', 'spec/0001-notes/base', {
    work: { kind: 'spec' },
    files: SPECS,
    script: { planner, builder: [turn(sh('move'), write('src/a.ts', 'AGENT\n'), done())], verifier: [accept] },
  }],
  ['the candidate of a chunk, by a verification step', 'chunks/shop/a/candidate', {
    config: verified,
    script: { builder: [turn(write('src/a.ts', 'AGENT\n'), done())] },
  }],
]) {
  test(`a run stops if something moves the tag of ${what}; with the tag put back, it goes on`, async (t) => {
    withoutWaits(t);
    const { files, work, config, script } = options;
    const p = project(t, { files });
    let saved;
    const shell = () => {
      saved ??= p.git('rev-parse', refOf(tag));
      p.git('update-ref', refOf(tag), other(p));
    };
    const first = await drive(p.page(), { work, config, script, shell });
    isRejected(first, 'conflict', new RegExp(`the tag ${tag} moved to .* \`git update-ref ${refOf(tag)} ${saved}\``));
    assert.deepEqual(p.committed(), []);
    p.git('update-ref', refOf(tag), saved);
    isShipped(await drive(p.page(), { config, script: { verifier: [accept] }, shell: () => 0, resume: first.id }));
    assert.equal(p.text('src/a.ts'), 'AGENT\n');
  });
}

test('a resumed run over specs finds the snapshot before the spec by its id, too', async (t) => {
  withoutWaits(t);
  const p = project(t, { files: SPECS });
  const first = await drive(p.page(), { work: { kind: 'spec' }, script: { planner, builder: [{ refuses: true }] } });
  isRejected(first, 'model');
  const second = await drive(p.page(), { work: { kind: 'spec' }, shell: () => p.git('update-ref', refOf('spec/0001-notes/base'), other(p)), script: { planner, builder: [turn(sh('move'), write('src/a.ts', 'AGENT\n'), done())], verifier: [accept] } });
  isRejected(second, 'conflict', /the tag spec\/0001-notes\/base moved/);
});
