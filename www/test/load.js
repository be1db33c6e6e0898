/** Imports modules of the demo through Vite, which handles TypeScript, `?raw` and globs. */
import { readFile } from 'node:fs/promises';
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

// Rollup's build for browsers fetches its wasm, but Node.js does not fetch files.
const network = globalThis.fetch;
globalThis.fetch = async (url, options) => (String(url).startsWith('file:') ? new Response(await readFile(new URL(url)), { headers: { 'content-type': 'application/wasm' } }) : network(url, options));

/** `path` is relative to `src`. */
export const load = (path) => server.ssrLoadModule(`/src/${path}`);
