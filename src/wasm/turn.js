// Whoever changes the snapshots of a project waits for the others: across tabs where the browser has locks, within the page
// otherwise.

const queues = new Map();

/** Resolves when it is the caller's turn, with the function that ends it. */
export function turn(name) {
  return new Promise((begin) => {
    let isHeld = false;
    const hold = () => new Promise((end) => {
      isHeld = true;
      begin(end);
    });
    const inPage = () => queues.set(name, (queues.get(name) ?? Promise.resolve()).then(hold));
    const locks = globalThis.navigator?.locks;
    if (!locks) return inPage();
    // A page without an origin of its own has locks that it may not use.
    locks.request(name, hold).catch(() => isHeld || inPage());
  });
}
