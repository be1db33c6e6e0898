import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliSize, complaints, nativeImports } from './size.mjs';

const HEADER = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];

/** A module that imports one function `module.f`. */
function importing(module) {
  const name = [...new TextEncoder().encode(module)];
  const entry = [1, name.length, ...name, 1, 0x66, 0, 0];
  return Uint8Array.from([...HEADER, 1, 4, 1, 0x60, 0, 0, 2, entry.length, ...entry]);
}

test('imports of the glue pass, native ones are named', () => {
  assert.deepEqual(nativeImports(importing('wbg')), []);
  assert.deepEqual(nativeImports(importing('./loopgate_bg.js')), []);
  assert.deepEqual(nativeImports(importing('env')), ['env.f']);
  assert.deepEqual(nativeImports(importing('wasi_snapshot_preview1')), ['wasi_snapshot_preview1.f']);
});

test('the size is that after brotli', () => {
  assert.ok(brotliSize(Buffer.alloc(10_000, 'a')) < 100);
});

test('a binary over the ceiling fails, one at the ceiling passes', () => {
  assert.deepEqual(complaints(300, 300), []);
  assert.match(complaints(301, 300).join(), /1 over the ceiling of 300/);
});

test('a commit that changes more than the ceiling fails', () => {
  assert.match(complaints(300, 300, ['src/lib.rs']).join(), /also changed src\/lib\.rs/);
});

test('a missing or wrong ceiling fails', () => {
  assert.equal(complaints(300, undefined).length, 1);
});
