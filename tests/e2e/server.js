/** Serves the built demo on a free port. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { preview } from 'vite';

const root = dirname(createRequire(import.meta.url).resolve('loopgate-demo/package.json'));

/** After `close`, an open page is offline. */
export async function serveDemo() {
  if (!existsSync(join(root, 'dist/index.html'))) throw new Error('The demo is not built: run "npm run build -w www" first');
  const server = await preview({ root, logLevel: 'error', preview: { port: 0, host: 'localhost', open: false } });
  return { address: server.resolvedUrls.local[0], close: () => server.close() };
}
