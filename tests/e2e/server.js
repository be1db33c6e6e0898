/** Serves the built demo, on a port of its own. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { preview } from 'vite';

const root = dirname(createRequire(import.meta.url).resolve('loopgate-demo/package.json'));

/** `close` takes the network away from an open page. */
export async function serveDemo() {
  if (!existsSync(join(root, 'dist/index.html'))) throw new Error('The demo is not built: run "npm run build -w www" first');
  const port = await freePort();
  const server = await preview({ root, logLevel: 'error', preview: { port, strictPort: true, open: false } });
  return { address: `http://localhost:${port}/`, close: () => server.close() };
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, 'localhost', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
