import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closingLine, complaint, count, whatWentWrong } from './tally.mjs';

test('counts the results of cargo over all binaries', () => {
  const log = [
    'test plan::tests::unknown_mood ... ok',
    'test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s',
    'test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s',
  ].join('\n');
  assert.deepEqual(count(log), { passed: 15, failed: 2, skipped: 1 });
});

test('counts the results of wasm-bindgen-test, in color', () => {
  const log = '\u001b[32mtest result: ok. 7 passed; 0 failed; 0 ignored; 0 filtered out; finished in 0.02s\u001b[0m';
  assert.deepEqual(count(log), { passed: 7, failed: 0, skipped: 0 });
});

test('counts the results of both reporters of node', () => {
  const spec = 'ℹ tests 6\nℹ pass 3\nℹ fail 1\nℹ cancelled 1\nℹ skipped 1\nℹ todo 0';
  const tap = '# tests 2\n# pass 2\n# fail 0\n# cancelled 0\n# skipped 0\n# todo 0';
  assert.deepEqual(count(`${spec}\n${tap}`), { passed: 5, failed: 2, skipped: 1 });
});

test('ignores lines that look like a result', () => {
  assert.deepEqual(count('it prints ℹ pass 3\n# pass the salt\ntest result: unknown'), { passed: 0, failed: 0, skipped: 0 });
});

const suite = (counts, status, more = {}) => ({ name: 'test-native', counts: { passed: 0, failed: 0, skipped: 0, ...counts }, status, ...more });

test('failures, a bad exit code and no tests are complaints', () => {
  assert.equal(complaint(suite({ passed: 3 }, 0)), null);
  assert.equal(complaint(suite({ passed: 3, failed: 2 }, 1)), '2 failed');
  assert.match(complaint(suite({ passed: 3 }, 2)), /exit code 2 without a failed test/);
  assert.equal(complaint(suite({}, 0)), 'ran no test');
  assert.equal(complaint({ ...suite({}, 0), name: 'build-demo' }), null);
  assert.equal(complaint(suite({}, 1, { note: 'not run' })), 'not run');
});

test('the last line counts a suite with a bad exit code as a failure', () => {
  const good = suite({ passed: 4 }, 0);
  const bad = suite({ passed: 1, failed: 2 }, 1);
  const silent = suite({ skipped: 1 }, 0);
  assert.equal(closingLine([good]), '4 passed, 0 failed');
  assert.equal(closingLine([good, bad, silent]), '5 passed, 3 failed, 1 skipped');
});

test('failed tests are printed as the runner lists them', () => {
  const cargo = 'test a ... FAILED\n\nfailures:\n\n---- a stdout ----\nassertion failed\n\nfailures:\n    a\n\ntest result: FAILED.\ntest b ... ok';
  assert.match(whatWentWrong(cargo), /^failures:\n\n---- a stdout ----\nassertion failed\n/);
  assert.match(whatWentWrong('    ok\n\n    failures:\n\n    ---- b output ----\n        error'), /^ {4}failures:\n\n {4}---- b/);
  const node = '\u001b[31m✖ bad\u001b[39m\nℹ fail 1\n\n\u001b[31m✖ failing tests:\u001b[39m\n\ntest at a.test.js:1:1\n✖ bad (1 ms)\n  why\nnpm error';
  assert.equal(whatWentWrong(node), '✖ failing tests:\n\ntest at a.test.js:1:1\n✖ bad (1 ms)\n  why\nnpm error');
  assert.equal(whatWentWrong(node, { failures: 3 }), '✖ failing tests:\n\ntest at a.test.js:1:1');
});

test('without a list of failed tests, the last lines are printed, without colors', () => {
  assert.equal(whatWentWrong('one\ntwo\n\u001b[31mthree\u001b[0m\n\n', { end: 2 }), 'two\nthree');
  assert.equal(whatWentWrong('', { end: 2 }), '');
});
