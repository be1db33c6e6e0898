/** Behavior specific to the origin private file system, and isomorphic-git over it. */
import assert from 'node:assert/strict';
import { inEachStore } from './stores/fixture.js';

const OPFS = ['opfs-async', 'opfs-sync'];

inEachStore('loopgate/opfs', (storeTest, kind, browser) => {
  storeTest('isomorphic-git works over it', async (store) => {
    const author = { name: 'A', email: 'a@example.com' };
    const commit = (message) => store.git('commit', { message, author });
    await store.git('init', { defaultBranch: 'main' });
    await store.put({ 'a.txt': 'one', 'src/b.txt': 'b', '.gitignore': 'dist/' });
    await store.git('add', { filepath: '.' });
    const first = await commit('first');
    await store.put({ 'a.txt': 'two', 'dist/out.js': '' });
    await store.remove('src/b.txt');
    assert.deepEqual(await store.git('statusMatrix'), [['.gitignore', 1, 1, 1], ['a.txt', 1, 2, 1], ['src/b.txt', 1, 0, 1]]);
    await store.git('add', { filepath: 'a.txt' });
    await store.git('remove', { filepath: 'src/b.txt' });
    await store.git('annotatedTag', { ref: 'v1', object: first, message: 'tagged', tagger: author });
    const second = await commit('second');
    assert.deepEqual((await store.git('log')).map(({ oid, commit }) => [oid, commit.message]), [[second, 'second\n'], [first, 'first\n']]);
    await store.git('branch', { ref: 'other', object: first });
    await store.git('checkout', { ref: 'other' });
    assert.equal(await store.ask('readText', 'src/b.txt'), 'b');
    assert.equal(await store.git('currentBranch'), 'other');
    assert.deepEqual([await store.git('listBranches'), await store.git('listTags'), await store.git('listFiles')], [['main', 'other'], ['v1'], ['.gitignore', 'a.txt', 'src/b.txt']]);
  });

  storeTest('has no links and no chmod', async (store) => {
    await store.put({ a: '' });
    await assert.rejects(store.ask('call', 'readlink', 'a'), { code: 'EINVAL' });
    await assert.rejects(store.ask('call', 'readlink', 'b'), { code: 'ENOENT' });
    await assert.rejects(store.ask('link', 'a', 'b'), { code: 'ENOSYS', message: /links/ });
    assert.equal(await store.ask('call', 'lstat', 'a').then(({ mode }) => mode), 0o100644);
    assert.deepEqual(await store.ask('support'), { chmod: false, hasLinks: false });
  });

  storeTest('errors have code, path and message', async (store) => {
    await assert.rejects(store.ask('call', 'readFile', 'no'), { code: 'ENOENT', path: '/project/no', message: /^ENOENT: .*'\/project\/no'$/ });
    await assert.rejects(store.ask('call', 'writeFile', 'a', 'x', { flag: 'a' }), { code: 'ENOSYS', message: /flag a/ });
    await assert.rejects(store.ask('call', 'writeFile', 'a', 'x', 'latin1'), { code: 'ENOSYS', message: /latin1/ });
    await assert.rejects(store.ask('call', 'writeFile', '\ud800', 'x'), { code: 'EINVAL' });
    await assert.rejects(store.ask('call', 'readFile', ''), { code: 'EISDIR' });
    assert.deepEqual(await store.ask('entries', 'project'), []);
  });

  storeTest('a locked file is busy until it is released', async (store) => {
    await store.put({ a: 'before', b: 'b' });
    await store.ask('hold', 'project/a');
    const busy = { code: 'EBUSY', path: '/project/a' };
    await assert.rejects(store.ask('call', 'unlink', 'a'), busy);
    await assert.rejects(store.ask('call', 'rename', 'a', '/project/c'), busy);
    // Writable streams are not exclusive: the one that is closed last wins.
    if (kind === 'opfs-sync') await assert.rejects(store.ask('call', 'writeFile', 'a', 'after'), busy);
    assert.equal(await store.ask('readText', 'a'), 'before');
    await store.ask('release');
    await store.put({ a: 'after' });
    await store.ask('call', 'rename', 'a', '/project/b');
    assert.equal(await store.ask('readText', 'b'), 'after');
  });

  storeTest('entries removed by another tab are noticed', async (store) => {
    await store.put({ 'd/e/a': '1' });
    await store.ask('removeInOtherTab', 'project/d');
    await assert.rejects(store.ask('readText', 'd/e/a'), { code: 'ENOENT' });
    await assert.rejects(store.ask('call', 'readdir', 'd/e'), { code: 'ENOENT' });
    await store.put({ 'd/e/b': '2' });
    assert.deepEqual((await store.everything()).folders, ['d', 'd/e']);
    await store.ask('removeInOtherTab', 'project');
    await store.ask('removeInOtherTab', '.loopgate-writing');
    await store.put({ '../project/d/c': '3' });
    assert.equal(await store.ask('readText', 'd/c'), '3');
  });

  storeTest('temporary files are in a hidden folder', async (store) => {
    await store.put({ a: '1' });
    assert.deepEqual(await store.ask('entries', ''), ['.loopgate-writing', 'project']);
    assert.deepEqual(await store.ask('entries', '.loopgate-writing'), []);
    assert.deepEqual(await store.ask('call', 'readdir', '..'), ['project']);
    for (const [method, ...more] of [['readdir'], ['readFile'], ['stat'], ['writeFile', 'x'], ['mkdir']]) {
      await assert.rejects(store.ask('call', method, '../.loopgate-writing', ...more), { code: 'EINVAL' }, method);
    }
  });

  // Only Chromium lets a test set the quota.
  if (browser === 'chromium') {
    storeTest('a write over the quota changes nothing and leaves no temporary file', async (store, { address }) => {
      await store.put({ a: 'old' });
      const session = await store.page.createCDPSession();
      const origin = new URL(address).origin;
      await session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 2_000_000 });
      try {
        const large = 'x'.repeat(4_000_000);
        for (const name of ['a', 'new']) await assert.rejects(store.ask('call', 'writeFile', name, large), { code: 'ENOSPC', path: `/project/${name}` });
        assert.deepEqual((await store.everything()).files, { a: Buffer.from('old').toString('base64') });
        assert.deepEqual(await store.ask('entries', '.loopgate-writing'), []);
      } finally {
        await session.send('Storage.overrideQuotaForOrigin', { origin });
      }
      await store.put({ a: 'fits again' });
    });
  }

  if (kind === 'opfs-async') {
    storeTest('synchronous handles are refused in a window', async (store) => {
      const { code, message } = await store.ask('refusedHandles', 'sync');
      assert.equal(code, 'unsupported');
      assert.match(message, /sync .*dedicated workers/);
    });
  }
}, OPFS);
