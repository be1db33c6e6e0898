// The state in `.loopgate`: only what this user's loopgate wrote is used. A cloned project brings state of strangers.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { findUnfinishedRun, followRun, runLoop, snapshot } from 'loopgate';
import { scriptedModel } from 'loopgate/testing';
import * as chunks from '../ownership/project.mjs';
import { call, done, notes, project, summary, task } from '../project.mjs';

const [OWN, OTHER] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
const UNDO = '.loopgate/undo';

const folder = mkdtempSync(join(tmpdir(), 'loopgate-state-'));
after(() => rmSync(folder, { recursive: true }));

const bySha1 = (text) => createHash('sha1').update(`blob ${Buffer.byteLength(text)}\0${text}`).digest('hex');

/** As the package seals a file of this project with this key. */
const byKey = (key, place) => (text) => createHmac('sha256', createHash('sha256').update(key).digest()).update(`/project\0${place}\0${text}`).digest('hex');

/** A redo log that deletes files, next to the snapshot that it names. */
async function withLog(paths, sum) {
  const p = await project({ files: { 'README.md': 'hello', 'src/a.ts': 'a' }, stateKey: OWN });
  p.fs.mkdirSync('/outside/deep', { recursive: true });
  p.fs.writeFileSync('/outside/deep/secret', 'secret');
  const { tree, tag } = await snapshot.save(p.host);
  const text = JSON.stringify({ is_done: false, target: { name: tag, tree }, undo: { name: tag, tree }, steps: { restore: [], delete: paths } });
  p.fs.writeFileSync(`/project/${UNDO}`, `${text}\n${sum(text)}\n`);
  const files = () => ['/project/README.md', '/project/src/a.ts', '/outside/deep/secret'].filter((path) => p.fs.existsSync(path));
  return { ...p, files, log: p.read(UNDO) };
}

const LEAVE = ['../outside/deep/secret', 'src/../../outside/deep/secret', '/outside/deep/secret', '.git/HEAD', ''];

for (const [sealed, sum, paths] of [
  ['with a checksum', bySha1, ['README.md', ...LEAVE]],
  ['sealed with another key', byKey(OTHER, UNDO), ['README.md', ...LEAVE]],
  ['sealed for another file', byKey(OWN, '.loopgate/names'), ['README.md']],
  ...LEAVE.map((path) => [`sealed here that names ${JSON.stringify(path)}`, byKey(OWN, UNDO), ['README.md', path]]),
]) {
  for (const [door, open] of [
    ['a save', ({ host }) => snapshot.save(host)],
    ['a run', ({ host }) => runLoop({ ...host, work: task() }).result],
  ]) {
    test(`${door} deletes nothing for a redo log ${sealed}, and sets it aside`, async () => {
      const p = await withLog(paths, sum);
      p.host.model = async () => ({ content: 'no', finish_reason: 'stop' });
      const before = p.files();
      await open({ host: { ...p.host, limits: { maxIterations: 1 } } });
      assert.deepEqual(p.files(), before);
      assert.ok(p.fs.existsSync('/project/.git/HEAD'));
      assert.equal(p.read('.loopgate/foreign/undo-1'), p.log);
    });
  }
}

test('a redo log of this key that names files of the project is finished', async () => {
  const p = await withLog(['README.md'], byKey(OWN, UNDO));
  await snapshot.save(p.host);
  assert.deepEqual(p.files(), ['/project/src/a.ts', '/outside/deep/secret']);
});

/** A project with a run whose page was closed after its first tool call. */
async function closed(options) {
  const p = await project({ turns: [notes[0], { hang: true }], ...options });
  let isClosed = false;
  const real = p.host.fs;
  const page = new Proxy(real, {
    get(target, name) {
      if (typeof target[name] !== 'function') return target[name];
      return (...args) => (isClosed ? Promise.reject(Object.assign(new Error('closed'), { code: 'EIO' })) : target[name](...args));
    },
  });
  const run = runLoop({ ...p.host, fs: page, work: task() });
  for await (const event of run) if (event.type === 'tool-result') break;
  isClosed = true;
  run.abort();
  await run.result.catch(() => {});
  return { ...p, id: run.id };
}

/** The rest of the task. */
const rest = (host) => ({ ...host, model: scriptedModel([summary, done]) });

/** The journal as its lines, each without its seal. */
function linesOf({ fs, id }) {
  const at = `/project/.loopgate/journal/${id}`;
  return fs.readdirSync(at).sort().map((name) => [`${at}/${name}`, fs.readFileSync(`${at}/${name}`, 'utf8').trim().split('\n')]);
}

test('another tab with the same key finds the run and resumes it', async () => {
  const { host, id } = await closed({ stateKey: OWN });
  const tab = { ...rest(host), stateKey: new Uint8Array(OWN) };
  assert.equal((await findUnfinishedRun(tab)).runId, id);
  const result = await runLoop({ ...tab, work: task(), resume: id }).result;
  assert.equal(result.success, true);
});

test('by default, the key is the same in every call', async () => {
  const { host, id } = await closed();
  assert.equal((await findUnfinishedRun(host)).runId, id);
  assert.equal((await runLoop({ ...rest(host), work: task(), resume: id }).result).success, true);
});

