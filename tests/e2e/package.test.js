/** The packed tarball, installed outside of the repository: bundled by Vite, without a bundler, in a worker and in Node.js. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build, preview } from 'vite';
import { BROWSERS, launch } from './browsers.js';

const repository = fileURLToPath(new URL('../..', import.meta.url));
let root;
let server;

before(async () => {
  root = mkdtempSync(join(tmpdir(), 'loopgate-outside-'));
  cpSync(join(repository, 'tests/e2e/page'), root, { recursive: true });
  // The example of the README: `scripts/readme.test.mjs` compares both texts.
  cpSync(join(repository, 'tests/types/readme.ts'), join(root, 'readme.ts'));
  install();
  await build({ root, logLevel: 'error', worker: { format: 'es' }, build: { target: 'es2022' } });
  // These pages load the package without a bundler.
  for (const page of ['plain.html', 'depth.html']) cpSync(join(root, page), join(root, 'dist', page));
  cpSync(join(repository, 'tests/fixtures/nesting'), join(root, 'dist/nesting'), { recursive: true });
  cpSync(join(root, 'node_modules/loopgate'), join(root, 'dist/loopgate'), { recursive: true });
  server = await preview({ root, logLevel: 'error', preview: { port: 0, host: 'localhost', open: false } });
});

after(async () => {
  await server?.close();
  rmSync(root, { recursive: true, force: true });
});

/** Like `npm install loopgate-….tgz`; other libraries are linked to those of the repository. */
function install() {
  const modules = join(root, 'node_modules');
  mkdirSync(join(modules, 'loopgate'), { recursive: true });
  const [packed] = JSON.parse(execFileSync('npm', ['pack', '--json', '--workspace', 'loopgate', '--pack-destination', root], { cwd: repository, stdio: ['ignore', 'pipe', 'ignore'] }));
  execFileSync('tar', ['-xzf', join(root, packed.filename), '-C', join(modules, 'loopgate'), '--strip-components=1']);
  for (const name of ['isomorphic-git', '@isomorphic-git', 'buffer']) symlinkSync(join(repository, 'node_modules', name), join(modules, name));
}

test('the tarball has exactly the required files', () => {
  const files = readdirSync(join(root, 'node_modules/loopgate'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath, entry.name).slice(join(root, 'node_modules/loopgate/').length));
  const { exports } = JSON.parse(readFileSync(join(root, 'node_modules/loopgate/package.json'), 'utf8'));
  const named = Object.values(exports).flatMap((entry) => (typeof entry === 'string' ? [entry] : Object.values(entry)));
  for (const path of named) assert.ok(paths.includes(path.slice(2)), `${path} is exported`);
  const unexpected = paths.filter((path) => !/^(package\.json|README\.md|LICENSE|THIRD-PARTY-NOTICES|dist\/.+\.(js|d\.ts|wasm))$/.test(path));
  assert.deepEqual(unexpected, []);
});

test('the installed package loads in Node.js', () => {
  const script = "import init, { validatePlan } from 'loopgate'; await init(); console.log(validatePlan('<App></App>').ok)";
  assert.equal(execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: root, encoding: 'utf8' }).trim(), 'false');
});

for (const browser of BROWSERS) {
  describe(`the installed package in ${browser.name}`, () => {
    let running;
    before(async () => {
      running = await launch(browser);
    });
    after(() => running?.close());

    const outcome = async (path) => {
      const page = await running.newPage();
      await page.goto(new URL(path, server.resolvedUrls.local[0]).href);
      await page.waitForFunction(() => document.title === 'over', { timeout: 60_000 });
      return page.evaluate(() => globalThis.outcome);
    };

    test('runs the example of the README and a task, and checks a plan in a worker', { timeout: 90_000 }, async () => {
      const { error, example, task, worker } = await outcome('index.html');
      assert.equal(error, undefined);
      assert.equal(example, true);
      assert.deepEqual(task, {
        reason: 'done',
        phases: ['check', 'accept'],
        snapshots: { pre: 'task-1-pre', post: 'task-1-post' },
        written: 'after',
        restored: true,
        now: 'before',
      });
      assert.ok(worker.includes('has-theme'), worker.join());
    });

    test('works without a bundler', { timeout: 90_000 }, async () => {
      const { version, ok } = await outcome('plain.html');
      assert.deepEqual([version, ok], [JSON.parse(readFileSync(join(repository, 'pkg/package.json'), 'utf8')).version, false]);
    });

    test('parses the deepest accepted plans without a stack overflow', { timeout: 90_000 }, async () => {
      const { error, depths, refused } = await outcome('depth.html');
      assert.equal(error, undefined);
      assert.ok(depths.length > 30);
      for (const { open, alone, inTree } of depths) {
        assert.ok(alone >= 40 && (inTree === null || inTree >= 40), `${open}: ${alone}, ${inTree}`);
      }
      assert.ok(refused.every((ok) => ok === false));
    });
  });
}
