/** Runs tests in browsers, each with its own page and project. */
import { after, before, describe, test } from 'node:test';
import { BROWSERS, launch } from './browsers.js';
import { Demo } from './demo.js';
import { testsIn } from './engines.js';
import { guarded } from './guard.js';
import { serveDemo } from './server.js';

/** `define` declares tests, see {@link testsIn}; a body gets a fresh demo and the server. */
export function inEachBrowser(suite, define) {
  for (const browser of BROWSERS) {
    const tests = testsIn(browser.name, define);
    if (tests.length === 0) continue;
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

      for (const { name, body, options } of tests) {
        test(name, async () => {
          const context = await process.createBrowserContext();
          const demo = await Demo.inNewPage(context, server.address, browser.name, options);
          try {
            await guarded(body(demo, server));
          } catch (error) {
            await demo.screenshot(`failed-${name.replaceAll(/\W+/g, '-')}`).catch(() => {});
            throw new Error(`${error.message}\n${await demo.report()}`, { cause: error });
          } finally {
            await context.close();
          }
        });
      }
    });
  }
}
