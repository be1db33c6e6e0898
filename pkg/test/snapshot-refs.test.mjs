// The refs of snapshots, with isomorphic-git, and real git as a judge.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs, { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import git from 'isomorphic-git';
import init, { runLoop, snapshot } from 'loopgate';
import { isomorphicGit } from 'loopgate/git';
import { memfs } from 'memfs';
import { notes, project, task } from './project.mjs';

const OWN = 'refs/loopgate/snapshots/';
const tagsOf = async (host, options) => (await snapshot.list(host, options)).map(({ tag }) => tag);

/** A project on the disk, and a function that runs git in it. */
async function disk(t) {
  await init();
  const dir = mkdtempSync(join(tmpdir(), 'loopgate-'));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', HOME: dir };
  const run = (...args) => execFileSync('git', ['-c', 'user.name=L', '-c', 'user.email=l@example.com', ...args], { cwd: dir, env, encoding: 'utf8', stdio: 'pipe' }).trim();
  run('init', '--quiet', '--initial-branch=main');
  const host = { fs: fs.promises, git: isomorphicGit({ git, fs, dir }), dir };
  const write = (path, text) => writeFileSync(join(dir, path), text);
  return { host, run, write };
}

test('git lists only the tags that the user named, and finds no fault', async (t) => {
  const { host, run, write } = await disk(t);
  write('a.txt', '1');
  await snapshot.save(host, { tag: 'mine' });
  write('a.txt', '2');
  const { tag } = await snapshot.save(host, { message: 'unnamed' });
  write('a.txt', '3');
  const { undo } = await snapshot.rollback(host, 'mine');
  assert.equal(run('tag'), 'mine');
  assert.deepEqual(run('for-each-ref', '--format=%(refname)', 'refs/loopgate').split('\n').sort(), [tag, undo].map((name) => OWN + name).sort());
  assert.equal(run('log', '-1', '--format=%s', OWN + tag), 'unnamed');
  assert.equal(run('show', `${OWN}${undo}:a.txt`), '3');
  assert.deepEqual((await snapshot.list(host)).map(({ kind }) => kind), ['manual', 'manual', 'undo']);
  assert.equal(run('fsck', '--strict', '--no-dangling'), '');
});

test('the list follows what git packs, deletes, creates and moves', async (t) => {
  const { host, run, write } = await disk(t);
  const saved = {};
  for (const tag of ['mine', 'other', undefined, undefined]) {
    write('a.txt', `text ${Object.keys(saved).length}`);
    const info = await snapshot.save(host, tag ? { tag } : {});
    saved[info.tag] = info;
  }
  const names = Object.keys(saved);
  const expected = async () => Object.values(saved).sort((a, b) => a.at - b.at);
  assert.deepEqual(await snapshot.list(host), await expected());
  run('pack-refs', '--all', '--prune');
  run('gc', '--quiet', '--prune=now');
  assert.deepEqual(await snapshot.list(host), await expected());
  for (const tag of names) assert.equal((await snapshot.rollback(host, tag, { dryRun: true })).tag, tag);

  run('tag', '-d', 'other');
  run('update-ref', '-d', OWN + names[3]);
  run('tag', 'made/by-git', saved[names[2]].oid);
  assert.deepEqual(await tagsOf(host), ['mine', names[2], 'made/by-git']);
  run('tag', '-f', 'mine', saved[names[2]].oid);
  assert.equal((await snapshot.list(host)).find(({ tag }) => tag === 'mine').oid, saved[names[2]].oid);
  run('tag', '-d', 'mine');
  run('tag', 'mine/below', saved[names[2]].oid);
  assert.ok((await tagsOf(host)).includes('mine/below'));
  rmSync(join(host.dir, '.loopgate'), { recursive: true });
  const listed = await snapshot.list(host);
  assert.deepEqual(new Set(listed.map(({ tag }) => tag)), new Set(['made/by-git', 'mine/below', names[2]]));
  assert.equal(run('fsck', '--strict', '--no-dangling'), '');
});

