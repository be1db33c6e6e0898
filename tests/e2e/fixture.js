/** Runs tests in browsers, each with its own page and project. */
import { after, before, describe, test } from 'node:test';
import { BROWSERS, launch } from './browsers.js';
import { Demo } from './demo.js';
import { serveDemo } from './server.js';

/** `define` gets `demoTest(name, body)`; a body gets a fresh demo and the server. */
export function inEachBrowser(suite, define, browsers = BROWSERS) {
  for (const browser of browsers) {
    describe(`${suite} in ${browser.name}`, () => {
      let process;
      let server;
      before(async () => {
        server = await serveDemo();
        process = await launch(browser);
      });
      after(async () => {
        await process?.close();
        await server?.close();
      });

      define((name, body) => test(name, { timeout: 600_000 }, async () => {
        const context = await process.createBrowserContext();
        const demo = new Demo(await context.newPage(), server.address, browser.name);
        try {
          await body(demo, server);
        } catch (error) {
          await demo.screenshot(`failed-${name.replaceAll(/\W+/g, '-')}`).catch(() => {});
          throw new Error(`${error.message}\n${await demo.report()}`, { cause: error });
        } finally {
          await context.close();
        }
      }));
    });
  }
}
