import assert from 'node:assert/strict';
import { test } from 'node:test';
import { functions, moduleOf, table } from './modules.mjs';

/** A binary with one function of two bytes, and its name. */
function binary(name) {
  const text = [...new TextEncoder().encode(name)];
  const names = [1, text.length + 3, 1, 0, text.length, ...text];
  const custom = [4, ...new TextEncoder().encode('name'), ...names];
  return Uint8Array.from([
    0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00,
    1, 4, 1, 0x60, 0, 0,
    3, 2, 1, 0,
    10, 4, 1, 2, 0, 0x0b,
    0, custom.length, ...custom,
  ]);
}

test('each function has its size and its name', () => {
  assert.deepEqual(functions(binary('_ZN4core3fmtE')), [{ size: 2, name: '_ZN4core3fmtE' }]);
});

test('a function belongs to a module of the crate, or to another crate', () => {
  assert.equal(moduleOf('_ZN8loopgate3run7machine7Machine5apply17h0123456789abcdefE'), 'loopgate::run::machine');
  assert.equal(moduleOf('_ZN66_$LT$loopgate..run..event..Event$u20$as$u20$core..fmt..Debug$GT$3fmt17h0E'), 'loopgate::run::event');
  assert.equal(moduleOf('_ZN4core3fmt5write17h0E'), 'core');
  assert.equal(moduleOf(''), 'unnamed');
});

test('small modules share a row, and the last row is the sum', () => {
  const list = [{ size: 9_000, name: '_ZN4core3fmtE' }, { size: 10, name: '_ZN5alloc3vecE' }, { size: 5, name: '' }];
  assert.deepEqual([...table(list)], [['core', 9_000], ['other modules', 15], ['all functions', 9_015]]);
});
