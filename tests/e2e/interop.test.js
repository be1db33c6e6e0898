/** Repositories written in a browser are read by the git command, and the other way round. */
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Disk, withoutGit } from './stores/disk.js';
import { inEachStore } from './stores/fixture.js';

const author = { name: 'U', email: 'u@example.com' };
const SUBMODULE = '1234567890123456789012345678901234567890';

inEachStore('git interoperability', (storeTest) => {
  storeTest('the git command clones, verifies and checks out a project created in the browser', async (store) => {
    await store.put({ 'README.md': 'one', 'src/a b/"c".ts': 'c', '🍓.bin': Uint8Array.from([0, 255, 10, 13]), empty: '', 'tool.sh': '#!/bin/sh\n', '.gitignore': 'dist/\n' });
    const { chmod, hasLinks } = await store.ask('support');
    await store.git('init', { defaultBranch: 'main' });
    await store.git('add', { filepath: '.' });
    const mine = await store.git('commit', { message: 'mine', author });
    await store.snapshot('save', { tag: 'task-1-pre' });
    await store.put({ 'README.md': 'two', 'src/new/file.ts': 'new', 'dist/ignored.js': '' });
    if (chmod) await store.ask('chmod', 'tool.sh', 0o755);
    if (hasLinks !== false) await store.ask('link', 'README.md', 'link');
    await store.remove('empty');
    await store.snapshot('save', { tag: 'task-1-post', message: 'what the "task" did' });
    const built = withoutGit(await store.everything());
    await store.snapshot('rollback', 'task-1-pre');
    await store.snapshot('undo');

    const disk = new Disk();
    const clone = new Disk();
    try {
      disk.write(await store.everything());
      assert.equal(disk.git('fsck', '--strict', '--full', '--no-dangling'), '');
      assert.equal(disk.git('rev-parse', 'HEAD').trim(), mine);
      clone.git('clone', '--quiet', disk.dir, '.');
      assert.equal(clone.git('fsck', '--strict', '--full', '--no-dangling'), '');
      clone.git('checkout', '--quiet', 'task-1-post');
      delete built.files['dist/ignored.js'];
      assert.deepEqual(withoutGit(clone.read()), built);
      assert.equal(clone.git('log', '-1', '--format=%s').trim(), 'what the "task" did');
      assert.deepEqual(clone.git('tag', '--list', 'task-*').trim().split('\n'), ['task-1-post', 'task-1-pre']);
      assert.equal(clone.git('status', '--porcelain'), '');
    } finally {
      for (const each of [disk, clone]) each.remove();
    }
  });

  storeTest('a repository of the git command is rolled back to its tags and branches', async (store) => {
    const disk = new Disk();
    try {
      const { hasLinks } = await store.ask('support');
      const hasSymlinks = hasLinks !== false;
      repository(disk, hasSymlinks);
      await store.ask('takeOver', disk.read());
      const before = await store.everything();
      const gits = ({ files }) => Object.fromEntries(Object.entries(files).filter(([path]) => /^\.git\/(?!objects\/|refs\/(loopgate\/|tags\/now))/.test(path)));

      await store.snapshot('save', { tag: 'now' });
      for (const ref of ['refs/tags/light', 'refs/tags/annotated', 'refs/heads/older']) {
        await store.put({ 'a.txt': 'work in progress', 'new/file.ts': 'new' });
        await store.snapshot('rollback', ref);
        assert.deepEqual(await store.snapshot('verify', ref), { ok: true, missing: [], different: [], extra: [] });
        const { files, links } = withoutGit(await store.everything());
        const { blobs, symlinks } = treeOf(disk, ref);
        assert.deepEqual(files, blobs, ref);
        assert.deepEqual(links, hasSymlinks ? symlinks : {}, ref);
      }
      await store.snapshot('rollback', 'now');
      const after = await store.everything();
      assert.deepEqual(withoutGit(after), withoutGit(before));
      assert.deepEqual(gits(after), gits(before));

      const back = new Disk();
      back.write(after);
      assert.equal(back.git('fsck', '--strict', '--no-dangling'), '');
      assert.match(back.git('ls-tree', 'now', 'vendor/lib'), new RegExp(`^160000 commit ${SUBMODULE}`));
      assert.equal(back.git('config', 'core.autocrlf').trim(), 'true');
      back.remove();
    } finally {
      disk.remove();
    }
  });
});

/** Two commits with all kinds of entries, packed by git. */
function repository(disk, hasSymlinks) {
  const write = (path, contents) => {
    mkdirSync(join(disk.dir, path, '..'), { recursive: true });
    writeFileSync(join(disk.dir, path), contents);
  };
  disk.git('init', '--quiet', '--initial-branch=main');
  write('a.txt', 'unix\nlines\n');
  write('dos.txt', 'dos\r\nlines\r\n');
  write('src/deep/b.ts', 'b');
  write('gone.txt', 'gone later');
  write('binary', Buffer.from([0, 1, 2, 255]));
  write('run.sh', '#!/bin/sh\n');
  chmodSync(join(disk.dir, 'run.sh'), 0o755);
  if (hasSymlinks) symlinkSync('a.txt', join(disk.dir, 'link'));
  write('.gitmodules', '[submodule "lib"]\n\tpath = vendor/lib\n\turl = ./lib\n');
  disk.git('add', '--all');
  disk.git('update-index', '--add', '--cacheinfo', `160000,${SUBMODULE},vendor/lib`);
  disk.git('commit', '--quiet', '--message=first');
  disk.git('tag', 'light');
  disk.git('branch', 'older');
  write('a.txt', 'second\n');
  rmSync(join(disk.dir, 'gone.txt'));
  disk.git('add', 'a.txt', 'gone.txt');
  disk.git('commit', '--quiet', '--message=second');
  disk.git('tag', '--annotate', '--message=words', 'annotated');
  disk.git('gc', '--quiet', '--prune=now');
  disk.git('pack-refs', '--all', '--prune');
  disk.git('config', 'core.autocrlf', 'true');
}

/** The tree of a ref, read by the git command. */
function treeOf(disk, name) {
  const found = { blobs: {}, symlinks: {} };
  for (const line of disk.git('ls-tree', '-r', '-z', name).split('\0').filter(Boolean)) {
    const [, mode, oid, path] = line.match(/^(\d+) \w+ (\w+)\t(.*)$/s);
    if (mode === '120000') found.symlinks[path] = Buffer.from(disk.blob(oid), 'base64').toString();
    else if (mode !== '160000') found.blobs[path] = disk.blob(oid);
  }
  return found;
}
