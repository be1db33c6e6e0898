// Runs setup.sh with a PATH of fake tools that record their calls.
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const SETUP = fileURLToPath(new URL('setup.sh', import.meta.url));
const LOCKED = readFileSync(new URL('../Cargo.lock', import.meta.url), 'utf8').match(/name = "wasm-bindgen"\nversion = "(.*)"/)[1];
const UTILITIES = ['awk', 'bash', 'cat', 'dirname', 'env', 'head', 'id', 'ln', 'mkdir', 'readlink', 'rm', 'sed', 'sleep', 'sort', 'tail', 'tr', 'uname'];

let home;
let bin;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'loopgate-setup-'));
  bin = join(home, 'bin');
  mkdirSync(bin);
  for (const name of UTILITIES) {
    symlinkSync(execFileSync('/bin/sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim(), join(bin, name));
  }
  fake('uname', 'echo Linux');
  fake('cc');
  fake('rustc', 'case "$*" in *target-libdir*) echo "$HOME" ;; *) echo "rustc 1.95.0 (abc 2026-01-01)" ;; esac');
  // Installs a fake tool with the requested version.
  fake(
    'cargo',
    `for last; do :; done
     while [ $# -gt 0 ]; do [ "$1" != --root ] || root=$2; shift; done
     crate=\${last%@*}
     mkdir -p "$root/bin"
     printf '#!/bin/sh\\necho "tool %s"\\n' "\${last#*@}" > "$root/bin/\${crate%-cli}"
     /bin/chmod +x "$root/bin/\${crate%-cli}"`,
  );
  tool('wasm-pack', '0.15.1');
  tool('wasm-bindgen', LOCKED);
  fake('node', 'echo v20.19.0');
  fake('npm');
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

test('a complete machine gives no output and no calls', async () => {
  const { status, output } = await setUp('build');
  assert.deepEqual({ status, output, calls: calls() }, { status: 0, output: '', calls: [] });
});

test('a missing tool is installed into the folder of cargo', async () => {
  rmSync(join(bin, 'wasm-pack'));
  assert.equal((await setUp('build')).status, 0);
  assert.match(calls()[0], /^cargo install --force --root .*\/\.cargo --locked wasm-pack@0\.15\.1$/);
  assert.ok(existsSync(join(home, '.cargo/bin/wasm-pack')));
});

test('another version of a tool is kept, and ours is installed into the cache, first on the PATH', async () => {
  tool('wasm-bindgen', '0.2.1');
  assert.equal((await setUp('build')).status, 0);
  const ours = join(home, `.cache/loopgate/wasm-bindgen-cli-${LOCKED}/bin`);
  assert.ok(existsSync(join(ours, 'wasm-bindgen')));
  assert.match(readFileSync(join(bin, 'wasm-bindgen'), 'utf8'), /0\.2\.1/);
  const path = (await setUp('path')).output.trim().split(':');
  assert.ok(path.indexOf(ours) < path.indexOf(bin));
  const before = calls().length;
  assert.equal((await setUp('build')).output, '');
  assert.equal(calls().length, before, 'the second set-up finds the tool');
});

test('a tool whose lock file cannot be used is built without it', async () => {
  rmSync(join(bin, 'wasm-pack'));
  const install = readFileSync(join(bin, 'cargo'), 'utf8');
  writeFileSync(join(bin, 'cargo'), install.replace('\n', '\ncase "$*" in *--locked*) echo "no such version"; exit 101 ;; esac\n'));
  const { status, output } = await setUp('build');
  assert.equal(status, 0, output);
  assert.match(output, /no such version[\s\S]*without its lock file/);
});

test('concurrent set-ups install once', async () => {
  rmSync(join(bin, 'wasm-pack'));
  const ends = await Promise.all([setUp('build'), setUp('build')]);
  assert.deepEqual(ends.map(({ status }) => status), [0, 0]);
  assert.equal(calls().filter((call) => call.startsWith('cargo install')).length, 1);
  assert.ok(!existsSync(join(home, '.cache/loopgate/lock')));
});

test('the lock of a dead process is ignored', async () => {
  rmSync(join(bin, 'wasm-pack'));
  mkdirSync(join(home, '.cache/loopgate'), { recursive: true });
  symlinkSync('2147483646', join(home, '.cache/loopgate/lock'));
  assert.equal((await setUp('build')).status, 0);
});

test('a failed installation gives one line with what to do', async () => {
  const { status, output } = await setUp('browsers');
  assert.equal(status, 1);
  assert.equal(output.trim().split('\n').length, 1, output);
  assert.match(output, /^error: the browsers for the tests: needed, .* by hand, then run this again/);
});

test('on Debian, missing browsers are installed by one apt call', async () => {
  fake('id', 'echo 0');
  fake('apt-get');
  fake('firefox');
  assert.equal((await setUp('browsers')).status, 0);
  const installs = calls().filter((call) => call.startsWith('apt-get install'));
  assert.equal(installs.length, 1);
  assert.match(installs[0], / chromium chromium-driver webkit2gtk-driver xvfb$/);
  assert.ok(calls().some((call) => call.startsWith('apt-get update')));
});

test('on Debian without root, the error has the command to run', async () => {
  fake('id', 'echo 1000');
  fake('apt-get');
  fake('sudo', 'exit 1');
  const { status, output } = await setUp('browsers');
  assert.equal(status, 1);
  assert.match(output, /^error: .*run 'sudo apt-get install firefox-esr chromium chromium-driver webkit2gtk-driver xvfb', then this again\n$/);
});

test('an old Rust is an error with both versions', async () => {
  fake('rustc', 'echo "rustc 1.63.0 (abc 2022-01-01)"');
  const { status, output } = await setUp('build');
  assert.equal(status, 1);
  assert.match(output, /^error: Rust 1\.\d+ or newer is needed, and 1\.63\.0 is installed: run 'rustup update stable'/);
});

test('with an old Node.js, a newer one is installed', async () => {
  fake('node', 'echo v18.19.0');
  const newer = join(home, '.cache/loopgate/node-20.19.0/node_modules/.bin');
  fake('npm', `case "$1" in install) /bin/mkdir -p ${newer}; printf '#!/bin/sh\\necho v22.1.0\\n' > ${newer}/node; /bin/chmod +x ${newer}/node ;; esac`);
  assert.equal((await setUp('build')).status, 0);
  assert.ok(calls().some((call) => /^npm install .* node@22 npm@11$/.test(call)));
});

/** Puts a fake tool on the PATH: it records calls that change the machine, then runs `script`. */
function fake(name, script = '') {
  const path = join(bin, name);
  rmSync(path, { force: true });
  const note = ['cargo', 'apt-get', 'npm', 'brew', 'rustup'].includes(name) ? `echo "${name} $*" >> "$HOME/calls"` : '';
  writeFileSync(path, `#!/bin/sh\n${note}\n${script}\n`);
  chmodSync(path, 0o755);
}

/** Puts a fake tool on the PATH that prints its version. */
function tool(name, version) {
  fake(name, `echo "${name} ${version}"`);
}

function calls() {
  const path = join(home, 'calls');
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : [];
}

function setUp(part) {
  return new Promise((resolve) => {
    execFile('/bin/bash', [SETUP, part], { env: { HOME: home, PATH: bin } }, (error, stdout, stderr) => {
      resolve({ status: error ? error.code : 0, output: stdout + stderr });
    });
  });
}
