/** File systems in browsers. The package's tests run the same table on `node:fs/promises`. */
import assert from 'node:assert/strict';
import { inEachStore } from './stores/fixture.js';

inEachStore('a file system', (storeTest) => {
  storeTest('passes the conformance table', async (store) => {
    const { cases, found } = await store.ask('conformance');
    assert.ok(cases > 40);
    assert.deepEqual(found, []);
  });
});
