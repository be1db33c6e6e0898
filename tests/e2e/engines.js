/**
 * Which tests run in which browser, and why. Chromium runs every test. Another engine runs those that depend on what engines do
 * differently; in all others it would only show again, more slowly, what the same JavaScript and the same wasm compute.
 */
const DIFFERENCES = {
  /** IndexedDB, OPFS, Web Locks, and what a reload or a closed tab leaves of them. */
  storage: ['firefox'],
  /** Focus, keys, carets, scrolling, popovers and dialogs. */
  keyboard: ['firefox'],
  /** Content Security Policy, sandboxed frames, their messages, errors and styles. */
  frames: ['firefox'],
  /** The first paint, modules, workers, the service worker, the depth of the wasm stack. */
  loading: ['firefox'],
  /** Requests to another origin: streamed answers, refused keys, servers that are gone. */
  network: ['firefox'],
};

/** The engine that runs every test. Only its tabs can be killed from outside, and only its quota can be set. */
export const COMPLETE = 'chromium';

/**
 * The tests that `define` declares for a browser, as `{ name, body, options }`; the options go to `Demo.inNewPage`. `define` gets a function for tests of Chromium, and an object
 * with a function for each difference: `differs.storage(name, body)`.
 */
export function testsIn(browser, define) {
  const tests = [];
  const declare = (engines) => (name, body, options) => engines.includes(browser) && tests.push({ name, body, options });
  const differs = Object.fromEntries(Object.entries(DIFFERENCES).map(([what, others]) => [what, declare([COMPLETE, ...others])]));
  define(declare([COMPLETE]), differs);
  return tests;
}
