/** Runs tests in every browser with every kind of store of its engine, each with its own store. */
import { after, before, describe, test } from 'node:test';
import { BROWSERS, launch } from '../browsers.js';
import { COMPLETE } from '../engines.js';
import { guarded } from '../guard.js';
import { KINDS, serveStores, Store } from './stores.js';

/** `define` gets `storeTest(name, body)`, the kind of store and the browser's name; a body gets a fresh store, the server's address and the test's context. */
export function inEachStore(suite, define, kinds = KINDS, browsers = BROWSERS.map(({ name }) => name)) {
  const tested = BROWSERS.filter(({ name }) => browsers.includes(name));
  // Node.js does not run the hooks `after` of a file without tests, which would leave the server running.
  if (tested.length === 0) return;
  let server;
  before(async () => {
    server = await serveStores();
  });
  after(() => server?.close());

  for (const browser of tested) {
    let running;
    let count = 0;
    before(async () => {
      running = await launch(browser);
    });
    after(() => running?.close());

    // The memory of memfs is the same in every engine.
    for (const kind of kinds.filter((kind) => kind !== 'memfs' || browser.name === COMPLETE)) {
      describe(`${suite}, ${kind} in ${browser.name}`, () => {
        define((name, body) => test(name, async (context) => {
          // Without a separate browser context: Chromium would only store its files in memory.
          const page = await running.newPage();
          try {
            const store = await Store.open(page, server.address, kind, `store-${++count}`);
            await guarded(body(store, { address: server.address, context }));
          } finally {
            await page.close();
          }
        }), kind, browser.name);
      });
    }
  }
}