test('`listRefs` finds what `git for-each-ref` finds', async (t) => {
  const { host, run, write } = await disk(t);
  write('a.txt', '1');
  const { oid } = await snapshot.save(host, { tag: 'a/b/c' });
  const at = (folder) => run('for-each-ref', '--format=%(refname)', folder).split('\n').filter(Boolean).map((name) => name.slice(folder.length + 1)).sort();
  const check = async () => {
    for (const folder of ['refs/tags', 'refs/loopgate/snapshots', 'refs/none']) {
      for (const known of [[], at(folder)]) assert.deepEqual(await host.git.listRefs(folder, known), at(folder), folder);
    }
  };
  run('tag', '--annotate', '--message=words', 'annotated', oid);
  run('tag', 'größe', oid);
  await snapshot.save(host);
  await check();
  run('pack-refs', '--all', '--prune');
  await check();
  run('tag', 'a/loose', oid);
  run('tag', '-d', 'annotated');
  await check();
});

test('the calls of the file system for a list and a save do not grow with the number of snapshots', async () => {
  await init();
  for (const hasKinds of [true, false]) {
    const callsBeside = async (count) => {
      const { fs: files } = memfs({ '/project/a.txt': '0' });
      let calls = 0;
      const promises = new Proxy(files.promises, {
        get: (target, name) => typeof target[name] === 'function' ? (...args) => {
          calls += 1;
          // LightningFS returns names only.
          return name === 'readdir' && !hasKinds ? target.readdir(args[0]) : target[name](...args);
        } : undefined,
      });
      let now = 1_700_000_000_000;
      const host = { fs: promises, git: isomorphicGit({ git, fs: { promises }, dir: '/project' }), dir: '/project', now: () => (now += 1000) };
      for (let number = 1; number <= count; number += 1) {
        files.writeFileSync('/project/a.txt', `text ${number}`);
        await snapshot.save(host);
      }
      files.writeFileSync('/project/a.txt', 'next');
      const before = calls;
      assert.equal((await snapshot.list(host)).length, count);
      const list = calls - before;
      await snapshot.save(host);
      return [list, calls - before - list];
    };
    const [few, many] = [await callsBeside(10), await callsBeside(240)];
    assert.ok(few[0] <= 40 && few[1] <= 150, `beside 10: ${few}`);
    assert.ok(many[0] <= few[0] + 2 && many[1] <= few[1] + 2, `beside 10: ${few}, beside 240: ${many}`);
  }
});

test('a git port without `listRefs` has the same list', async () => {
  const { host, fs: files } = await project({ files: { 'a.txt': '1' } });
  const { listRefs, ...plain } = host.git;
  assert.equal(typeof listRefs, 'function');
  await snapshot.save(host, { tag: 'mine' });
  files.writeFileSync('/project/a.txt', '2');
  await snapshot.save(host);
  const all = await snapshot.list(host);
  assert.deepEqual(await snapshot.list({ ...host, git: plain }), all);
  files.rmSync('/project/.loopgate', { recursive: true });
  assert.deepEqual(await snapshot.list({ ...host, git: plain }), all, 'from the files of .git');

  // The repository is elsewhere, so only `.loopgate` has the names.
  const { fs: other } = memfs({ '/project/a.txt': '1' });
  await init();
  const { listRefs: _, ...elsewhere } = isomorphicGit({ git, fs: other, dir: '/project', gitdir: '/repository' });
  const apart = { fs: other.promises, git: elsewhere, dir: '/project' };
  const first = await snapshot.save(apart);
  other.writeFileSync('/project/a.txt', '2');
  const second = await snapshot.save(apart);
  assert.deepEqual(await snapshot.list(apart), [first, second]);
  await elsewhere.deleteRef(OWN + first.tag);
  assert.deepEqual(await snapshot.list(apart), [second]);
});

