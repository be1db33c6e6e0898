// Calls of one guarded file system at the same time, over real links.
import assert from 'node:assert/strict';
import disk from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import init, { guardFs } from 'loopgate';

const METHODS = ['readFile', 'writeFile', 'readdir', 'mkdir', 'rmdir', 'unlink', 'rename', 'stat', 'lstat', 'readlink', 'symlink', 'chmod'];

/** `node:fs` whose calls take no time, so that only the calls that a test holds take long. */
const files = Object.fromEntries(METHODS.map((name) => [name, async (...args) => disk[`${name}Sync`](...args)]));

/** Lets every task go on that can. */
const settled = async () => {
  for (let turn = 0; turn < 200; turn++) await new Promise(setImmediate);
};

/** A project with a link to one of its files, which leads outside from a folder above. */
async function project(t) {
  await init();
  const root = disk.mkdtempSync(join(disk.realpathSync(tmpdir()), 'loopgate-'));
  t.after(() => disk.rmSync(root, { recursive: true }));
  const dir = join(root, 'project');
  for (const folder of ['a/b', 'c/d']) disk.mkdirSync(join(dir, folder), { recursive: true });
  disk.writeFileSync(join(root, 'secret'), 'secret');
  disk.writeFileSync(join(dir, 'secret'), 'mine');
  disk.writeFileSync(join(dir, 'c/d/file'), 'c');
  disk.symlinkSync('../../secret', join(dir, 'a/b/link'));
  const has = (path) => disk.lstatSync(join(dir, path), { throwIfNoEntry: false }) !== undefined;
  const read = (path) => disk.readFileSync(join(dir, path), 'utf8');
  return { dir, has, read };
}

test('two moves at once make no link that leads outside', async (t) => {
  const { dir, read } = await project(t);
  // Both moves are checked before one of them is performed, unless they wait for each other.
  const moves = [];
  const rename = async (from, to) => {
    moves.push(to);
    await settled();
    disk.renameSync(from, to);
  };
  // A link moves by a new link.
  const symlink = async (...args) => {
    await settled();
    disk.symlinkSync(...args);
  };
  const guarded = guardFs({ ...files, rename, symlink }, { dir });
  const [link, folder] = await Promise.allSettled([guarded.rename('a/b/link', 'c/d/link'), guarded.rename('c/d', 'up')]);
  assert.equal(link.status, 'fulfilled');
  assert.equal(folder.reason?.code, 'EACCES');
  assert.deepEqual(moves, [], 'the move of the folder is refused, not undone');
  assert.equal(read('c/d/link'), 'mine');
});

test('a move that brings a link to a closed path is undone, and the error names the link', async (t) => {
  const { dir, has, read } = await project(t);
  let moves = 0;
  const rename = async (from, to) => {
    if (moves++ === 0) disk.symlinkSync('../../secret', join(dir, 'c/d/new'));
    disk.renameSync(from, to);
  };
  const guarded = guardFs({ ...files, rename }, { dir });
  await assert.rejects(guarded.rename('c/d', 'up'), { code: 'EACCES', message: /up\/new/ });
  assert.ok(!has('up'));
  assert.equal(read('c/d/file'), 'c');
});

test('a read follows no link that a move brings meanwhile', async (t) => {
  const { dir } = await project(t);
  disk.writeFileSync(join(dir, 'file'), 'mine');
  let move;
  const moved = new Promise((resolve) => (move = resolve));
  let moves = 0;
  const rename = async (from, to) => {
    if (moves++ === 0) {
      disk.unlinkSync(from);
      disk.symlinkSync('../secret', from);
    }
    disk.renameSync(from, to);
    move();
    await settled();
  };
  const readFile = async (path) => {
    await moved;
    return disk.readFileSync(path);
  };
  const guarded = guardFs({ ...files, rename, readFile }, { dir });
  const [content, outcome] = await Promise.allSettled([guarded.readFile('file', 'utf8'), guarded.rename('c/d/file', 'file')]);
  assert.equal(outcome.reason?.code, 'EACCES', 'the link leads outside from there');
  assert.notEqual(content.value, 'secret');
});

test('a change that fails frees the next one', async (t) => {
  const { dir, read } = await project(t);
  const rename = async () => {
    await settled();
    throw Object.assign(new Error('the disk is full'), { code: 'ENOSPC' });
  };
  const guarded = guardFs({ ...files, rename }, { dir });
  const [failed, written] = await Promise.allSettled([guarded.rename('a', 'e'), guarded.writeFile('new', 'text')]);
  assert.equal(failed.reason?.code, 'ENOSPC');
  assert.equal(written.status, 'fulfilled');
  assert.equal(read('new'), 'text');
});

test('a file system that calls its own guard does not wait for itself', async (t) => {
  const { dir, has, read } = await project(t);
  const writeFile = async (path, data) => {
    await guarded.mkdir('log', { recursive: true });
    disk.writeFileSync(path, data);
  };
  const guarded = guardFs({ ...files, writeFile }, { dir });
  await guarded.writeFile('new', 'text');
  assert.ok(has('log'));
  assert.equal(read('new'), 'text');
});
