// Git trees of strangers, with names that are a link and a folder. Whatever a tree has, nothing outside of the project is written.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import nodeFs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { snapshot } from 'loopgate';
import { done, drive, page, project, turn, write } from '../ownership/project.mjs';

const FILE = '100644';
const LINK = '120000';
const FOLDER = '40000';

/** Xorshift: a seed gives the same numbers each time. */
function random(seed) {
  let state = BigInt(seed) * 0x9e3779b97f4a7c15n + 1n;
  return (end) => {
    state = BigInt.asUintN(64, state ^ (state << 13n));
    state ^= state >> 7n;
    state = BigInt.asUintN(64, state ^ (state << 17n));
    return Number(state % BigInt(end));
  };
}

/** A project with `mine`, beside a folder of the user. `unchanged` fails if anything outside of the project changed. */
function beside(t, files = {}) {
  const p = project(t, { files: { mine: 'mine\n', ...files } });
  const outside = nodeFs.mkdtempSync(join(tmpdir(), 'loopgate-outside-'));
  t.after(() => nodeFs.rmSync(outside, { recursive: true, force: true }));
  nodeFs.writeFileSync(join(outside, 'precious'), 'precious\n');
  nodeFs.mkdirSync(join(outside, 'dir'));
  const config = p.text('.git/config');
  const unchanged = (why) => {
    assert.deepEqual(nodeFs.readdirSync(outside, { recursive: true }).sort(), ['dir', 'precious'], why);
    assert.equal(nodeFs.readFileSync(join(outside, 'precious'), 'utf8'), 'precious\n', why);
    assert.deepEqual([p.text('.git/config'), p.text('.git/hooks/x')], [config, null], why);
  };
  return { ...p, outside, unchanged };
}

/** Stores an object that git would not write. Returns its id. */
function store(p, type, body) {
  const object = Buffer.concat([Buffer.from(`${type} ${body.length}\0`), body]);
  const oid = createHash('sha1').update(object).digest('hex');
  p.put(`.git/objects/${oid.slice(0, 2)}/${oid.slice(2)}`, deflateSync(object));
  return oid;
}

/** Stores a tree with exactly these entries: `[mode, name, content]`, where the content of a folder is its entries. */
function storeTree(p, entries) {
  const body = entries.map(([mode, name, content]) => {
    const oid = mode === FOLDER ? storeTree(p, content) : store(p, 'blob', Buffer.from(content));
    return Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(oid, 'hex')]);
  });
  return store(p, 'tree', Buffer.concat(body));
}

function commit(p, entries, ref) {
  const who = 'them <them@example.com> 1700000000 +0000';
  p.put(`.git/${ref}`, `${store(p, 'commit', Buffer.from(`tree ${storeTree(p, entries)}\nauthor ${who}\ncommitter ${who}\n\ntheirs\n`))}\n`);
}

