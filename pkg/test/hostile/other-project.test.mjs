// State that another project of the same user has: its seals do not hold here.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findUnfinishedRun, listRuns, runLoop, snapshot } from 'loopgate';
import { scriptedModel } from 'loopgate/testing';
import { isomorphicGit } from 'loopgate/git';
import git from 'isomorphic-git';
import { call, done, notes, project, summary, task } from '../project.mjs';

const stateKey = new Uint8Array(32).fill(1);

/** The calls of a file system. */
const methods = (fs) => Object.fromEntries(['readFile', 'writeFile', 'readdir', 'mkdir', 'rmdir', 'unlink', 'rename', 'stat', 'lstat', 'readlink', 'symlink', 'chmod'].map((name) => [name, (...args) => fs.promises[name](...args)]));

/** A run whose page is closed after its first tool call. */
async function closed(more) {
  const p = await project({ turns: notes, stateKey, ...more });
  let isClosed = false;
  const gone = () => Promise.reject(Object.assign(new Error('the page is closed'), { code: 'EIO' }));
  const files = Object.fromEntries(Object.entries(methods(p.fs)).map(([name, call]) => [name, (...args) => (isClosed ? gone() : call(...args))]));
  const run = runLoop({ ...p.host, fs: files, work: task() });
  for await (const { type } of run) if (type === 'tool-result') break;
  isClosed = true;
  run.abort();
  await run.result.catch(() => {});
  return { ...p, id: run.id };
}

/** The same files under another folder. */
const moved = ({ host, fs }, dir) => {
  fs.renameSync('/project', dir);
  return { ...host, dir, git: isomorphicGit({ git, fs, dir }) };
};

const rest = (host) => ({ ...host, model: scriptedModel([summary, done]) });

for (const [title, elsewhere] of [
  ['a project with another id', (p) => ({ ...p.host, projectId: 'another' })],
  ['another folder', (p) => moved(p, '/elsewhere')],
]) {
  test(`the journal of a project is not resumed in ${title}`, async () => {
    const p = await closed();
    const host = elsewhere(p);
    await assert.rejects(findUnfinishedRun(host), { code: 'corrupt' });
    await assert.rejects(listRuns(host), { code: 'corrupt' });
    await assert.rejects(runLoop({ ...rest(host), work: task(), resume: p.id }).result, { code: 'corrupt' });
    const result = await runLoop({ ...host, model: scriptedModel([call('write_file', { path: 'more.md', content: 'more' }), summary, done]), work: task() }).result;
    assert.equal(result.success, true, result.message);
  });

  test(`a redo log of a project changes nothing in ${title}`, async () => {
    const p = await project({ files: { a: '1' }, stateKey });
    await snapshot.save(p.host, { tag: 'one' });
    p.fs.writeFileSync('/project/a', '2');
    let isClosed = false;
    const host = { ...p.host, fs: { ...methods(p.fs), rename: (from, to) => (isClosed ||= to.endsWith('/undo')) && p.fs.promises.rename(from, to) } };
    host.fs.writeFile = (path, ...args) => (isClosed && path.endsWith('/a') ? Promise.reject(new Error('the page is closed')) : p.fs.promises.writeFile(path, ...args));
    host.fs.unlink = (path) => (isClosed ? Promise.reject(new Error('the page is closed')) : p.fs.promises.unlink(path));
    await assert.rejects(snapshot.rollback(host, 'one'));
    p.fs.writeFileSync('/project/a', '3');
    const there = elsewhere(p);
    await snapshot.save(there);
    assert.equal(p.fs.readFileSync(`${there.dir}/a`, 'utf8'), '3');
    await assert.rejects(snapshot.undo(there), { code: 'not-found' });
  });
}

test('with its id, a project is the same in another folder', async () => {
  const p = await closed({ projectId: 'mine' });
  const host = moved(p, '/elsewhere');
  assert.equal((await findUnfinishedRun(host)).runId, p.id);
  assert.equal((await runLoop({ ...rest(host), work: task(), resume: p.id }).result).success, true);
});

test('`projectId` is a text', async () => {
  const { host } = await project();
  for (const projectId of ['', 1, {}, 'a\0b']) {
    assert.throws(() => runLoop({ ...host, work: task(), projectId }), { code: 'invalid-argument', message: /projectId/ });
    await assert.rejects(findUnfinishedRun({ ...host, projectId }), { code: 'invalid-argument' });
  }
});

test('spending that came with the project, or from another one, ends no run', async () => {
  const today = new Date().toISOString().slice(0, 10);
  const spent = JSON.stringify({ runs: [{ runId: 'x', kind: 'task', usage: {}, promptBytes: 1, messageBytes: 1, calls: 1, pieces: 1, days: { [today]: 1000 }, subjects: { 'task 1': 1000 } }] });
  const prices = () => 0.001;
  const other = await project({ turns: notes, stateKey, prices, projectId: 'other' });
  await runLoop({ ...other.host, work: task() }).result;
  for (const text of [spent, other.read('.loopgate/spending.json')]) {
    const { host, fs, read } = await project({ turns: notes, stateKey, prices });
    fs.mkdirSync('/project/.loopgate');
    fs.writeFileSync('/project/.loopgate/spending.json', text);
    const limits = { perDay: 0.0035, perTask: 0.0035 };
    const run = runLoop({ ...host, work: task(), config: { limits } });
    const result = await run.result;
    assert.notEqual(result.reason, 'budget', result.message);
    assert.ok(read('.loopgate/foreign/spending.json-1') === text, 'it is set aside');
    assert.equal(JSON.parse(read('.loopgate/spending.json')).runs.length, 1);
  }
});
