import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import git from 'isomorphic-git';
import { init, snapshot } from 'loopgate';
import { isomorphicGit } from 'loopgate/git';
import { memfs } from 'memfs';

const author = { name: 'L', email: 'l@example.com', timestamp: 1_700_000_000, timezoneOffset: -60 };

async function memoryRepository() {
  const { fs } = memfs({ '/project/a.txt': 'a' });
  const port = isomorphicGit({ git, fs, dir: '/project/' });
  await port.init();
  return { fs, port };
}

async function twoCommits(port) {
  const tree = await port.writeTree([{ mode: '100644', path: 'a.txt', oid: await port.writeBlob(Buffer.from('a')), type: 'blob' }]);
  const first = await port.writeCommit({ tree, parents: [], message: 'one\n', author });
  const second = await port.writeCommit({ tree, parents: [first], message: 'two\n', author });
  return { tree, first, second };
}

test('objects are read back unchanged', async () => {
  const { port } = await memoryRepository();
  const { tree, first, second } = await twoCommits(port);
  assert.deepEqual(await port.readCommit(second), { tree, parents: [first], message: 'two\n', author });
  const [entry] = await port.readTree(tree);
  assert.deepEqual({ ...entry, oid: null }, { mode: '100644', path: 'a.txt', oid: null, type: 'blob' });
  assert.equal(Buffer.from(await port.readBlob(entry.oid)).toString(), 'a');
});

test('trees with unsafe names are read as git reads them', async (t) => {
  await init();
  const { port } = await memoryRepository();
  const oid = await port.writeBlob(Buffer.from('a'));
  const entries = ['back\\slash', 'git~5', 'plain', 'ü'].map((path) => ({ mode: '100644', path, oid, type: 'blob' }));
  const below = { mode: '040000', path: 'ÿ', oid: await port.writeTree(entries), type: 'tree' };
  assert.deepEqual(await port.readTree(below.oid), entries);
  const all = [...entries, below];
  assert.deepEqual(await port.readTree(await port.writeTree(all)), all);
  await assert.rejects(port.readTree(oid), { code: 'ObjectTypeError' });
  await assert.rejects(port.readTree('0'.repeat(40)), { code: 'NotFoundError' });

  const dir = mkdtempSync(join(tmpdir(), 'loopgate-'));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  const run = (...args) => execFileSync('git', args, { cwd: dir, env: { ...process.env, HOME: dir } });
  writeFileSync(join(dir, 'back\\slash'), 'one');
  const host = { fs: fs.promises, git: isomorphicGit({ git, fs, dir }), dir };
  await snapshot.save(host, { tag: 'one' });
  run('gc', '--quiet', '--prune=now');
  writeFileSync(join(dir, 'back\\slash'), 'two');
  await snapshot.rollback(host, 'one');
  assert.equal(fs.readFileSync(join(dir, 'back\\slash'), 'utf8'), 'one');
});

test('the head of a merge resolves while the merge is in progress', async () => {
  const { fs, port } = await memoryRepository();
  const { first } = await twoCommits(port);
  for (const ref of ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'REBASE_HEAD']) {
    assert.equal(await port.resolveRef(ref), null);
    fs.writeFileSync(`/project/.git/${ref}`, `${first}\n`);
    assert.equal(await port.resolveRef(ref), first);
    fs.unlinkSync(`/project/.git/${ref}`);
    assert.equal(await port.resolveRef(ref), null);
  }
});

test('a second init changes nothing', async () => {
  const { port } = await memoryRepository();
  const { first } = await twoCommits(port);
  await port.writeRef('refs/tags/t', first);
  await port.init();
  assert.equal(await port.resolveRef('refs/tags/t'), first);
  assert.equal(await port.currentBranch(), 'main');
});

