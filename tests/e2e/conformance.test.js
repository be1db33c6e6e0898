/** LightningFS, the origin private file system and memfs in real browsers; `node:fs/promises` is asked the same in the package's tests. */
import assert from 'node:assert/strict';
import { inEachStore } from './stores/fixture.js';

inEachStore('a file system', (storeTest) => {
  storeTest('answers as the table says', async (store) => {
    const { cases, found } = await store.ask('conformance');
    assert.ok(cases > 40);
    assert.deepEqual(found, []);
  });
});
