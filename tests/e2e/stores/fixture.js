/** Runs tests in every browser with every kind of store, each with its own store. */
import { after, before, describe, test } from 'node:test';
import { BROWSERS, launch } from '../browsers.js';
import { KINDS, serveStores, Store } from './stores.js';

/** `define` gets `storeTest(name, body)`, the kind of store and the browser's name; a body gets a fresh store and the server's address. */
export function inEachStore(suite, define, kinds = KINDS) {
  let server;
  before(async () => {
    server = await serveStores();
  });
  after(() => server?.close());

  for (const browser of BROWSERS) {
    let running;
    let count = 0;
    before(async () => {
      running = await launch(browser);
    });
    after(() => running?.close());

    for (const kind of kinds) {
      describe(`${suite}, ${kind} in ${browser.name}`, () => {
        define((name, body) => test(name, { timeout: 240_000 }, async () => {
          // Without a separate browser context: Chromium would only store its files in memory.
          const page = await running.newPage();
          try {
            const store = await Store.open(page, server.address, kind, `store-${++count}`);
            await body(store, { address: server.address });
          } finally {
            await page.close();
          }
        }), kind, browser.name);
      });
    }
  }
}
