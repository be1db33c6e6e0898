// The promises of an in-memory file system settle in microtasks, so without pauses a scan of it blocks the page.

/** Milliseconds of work between two pauses; users notice a task of 50 ms. */
const WORK_MS = 12;

let last = -Infinity;
let pausing;

/** A promise that resolves in a new task if the last pause is more than `WORK_MS` ago; undefined otherwise. */
export function pause() {
  if (!pausing && performance.now() - last < WORK_MS) return undefined;
  // Not `setTimeout`: browsers delay nested timers by 4 ms.
  pausing ??= new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      // An open port keeps Node.js from exiting.
      port1.close();
      [last, pausing] = [performance.now(), undefined];
      resolve();
    };
    port2.postMessage(null);
  });
  return pausing;
}