for (const [title, forge] of [
  ['that another key sealed', null],
  ['of an older release', (open) => createHash('sha1').update(open).digest('hex').slice(0, 16)],
  ['that another key sealed for this run', (open, id) => byKey(OTHER, id)(open).slice(0, 32)],
]) {
  test(`a journal ${title} is neither found, followed nor resumed, and a new run starts beside it`, async () => {
    const p = await closed({ stateKey: OTHER });
    const commands = [];
    const shell = { execute: async (command) => (commands.push(command), { exitCode: 0, stdout: '', stderr: '' }) };
    if (forge) {
      for (const [path, lines] of linesOf(p)) {
        const sealed = lines.map((line) => line.split(',"sum":"')[0]).map((open) => `${open},"sum":"${forge(open, p.id)}"}\n`);
        p.fs.writeFileSync(path, sealed.join(''));
      }
    }
    const before = JSON.stringify(linesOf(p));
    const host = { ...p.host, model: scriptedModel([call('write_file', { path: 'more.md', content: 'more' }), summary, done]), stateKey: OWN, shell };
    const isRefused = (error) => error.code === 'corrupt' && error.path.includes(p.id) && /stateKey.*new run/.test(error.message);
    await assert.rejects(findUnfinishedRun(host), isRefused);
    await assert.rejects(runLoop({ ...host, work: task(), resume: p.id }).result, isRefused);
    await assert.rejects(async () => {
      for await (const event of followRun(host, { runId: p.id, pollMs: 0 })) assert.fail(`it is read: ${event.type}`);
    }, isRefused);
    assert.deepEqual([commands, JSON.stringify(linesOf(p))], [[], before]);
    const run = runLoop({ ...host, work: task() });
    const result = await run.result;
    assert.equal(result.success, true, result.message);
    assert.equal(await findUnfinishedRun(host), null);
    assert.equal(JSON.stringify(linesOf(p)), before, 'the journal from elsewhere stays');
  });
}

test('the command of a run from elsewhere is not run; a page with the key of the run resumes it', async (t) => {
  const p = chunks.project(t);
  const [page, commands] = [p.page(), []];
  const attempt = chunks.turn(chunks.write('src/a.ts', 'AGENT\n'), chunks.done());
  const shell = (command) => void commands.push(command);
  const config = { verification: { enabled: true, steps: [{ name: 'check', command: 'send-secrets' }] } };
  const first = await chunks.drive(page, { script: { builder: [chunks.meanwhile(page.close, attempt)] }, shell, config, stateKey: OTHER });
  chunks.isClosed(first);
  const resume = (stateKey) => chunks.drive(p.page(), { resume: first.id, script: { builder: [attempt] }, shell, config, stateKey });
  chunks.isRejected(await resume(OWN), 'corrupt', /stateKey/);
  assert.deepEqual(commands, []);
  chunks.isShipped(await resume(OTHER));
  assert.deepEqual(commands, ['send-secrets']);
});

test('state from elsewhere that git tracks is not folded, resumed or recovered, and runs and saves work beside it', async (t) => {
  const p = chunks.project(t);
  const page = p.page();
  const attempt = chunks.turn(chunks.write('src/a.ts', 'AGENT\n'), chunks.done());
  const first = await chunks.drive(page, { script: { builder: [chunks.meanwhile(page.close, attempt)] }, stateKey: OTHER });
  chunks.isClosed(first);
  const { tree, tag } = await snapshot.save({ ...p.page(), stateKey: OTHER });
  const log = JSON.stringify({ is_done: false, target: { name: tag, tree }, undo: { name: tag, tree }, steps: { restore: [], delete: ['src/app.ts'] } });
  p.put(UNDO, `${log}\n${byKey(OTHER, UNDO)(log)}\n`);
  p.git('add', '-f', '.loopgate');
  p.git('commit', '-qm', 'by strangers');
  const tracked = p.git('ls-files', '.loopgate').split('\n');
  assert.ok([UNDO, '.loopgate/lease', `.loopgate/journal/${first.id}/`].every((path) => tracked.some((file) => file.startsWith(path))), tracked.join());
  const journal = () => tracked.filter((path) => path.includes(first.id)).map(p.text);
  const before = journal();

  const host = { ...p.page(), stateKey: OWN };
  await assert.rejects(findUnfinishedRun(host), { code: 'corrupt' });
  const saved = await snapshot.save(host);
  assert.equal(p.text('src/app.ts'), chunks.lines());
  assert.ok(p.text('.loopgate/foreign/undo-1').startsWith(log));
  assert.equal((await snapshot.verify(host, saved.tag)).ok, true);
  chunks.isRejected(await chunks.drive(p.page(), { resume: first.id, script: { builder: [attempt] }, stateKey: OWN }), 'corrupt');
  chunks.isShipped(await chunks.drive(p.page(), { script: { builder: [attempt] }, stateKey: OWN }));
  assert.deepEqual([p.committed(), journal(), p.text('src/app.ts')], [['src/a.ts'], before, chunks.lines()]);
  p.line(1, 'USER');
  const later = await snapshot.save(host);
  await snapshot.rollback(host, saved.tag);
  assert.deepEqual([later.changed > 0, p.text('src/app.ts'), journal()], [true, chunks.lines(), before]);
});

