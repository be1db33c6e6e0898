/** The same tests in every browser, each with a page and a project of its own. */
import { after, before, describe, test } from 'node:test';
import { BROWSERS, launch } from './browsers.js';
import { Demo } from './demo.js';
import { serveDemo } from './server.js';

/** `define` gets `demoTest(name, body)`; a body gets a fresh demo and its server. */
export function inEachBrowser(suite, define) {
  for (const browser of BROWSERS) {
    describe(`${suite} in ${browser.name}`, () => {
      let process;
      before(async () => {
        process = await launch(browser);
      });
      after(() => process?.close());

      define((name, body) => test(name, { timeout: 180_000 }, async () => {
        const server = await serveDemo();
        const context = await process.createBrowserContext();
        const demo = new Demo(await context.newPage(), server.address, browser.name);
        try {
          await body(demo, server);
        } catch (error) {
          await demo.screenshot(`failed-${name.replaceAll(/\W+/g, '-')}`).catch(() => {});
          throw error;
        } finally {
          await context.close();
          await server.close();
        }
      }));
    });
  }
}