/** The project as the user sees it: files, links as their targets. */
function files(p) {
  const entries = nodeFs.readdirSync(p.dir, { recursive: true, withFileTypes: true });
  const own = entries.filter((entry) => !entry.isDirectory()).map((entry) => relative(p.dir, join(entry.parentPath, entry.name)));
  const kept = own.filter((path) => !/^\.(git|loopgate)\//.test(path)).sort();
  return kept.map((path) => [path, nodeFs.lstatSync(join(p.dir, path)).isSymbolicLink() ? `-> ${nodeFs.readlinkSync(join(p.dir, path))}` : p.text(path)]);
}

/** Objects are slow to read, each in its own time. */
const slow = (next) => async (method, path) => {
  if (method === 'readFile' && path.startsWith('.git/objects/')) for (let ticks = next(12); ticks > 0; ticks--) await new Promise(setImmediate);
};

const NAMES = ['a', 'A', 'b', 'B', 'dir', 'DIR', 'a.', 'mine', 'precious', 'hooks', 'ｂ'];

function entries(p, next, depth = 0) {
  const targets = [p.outside, `../${p.outside.split('/').at(-1)}`, '..', '../..', 'a', 'b', 'dir', 'mine', '.git', '../.git', `${p.outside}/dir`];
  return Array.from({ length: 1 + next(6) }, () => {
    const name = NAMES[next(NAMES.length)];
    const kind = next(depth < 3 ? 6 : 4);
    if (kind < 2) return [LINK, name, targets[next(targets.length)]];
    return kind < 4 ? [FILE, name, `theirs ${next(3)}\n`] : [FOLDER, name, entries(p, next, depth + 1)];
  });
}

for (const anyCase of [false, true]) {
  test(`no random tree writes outside of the project${anyCase ? ' where letter case is ignored' : ''}`, async (t) => {
    const outcomes = { done: 0, refused: 0 };
    for (let seed = 1; seed <= 60; seed++) {
      const [p, next] = [beside(t), random(seed + (anyCase ? 1000 : 0))];
      const tree = entries(p, next);
      commit(p, tree, 'refs/tags/theirs');
      const why = `seed ${seed}: ${JSON.stringify(tree)}`;
      const [host, before] = [page(p.dir, { on: slow(next), anyCase }), files(p)];
      const error = await snapshot.rollback(host, 'refs/tags/theirs').then(() => null, (error) => error);
      outcomes[error ? 'refused' : 'done'] += 1;
      p.unchanged(why);
      const after = files(p);
      if (error) {
        assert.match(error.code, /^(corrupt|unsupported|conflict|fs)$/, `${why}: ${error}`);
        assert.deepEqual(after, before, why);
        continue;
      }
      const links = after.filter(([path, text]) => text.startsWith('-> ') && !before.some(([other]) => other === path));
      for (const [path, text] of links) assert.ok(resolve(p.dir, dirname(path), text.slice(3)).startsWith(p.dir), `${why}: ${path} ${text}`);
      await snapshot.undo(host);
      assert.deepEqual(files(p), before, why);
      p.unchanged(why);
    }
    assert.ok(outcomes.done > 5 && outcomes.refused > 5, JSON.stringify(outcomes));
  });
}

/** A folder with `count` files, each a different text. */
const many = (count) => Array.from({ length: count }, (_, at) => [FILE, `f${at}`, `${at}\n`]);

for (const [title, link, folder, anyCase] of [
  ['one name', 'zone', 'zone', false],
  ['names that differ in letter case', 'ZONE', 'zone', true],
]) {
  test(`a tree with a link and a folder of ${title} is refused before anything is written`, async (t) => {
    const p = beside(t);
    commit(p, [[LINK, link, p.outside], ...many(40), [FOLDER, folder, [[FILE, 'precious', 'theirs\n']]]], 'refs/tags/theirs');
    const host = page(p.dir, { on: slow(random(7)), anyCase });
    await snapshot.save(host, { tag: 'before' });
    const before = files(p);
    for (const options of [{ dryRun: true }, {}]) await assert.rejects(snapshot.rollback(host, 'refs/tags/theirs', options), { code: anyCase ? 'unsupported' : 'corrupt' });
    p.unchanged();
    assert.deepEqual(files(p), before);
    assert.equal((await snapshot.list(host)).length, 1, 'no snapshot of a rollback that is refused');
  });

  test(`a run over chunks does not check out a branch with a link and a folder of ${title}`, async (t) => {
    const p = beside(t);
    const own = p.git('ls-tree', 'HEAD').split('\n').map((line) => /^(\d+) \w+ (\w+)\t(.*)$/.exec(line));
    const body = [LINK, FOLDER].map((mode) => {
      const oid = mode === LINK ? store(p, 'blob', Buffer.from(p.outside)) : storeTree(p, [[FILE, 'precious', 'theirs\n']]);
      return Buffer.concat([Buffer.from(`${mode} ${mode === LINK ? link : folder}\0`), Buffer.from(oid, 'hex')]);
    });
    const head = own.map(([, mode, oid, name]) => Buffer.concat([Buffer.from(`${mode.replace(/^0/, '')} ${name}\0`), Buffer.from(oid, 'hex')]));
    const tree = store(p, 'tree', Buffer.concat([...head, ...body]));
    const who = 'them <them@example.com> 1700000000 +0000';
    const parent = p.git('rev-parse', 'HEAD');
    p.put('.git/refs/heads/spec/shop', `${store(p, 'commit', Buffer.from(`tree ${tree}\nparent ${parent}\nauthor ${who}\ncommitter ${who}\n\ntheirs\n`))}\n`);
    const before = files(p);
    const { error } = await drive(page(p.dir, { on: slow(random(9)), anyCase }), { script: { builder: [turn(write('src/a.ts', 'AGENT\n'), done())] } });
    assert.ok(error instanceof Error && /corrupt|unsupported/.test(error.code), String(error));
    p.unchanged();
    assert.deepEqual(files(p).filter(([path]) => !path.startsWith('.handoff/')), before.filter(([path]) => !path.startsWith('.handoff/')));
  });
}

test('a run over chunks leaves out links of its branch that lead out of the project, and a status names them', async (t) => {
  const p = beside(t);
  p.git('checkout', '-qb', 'spec/shop');
  nodeFs.symlinkSync(p.outside, join(p.dir, 'away'));
  nodeFs.symlinkSync('mine', join(p.dir, 'near'));
  p.git('add', '.');
  p.git('commit', '-qm', 'theirs');
  p.git('checkout', '-q', 'main');
  const { events, result, error } = await drive(p.page(), { script: { builder: [turn(write('src/a.ts', 'AGENT\n'), done())] } });
  assert.ok(result, String(error));
  p.unchanged();
  assert.equal(nodeFs.readlinkSync(join(p.dir, 'near')), 'mine');
  assert.equal(p.has('away'), false);
  assert.deepEqual(p.committed(), ['src/a.ts'], 'no commit of the run lacks the link');
  assert.ok(events.some(({ type, text }) => type === 'status' && /^away is left out/.test(text)));
});

test('a folder that becomes a link while objects are read is not written through', async (t) => {
  const p = beside(t, { 'dir/a': 'old\n', 'dir/b': 'old\n' });
  const host = page(p.dir, {
    on: (method, path) => {
      // Another program, when the first object of the rollback is read.
      if (!isArmed || method !== 'readFile' || !path.startsWith('.git/objects/')) return;
      isArmed = false;
      nodeFs.rmSync(join(p.dir, 'dir'), { recursive: true });
      nodeFs.symlinkSync(p.outside, join(p.dir, 'dir'));
    },
  });
  let isArmed = false;
  await snapshot.save(host, { tag: 'one' });
  p.put('dir/a', 'new\n');
  p.put('dir/b', 'new\n');
  await snapshot.save(host, { tag: 'two' });
  const writes = [];
  const original = host.fs.writeFile;
  host.fs.writeFile = async (path, ...rest) => {
    if (path.endsWith('/undo.next')) isArmed = true;
    writes.push(path);
    return original(path, ...rest);
  };
  await assert.rejects(snapshot.rollback(host, 'one'));
  assert.ok(!isArmed, 'the folder was replaced');
  p.unchanged();
});

test('an object that inflates to more than a page can hold is refused', async (t) => {
  const p = beside(t);
  const size = 260 * 1024 * 1024;
  const object = Buffer.concat([Buffer.from(`blob ${size}\0`), Buffer.alloc(size)]);
  const oid = createHash('sha1').update(object).digest('hex');
  p.put(`.git/objects/${oid.slice(0, 2)}/${oid.slice(2)}`, deflateSync(object));
  const tree = store(p, 'tree', Buffer.concat([Buffer.from(`${FILE} big\0`), Buffer.from(oid, 'hex')]));
  const who = 'them <them@example.com> 1700000000 +0000';
  p.put('.git/refs/tags/theirs', `${store(p, 'commit', Buffer.from(`tree ${tree}\nauthor ${who}\ncommitter ${who}\n\ntheirs\n`))}\n`);
  const before = files(p);
  await assert.rejects(snapshot.rollback(p.page(), 'refs/tags/theirs'), /inflates to more than/);
  assert.deepEqual(files(p), before);
});
