import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatBuildInstructions, guardFs, planCommand, runLoop, snapshot, snapshotCommand } from 'loopgate';
import { isomorphicGit } from 'loopgate/git';
import git from 'isomorphic-git';
import { call, notes, project, task } from './project.mjs';

test('a project is saved, listed, compared, rolled back and restored by undo', async () => {
  const { host, fs, read } = await project({ files: { 'a.txt': 'a', 'b.bin': Buffer.from([0, 255]) } });
  const saved = await snapshot.save(host, { tag: 'first', message: 'the first' });
  assert.deepEqual([saved.tag, saved.message, saved.files], ['first', 'the first', 2]);
  assert.match(saved.oid, /^[0-9a-f]{40}$/);
  assert.deepEqual((await snapshot.list(host)).map(({ tag }) => tag), ['first']);
  assert.equal((await snapshot.status(host)).current, 'first');

  fs.writeFileSync('/project/a.txt', 'changed');
  fs.writeFileSync('/project/new.txt', 'new');
  assert.deepEqual(await snapshot.diff(host, 'first'), [
    { path: 'a.txt', change: 'modified' },
    { path: 'new.txt', change: 'added' },
  ]);
  assert.deepEqual(await snapshot.verify(host, 'first'), { ok: false, missing: [], different: ['a.txt'], extra: ['new.txt'] });
  assert.deepEqual(await snapshot.readFile(host, 'first', 'b.bin'), new Uint8Array([0, 255]));
  assert.equal(await snapshot.readFile(host, 'first', 'new.txt'), null);

  const dry = await snapshot.rollback(host, 'first', { dryRun: true });
  assert.deepEqual([dry.restored, dry.deleted, read('a.txt')], [['a.txt'], ['new.txt'], 'changed']);
  const done = await snapshot.rollback(host, 'first');
  assert.deepEqual([done.tag, done.restored, done.deleted], ['first', ['a.txt'], ['new.txt']]);
  assert.deepEqual([read('a.txt'), read('new.txt')], ['a', null]);
  await snapshot.undo(host);
  assert.deepEqual([read('a.txt'), read('new.txt')], ['changed', 'new']);
});

test('after a rollback the list ends with the undo point and its message, also with a constant clock', async () => {
  for (const now of [undefined, () => 1_700_000_000_000]) {
    const { host: own, fs } = await project({ files: { 'a.txt': 'one', 'b.txt': 'same' } });
    const host = now ? { ...own, now } : own;
    const listed = async () => (await snapshot.list(host)).map(({ tag, message, changed }) => [tag, message, changed]);
    await snapshot.save(host, { tag: 'task-1-pre', message: 'before' });
    fs.writeFileSync('/project/a.txt', 'two');
    await snapshot.save(host, { tag: 'task-1-post', message: 'after' });
    const { undo } = await snapshot.rollback(host, 'task-1-pre');
    const expected = [['task-1-pre', 'before', 2], ['task-1-post', 'after', 1], [undo, 'before the rollback to task-1-pre', 0]];
    assert.deepEqual(await listed(), expected);
    const again = await snapshot.undo(host);
    const saved = await snapshot.save(host, { tag: 'a', message: 'more' });
    expected.push([again.undo, `before the rollback to ${undo}`, 1], ['a', 'more', 1]);
    assert.deepEqual(await listed(), expected);
    assert.deepEqual((await snapshot.list(host)).at(-1), saved);
  }
});

test('a rollback to an iteration takes its full ref name', async () => {
  const { host, read } = await project({ turns: notes });
  const run = runLoop({ ...host, work: task() });
  const { success, gates } = await run.result;
  assert.equal(success, true);
  assert.match(gates[0].tree, /^[0-9a-f]{40}$/);
  const name = `refs/loopgate/iterations/${run.id}/1`;
  assert.deepEqual((await snapshot.list(host, { iterations: true })).map(({ tag }) => tag), [name]);
  assert.deepEqual((await snapshot.list(host)).map(({ tag }) => tag), ['task-1-pre', 'task-1-post']);
  await snapshot.rollback(host, 'task-1-pre');
  assert.equal(read('notes.md'), null);
  await snapshot.rollback(host, name);
  assert.equal(read('notes.md'), 'notes');
  assert.equal((await snapshot.verify(host, name)).ok, true);
});