test('a forged line in a journal of this key is not read', async () => {
  const p = await closed({ stateKey: OWN });
  const [path, lines] = linesOf(p).find(([, lines]) => lines.length > 1);
  const at = lines.length - 2;
  const open = lines[at].split(',"sum":"')[0].replace(/"at":\d+/, '"at":1');
  const forged = `${open},"sum":"${byKey(OTHER, p.id)(open).slice(0, 32)}"}`;
  p.fs.writeFileSync(path, [...lines.with(at, forged), ''].join('\n'));
  await assert.rejects(findUnfinishedRun(p.host), { code: 'corrupt' });
  await assert.rejects(runLoop({ ...rest(p.host), work: task(), resume: p.id }).result, { code: 'corrupt' });
});

test('a lease from elsewhere does not hold the project, and is set aside', async () => {
  const { host, fs, read } = await project({ turns: notes, stateKey: OWN });
  const lease = JSON.stringify({ number: 2 ** 40, holder: { runId: 'x', id: 'x', since: Date.now() }, renewed: Date.now(), released: false });
  fs.mkdirSync('/project/.loopgate');
  fs.writeFileSync('/project/.loopgate/lease', `${lease}\n${byKey(OTHER, '.loopgate/lease')(lease)}\n`);
  const run = runLoop({ ...host, work: task() });
  assert.equal((await run.result).success, true);
  assert.ok(read('.loopgate/foreign/lease-1').startsWith(lease));
});

test('a mark of an interrupted save from elsewhere deletes no ref', async () => {
  const { host, fs } = await project({ stateKey: OWN });
  await snapshot.save(host);
  const ref = '/project/.git/refs/tags/mine';
  // A tag of a blob: not a snapshot.
  const blob = await host.git.writeBlob(new TextEncoder().encode('mine'));
  fs.writeFileSync(ref, `${blob}\n`);
  for (const text of ['refs/tags/mine', `refs/tags/mine\n${bySha1('refs/tags/mine')}\n`, `refs/tags/mine\n${byKey(OTHER, '.loopgate/saving')('refs/tags/mine')}\n`]) {
    fs.writeFileSync('/project/.loopgate/saving', text);
    await snapshot.save(host);
    assert.equal(fs.readFileSync(ref, 'utf8'), `${blob}\n`);
  }
});

test('`stateKey` must be at least 16 bytes', async () => {
  const { host } = await project();
  for (const stateKey of ['0123456789abcdef', new Uint8Array(15), {}, [1]]) {
    assert.throws(() => runLoop({ ...host, work: task(), stateKey }), { code: 'invalid-argument', message: /`?stateKey`?.*16 bytes/ });
    await assert.rejects(findUnfinishedRun({ ...host, stateKey }), { code: 'invalid-argument' });
  }
});

/** Saves a project in another process with these variables, and returns its redo log's seal. */
function inProcess(env) {
  const module = fileURLToPath(new URL('../project.mjs', import.meta.url));
  const code = `
    const { project } = await import(${JSON.stringify(module)});
    const { snapshot } = await import('loopgate');
    const { host, fs, read } = await project({ files: { a: '1' }, now: () => 1_700_000_000_000 });
    const { tag } = await snapshot.save(host, { tag: 'one' });
    await snapshot.save(host, { tag: 'two' });
    console.log(read('.loopgate/names').trim().split('\\n').at(-1));`;
  const done = spawnSync(process.execPath, ['--input-type=module', '-e', code], { cwd: fileURLToPath(new URL('..', import.meta.url)), env: { ...process.env, ...env }, encoding: 'utf8' });
  assert.equal(done.status, 0, done.stderr);
  return done.stdout.trim();
}

test('in Node.js, the key is a file of the user that is made once; without one, it ends with the process', { skip: process.platform === 'win32' }, () => {
  const states = join(folder, 'states');
  const first = inProcess({ XDG_STATE_HOME: states });
  const file = join(states, 'loopgate/state-key');
  const key = readFileSync(file);
  assert.deepEqual([key.length, statSync(file).mode & 0o777], [32, 0o600]);
  assert.equal(inProcess({ XDG_STATE_HOME: states }), first);
  assert.deepEqual(readFileSync(file), key);
  writeFileSync(file, randomBytes(32));
  assert.notEqual(inProcess({ XDG_STATE_HOME: states }), first);

  mkdirSync(join(folder, 'blocked'));
  writeFileSync(join(folder, 'blocked/loopgate'), 'a file in place of the folder');
  assert.notEqual(inProcess({ XDG_STATE_HOME: join(folder, 'blocked') }), inProcess({ XDG_STATE_HOME: join(folder, 'blocked') }));

  const home = join(folder, 'home');
  mkdirSync(home);
  inProcess({ XDG_STATE_HOME: 'relative', HOME: home });
  assert.ok(existsSync(join(home, '.local/state/loopgate/state-key')));
});
