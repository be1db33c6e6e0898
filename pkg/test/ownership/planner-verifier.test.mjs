// The roles of a spec that change nothing: what the user saves meanwhile stays, and what their commands change goes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { done, drive, isClosed, isShipped, lines, meanwhile, project, sh, tool, turn, withoutWaits, write } from './project.mjs';

const SPEC = 'specs/0001-notes.md';
const PLAN = 'specs/plans/0001-notes.md';
const files = { [SPEC]: '# Notes\nWrite src/a.ts.\n' };
const work = { kind: 'spec' };
const plan = turn(write(PLAN, '# Plan: 0001-notes\n\n## Steps\n1. Write src/a.ts.\n'), done());
const builder = [turn(write('src/a.ts', 'AGENT\n'), done())];
const accept = turn(done({ verdict: 'accept', reason: 'It is all there.' }));

const saves = (p) => () => {
  p.put('notes.txt', 'USER\n');
  p.line(8, 'USER');
};
const saved = (p) => [p.text('notes.txt'), p.text('src/app.ts')];
const SAVED = ['USER\n', lines({ 8: 'USER' })];

test('what the user saves while a planner works stays, and the plan is used', async (t) => {
  withoutWaits(t);
  const p = project(t, { files });
  const planner = [turn(tool('snapshot', { action: 'list' })), meanwhile(saves(p), plan), plan];
  const outcome = await drive(p.page(), { work, script: { planner, builder, verifier: [accept] } });
  isShipped(outcome);
  assert.deepEqual([saved(p), outcome.of('attempt-failed').length], [SAVED, 0]);
});

test('what a tool of the IDE changes for a planner is taken back, and what the user saves meanwhile stays', async (t) => {
  withoutWaits(t);
  const p = project(t, { files });
  const generate = { name: 'generate', description: 'generates', writes: true, execute: () => (p.put('src/gen.ts', 'AGENT\n'), p.line(2, 'AGENT'), 'ok') };
  const planner = [turn(tool('generate')), meanwhile(saves(p), plan), plan];
  let seen;
  const look = () => (seen = [p.text('src/gen.ts'), ...saved(p)]);
  const script = { planner, builder: [meanwhile(look, builder[0])], verifier: [accept] };
  isShipped(await drive(p.page(), { work, tools: [generate], script }));
  assert.deepEqual(seen, [null, ...SAVED]);
});

test('what the user saves after a command of the verifier stays', async (t) => {
  withoutWaits(t);
  const p = project(t, { files });
  const verifier = [turn(sh('npm test')), meanwhile(saves(p), accept), accept];
  const outcome = await drive(p.page(), { work, shell: () => 0, script: { planner: [plan], builder, verifier } });
  isShipped(outcome);
  assert.deepEqual(saved(p), SAVED);
});

test('what the user announces during a command of the verifier stays, and what the command changes goes', async (t) => {
  withoutWaits(t);
  const p = project(t, { files });
  const shell = (_, run) => {
    saves(p)();
    run.edited(['notes.txt', 'src/app.ts']);
    p.put('junk.txt', 'COMMAND\n');
    p.put('src/a.ts', 'COMMAND\n');
  };
  const outcome = await drive(p.page(), { work, shell, script: { planner: [plan], builder, verifier: [turn(sh('npm test')), accept] } });
  isShipped(outcome);
  assert.deepEqual([saved(p), p.text('junk.txt'), p.text('src/a.ts')], [SAVED, null, 'AGENT\n']);
});

for (const how of ['the resumed run', 'a new run']) {
  test(`after a closed page, ${how} takes back what a command of the verifier changed`, async (t) => {
    withoutWaits(t);
    const p = project(t, { files });
    const page = p.page();
    const shell = () => {
      p.put('src/a.ts', 'COMMAND\n');
      p.put('junk.txt', 'COMMAND\n');
    };
    const first = await drive(page, { work, shell, script: { planner: [plan], builder, verifier: [turn(sh('npm test')), meanwhile(page.close, accept)] } });
    isClosed(first);
    const resume = how === 'a new run' ? {} : { resume: first.id };
    const second = await drive(p.page(), { work, shell, ...resume, script: { verifier: [accept] } });
    isShipped(second);
    assert.deepEqual([p.text('src/a.ts'), p.text('junk.txt')], ['AGENT\n', null]);
    assert.doesNotMatch(second.prompts('verifier').join(), /COMMAND/);
  });
}

test('after a closed page, what the user changed since the candidate stays and is verified', async (t) => {
  withoutWaits(t);
  const p = project(t, { files });
  const page = p.page();
  const first = await drive(page, { work, script: { planner: [plan], builder, verifier: [meanwhile(page.close, accept)] } });
  isClosed(first);
  saves(p)();
  const second = await drive(p.page(), { work, resume: first.id, script: { verifier: [accept] } });
  isShipped(second);
  assert.deepEqual(saved(p), SAVED);
  assert.match(second.prompts('verifier').at(-1), /notes\.txt/);
});