test('`snapshots.iterations` limits the iterations in the list', async () => {
  const { host } = await project({ turns: notes });
  assert.equal((await runLoop({ ...host, work: task(), config: { snapshots: { iterations: 0 } } }).result).success, true);
  assert.deepEqual(await snapshot.list(host, { iterations: true }), []);
  assert.throws(() => runLoop({ ...host, work: task(), config: { snapshots: { iterations: -1 } } }), { code: 'invalid-config', message: /snapshots\.iterations/ });
});

test('the snapshot command saves, compares, rolls back and lists', async () => {
  const { host, fs, read } = await project({ files: { 'a.txt': 'a' } });
  const command = snapshotCommand(host);
  assert.equal(command.name, 'snapshot');
  const run = async (...args) => {
    const { exitCode, stdout, stderr } = await command.execute(args);
    return [exitCode, exitCode === 0 ? stdout : stderr];
  };
  const [, saved] = await run('save', 'before CTA redesign');
  const [, tag] = /^Saved (manual-\d+): before CTA redesign \(1 file, 1 changed, .*Z\), commit [0-9a-f]{10}\n$/.exec(saved);
  fs.writeFileSync('/project/a.txt', 'changed');
  assert.deepEqual(await run('diff', tag), [0, `Since ${tag}:\nmodified a.txt\n`]);
  assert.match((await run('status'))[1], new RegExp(`${tag}[^]*\nmodified a.txt\n$`));
  assert.match((await run('rollback', tag))[1], /1 file restored, 0 deleted/);
  assert.equal(read('a.txt'), 'a');
  assert.match((await run('list'))[1], new RegExp(`^${tag}: before CTA redesign`));
  const [code, words] = await run('rollback', 'none');
  assert.deepEqual([code, words.includes(tag)], [1, true]);
  for (const args of [[], ['rollback'], ['restore', 'x']]) assert.match((await run(...args))[1], /^snapshot: .*\nusage: snapshot save/);
  assert.equal((await command.execute(['nonsense'])).exitCode, 2);
  assert.equal((await snapshotCommand({ ...host, git: undefined }).execute(['save'])).exitCode, 1);
});

test('a missing snapshot, git or file system is an error with a code', async () => {
  const { host } = await project();
  await snapshot.save(host, { tag: 'first' });
  await assert.rejects(snapshot.rollback(host, 'frist'), { name: 'LoopgateError', code: 'not-found', message: /first/ });
  await assert.rejects(snapshot.save({ ...host, git: undefined }), { name: 'LoopgateError', code: 'unsupported', message: /git/ });
  await assert.rejects(snapshot.list({}), { name: 'LoopgateError', code: 'invalid-argument', message: /`fs`/ });
});

