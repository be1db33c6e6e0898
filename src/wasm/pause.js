// The promises of a file system in memory settle without a task of their own, so a scan of it would block the page.

/** Milliseconds of work between two pauses; users notice a task of 50 ms. */
const WORK_MS = 12;

let last = -Infinity;
let pausing;

/** A promise that resolves in a task of its own if the last pause was long ago; undefined otherwise. */
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
