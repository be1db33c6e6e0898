// How the demo appears: its first paint, the request of the wasm module, and how much the page jumps up to the end of the first story.
// A busy machine changes these figures, so they are shown here. What does not depend on it is tested in tests/e2e/first-view.test.js.
import { Demo } from '../tests/e2e/demo.js';
import { serveDemo } from '../tests/e2e/server.js';

const WIDTHS = [1440, 390];

/** Prints the figures of a running browser. Only Chromium counts layout shifts. */
export async function showFirstView(browser, name) {
  const server = await serveDemo();
  try {
    for (const width of WIDTHS) {
      const context = await browser.createBrowserContext();
      const demo = await Demo.inNewPage(context, server.address, name, { isStretched: false });
      await demo.page.setViewport({ width, height: 900 });
      await demo.page.evaluateOnNewDocument(() => {
        globalThis.shift = 0;
        if (!PerformanceObserver.supportedEntryTypes.includes('layout-shift')) return;
        const add = (list) => list.getEntries().forEach(({ hadRecentInput, value }) => (globalThis.shift += hadRecentInput ? 0 : value));
        new PerformanceObserver(add).observe({ type: 'layout-shift', buffered: true });
      });
      await demo.openAndRun();
      const { painted, requested, shift } = await demo.page.evaluate(() => ({
        painted: performance.getEntriesByName('first-contentful-paint')[0].startTime,
        requested: performance.getEntriesByType('resource').find(({ name }) => name.includes('loopgate_bg')).startTime,
        shift: globalThis.shift,
      }));
      console.log(`${name}, first view, ${width} pixels: painted after ${painted.toFixed(0)} ms, wasm requested after ${requested.toFixed(0)} ms, layout shift ${shift.toFixed(4)}`);
      await context.close();
    }
  } finally {
    await server.close();
  }
}
