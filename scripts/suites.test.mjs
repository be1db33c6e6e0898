import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { STEPS, next, selection } from './suites.mjs';

const scripts = fileURLToPath(new URL('.', import.meta.url));

/** A temporary folder with the scripts and a fake `make` for suites, which are `$step`. It builds anything at once. */
function project(t, make) {
  const root = mkdtempSync(join(tmpdir(), 'loopgate-suites-'));
  t.after(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, 'scripts'));
  for (const file of ['suites.mjs', 'tally.mjs', 'times.mjs']) cpSync(join(scripts, file), join(root, 'scripts', file));
  writeFileSync(join(root, 'make'), `#!/usr/bin/env bash\nstep=$2\n[[ $step != build* || -n "$FAKE_BUILDS" ]] || exit 0\n${make}\n`, { mode: 0o755 });
  const environment = { ...process.env, MAKE: join(root, 'make'), ROOT: root, XDG_CACHE_HOME: join(root, 'cache') };
  return { root, command: [join(root, 'scripts/suites.mjs')], environment };
}

function run(t, make, ...words) {
  const { root, command, environment } = project(t, make);
  const { status, stdout, stderr } = spawnSync(process.execPath, [...command, ...words], { env: environment, encoding: 'utf8' });
  return { root, status, stdout, stderr, starts: (step) => stdout.split(`BEGIN ${step}\n`).length - 1 };
}

const passes = "echo BEGIN $step; echo 'test result: ok. 3 passed; 0 failed; 0 ignored;'";
const ends = (line, status) => `echo BEGIN $step; echo 'Running headless tests in Chrome'; echo '${line}'; exit ${status}`;

test('every need is a step of the list, before the step that needs it', () => {
  STEPS.forEach(({ needs = [] }, at) => {
    for (const need of needs) assert.ok(STEPS.slice(0, at).some(({ name }) => name === need), need);
  });
});

test('every step is a target of make', () => {
  const targets = readFileSync(join(scripts, '../Makefile'), 'utf8').split('\n').filter((line) => /^[a-z]/.test(line)).flatMap((line) => line.split(':')[0].split(' '));
  for (const { name } of STEPS) assert.ok(targets.includes(name), name);
});

test('a selection has what its suites need, and lints only if they are asked for', () => {
  const names = (...words) => selection(...words).map(({ name }) => name);
  assert.deepEqual(names(['demo']), ['build-package', 'build-demo', 'test-demo']);
  assert.ok(!names([]).includes('lint-crate'));
  assert.ok(names([], true).includes('lint-crate'));
  assert.throws(() => selection(['nothing']), /unknown suite nothing: use native, /);
});

test('a step starts when its needs passed, and is skipped when one failed', () => {
  const steps = [{ name: 'a' }, { name: 'b', needs: ['a'] }, { name: 'c' }];
  const after = (states) => next(steps, new Map(states));
  assert.equal(after([]).step.name, 'a');
  assert.equal(after([['a', 'running']]).step.name, 'c');
  assert.equal(after([['a', 'running'], ['c', 'running']]), undefined);
  assert.equal(after([['a', 'passed'], ['c', 'running']]).step.name, 'b');
  assert.deepEqual(after([['a', 'failed'], ['c', 'running']]), { step: steps[1], skip: 'a' });
});

test('a run counts the tests, writes the times, and becomes the record', (t) => {
  const { root, status, stdout } = run(t, `${passes}; echo 'test quick ... ok <0.250s>'; echo 'test slow ... ok <1.500s>'`);
  assert.equal(status, 0, stdout);
  const suites = STEPS.filter(({ name }) => name.startsWith('test-')).length;
  assert.match(stdout, new RegExp(`\\n${3 * suites} passed, 0 failed\\n$`));
  const times = readFileSync(join(root, 'target/suites/times.json'), 'utf8');
  const { slowest, ...native } = JSON.parse(times).steps.find(({ name }) => name === 'test-native');
  assert.deepEqual(slowest.map(({ name }) => name), ['slow', 'quick']);
  assert.deepEqual(Object.keys(native), ['name', 'wall', 'cpu', 'tests']);
  assert.equal(native.tests, 3);
  assert.match(stdout, /Slowest of test-native:\n +1\.5 s {2}slow\n/);
  assert.deepEqual(JSON.parse(readFileSync(join(root, 'cache/loopgate/times.json'), 'utf8')), JSON.parse(times));
});

test('what needs a failed build is not run, and the rest is', (t) => {
  process.env.FAKE_BUILDS = 'yes';
  t.after(() => delete process.env.FAKE_BUILDS);
  const { status, stdout, starts } = run(t, `case $step in build-demo) exit 2 ;; build*) exit ;; esac; ${passes}`);
  assert.equal(status, 1);
  assert.equal(starts('test-demo'), 0);
  assert.equal(starts('test-package'), 1);
  assert.match(stdout, /test-demo .* not run, because build-demo failed\n/);
});

test('a browser that fails without a test result is retried', (t) => {
  const { status, stdout, starts } = run(t, `if [ -e "$ROOT/once" ]; then ${passes}; exit; fi; touch "$ROOT/once"; ${ends('error: no session', 2)}`, 'chromium');
  assert.equal(status, 0, stdout);
  assert.equal(starts('test-chromium'), 2);
  assert.match(stdout, /retrying/);
  assert.match(stdout, /\n3 passed, 0 failed\n$/);
});

test('a browser that hangs is ended and retried', (t) => {
  process.env.BROWSER_LIMIT_MS = '3000';
  t.after(() => delete process.env.BROWSER_LIMIT_MS);
  const hangs = "echo BEGIN $step; echo 'Running headless tests in Chrome'; sleep 600";
  const { status, stdout, starts } = run(t, `if [ -e "$ROOT/once" ]; then ${passes}; exit; fi; touch "$ROOT/once"; ${hangs}`, 'chromium');
  assert.equal(status, 0, stdout);
  assert.equal(starts('test-chromium'), 2);
});

test('a browser that fails three times fails the suite, with its last lines', (t) => {
  const { status, stdout } = run(t, `${ends('error: no session', 2)}`, 'firefox');
  assert.equal(status, 1);
  assert.match(stdout, /What went wrong in test-firefox:\nBEGIN test-firefox\n.*\nerror: no session\n/);
  assert.match(stdout, /\n0 passed, 1 failed\n$/);
});

test('failed tests and other suites are not retried', (t) => {
  const failed = run(t, `${ends('test result: FAILED. 1 passed; 1 failed; 0 ignored;', 2)}`, 'chromium');
  const native = run(t, `${ends('error: linking failed', 2)}`, 'native');
  for (const { status, stdout } of [failed, native]) {
    assert.equal(status, 1);
    assert.doesNotMatch(stdout, /retrying/);
  }
});

// The output ends when the step has ended.
test('a run that is stopped names what ran, and ends it', async (t) => {
  const { command, environment } = project(t, 'echo BEGIN; exec sleep 600');
  const child = spawn(process.execPath, [...command, 'native'], { env: environment, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  for await (const part of child.stdout) {
    output += part;
    if (output.includes('BEGIN\n') && !child.killed) child.kill('SIGTERM');
  }
  assert.match(output, /stopped by SIGTERM during test-native\n/);
  assert.match(output, /\n0 passed, 1 failed\n$/);
});