/** Resolves after this many turns of the event loop. */
async function turns(count) {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** The same files; calls end after different numbers of turns. */
function slow(files) {
  let calls = 0;
  const late = (call) => async (...args) => {
    await turns((calls += 1) % 3);
    return call.apply(files, args);
  };
  return new Proxy(files, { get: (_, name) => (typeof files[name] === 'function' ? late(files[name]) : files[name]) });
}

async function slowProject(files) {
  const { host, fs } = await project({ files });
  const late = slow(fs.promises);
  return { fs, host: { ...host, fs: late, git: isomorphicGit({ git, fs: { promises: late }, dir: '/project' }) } };
}

test('concurrent saves and rollbacks run one at a time on a slow file system', async () => {
  const { host, fs } = await slowProject({ 'a.txt': 'one', 'b/c.txt': 'one' });
  const saved = await Promise.all(['first', 'second', 'third'].map((message) => snapshot.save(host, { message })));
  assert.equal(new Set(saved.map(({ tag }) => tag)).size, 3);
  assert.deepEqual((await snapshot.list(host)).map(({ tag }) => tag).sort(), saved.map(({ tag }) => tag).sort());

  await snapshot.save(host, { tag: 'one' });
  for (const path of ['a.txt', 'b/c.txt', 'new.txt']) fs.writeFileSync(`/project/${path}`, 'two!');
  await snapshot.save(host, { tag: 'two' });
  const [back, , , status] = await Promise.all([
    snapshot.rollback(host, 'one'),
    snapshot.save(host, { tag: 'three' }),
    snapshot.rollback(host, 'two'),
    turns(5).then(() => snapshot.save(host, { tag: 'four' })),
  ]);
  assert.deepEqual([back.restored, back.deleted], [['a.txt', 'b/c.txt'], ['new.txt']]);
  assert.deepEqual(await snapshot.diff(host, 'one', 'three'), []);
  assert.deepEqual(await snapshot.diff(host, 'two', 'four'), []);
  assert.equal((await snapshot.verify(host, 'two')).ok, true);
  assert.equal(status.tag, 'four');
});

test('ignore files replaced during a save are read again', async () => {
  const { host, fs, read } = await project({ files: { '.gitignore': '*.log\n', 'a.log': 'log', 'a.txt': 'one', 'b/.gitignore': 'x', 'b/x': 'x' } });
  for (const method of ['lstat', 'readFile']) {
    for (const path of ['/project/.gitignore', '/project/b/.gitignore']) {
      let calls = 0;
      const replaced = async (asked, ...more) => {
        const listed = method === 'lstat' ? 1 : 0;
        if (asked === path && calls++ === listed) throw Object.assign(new Error('ENOENT: no such file or directory'), { code: 'ENOENT' });
        return fs.promises[method](asked, ...more);
      };
      const saved = await snapshot.save({ ...host, fs: { ...host.fs, [method]: replaced } });
      assert.equal(saved.files, 3, `${method} ${path}`);
    }
  }
  fs.unlinkSync('/project/.gitignore');
  assert.equal((await snapshot.save(host)).files, 3);
  assert.equal(read('a.log'), 'log');
});

test('a run notices changes saved by another caller', async () => {
  const meanwhile = async () => {
    fs.writeFileSync('/project/README.md', 'by hand');
    await snapshot.save(host, { tag: 'mine' });
    return notes[1];
  };
  const { host, fs } = await project({ turns: [notes[0], meanwhile, notes[2]] });
  const run = runLoop({ ...host, work: task() });
  assert.equal((await run.result).success, true);
  const name = `refs/loopgate/iterations/${run.id}/1`;
  assert.equal(String(Buffer.from(await snapshot.readFile(host, name, 'README.md'))), 'by hand');
  assert.deepEqual((await snapshot.diff(host, 'mine', 'task-1-post')).filter(({ path }) => path === 'README.md'), []);
});

/** The same files for names in any case, as Windows and macOS have them. */
function ignoringCase(fs) {
  const found = (path) =>
    path.split('/').slice(1).reduce((folder, name) => {
      const names = fs.existsSync(folder) && fs.statSync(folder).isDirectory() ? fs.readdirSync(folder) : [];
      return `${folder}/${names.find((other) => other.toLowerCase() === name.toLowerCase()) ?? name}`;
    }, '');
  const files = fs.promises;
  const of = (name) => async (path, ...more) => files[name](found(path), ...more);
  return new Proxy(files, { get: (_, name) => (name === 'rename' ? async (from, to) => files.rename(found(from), found(to)) : typeof files[name] === 'function' ? of(name) : files[name]) });
}

test('a rename that only changes case is rolled back on a case-insensitive file system', async () => {
  const { host, fs, read } = await project({ files: { 'Name.txt': 'one', 'Folder/x': 'one' } });
  const files = ignoringCase(fs);
  const careless = { ...host, fs: files, git: isomorphicGit({ git, fs: { promises: files }, dir: '/project' }) };
  await snapshot.save(careless, { tag: 'upper' });
  fs.renameSync('/project/Name.txt', '/project/name.txt');
  fs.renameSync('/project/Folder', '/project/folder');
  await snapshot.save(careless, { tag: 'lower' });
  for (const [tag, name, folder] of [['upper', 'Name.txt', 'Folder'], ['lower', 'name.txt', 'folder']]) {
    await snapshot.rollback(careless, tag);
    assert.deepEqual(fs.readdirSync('/project').filter((entry) => !entry.startsWith('.')).sort(), [name, folder].sort());
    assert.equal(read(`${folder}/x`), 'one');
    assert.equal((await snapshot.verify(careless, tag)).ok, true);
  }
});

test('a failed call does not block the next one', async () => {
  const { host } = await slowProject({ 'a.txt': 'one' });
  const failing = { ...host, fs: { ...host.fs, readdir: () => Promise.reject(new Error('broken')) } };
  const outcomes = await Promise.allSettled([snapshot.rollback(host, 'none'), snapshot.save(failing), snapshot.undo(host), snapshot.save(host, { tag: 'last' })]);
  assert.deepEqual(outcomes.map(({ status }) => status), ['rejected', 'rejected', 'rejected', 'fulfilled']);
});

const NO_TEXTS = [5, true, {}, ['.git/config'], Buffer.from('.git/config'), Symbol('a'), 1n, Object('a')];

test('values other than strings are invalid arguments', async () => {
  const { host } = await project();
  await snapshot.save(host, { tag: 'first' });
  for (const value of NO_TEXTS) {
    const calls = [
      snapshot.save(host, { tag: value }),
      snapshot.save(host, { message: value }),
      snapshot.rollback(host, value),
      snapshot.diff(host, value),
      snapshot.diff(host, 'first', value),
      snapshot.verify(host, value),
      snapshot.readFile(host, value, 'README.md'),
      snapshot.readFile(host, 'first', value),
      snapshotCommand(host).execute(['diff', value]),
      planCommand(host).execute([value]),
      (async () => guardFs(host.fs, { dir: '/project', phase: value }))(),
      (async () => formatBuildInstructions({ theme: {}, sections: [] }, value))(),
    ];
    for (const call of calls) await assert.rejects(call, { name: 'LoopgateError', code: 'invalid-argument', message: /must be a string, not / });
  }
  for (const call of [snapshot.rollback(host), snapshot.verify(host), snapshot.readFile(host, 'first')]) {
    await assert.rejects(call, { code: 'invalid-argument' });
  }
  assert.equal((await snapshot.list(host, null)).length, 1);
});

test('guarded files reject values other than paths', async () => {
  const { host, fs } = await project();
  const guarded = guardFs(host.fs, { dir: '/project' });
  const before = fs.toJSON?.() ?? fs.readdirSync('/project');
  for (const value of [...NO_TEXTS, undefined, null]) {
    for (const method of ['readFile', 'writeFile', 'readdir', 'mkdir', 'rmdir', 'unlink', 'stat', 'lstat', 'readlink', 'chmod']) {
      await assert.rejects(guarded[method](value, 0o644), { name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE' }, method);
    }
    for (const method of ['rename', 'symlink']) {
      await assert.rejects(guarded[method](value, 'x'), { code: 'ERR_INVALID_ARG_TYPE' }, method);
      await assert.rejects(guarded[method]('README.md', value), { code: 'ERR_INVALID_ARG_TYPE' }, method);
    }
  }
  for (const data of [undefined, null, 5, {}, ['a']]) {
    await assert.rejects(guarded.writeFile('README.md', data), { code: 'ERR_INVALID_ARG_TYPE', message: /README\.md/ });
  }
  assert.deepEqual(fs.toJSON?.() ?? fs.readdirSync('/project'), before);
  await guarded.writeFile('view', new DataView(new Uint8Array([1, 2, 3, 4]).buffer, 1, 2));
  assert.deepEqual([...fs.readFileSync('/project/view')], [2, 3]);
});

test('a tool cannot write after its call has ended', async () => {
  const { host, read } = await project({ turns: [call('late'), ...notes] });
  let late;
  const tool = {
    name: 'late',
    description: 'Writes later',
    parameters: { type: 'object', properties: {} },
    execute: async (_, context) => {
      late = Promise.allSettled([context.fs.writeFile('late.txt', 'late'), context.fs.mkdir('a/b/c', { recursive: true })]);
      return 'done';
    },
  };
  const { success } = await runLoop({ ...host, fs: slow(host.fs), tools: [tool], work: task() }).result;
  assert.equal(success, true);
  assert.deepEqual((await late).map(({ reason }) => reason?.code), ['EACCES', 'EACCES']);
  assert.deepEqual([read('late.txt'), read('a')], [null, null]);
});

test('guarded files follow the rules of their phase and report denials', async () => {
  const { host, read } = await project();
  const denied = [];
  const guard = (phase) => guardFs(host.fs, { dir: '/project', phase, onDenied: (event) => denied.push(event) });
  await guard().writeFile('src.txt', 'build');
  assert.equal(read('src.txt'), 'build');
  await guard('plan').mkdir('.ralph');
  await guard('plan').writeFile('/project/.ralph/plan.tsx', 'plan');
  await assert.rejects(guard('plan').writeFile('src.txt', 'x'), { code: 'EACCES' });
  await assert.rejects(guard('check').unlink('src.txt'), { code: 'EACCES' });
  await assert.rejects(guard().readFile('.loopgate/lease'), { code: 'EACCES' });
  assert.deepEqual(denied.map(({ path, rule }) => `${path} ${rule}`), ['src.txt plan-phase', 'src.txt read-only-phase', '.loopgate/lease loopgate']);
  assert.throws(() => guardFs(host.fs, { dir: '/project', phase: 'nap' }), { code: 'invalid-argument', message: /`phase` is "nap"/ });
  assert.throws(() => guardFs({}, { dir: '/project' }), { code: 'invalid-argument', message: /`fs`/ });
});

test('guarded files refuse other flags and encodings', async () => {
  const { host, read } = await project();
  const guarded = guardFs(host.fs, { dir: '/project' });
  for (const options of [undefined, null, 'utf8', { encoding: 'utf-8', flag: 'w' }]) await guarded.writeFile('a.txt', 'é', options);
  assert.equal(read('a.txt'), 'é');
  for (const [options, words] of [[{ flag: 'a' }, /the flag a .*a\.txt/], ['latin1', /latin1/], [{ encoding: 'base64' }, /base64/]]) {
    await assert.rejects(guarded.writeFile('a.txt', 'x', options), { code: 'ENOSYS', message: words });
  }
  assert.equal(read('a.txt'), 'é');
});

test('guarded files have links and modes if the host has them', async () => {
  const { host, fs } = await project();
  const guarded = guardFs(host.fs, { dir: '/project' });
  await guarded.symlink('README.md', 'link.md');
  assert.equal(await guarded.readlink('link.md'), 'README.md');
  assert.ok((await guarded.lstat('link.md')).isSymbolicLink() && (await guarded.stat('link.md')).isFile());
  await guarded.chmod('README.md', 0o755);
  assert.equal(fs.statSync('/project/README.md').mode & 0o777, 0o755);
  await guarded.rename('README.md', 'moved.md');
  await guarded.rmdir('none').catch(({ code }) => assert.equal(code, 'ENOENT'));
  await guarded.flush();
  const { readdir, mkdir } = host.fs;
  const bare = guardFs({ ...host.fs, readdir, mkdir, readlink: undefined, chmod: undefined }, { dir: '/project' });
  assert.deepEqual([bare.readlink, bare.symlink, bare.chmod], [undefined, undefined, undefined]);
});

test('`readFile` accepts absolute paths', async () => {
  const { host } = await project();
  await snapshot.save(host, { tag: 'one' });
  assert.deepEqual(await snapshot.readFile(host, 'one', '/project/README.md'), await snapshot.readFile(host, 'one', 'README.md'));
  assert.equal(await snapshot.readFile(host, 'one', '/README.md'), null);
});

test('concurrent saves and rollbacks run in the order of their calls', async () => {
  const { host, fs, read } = await project({ files: { 'a.txt': 'one' } });
  await snapshot.save(host, { tag: 'one' });
  fs.writeFileSync('/project/a.txt', 'two');
  await snapshot.save(host, { tag: 'two' });
  fs.writeFileSync('/project/a.txt', 'three');
  const [first, second] = await Promise.all([snapshot.rollback(host, 'one'), snapshot.rollback(host, 'two'), assert.rejects(snapshot.rollback(host, 'none'))]);
  assert.equal(read('a.txt'), 'two');
  const textIn = async (tag) => new TextDecoder().decode(await snapshot.readFile(host, tag, 'a.txt'));
  assert.deepEqual([await textIn(first.undo), await textIn(second.undo)], ['three', 'one']);
  const saved = await Promise.all(Array.from({ length: 4 }, () => snapshot.save(host)));
  assert.equal(new Set(saved.map(({ tag }) => tag)).size, 4);
});
