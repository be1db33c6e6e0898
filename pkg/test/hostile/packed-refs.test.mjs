// Repositories of strangers with many packed refs, and links in place of refs.
import assert from 'node:assert/strict';
import nodeFs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import git from 'isomorphic-git';
import { runLoop, snapshot } from 'loopgate';
import { isomorphicGit } from 'loopgate/git';
import { notes, project, task } from '../project.mjs';

/** Counts the calls of a file system, by the method and the path. */
function counting(fs) {
  const calls = [];
  const names = ['readFile', 'writeFile', 'readdir', 'mkdir', 'rmdir', 'unlink', 'rename', 'stat', 'lstat', 'readlink', 'symlink', 'chmod'];
  const promises = Object.fromEntries(names.map((name) => [name, (path, ...rest) => (calls.push([name, String(path)]), fs.promises[name](path, ...rest))]));
  const count = (ending, method = 'readFile') => calls.filter(([name, path]) => name === method && path.endsWith(ending)).length;
  return { promises, calls, count };
}

/** A project with packed refs, all of one commit that is a snapshot. */
async function packed(names) {
  const p = await project({ files: { a: '1' }, turns: notes });
  const { oid } = await snapshot.save(p.host);
  p.fs.rmSync('/project/.loopgate', { recursive: true });
  p.fs.rmSync('/project/.git/refs/loopgate', { recursive: true });
  p.fs.writeFileSync('/project/.git/packed-refs', `# pack-refs with: peeled fully-peeled sorted \n${names.map((name) => `${oid} ${name}\n`).join('')}`);
  const counted = counting(p.fs);
  return { ...p, ...counted, oid, host: { ...p.host, fs: counted.promises, git: isomorphicGit({ git, fs: { promises: counted.promises }, dir: '/project' }) } };
}

test('a list reads packed refs once, however many there are', async () => {
  const { host, count, fs, oid } = await packed(Array.from({ length: 2000 }, (_, at) => `refs/tags/v${at}`));
  assert.equal((await snapshot.list(host)).length, 2000);
  assert.equal(count('/packed-refs'), 1);
  assert.equal(await host.git.resolveRef('refs/tags/v1'), oid);
  assert.equal(await host.git.resolveRef('refs/tags/v'), null);
  // A file of a ref is newer than what is packed.
  const newer = await host.git.writeCommit({ ...(await host.git.readCommit(oid)), message: 'not a snapshot\n' });
  await host.git.writeRef('refs/tags/v1', newer);
  const found = await host.git.readRefs(['refs/tags'], []);
  assert.deepEqual([found.find(({ ref }) => ref === 'refs/tags/v1'), found.find(({ ref }) => ref === 'refs/tags/v2')], [{ ref: 'refs/tags/v1', oid: null }, { ref: 'refs/tags/v2', oid }]);
  assert.equal(await host.git.resolveRef('refs/tags/v1'), newer);
  assert.ok(fs.existsSync('/project/.git/refs/tags/v1'));
});

test('packed refs of iterations do not delay the start of a run', async () => {
  const names = Array.from({ length: 3000 }, (_, at) => `refs/loopgate/iterations/run-${at}/1`);
  const { host, count, calls } = await packed(names);
  const result = await runLoop({ ...host, work: task(), config: { snapshots: { iterations: 2 } } }).result;
  assert.equal(result.success, true, result.message);
  assert.ok(count('/packed-refs') < 200, `${count('/packed-refs')} reads`);
  assert.ok(calls.length < 5000, `${calls.length} calls`);
});

test('a folder of refs that is a link is not listed, also where names have no kinds', async (t) => {
  const dir = nodeFs.mkdtempSync(join(tmpdir(), 'loopgate-refs-'));
  t.after(() => nodeFs.rmSync(dir, { recursive: true, force: true }));
  nodeFs.mkdirSync(join(dir, 'project'));
  nodeFs.mkdirSync(join(dir, 'outside/deep'), { recursive: true });
  nodeFs.writeFileSync(join(dir, 'outside/deep/secret-name'), 'x');
  nodeFs.writeFileSync(join(dir, 'project/a'), '1');
  const counted = counting(nodeFs);
  // A file system that returns names without kinds.
  const readdir = counted.promises.readdir;
  counted.promises.readdir = (path) => readdir(path);
  const at = { dir: join(dir, 'project') };
  const host = { ...at, fs: counted.promises, git: isomorphicGit({ git, fs: { promises: counted.promises }, ...at }) };
  await snapshot.save(host, { tag: 'one' });
  const tags = join(dir, 'project/.git/refs/tags');
  nodeFs.symlinkSync(join(dir, 'outside'), join(tags, 'away'));
  nodeFs.symlinkSync('..', join(tags, 'loop'));
  nodeFs.mkdirSync(join(tags, 'deep'));
  nodeFs.symlinkSync(join(dir, 'outside'), join(tags, 'deep/away'));
  counted.calls.length = 0;
  assert.deepEqual((await snapshot.list(host)).map(({ tag }) => tag), ['one']);
  assert.deepEqual(await host.git.listRefs('refs/tags'), ['away', 'deep/away', 'loop', 'one']);
  const listed = counted.calls.filter(([name]) => name === 'readdir').map(([, path]) => path);
  assert.deepEqual(listed.filter((path) => /outside|away|loop$/.test(path)), []);
});
