/** How the page appears, and whether it jumps. */
import assert from 'node:assert/strict';
import { inEachBrowser } from './fixture.js';

inEachBrowser('the first view', (_, differs) => {
  for (const width of [1440, 390]) {
    differs.loading(`is painted before the wasm module is requested, and nothing jumps up to the end of the first story, ${width} pixels wide`, async (demo) => {
      await demo.page.setViewport({ width, height: 900 });
      await demo.page.evaluateOnNewDocument(() => {
        globalThis.shifts = [];
        if (!PerformanceObserver.supportedEntryTypes.includes('layout-shift')) return;
        new PerformanceObserver((list) => shifts.push(...list.getEntries().filter(({ hadRecentInput }) => !hadRecentInput).map(({ value }) => value))).observe({ type: 'layout-shift', buffered: true });
      });
      await demo.openAndRun();
      const { painted, requested, shifted } = await demo.page.evaluate(() => ({
        painted: performance.getEntriesByName('first-contentful-paint')[0].startTime,
        requested: performance.getEntriesByType('resource').find(({ name }) => name.includes('loopgate_bg')).startTime,
        shifted: shifts.reduce((sum, value) => sum + value, 0),
      }));
      assert.ok(requested > painted, `requested at ${requested}, painted at ${painted}`);
      assert.ok(shifted < 0.05, `layout shift ${shifted}`);
      assert.deepEqual(demo.problems, []);
    });
  }
});
