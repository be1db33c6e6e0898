/** Installs the packed tarball outside of the repository, and serves the pages that use it. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, preview } from 'vite';

const repository = fileURLToPath(new URL('../..', import.meta.url));

/** What the task of `page/main.js` results in. */
export const TASK_OUTCOME = {
  reason: 'done',
  phases: ['check', 'accept'],
  snapshots: { pre: 'task-1-pre', post: 'task-1-post' },
  written: 'after',
  restored: true,
  now: 'before',
};

export async function serveInstalled() {
  const root = mkdtempSync(join(tmpdir(), 'loopgate-outside-'));
  cpSync(join(repository, 'tests/e2e/page'), root, { recursive: true });
  // The example of the README: `scripts/readme.test.mjs` compares both texts.
  cpSync(join(repository, 'tests/types/readme.ts'), join(root, 'readme.ts'));
  install(root);
  await build({ root, logLevel: 'error', worker: { format: 'es' }, build: { target: 'es2022' } });
  // These pages load the package without a bundler.
  for (const page of ['plain.html', 'depth.html']) cpSync(join(root, page), join(root, 'dist', page));
  cpSync(join(repository, 'tests/fixtures/nesting'), join(root, 'dist/nesting'), { recursive: true });
  cpSync(join(root, 'node_modules/loopgate'), join(root, 'dist/loopgate'), { recursive: true });
  const server = await preview({ root, logLevel: 'error', preview: { port: 0, host: 'localhost', open: false } });
  const close = async () => {
    await server.close();
    rmSync(root, { recursive: true, force: true });
  };
  return { root, address: server.resolvedUrls.local[0], close };
}

/** Like `npm install loopgate-….tgz`; other libraries are linked to the repository's. */
function install(root) {
  const modules = join(root, 'node_modules');
  mkdirSync(join(modules, 'loopgate'), { recursive: true });
  const [packed] = JSON.parse(execFileSync('npm', ['pack', '--json', '--workspace', 'loopgate', '--pack-destination', root], { cwd: repository, stdio: ['ignore', 'pipe', 'ignore'] }));
  execFileSync('tar', ['-xzf', join(root, packed.filename), '-C', join(modules, 'loopgate'), '--strip-components=1']);
  for (const name of ['isomorphic-git', '@isomorphic-git', 'buffer']) symlinkSync(join(repository, 'node_modules', name), join(modules, name));
}