test('repositories that isomorphic-git would corrupt are refused, and nothing is written', async (t) => {
  await init();
  const folder = mkdtempSync(join(tmpdir(), 'loopgate-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', HOME: folder };
  const run = (dir, ...args) => execFileSync('git', ['-c', 'user.name=L', '-c', 'user.email=l@example.com', ...args], { cwd: dir, env, encoding: 'utf8', stdio: 'pipe' });
  run(folder, 'init', '--quiet', '--initial-branch=main', 'main');
  run(join(folder, 'main'), 'commit', '--quiet', '--allow-empty', '--message=one');
  run(join(folder, 'main'), 'worktree', 'add', '--quiet', '-b', 'side', join(folder, 'tree'));
  run(folder, 'init', '--quiet', '--object-format=sha256', 'sha256');
  const inMain = join(folder, 'main/.git/worktrees/tree');
  for (const [name, gitdir, words] of [
    ['tree', undefined, /tree\/\.git is a file/],
    ['tree', inMain, /linked worktree/],
    ['sha256', undefined, /objectformat = sha256/],
  ]) {
    const dir = join(folder, name);
    fs.writeFileSync(join(dir, 'a.txt'), 'a');
    const look = () => [run(dir, 'symbolic-ref', 'HEAD'), run(dir, 'for-each-ref'), run(dir, 'fsck', '--strict')];
    const before = look();
    const port = isomorphicGit({ git, fs, dir, gitdir });
    await assert.rejects(snapshot.save({ fs: fs.promises, git: port, dir }), { code: 'unsupported', message: words });
    assert.deepEqual(look(), before);
  }
});

test('a missing ref is null, a missing object is an error', async () => {
  const { port } = await memoryRepository();
  assert.equal(await port.resolveRef('refs/tags/none'), null);
  assert.equal(await port.resolveRef('HEAD'), null);
  await assert.rejects(port.readBlob('0'.repeat(40)), { code: 'NotFoundError' });
});

test('a ref with an unexpected value is not moved', async () => {
  const { port } = await memoryRepository();
  const { first, second } = await twoCommits(port);
  const ref = 'refs/tags/t';
  await assert.rejects(port.writeRef(ref, first, { expect: second }), { code: 'ConflictError' });
  await port.writeRef(ref, first, { expect: null });
  await assert.rejects(port.writeRef(ref, second, { expect: null }), /points to .*expected nothing/);
  await port.writeRef(ref, second, { expect: first });
  assert.equal(await port.resolveRef(ref), second);
  await port.deleteRef(ref);
  await port.deleteRef(ref);
  assert.deepEqual(await port.listTags(), []);
});

test('one of several concurrent writers of a ref wins', async () => {
  const { port } = await memoryRepository();
  const { first, second } = await twoCommits(port);
  const writes = [first, second, first, second].map((oid) => port.writeRef('refs/tags/t', oid, { expect: null }));
  const settled = await Promise.allSettled(writes);
  assert.deepEqual(settled.map(({ status }) => status), ['fulfilled', 'rejected', 'rejected', 'rejected']);
  assert.equal(await port.resolveRef('refs/tags/t'), first);
});

test('HEAD is replaced as a whole and read as a branch', async () => {
  const { fs, port } = await memoryRepository();
  await port.writeHead('spec/checkout');
  assert.equal(await port.currentBranch(), 'spec/checkout');
  assert.equal(fs.readFileSync('/project/.git/HEAD', 'utf8'), 'ref: refs/heads/spec/checkout\n');
  const { first } = await twoCommits(port);
  fs.writeFileSync('/project/.git/HEAD', `${first}\n`);
  assert.equal(await port.currentBranch(), null);
  const rename = () => Promise.reject(new Error('full'));
  const broken = isomorphicGit({ git, fs: { ...fs, promises: { ...bound(fs.promises), rename } }, dir: '/project' });
  await assert.rejects(broken.writeHead('other'), /full/);
  await assert.rejects(broken.writeIndex(new Uint8Array(1)), /full/);
  assert.equal(fs.readFileSync('/project/.git/HEAD', 'utf8'), `${first}\n`);
  assert.equal(await port.readIndex(), null);
});

test('isomorphic-git reads an index that the port wrote, although it had read another one', async () => {
  const { fs } = memfs({ '/project/a.txt': 'a' });
  const cache = {};
  const port = isomorphicGit({ git, fs, dir: '/project', cache });
  await port.init();
  const { first } = await twoCommits(port);
  await port.writeRef('refs/heads/main', first);
  const status = () => git.statusMatrix({ fs, dir: '/project', cache });
  assert.deepEqual(await status(), [['a.txt', 1, 1, 0]]);
  await git.add({ fs, dir: '/project', filepath: 'a.txt' });
  const index = await port.readIndex();
  fs.unlinkSync('/project/.git/index');
  await port.writeIndex(index);
  assert.deepEqual(await status(), [['a.txt', 1, 1, 1]]);
  assert.deepEqual(fs.readdirSync('/project/.git').filter((name) => /index|HEAD/.test(name)), ['HEAD', 'index']);
});

test('the user of the repository is the one of its configuration', async () => {
  const { fs, port } = await memoryRepository();
  assert.equal(await port.user(), null);
  await git.setConfig({ fs, dir: '/project', path: 'user.name', value: 'Ada' });
  assert.equal(await port.user(), null);
  await git.setConfig({ fs, dir: '/project', path: 'user.email', value: 'ada@example.com' });
  assert.deepEqual(await port.user(), { name: 'Ada', email: 'ada@example.com' });
  assert.equal(isomorphicGit({ git: { ...git, getConfig: undefined }, fs, dir: '/project' }).user, undefined);
});

test('the git command and the port read what the other wrote', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'loopgate-'));
  t.after(() => rmSync(dir, { recursive: true }));
  const run = (...args) => execFileSync('git', ['-C', dir, '-c', 'user.name=u', '-c', 'user.email=u@example.com', ...args], { stdio: 'pipe' }).toString().trim();
  const port = isomorphicGit({ git, fs, dir });
  await port.init();
  const { second } = await twoCommits(port);
  await port.writeRef('refs/tags/ours', second);
  assert.equal(run('rev-parse', 'ours'), second);
  assert.equal(run('log', '-1', '--format=%an %at %cn %ct %s', 'ours'), 'L 1700000000 L 1700000000 two');
  run('fsck', '--strict');

  writeFileSync(join(dir, 'b.txt'), 'b');
  run('add', '.');
  run('commit', '-qm', 'theirs');
  run('tag', '-a', 'annotated', '-m', 'x');
  run('gc', '-q');
  run('pack-refs', '--all');
  assert.deepEqual((await port.listTags()).sort(), ['annotated', 'ours']);
  const commit = await port.readCommit(await port.resolveRef('refs/tags/annotated'));
  assert.equal(commit.message, 'theirs\n');
  assert.deepEqual((await port.readTree(commit.tree)).map(({ path }) => path), ['b.txt']);
  await port.deleteRef('refs/tags/ours');
  assert.deepEqual(await port.listTags(), ['annotated']);
});

