// Arguments of callers without types are validated before they reach the memory of the wasm module.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import git from 'isomorphic-git';
import { LoopgateError, checkGates, checkScope, diffPlan, findUnfinishedRun, formatBuildInstructions, guardFs, parseReview, parseTask, planCommand, resolvePlanContext, runLoop, snapshot, snapshotCommand, validatePlan } from 'loopgate';
import { isomorphicGit } from 'loopgate/git';
import { notes, project, task } from './project.mjs';

const { host, fs } = await project({ files: { 'a.txt': 'a' } });
const files = guardFs(host.fs, { dir: '/project' });
const theme = { applied: true, command: '', output: '' };
const scope = { plan: '', taskNumber: 1, before: {}, after: {} };

const WRONG = [
  ['runLoop of nothing', () => runLoop(), /`options` must be an object, not undefined/],
  ['a kind of work that does not exist', () => runLoop({ ...host, work: { kind: 'tusk' } }), /`tusk` is not one of `task`, `spec`, `chunks` at `work.kind`/],
  ['a message that is a number', () => runLoop({ ...host, work: task(5) }), /expected a string, not 5 at `work.message`/],
  ['limits that are none', () => runLoop({ ...host, work: task(), limits: 5 }), /`limits` must be an object, not a number/],
  ['a limit below everything', () => runLoop({ ...host, work: task(), limits: { maxTokens: -Infinity } }), /limits.maxTokens is -Infinity/],
  ['a signal that is none', () => runLoop({ ...host, work: task(), signal: {} }), /`signal` must be an AbortSignal, not an object/],
  ['a run to resume that is no id', () => runLoop({ ...host, work: task(), resume: 5 }), /`resume` must be a string, not a number/],
  ['hooks that are none', () => runLoop({ ...host, work: task(), hooks: 'ask' }), /`hooks` must be an object, not a string/],
  ['a clock that is none', () => runLoop({ ...host, work: task(), now: 5 }), /`now` must be a function, not a number/],
  ['findUnfinishedRun of nothing', () => findUnfinishedRun(), /`host` must be an object, not undefined/],
  ['a plan that is none', () => validatePlan(null), /`source` must be a string, not null/],
  ['options of validatePlan', () => validatePlan('', 5), /`options` must be an object, not a number/],
  ['a task that is no number', () => validatePlan('', { taskNumber: -1 }), /`taskNumber` must be a whole number from 0 to 4294967295, not -1/],
  ['a source to resolve', () => resolvePlanContext(host, 5), /`source` must be a string, not a number/],
  ['warnings that are no text', () => formatBuildInstructions({ theme, sections: [] }, 5), /`warnings` must be a string, not a number/],
  ['diffPlan of nothing', () => diffPlan(), /`host` must be an object, not undefined/],
  ['a command that is one word', () => planCommand(host).execute('show'), /`args` must be an array of strings, not a string/],
  ['a word that is none', () => snapshotCommand(host).execute(['save', 5]), /`args\[1\]` must be a string, not a number/],
  ['a message that is none', () => parseTask(), /`message` must be a string, not undefined/],
  ['options of parseTask', () => parseTask('a', { planExists: true }, 'b'), /`options` must be an object, not a string/],
  ['a signal of parseTask', () => parseTask('a', { planExists: true }, { signal: {} }), /`signal` must be an AbortSignal/],
  ['a review that is none', () => parseReview(null), /`text` must be a string, not null/],
  ['checkGates of nothing', () => checkGates(), /`host` must be an object, not undefined/],
  ['gates that are no list', () => checkGates(host, { only: 'scope' }), /`only` must be an array of strings, not a string/],
  ['a task of checkGates', () => checkGates(host, { taskNumber: 1.5 }), /`taskNumber` must be a whole number/],
  ['checkScope of nothing', () => checkScope(), /`input` must be an object, not undefined/],
  ['sources that are none', () => checkScope({ ...scope, before: null }), /`before` must be an object, not null/],
  ['a task beyond counting', () => checkScope({ ...scope, taskNumber: 2 ** 32 }), /`taskNumber` must be a whole number/],
  ['a tag to save', () => snapshot.save(host, { tag: 5 }), /`tag` must be a string, not a number/],
  ['a message to save', () => snapshot.save(host, { message: {} }), /`message` must be a string, not an object/],
  ['a tag to roll back to', () => snapshot.rollback(host), /`tag` must be a string, not undefined/],
  ['a tag to compare', () => snapshot.diff(host, 5), /`from` must be a string, not a number/],
  ['a tag to verify', () => snapshot.verify(host, null), /`tag` must be a string, not null/],
  ['a file of a snapshot', () => snapshot.readFile(host, 'a', 5), /`path` must be a string, not a number/],
  ['isomorphicGit of nothing', () => isomorphicGit(), /`options` must be an object, not undefined/],
  ['a repository without a folder', () => isomorphicGit({ git, fs }), /`dir` must be a string, not undefined/],
  ['a git that is none', () => isomorphicGit({ fs, dir: '/project' }), /`git` must be an object, not undefined/],
  ['files of git that are none', () => isomorphicGit({ git, dir: '/project' }), /`fs` must be an object, not undefined/],
  ['guardFs of no options', () => guardFs(host.fs), /`options` must be an object, not undefined/],
  ['a phase that is none', () => guardFs(host.fs, { dir: '/project', phase: 5 }), /`phase` must be a string, not a number/],
];

