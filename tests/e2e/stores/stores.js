/** File systems of a page in a browser, used by tests. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, preview } from 'vite';
import { stretchLimits } from '../limits.js';

const root = fileURLToPath(new URL('./page', import.meta.url));
/** memfs requires parts of Node.js. */
const alias = {
  'node:buffer': 'buffer/',
  'node:events': 'events/',
  'node:path': 'path-browserify',
  'node:stream': 'stream-browserify',
  'node:url': fileURLToPath(new URL('./page/url.js', import.meta.url)),
};

/** Synchronous handles run in a worker, all others in the page. */
export const KINDS = ['lightningfs', 'opfs-async', 'opfs-sync', 'memfs'];

/** Builds and serves the page. */
export async function serveStores() {
  const outDir = mkdtempSync(join(tmpdir(), 'loopgate-stores-'));
  const site = { root, configFile: false, logLevel: 'error', resolve: { alias }, worker: { format: 'es' }, build: { outDir, target: 'es2022' } };
  await build(site);
  const server = await preview({ ...site, preview: { port: 0, host: 'localhost', open: false } });
  return {
    address: server.resolvedUrls.local[0],
    close: async () => {
      await server.close();
      rmSync(outDir, { recursive: true, force: true });
    },
  };
}

export class Store {
  constructor(page, kind, name) {
    Object.assign(this, { page, kind, name });
  }

  /** Loads the page and opens the store. */
  static async open(page, address, kind, name) {
    page.setDefaultTimeout(0);
    await page.evaluateOnNewDocument(stretchLimits);
    await page.goto(address);
    await page.waitForFunction(() => document.title === 'ready');
    return new Store(page, kind, name);
  }

  ask = (command, ...args) => this.#send('ask', { name: this.name, command, args });

  /**
   * Asks a worker that ends with the answer, before the page has opened the store. `stop`: the worker ends at a write, see
   * `stores/page/stops.js`; then the answer is null.
   */
  askOnce = (stop, command, ...args) => this.#send('askOnce', { name: this.name, stop, command, args });

  /** A copy of a LightningFS that the page has not opened. */
  async copy(name) {
    await this.page.evaluate((from, to) => globalThis.copyStore(from, to), this.name, name);
    return new Store(this.page, this.kind, name);
  }

  async #send(how, question) {
    // As text, because Chromium returns nothing for deeply nested values.
    const answer = await this.page.evaluate(async (how, question) => JSON.stringify(await globalThis[how](question)), how, { kind: this.kind, ...question });
    const { error, value } = JSON.parse(answer);
    if (error) throw Object.assign(new Error(error.message), { name: error.name ?? 'Error', code: error.code, path: error.path, holder: error.holder, there: error.stack });
    return value;
  }

  snapshot = (method, ...args) => this.ask('snapshot', method, ...args);
  git = (method, args) => this.ask('git', method, args);
  put = (files) => this.ask('put', Object.fromEntries(Object.entries(files).map(([path, contents]) => [path, Buffer.from(contents).toString('base64')])));
  remove = (...paths) => this.ask('remove', paths);

  /** The complete project, sorted, with contents as base64. */
  async everything() {
    const { files, links, executable, folders } = await this.ask('take');
    const sorted = (entries) => Object.fromEntries(Object.entries(entries).toSorted(([a], [b]) => (a < b ? -1 : 1)));
    return { files: sorted(files), links: sorted(links), executable: executable.toSorted(), folders: folders.toSorted() };
  }

  /** The project without the files of git and the harness. */
  async project() {
    const isOwn = (path) => /^(\.git|\.loopgate|\.handoff)(\/|$)/.test(path);
    const { files, links, executable, folders } = await this.everything();
    const own = (entries) => Object.fromEntries(Object.entries(entries).filter(([path]) => !isOwn(path)));
    return { files: own(files), links, executable, folders: folders.filter((path) => !isOwn(path)) };
  }
}
