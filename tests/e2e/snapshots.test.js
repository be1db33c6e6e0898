/** Snapshots in every store of both browsers. */
import assert from 'node:assert/strict';
import { inEachStore } from './stores/fixture.js';

const BYTES = Uint8Array.from({ length: 256 }, (_, byte) => byte);
const LONG = 'x'.repeat(200);

const FILES = {
  '.gitignore': 'dist/\n*.log\n',
  'README.md': 'grüß 🍓\r\nno newline at the end',
  'empty.txt': '',
  'image.png': BYTES,
  'src/deep/er/est/file.ts': 'export {};\n',
  'tool.sh': '#!/bin/sh\n',
  'with space/"quotes" and \'others\'.txt': 'quoted',
  '🍓/ünï.txt': 'names',
  [LONG]: 'long',
};
const IGNORED = { 'dist/out.js': 'built', 'debug.log': 'noise', '.handoff/specs/a/iterations/001.md': 'kept', '.loopgate/journal/1/1.jsonl': '{}' };

inEachStore('snapshots', (storeTest) => {
  storeTest('a rollback restores every kind of file', async (store) => {
    const before = await project(store);
    const saved = await store.snapshot('save', { tag: 'task-1-pre' });
    assert.equal(saved.files, Object.keys(before.files).length - 2 + Object.keys(before.links).length);
    await changeEverything(store, before);
    const changed = await store.snapshot('verify', 'task-1-pre');
    assert.equal(changed.ok, false);
    assert.deepEqual(changed.different, [...Object.keys(FILES), ...Object.keys(before.links)].toSorted());
    const { restored } = await store.snapshot('rollback', 'task-1-pre');
    for (const path of Object.keys(FILES)) assert.ok(restored.includes(path), path);
    assert.deepEqual(await store.snapshot('verify', 'task-1-pre'), { ok: true, missing: [], different: [], extra: [] });
    assert.deepEqual(await store.project(), before);
    assert.equal(await store.snapshot('readFile', 'task-1-pre', 'image.png'), Buffer.from(BYTES).toString('base64'));
  });

  storeTest('a rollback removes new files and can be undone', async (store) => {
    const before = await project(store);
    await store.snapshot('save', { tag: 'task-1-pre' });
    await store.put({ 'README.md': 'changed', 'new/folder/file.ts': 'new', 'src/deep/more.ts': 'new', 'dist/late.js': 'ignored' });
    await store.remove('empty.txt', 'src/deep/er/est/file.ts');
    const after = await store.project();
    const old = (await store.everything()).files;

    const { restored, deleted } = await store.snapshot('rollback', 'task-1-pre');
    assert.deepEqual([restored, deleted], [['README.md', 'empty.txt', 'src/deep/er/est/file.ts'], ['new/folder/file.ts', 'src/deep/more.ts']]);
    const rolledBack = await store.project();
    assert.deepEqual(rolledBack, { ...before, files: { ...before.files, 'dist/late.js': base64('ignored') } });
    const now = (await store.everything()).files;
    for (const path of [...Object.keys(IGNORED), 'dist/late.js']) assert.equal(now[path], old[path], path);

    await store.snapshot('undo');
    // Git does not store empty folders, so the emptied ones are not restored.
    assert.deepEqual(await store.project(), { ...after, folders: after.folders.filter((path) => !path.startsWith('src/deep/')) });
    await store.snapshot('undo');
    assert.deepEqual(await store.project(), rolledBack);
  });

  storeTest('a dry run changes nothing and lists what a rollback changes', async (store) => {
    await project(store);
    await store.snapshot('save', { tag: 'task-1-pre' });
    await store.put({ 'README.md': 'changed', 'new/🍓.ts': 'new' });
    await store.remove('image.png');
    const before = await store.everything();
    const dry = await store.snapshot('rollback', 'task-1-pre', { dryRun: true });
    assert.deepEqual(await store.everything(), before);
    const real = await store.snapshot('rollback', 'task-1-pre');
    assert.deepEqual([dry.restored, dry.deleted], [real.restored, real.deleted]);
    const after = await store.everything();
    const differs = (path) => before.files[path] !== after.files[path] && !/^\.(git|loopgate)\//.test(path);
    const touched = [...new Set([...Object.keys(before.files), ...Object.keys(after.files)])].filter(differs).toSorted();
    assert.deepEqual(touched, [...real.restored, ...real.deleted].toSorted());
  });

  storeTest('a save without changes only sets the tag', async (store) => {
    await project(store);
    const pre = await store.snapshot('save', { tag: 'task-1-pre' });
    const objects = async () => Object.keys((await store.everything()).files).filter((path) => path.startsWith('.git/objects/'));
    const before = await objects();
    const post = await store.snapshot('save', { tag: 'task-1-post' });
    assert.deepEqual([post.tag, post.oid, post.changed], ['task-1-post', pre.oid, 0]);
    assert.deepEqual(await objects(), before);
    assert.deepEqual((await store.snapshot('list')).map(({ tag }) => tag).toSorted(), ['task-1-post', 'task-1-pre']);
  });

  storeTest('branches, HEAD, index and tags of the user do not change', async (store) => {
    const author = { name: 'U', email: 'u@example.com' };
    await store.put({ 'a.txt': 'committed', 'b.txt': 'b' });
    await store.git('init', { defaultBranch: 'main' });
    await store.git('add', { filepath: '.' });
    const oid = await store.git('commit', { message: 'mine', author });
    await store.git('tag', { ref: 'v1', object: oid });
    await store.git('branch', { ref: 'topic', object: oid, checkout: true });
    await store.put({ 'a.txt': 'staged' });
    await store.git('add', { filepath: 'a.txt' });
    await store.put({ 'a.txt': 'neither' });
    const users = async () => {
      const isUsers = (path) => /^\.git\/(HEAD|index|config|refs\/heads\/|refs\/tags\/v1)/.test(path);
      return Object.fromEntries(Object.entries((await store.everything()).files).filter(([path]) => isUsers(path)));
    };
    const before = await users();
    assert.equal(Object.keys(before).length, 6);

    await store.snapshot('save', { tag: 'task-1-pre' });
    await store.put({ 'a.txt': 'changed', 'c.txt': 'c' });
    await store.snapshot('save', { tag: 'task-1-post' });
    await store.snapshot('rollback', 'task-1-pre');
    assert.deepEqual(await users(), before);
    assert.equal(await store.ask('readText', 'a.txt'), 'neither');
    assert.deepEqual(await store.git('statusMatrix'), [['a.txt', 1, 2, 3], ['b.txt', 1, 1, 1]]);
  });
});

/** A project with every kind of entry that the store supports. */
async function project(store) {
  await store.put({ ...FILES, ...IGNORED });
  const { chmod, hasLinks } = await store.ask('support');
  if (chmod) await store.ask('chmod', 'tool.sh', 0o755);
  if (hasLinks !== false) await store.ask('link', 'README.md', 'link.md');
  const found = await store.project();
  assert.deepEqual(found.executable, chmod ? ['tool.sh'] : []);
  assert.deepEqual(found.links, hasLinks === false ? {} : { 'link.md': 'README.md' });
  return found;
}

async function changeEverything(store, { links }) {
  for (const path of Object.keys(links)) {
    await store.remove(path);
    await store.put({ [path]: 'a file' });
  }
  await store.put(Object.fromEntries(Object.keys(FILES).map((path) => [path, `${path} changed`])));
  await store.put({ '.gitignore': FILES['.gitignore'].replace('dist/', '/dist/') });
  if ((await store.ask('support')).chmod) await store.ask('chmod', 'README.md', 0o755);
}

const base64 = (text) => Buffer.from(text).toString('base64');