for (const [what, call, words] of WRONG) {
  test(`an invalid argument is named: ${what}`, async () => {
    await assert.rejects(async () => call(), (error) => {
      assert.ok(error instanceof LoopgateError, String(error));
      assert.equal(error.code, 'invalid-argument');
      assert.match(error.message, words);
      return true;
    });
  });
}

test('`null` means a missing optional argument', async () => {
  assert.equal(validatePlan('', null).ok, false);
  assert.equal((await snapshot.list(host, null)).length, 0);
  assert.equal((await parseTask('Add a button', { planExists: false }, { model: null, signal: null })).parsedBy, 'rules');
  const { host: other } = await project({ turns: notes });
  const none = { limits: null, config: null, plan: null, resume: null, signal: null, locks: null, hooks: null, now: null };
  assert.equal((await runLoop({ ...other, ...none, work: task() }).result).reason, 'done');
});

test('any truthy `dryRun` is a dry run', async () => {
  await snapshot.save(host, { tag: 'kept' });
  fs.writeFileSync('/project/a.txt', 'changed');
  await snapshot.rollback(host, 'kept', { dryRun: 'yes' });
  assert.equal(fs.readFileSync('/project/a.txt', 'utf8'), 'changed');
  fs.writeFileSync('/project/a.txt', 'a');
});

test('every kind of bytes can be written; other data is refused', async () => {
  const bytes = new Uint8Array([1, 2, 3, 4]);
  for (const data of [bytes.buffer, new DataView(bytes.buffer), new Uint16Array(bytes.buffer), Buffer.from(bytes)]) {
    await files.writeFile('b.bin', data);
    assert.deepEqual([...(await files.readFile('b.bin'))], [1, 2, 3, 4]);
  }
  await assert.rejects(files.writeFile('b.bin', {}));
  assert.equal((await files.readFile('b.bin')).length, 4);
});

test('`abort` accepts any reason, `steer` only text', async () => {
  for (const [reason, words] of [[new Error('closed'), /closed/], [{ type: 'click' }, /by the caller/], [Symbol('x'), /by the caller/], [null, /by the caller/]]) {
    const { host } = await project({ turns: [{ hang: true }] });
    const run = runLoop({ ...host, work: task() });
    for (const message of [5, undefined, ' ']) assert.throws(() => run.steer(message), { code: 'invalid-argument' });
    run.abort(reason);
    assert.match((await run.result).message, words);
  }
});
