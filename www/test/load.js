/** Imports modules of the demo through Vite, which handles TypeScript, `?raw` and globs. */
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';

const server = await createServer({
  configFile: false,
  logLevel: 'error',
  root: fileURLToPath(new URL('..', import.meta.url)),
  server: { middlewareMode: true, hmr: false, ws: false, watch: null },
  optimizeDeps: { noDiscovery: true, include: [] },
  // One instance for the tests and the demo.
  ssr: { external: ['loopgate'] },
});
after(() => server.close());

/** `path` is relative to `src`. */
export const load = (path) => server.ssrLoadModule(`/src/${path}`);