test('a run says its id and why it saved, and a later run overwrites nothing', async () => {
  const { host, fs: files } = await project({ turns: [...notes, ...notes] });
  const run = runLoop({ ...host, work: task() });
  assert.equal((await run.result).success, true);
  const said = (await snapshot.list(host)).map(({ tag, kind, runId }) => [tag, kind, runId]);
  assert.deepEqual(said, [['task-1-pre', 'pre', run.id], ['task-1-post', 'post', run.id]]);
  const backups = await snapshot.list(host, { kind: 'iteration' });
  assert.deepEqual(backups, await snapshot.list(host, { iterations: true }));
  assert.ok(backups.length > 0 && backups.every(({ kind, runId }) => kind === 'iteration' && runId === run.id));
  const both = await tagsOf(host, { kind: ['iteration', 'post'] });
  assert.deepEqual(both, [...backups.map(({ tag }) => tag), 'task-1-post']);
  assert.deepEqual(await tagsOf(host, { kind: [] }), []);
  await assert.rejects(snapshot.list(host, { kind: 'mine' }), { code: 'invalid-argument', message: /"mine".*pre, post, base/ });
  await assert.rejects(snapshot.list(host, { kind: 7 }), { code: 'invalid-argument', message: /`kind`/ });
  assert.ok(files.existsSync('/project/.git/refs/tags/task-1-post'));
});

test('a snapshot is named and pinned, and what is not given stays', async () => {
  const { host, fs: files } = await project({ files: { 'a.txt': '1' } });
  const { tag } = await snapshot.save(host, { name: 'Before the redesign' });
  assert.deepEqual(await snapshot.label(host, tag, { pinned: true }), (await snapshot.list(host))[0]);
  const [{ name, pinned }] = await snapshot.list(host);
  assert.deepEqual([name, pinned], ['Before the redesign', true]);
  assert.equal((await snapshot.label(host, tag, { name: null, pinned: false })).name, undefined);
  assert.ok(!('pinned' in (await snapshot.list(host))[0]));
  await snapshot.save(host, { tag: 'mine' });
  await snapshot.label(host, 'mine', { pinned: true });
  files.writeFileSync('/project/a.txt', '2');
  await assert.rejects(snapshot.save(host, { tag: 'mine' }), { code: 'conflict', message: /pinned/ });
  for (const label of [{ pined: true }, { pinned: 'yes' }, { name: 7 }, null, { name: 'a\nb' }]) {
    await assert.rejects(snapshot.label(host, tag, label), { code: 'invalid-argument' });
  }
  await assert.rejects(snapshot.label(host, 'none', { pinned: true }), { code: 'not-found' });
});

test('only the named files and folders are rolled back, and undo restores these alone', async () => {
  const { host, fs: files, read } = await project({ files: { 'a.txt': 'old', 'b.txt': 'old', 'src/c.txt': 'old' } });
  await snapshot.save(host, { tag: 'old' });
  for (const path of ['a.txt', 'b.txt', 'src/c.txt', 'src/d.txt']) files.writeFileSync(`/project/${path}`, 'new');
  const dry = await snapshot.rollback(host, 'old', { paths: ['src', '/project/a.txt'], dryRun: true });
  assert.deepEqual([dry.restored, dry.deleted, read('a.txt')], [['a.txt', 'src/c.txt'], ['src/d.txt'], 'new']);
  const done = await snapshot.rollback(host, 'old', { paths: ['src', 'a.txt'] });
  assert.deepEqual([done.tag, done.restored, done.deleted], ['old', dry.restored, dry.deleted]);
  assert.deepEqual(['a.txt', 'b.txt', 'src/c.txt', 'src/d.txt'].map(read), ['old', 'new', 'old', null]);
  files.writeFileSync('/project/b.txt', 'later');
  await snapshot.undo(host);
  assert.deepEqual(['a.txt', 'b.txt', 'src/c.txt', 'src/d.txt'].map(read), ['new', 'later', 'new', 'new']);
  for (const [paths, code] of [[[], 'invalid-argument'], [['../x'], 'invalid-argument'], [['.git/config'], 'invalid-argument'], [['.ralph'], 'invalid-argument'], [['none'], 'not-found'], ['a.txt', 'invalid-argument'], [[7], 'invalid-argument']]) {
    await assert.rejects(snapshot.rollback(host, 'old', { paths }), { code }, JSON.stringify(paths));
  }
});
