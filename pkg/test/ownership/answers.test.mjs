// Answers that contradict themselves, empty selections, and exit codes that are none.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { done, drive, isRejected, isShipped, issue, meanwhile, project, revise, sh, ship, turn, withoutWaits, write } from './project.mjs';

const attempt = (text = 'AGENT\n') => turn(write('src/a.ts', text), done());
const SHIP = done({ decision: 'SHIP', issues: [] });
const REVISE = done({ decision: 'REVISE', issues: [issue('Do it differently.')] });

for (const [order, calls] of [
  ['REVISE, then SHIP', [REVISE, SHIP]],
  ['SHIP, then REVISE', [SHIP, REVISE]],
]) {
  test(`a reviewer that answers ${order} in one reply gave no verdict and is asked again`, async (t) => {
    for (const second of [ship, revise]) {
      const p = project(t);
      const outcome = await drive(p.page(), { script: { builder: [attempt(), attempt('AGENT_2\n')], reviewer: [turn(...calls), second, ship] } });
      isShipped(outcome);
      const decisions = outcome.of('review-given').map(({ review }) => review.decision);
      assert.deepEqual(decisions, second === ship ? ['SHIP'] : ['REVISE', 'SHIP']);
      assert.equal(outcome.requests.filter(({ role }) => role === 'reviewer').length, second === ship ? 2 : 3);
    }
  });
}

test('a reviewer that repeats the same answer in one reply gave a verdict', async (t) => {
  const p = project(t);
  const outcome = await drive(p.page(), { script: { builder: [attempt()], reviewer: [turn(SHIP, done({ decision: 'SHIP', issues: [] }))] } });
  isShipped(outcome);
  assert.equal(outcome.requests.filter(({ role }) => role === 'reviewer').length, 1);
});

test('a verifier that answers fix and accept in one reply gave no verdict and is asked again', async (t) => {
  withoutWaits(t);
  const p = project(t, { files: { 'specs/0001-notes.md': '# Notes\nWrite src/a.ts.\n' } });
  const fix = done({ verdict: 'fix', reason: 'A defect.', findings: ['src/a.ts:1 is wrong'] });
  const accept = done({ verdict: 'accept', reason: 'It is all there.' });
  const planner = [turn(write('specs/plans/0001-notes.md', '# Plan\n'), done())];
  const outcome = await drive(p.page(), { work: { kind: 'spec' }, script: { planner, builder: [attempt()], verifier: [turn(fix, accept), turn(accept)] } });
  isShipped(outcome);
  assert.deepEqual(outcome.of('verdict-given').map(({ verdict }) => verdict), ['accept']);
  assert.equal(outcome.requests.filter(({ role }) => role === 'verifier').length, 2);
});

test('`only: []` runs nothing and says so', async (t) => {
  const p = project(t);
  const { result, error, requests } = await drive(p.page(), { work: { kind: 'chunks', spec: 'shop', only: [] }, script: { builder: [attempt()] } });
  assert.equal(error, undefined);
  assert.deepEqual([result.reason, result.success, requests.length], ['nothing-to-do', true, 0]);
  assert.deepEqual([p.git('branch', '--show-current'), p.status()], ['main', '']);
});

/** The message is for the author of the shell: it names the field, and no type of another language. */
function namesTheField(message) {
  assert.match(message, /shell/);
  assert.match(message, /exitCode/);
  assert.doesNotMatch(message, /i32|missing field|invalid (type|value)/);
}

for (const [what, wrong] of [
  ['missing', {}],
  ['no number', { exitCode: '0' }],
  ['out of range', { exitCode: 2 ** 40 }],
]) {
  test(`an exit code of a verification that is ${what} is a fault of the shell, and the message says so`, async (t) => {
    const p = project(t);
    const config = { verification: { enabled: true, steps: [{ name: 'Test', command: 'npm test' }] } };
    const shell = () => ({ stdout: '', stderr: '', ...wrong });
    const outcome = await drive(p.page(), { config, shell, script: { builder: [attempt()] } });
    isRejected(outcome, 'shell');
    namesTheField(outcome.error.message);
    const second = await drive(p.page(), { config, shell: () => 0, resume: outcome.id });
    isShipped(second);
  });
}

test('an exit code of a command of the agent that is missing is named in the result, and what the command changed is the agent\'s', async (t) => {
  const p = project(t);
  const shell = () => {
    p.put('src/gen.ts', 'AGENT\n');
    return { stdout: '', stderr: '' };
  };
  const saves = meanwhile(() => p.put('mine.txt', 'USER\n'), attempt());
  const outcome = await drive(p.page(), { shell, script: { builder: [turn(sh('build')), saves] } });
  isShipped(outcome);
  const [result] = outcome.of('tool-result');
  assert.equal(result.ok, false);
  namesTheField(result.output);
  assert.deepEqual([p.committed(), p.status()], [['src/a.ts', 'src/gen.ts'], '?? mine.txt']);
});