test('a first snapshot is one pack that the git command reads', async (t) => {
  await init();
  const dir = mkdtempSync(join(tmpdir(), 'loopgate-'));
  t.after(() => rmSync(dir, { recursive: true }));
  for (let number = 0; number < 100; number++) writeFileSync(join(dir, `file-${number}.txt`), `content ${number}`);
  const host = { fs: fs.promises, git: isomorphicGit({ git, fs, dir }), dir };
  await snapshot.save(host, { tag: 'first' });
  const names = readdirSync(join(dir, '.git/objects/pack')).map((name) => name.replace(/[0-9a-f]{40}/, '*'));
  assert.deepEqual(names.sort(), ['pack-*.idx', 'pack-*.pack']);
  const run = (...args) => execFileSync('git', ['-C', dir, ...args], { stdio: 'pipe' }).toString();
  run('fsck', '--strict', '--full');
  assert.equal(run('ls-tree', '-r', '--name-only', 'first').trim().split('\n').length, 100);
  writeFileSync(join(dir, 'file-7.txt'), 'changed');
  assert.deepEqual((await snapshot.rollback(host, 'first')).restored, ['file-7.txt']);
  assert.equal(fs.readFileSync(join(dir, 'file-7.txt'), 'utf8'), 'content 7');
});

test('loose objects are written once, and a failed write rejects after all writes have ended', async () => {
  const { fs, port } = await memoryRepository();
  const finished = (kind, body) => {
    const object = Buffer.concat([Buffer.from(`${kind} ${body.length}\0`), Buffer.from(body)]);
    return { oid: createHash('sha1').update(object).digest('hex'), file: deflateSync(object, { level: 0 }) };
  };
  const [one, two] = [finished('blob', 'one'), finished('blob', 'two')];
  await port.writeObjects([one, two]);
  assert.equal(Buffer.from(await port.readBlob(one.oid)).toString(), 'one');
  await port.writeObjects([{ oid: one.oid, file: new Uint8Array() }]);
  assert.equal(Buffer.from(await port.readBlob(one.oid)).toString(), 'one');

  let writing = 0;
  const slow = bound(fs.promises);
  const full = { ...slow, async writeFile(path, bytes) {
    if (path.includes(two.oid.slice(2))) throw new Error('full');
    writing += 1;
    await slow.stat('/').then(() => slow.writeFile(path, bytes)).finally(() => (writing -= 1));
  } };
  const other = isomorphicGit({ git, fs: { ...fs, promises: full }, dir: '/project/sub' });
  await assert.rejects(other.writeObjects([two, one]), /full/);
  assert.equal(writing, 0);
});

