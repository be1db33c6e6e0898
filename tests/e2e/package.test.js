/** The packed tarball, installed outside of the repository: bundled by Vite, without a bundler, in a worker and in Node.js. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { BROWSERS, launch } from './browsers.js';
import { guarded } from './guard.js';
import { TASK_OUTCOME, serveInstalled } from './installed.js';

let installed;
before(async () => (installed = await serveInstalled()));
after(() => installed?.close());

test('the tarball has exactly the required files', () => {
  const { root } = installed;
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
  assert.equal(execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: installed.root, encoding: 'utf8' }).trim(), 'false');
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
      page.setDefaultTimeout(0);
      await page.goto(new URL(path, installed.address).href);
      await guarded(page.waitForFunction(() => document.title === 'over'));
      return page.evaluate(() => globalThis.outcome);
    };

    test('runs the example of the README and a task, and checks a plan in a worker', async () => {
      const { error, example, task, worker } = await outcome('index.html');
      assert.equal(error, undefined);
      assert.equal(example, true);
      assert.deepEqual(task, TASK_OUTCOME);
      assert.ok(worker.includes('has-theme'), worker.join());
    });

    test('works without a bundler', async () => {
      const { version, ok } = await outcome('plain.html');
      const manifest = JSON.parse(readFileSync(join(installed.root, 'node_modules/loopgate/package.json'), 'utf8'));
      assert.deepEqual([version, ok], [manifest.version, false]);
    });

    test('parses the deepest accepted plans without a stack overflow', async () => {
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
