import assert from 'node:assert/strict';
import { test } from 'node:test';
import { complaints, measure, nativeImports, standing } from './size.mjs';

const HEADER = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];

/** A module that imports one function `module.f`. */
function importing(module) {
  const name = [...new TextEncoder().encode(module)];
  const entry = [1, name.length, ...name, 1, 0x66, 0, 0];
  return Uint8Array.from([...HEADER, 1, 4, 1, 0x60, 0, 0, 2, entry.length, ...entry]);
}

test('an import of the glue is fine, a native one is named', () => {
  assert.deepEqual(nativeImports(importing('wbg')), []);
  assert.deepEqual(nativeImports(importing('./loopgate_bg.js')), []);
  assert.deepEqual(nativeImports(importing('env')), ['env.f']);
  assert.deepEqual(nativeImports(importing('wasi_snapshot_preview1')), ['wasi_snapshot_preview1.f']);
});

test('compression is measured', () => {
  const sizes = measure(Buffer.alloc(10_000, 'a'));
  assert.equal(sizes.raw, 10_000);
  assert.ok(sizes.brotli < sizes.gzip && sizes.gzip < 100, JSON.stringify(sizes));
});

test('over the ceiling is refused', () => {
  assert.deepEqual(complaints({ brotli: 300 }, { ceiling: { brotli: 300 } }), []);
  assert.match(complaints({ brotli: 301 }, { ceiling: { brotli: 300 } })[0], /1 over its ceiling of 300/);
});

test('a missed budget is said, also below the ceiling', () => {
  const record = { budget: { brotli: 200 }, ceiling: { brotli: 300 } };
  assert.match(standing({ brotli: 250 }, record), /MISSED by 50/);
  assert.match(standing({ brotli: 200 }, record), /within the budget/);
});