test('a write that breaks off in the middle leaves every ref, loose and packed', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'loopgate-git-'));
  const run = (...args) => execFileSync('git', ['-c', 'user.name=u', '-c', 'user.email=u@example.com', ...args], { cwd: dir, encoding: 'utf8' });
  try {
    run('init', '--quiet', '--initial-branch=main');
    for (const message of ['one', 'two']) run('commit', '--quiet', '--allow-empty', `--message=${message}`);
    for (const ref of ['refs/heads/older', 'refs/tags/v1', 'refs/loopgate/a']) run('update-ref', ref, 'HEAD~');
    run('pack-refs', '--all');
    run('update-ref', 'refs/loopgate/b', 'HEAD');
    const shown = () => run('for-each-ref', '--format=%(refname) %(objectname)');
    const before = shown();
    const port = isomorphicGit({ git, dir, fs: { promises: { ...fs.promises, async writeFile(path, content) {
      writeFileSync(path, String(content).slice(0, 30));
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    } } } });
    await assert.rejects(port.deleteRef('refs/loopgate/a'));
    await assert.rejects(port.writeRef('refs/loopgate/b', run('rev-parse', 'HEAD~').trim()));
    await assert.rejects(port.writeRef('refs/heads/new', run('rev-parse', 'HEAD').trim()));
    assert.equal(shown(), before);
    const whole = isomorphicGit({ git, dir, fs });
    await whole.deleteRef('refs/loopgate/a');
    await whole.writeRef('refs/heads/new', run('rev-parse', 'HEAD').trim());
    assert.deepEqual(shown().match(/refs\/\S+/g), ['refs/heads/main', 'refs/heads/new', 'refs/heads/older', 'refs/loopgate/b', 'refs/tags/v1']);
    assert.equal(run('fsck', '--strict', '--no-dangling'), '');
    assert.deepEqual(readdirSync(join(dir, '.git')).filter((name) => name.endsWith('.loopgate')), []);
  } finally {
    rmSync(dir, { recursive: true });
  }
});

test('a pack without an index gets one, and a failed write leaves no index', async () => {
  const { fs, port } = await memoryRepository();
  const { tree, second } = await twoCommits(port);
  const { packfile } = await git.packObjects({ fs, dir: '/project', oids: [second, tree] });
  const { fs: other } = memfs({ '/project/a.txt': 'a' });
  const copy = isomorphicGit({ git, fs: other, dir: '/project' });
  await copy.init();
  await copy.writePack(packfile);
  assert.equal((await copy.readCommit(second)).message, 'two\n');
  assert.deepEqual(await copy.readTree(tree), await port.readTree(tree));
  assert.equal(other.existsSync('/project/.git/loopgate-pack'), false);

  const broken = { ...other, promises: { ...bound(other.promises), rename: () => Promise.reject(new Error('full')) } };
  const refused = isomorphicGit({ git, fs: broken, dir: '/project/sub' });
  await refused.init();
  await assert.rejects(refused.writePack(packfile), /full/);
  assert.deepEqual(other.readdirSync('/project/sub/.git/objects/pack').filter((name) => name.endsWith('.idx')), []);
  await assert.rejects(refused.readCommit(second), { code: 'NotFoundError' });
});

test('a failing file system rejects writes of objects and packs', async () => {
  const gone = () => Promise.reject(Object.assign(new Error('EIO: the disk is gone'), { code: 'EIO' }));
  const files = new Proxy({}, { get: (_, name) => (name === 'then' ? undefined : gone) });
  const port = isomorphicGit({ git, fs: { promises: files }, dir: '/project' });
  const oid = '0'.repeat(40);
  await assert.rejects(port.writeObjects([{ oid, file: new Uint8Array(1) }]), /the disk is gone/);
  await assert.rejects(port.writePack(new Uint8Array(20), new Uint8Array(1)), /the disk is gone/);
});

test('folders are created below a relative path', async () => {
  const { fs } = memfs({}, '/');
  const port = isomorphicGit({ git, fs, dir: 'project' });
  const pack = new Uint8Array(20);
  await port.writePack(pack, new Uint8Array(1));
  assert.deepEqual(fs.readdirSync('project/.git/objects/pack').sort(), [`pack-${'00'.repeat(20)}.idx`, `pack-${'00'.repeat(20)}.pack`]);
});

test('without `fs.promises`, the port writes no files itself', () => {
  const { writeObjects, writePack, writeHead, readIndex, writeIndex } = isomorphicGit({ git, fs: {}, dir: '/project' });
  assert.deepEqual([writeObjects, writePack, writeHead, readIndex, writeIndex], Array(5).fill(undefined));
});

const bound = (promises) => Object.fromEntries(Object.entries(promises).map(([name, value]) => [name, typeof value === 'function' ? value.bind(promises) : value]));
