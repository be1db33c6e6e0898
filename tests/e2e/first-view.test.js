/** How the page appears, and whether it jumps. `make bench` shows the times of paint and the layout shift that a browser counts. */
import assert from 'node:assert/strict';
import { inEachBrowser } from './fixture.js';

/** The parts whose place is the same from the skeleton on. */
const PARTS = {
  'the top bar': '.top-bar',
  'the workbench': 'main.workbench',
  'the conversation': '.skeleton > :first-child, .thread-column',
  'the stage': '.skeleton > :last-child, .stage-column',
  'the thread': '.thread-list',
  'the tabs': '.stage-bar',
};

inEachBrowser('the first view', (_, differs) => {
  for (const width of [1440, 390]) {
    differs.loading(`has its second frame before the wasm module is requested, and no part moves up to the end of the first story, ${width} pixels wide`, async (demo) => {
      await demo.page.setViewport({ width, height: 900 });
      await demo.page.evaluateOnNewDocument(watch, PARTS);
      await demo.openAndRun();
      const { frames, places } = await demo.page.evaluate(() => globalThis.watched);
      assert.ok(frames >= 2, `requested in frame ${frames}`);
      for (const [part, found] of Object.entries(places)) assert.equal(found.length, 1, `${part} moves: ${found.join('; ')}`);
      assert.ok(Object.keys(places).length >= 4, Object.keys(places).join());
      assert.deepEqual(demo.problems, []);
    });
  }
});

/**
 * In the page, before its scripts: counts the frames from the first render to the request of the wasm module, and collects the places
 * of the parts after each change of the page and in each frame. No change is too short to be seen, as it would be for a figure of paint.
 */
function watch(parts) {
  if (globalThis !== globalThis.top) return;
  const places = {};
  const watched = (globalThis.watched = { frames: undefined, places });
  const isVisible = ({ width, height }) => width > 0 && height > 0;
  const measure = () => {
    const app = document.getElementById('app');
    // Before its style sheet is loaded, nothing is drawn.
    if (!app || getComputedStyle(app).display !== 'grid') return;
    for (const [part, selector] of Object.entries(parts)) {
      const box = document.querySelector(selector)?.getBoundingClientRect();
      const place = box && isVisible(box) && [box.left, box.top, box.width].map(Math.round).join(', ');
      if (place && !(places[part] ??= []).includes(place)) places[part].push(place);
    }
  };
  let frames = 0;
  const onFrame = () => {
    if (document.querySelector('.composer')) frames++;
    measure();
    requestAnimationFrame(onFrame);
  };
  requestAnimationFrame(onFrame);
  new MutationObserver(measure).observe(document, { childList: true, subtree: true, attributes: true, characterData: true });
  const { fetch } = globalThis;
  globalThis.fetch = (resource, ...rest) => {
    if (String(resource.url ?? resource).includes('loopgate_bg')) watched.frames ??= frames;
    return fetch.call(globalThis, resource, ...rest);
  };
}
