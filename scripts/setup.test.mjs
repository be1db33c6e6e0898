// The set-up on machines that lack things. The machine is a folder of stand-ins that write down how they were called.
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
  stand('uname', 'echo Linux');
  stand('cc');
  stand('rustc', 'case "$*" in *target-libdir*) echo "$HOME" ;; *) echo "rustc 1.95.0 (abc 2026-01-01)" ;; esac');
  // Installs a stand-in that says the version that was asked for.
  stand(
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
  stand('node', 'echo v20.19.0');
  stand('npm');
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

test('a machine that has everything is left alone, without a word', async () => {
  const { status, output } = await setUp('build');
  assert.deepEqual({ status, output, calls: calls() }, { status: 0, output: '', calls: [] });
});

test('a missing tool goes to where cargo puts it', async () => {
  rmSync(join(bin, 'wasm-pack'));
  assert.equal((await setUp('build')).status, 0);
  assert.match(calls()[0], /^cargo install --force --root .*\/\.cargo --locked wasm-pack@0\.15\.1$/);
  assert.ok(existsSync(join(home, '.cargo/bin/wasm-pack')));
});

test('another version of a tool stays, and ours goes to the cache and before it on the PATH', async () => {
  tool('wasm-bindgen', '0.2.1');
  assert.equal((await setUp('build')).status, 0);
  const ours = join(home, `.cache/loopgate/wasm-bindgen-cli-${LOCKED}/bin`);
  assert.ok(existsSync(join(ours, 'wasm-bindgen')));
  assert.match(readFileSync(join(bin, 'wasm-bindgen'), 'utf8'), /0\.2\.1/);
  const path = (await setUp('path')).output.trim().split(':');
  assert.ok(path.indexOf(ours) < path.indexOf(bin));
  const before = calls().length;
  assert.equal((await setUp('build')).output, '');
  assert.equal(calls().length, before, 'the second time finds it');
});

test('a tool whose lock file cannot be kept is built without it', async () => {
  rmSync(join(bin, 'wasm-pack'));
  const install = readFileSync(join(bin, 'cargo'), 'utf8');
  writeFileSync(join(bin, 'cargo'), install.replace('\n', '\ncase "$*" in *--locked*) echo "no such version"; exit 101 ;; esac\n'));
  const { status, output } = await setUp('build');
  assert.equal(status, 0, output);
  assert.match(output, /no such version[\s\S]*without its lock file/);
});

test('two set-ups at once install once', async () => {
  rmSync(join(bin, 'wasm-pack'));
  const ends = await Promise.all([setUp('build'), setUp('build')]);
  assert.deepEqual(ends.map(({ status }) => status), [0, 0]);
  assert.equal(calls().filter((call) => call.startsWith('cargo install')).length, 1);
  assert.ok(!existsSync(join(home, '.cache/loopgate/lock')));
});

test('a lock whose holder is dead holds nobody', async () => {
  rmSync(join(bin, 'wasm-pack'));
  mkdirSync(join(home, '.cache/loopgate'), { recursive: true });
  symlinkSync('2147483646', join(home, '.cache/loopgate/lock'));
  assert.equal((await setUp('build')).status, 0);
});

test('what cannot be installed is named in one line with what to do', async () => {
  const { status, output } = await setUp('browsers');
  assert.equal(status, 1);
  assert.equal(output.trim().split('\n').length, 1, output);
  assert.match(output, /^error: the browsers for the tests: needed, .* by hand, then run this again/);
});

test('on Debian the missing browsers come from apt, by one call', async () => {
  stand('id', 'echo 0');
  stand('apt-get');
  stand('firefox');
  assert.equal((await setUp('browsers')).status, 0);
  const installs = calls().filter((call) => call.startsWith('apt-get install'));
  assert.equal(installs.length, 1);
  assert.match(installs[0], / chromium chromium-driver$/);
  assert.ok(calls().some((call) => call.startsWith('apt-get update')));
});

test('on Debian without the right to install, the line to type is said', async () => {
  stand('id', 'echo 1000');
  stand('apt-get');
  stand('sudo', 'exit 1');
  const { status, output } = await setUp('browsers');
  assert.equal(status, 1);
  assert.match(output, /^error: .*run 'sudo apt-get install firefox-esr chromium chromium-driver', then this again\n$/);
});

test('Rust that is too old is named with both versions', async () => {
  stand('rustc', 'echo "rustc 1.63.0 (abc 2022-01-01)"');
  const { status, output } = await setUp('build');
  assert.equal(status, 1);
  assert.match(output, /^error: Rust 1\.\d+ or newer is needed, and 1\.63\.0 is installed: run 'rustup update stable'/);
});

test('Node.js that is too old is joined by a newer one', async () => {
  stand('node', 'echo v18.19.0');
  const newer = join(home, '.cache/loopgate/node-20.19.0/node_modules/.bin');
  stand('npm', `case "$1" in install) /bin/mkdir -p ${newer}; printf '#!/bin/sh\\necho v22.1.0\\n' > ${newer}/node; /bin/chmod +x ${newer}/node ;; esac`);
  assert.equal((await setUp('build')).status, 0);
  assert.ok(calls().some((call) => /^npm install .* node@22 npm@11$/.test(call)));
});

/** Puts a stand-in on the machine's PATH: it notes its call when that changes something, then runs `script`. */
function stand(name, script = '') {
  const path = join(bin, name);
  rmSync(path, { force: true });
  const note = ['cargo', 'apt-get', 'npm', 'brew', 'rustup'].includes(name) ? `echo "${name} $*" >> "$HOME/calls"` : '';
  writeFileSync(path, `#!/bin/sh\n${note}\n${script}\n`);
  chmodSync(path, 0o755);
}

/** Puts a tool on the PATH that only tells its version. */
function tool(name, version) {
  stand(name, `echo "${name} ${version}"`);
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
