// `checkGates`: the gates outside a run.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LoopgateError, checkGates, runLoop, snapshot } from 'loopgate';
import { call, done, notes, project, summary, task } from './project.mjs';

const APP = { 'src/App.tsx': 'export default () => <p>Teas</p>', 'src/a.test.ts': "it('works', () => expect(1).toBe(1))" };
const SKIPPED = "it.skip('works', () => expect(1).toBe(1))";

/** The verdict of each gate; `-` for one that does not apply. */
const verdicts = (reports) => Object.fromEntries(reports.map(({ gate, verdict, notApplicable }) => [gate, notApplicable ? '-' : verdict]));

test('a project is judged without a model, without git and without a task', async () => {
  const lint = { name: 'ide-lint', description: 'the linter passes', check: async ({ fs, dir }) => ({ pass: (await fs.readFile(`${dir}/src/App.tsx`)).length > 0 }) };
  const { host, fs } = await project({ files: APP, model: undefined, git: undefined, gates: [lint] });
  const before = JSON.stringify(fs.readdirSync('/project', { recursive: true }));
  const found = verdicts(await checkGates(host));
  assert.deepEqual([found['ide-lint'], found['work-done'], found['tests-kept'], found.scope], ['pass', '-', '-', '-']);
  assert.equal(JSON.stringify(fs.readdirSync('/project', { recursive: true })), before);
});

test('`only` selects gates, and an unknown one is refused', async () => {
  const { host } = await project({ files: APP, build: async () => ({ success: false, errors: [{ message: 'no', file: 'src/App.tsx' }], warnings: [] }) });
  assert.deepEqual(verdicts(await checkGates(host, { only: ['build-succeeds', 'scope'] })), { 'build-succeeds': 'fail', scope: '-' });
  assert.deepEqual(await checkGates(host, { only: [] }), []);
  await assert.rejects(checkGates(host, { only: ['build-suceeds'] }), (error) => {
    assert.ok(error instanceof LoopgateError);
    assert.equal(error.code, 'invalid-config');
    return error.message.includes('build-succeeds');
  });
});

test('the changes since a task are judged, by default since the last one', async () => {
  const { host, fs } = await project({ files: APP });
  await snapshot.save(host, { tag: 'task-1-pre' });
  fs.writeFileSync('/project/src/a.test.ts', SKIPPED);
  await snapshot.save(host, { tag: 'task-2-pre' });
  const of = async (options) => verdicts(await checkGates(host, { only: ['tests-kept'], ...options }))['tests-kept'];
  assert.deepEqual([await of({ taskNumber: 1 }), await of({ taskNumber: 2 }), await of({})], ['warn', '-', '-']);
});

test('a finished task is judged as in its run, and a later change of the user too', async () => {
  const { host, fs } = await project({ files: APP, turns: notes });
  const result = await runLoop({ ...host, work: task() }).result;
  assert.ok(result.success);
  const tree = result.gates[0].tree;
  const reports = await checkGates(host);
  assert.ok(reports.every((report) => report.tree === tree));
  fs.writeFileSync('/project/src/a.test.ts', SKIPPED);
  assert.equal(verdicts(await checkGates(host))['tests-kept'], 'warn');
});

test('a project is judged while a run works on it', async () => {
  let during;
  const turns = [call('write_file', { path: 'src/a.test.ts', content: SKIPPED }), call('ask'), summary, done];
  const ask = { name: 'ask', description: 'asks', parameters: { type: 'object', properties: {} }, execute: async () => ((during = await checkGates(host)), 'asked') };
  const { host } = await project({ files: APP, turns, tools: [ask] });
  const result = await runLoop({ ...host, work: task('Skip the test src/a.test.ts') }).result;
  assert.equal(verdicts(during)['tests-kept'], 'warn');
  assert.ok(result.success, result.message);
});
