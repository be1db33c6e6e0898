import assert from 'node:assert/strict';
import { mkdtempSync, promises, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { memfs } from 'memfs';
import { deviations } from '../../tests/fs/conformance.js';

test('node:fs/promises passes the conformance table', async (t) => {
  const at = mkdtempSync(join(tmpdir(), 'loopgate-'));
  t.after(() => rmSync(at, { recursive: true }));
  assert.deepEqual(await deviations(promises, 'node', at), []);
});

test('memfs passes the conformance table', async () => {
  const { fs } = memfs({ '/project/a': '' });
  assert.deepEqual(await deviations(fs.promises, 'memfs', '/project'), []);
});
