import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const scripts = fileURLToPath(new URL('.', import.meta.url));

/** Runs suites in a temporary folder with a fake `make`; `$suite` is the suite's name. */
function run(t, make, ...suites) {
  const root = mkdtempSync(join(tmpdir(), 'loopgate-suites-'));
  t.after(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, 'scripts'));
  for (const file of ['suites.sh', 'tally.mjs']) cpSync(join(scripts, file), join(root, 'scripts', file));
  writeFileSync(join(root, 'make'), `#!/usr/bin/env bash\nsuite=\${2#test-}\n${make}\n`, { mode: 0o755 });
  const { status, stdout } = spawnSync('bash', [join(root, 'scripts/suites.sh'), ...suites], { env: { ...process.env, MAKE: join(root, 'make'), ROOT: root }, encoding: 'utf8' });
  return { status, stdout, starts: stdout.split('BEGIN').length - 1 };
}

const ends = (line, status) => `echo BEGIN; echo 'Running headless tests in Chrome'; echo '${line}'; exit ${status}`;
const passed = ends('test result: ok. 3 passed; 0 failed; 0 ignored;', 0);

test('a browser that fails without a test result is retried', (t) => {
  const { status, stdout, starts } = run(t, `if [ -e "$ROOT/once" ]; then ${passed}; fi; touch "$ROOT/once"; ${ends('error: no session', 2)}`, 'chromium');
  assert.equal(status, 0, stdout);
  assert.equal(starts, 2);
  assert.match(stdout, /retrying/);
  assert.match(stdout, /\n3 passed, 0 failed\n$/);
});

test('a browser that hangs is ended and retried', (t) => {
  process.env.BROWSER_LIMIT = '1s';
  t.after(() => delete process.env.BROWSER_LIMIT);
  const hangs = "echo BEGIN; echo 'Running headless tests in Chrome'; sleep 600";
  const { status, stdout, starts } = run(t, `if [ -e "$ROOT/once" ]; then ${passed}; fi; touch "$ROOT/once"; ${hangs}`, 'chromium');
  assert.equal(status, 0, stdout);
  assert.equal(starts, 2);
  assert.match(stdout, /retrying/);
});

test('a browser that fails three times fails the suite, with its last lines', (t) => {
  const { status, stdout, starts } = run(t, ends('error: no session', 2), 'firefox');
  assert.equal(status, 1);
  // The runs, and the last lines of the last one.
  assert.equal(starts, 4);
  assert.match(stdout, /What went wrong in firefox:\nBEGIN\n.*\nerror: no session\n/);
  assert.match(stdout, /\n0 passed, 1 failed\n$/);
});

test('failed tests and other suites are not retried', (t) => {
  const failed = run(t, ends('test result: FAILED. 1 passed; 1 failed; 0 ignored;', 2), 'chromium');
  const native = run(t, ends('error: linking failed', 2), 'native');
  for (const { status, stdout } of [failed, native]) {
    assert.equal(status, 1);
    assert.doesNotMatch(stdout, /retrying/);
  }
});
