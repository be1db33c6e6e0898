// What the bindings need of the page: properties of its objects, pauses and locks. One module, because the server of the wasm test
// runner may never answer a page that requests more than three modules at once.

/**
 * A property of an object, or of its class; undefined if it has none. What `Object.prototype` has never counts.
 * `pkg/src/own.ts` is the same function for the package.
 */
export function property(value, name) {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return undefined;
  for (let at = value; at !== null; at = Object.getPrototypeOf(at)) {
    if (Object.hasOwn(at, name)) return isRoot(at) ? undefined : value[name];
  }
  // A proxy may have properties that it does not name.
  return value[name];
}

/** `Object.prototype` of this realm or another. */
function isRoot(value) {
  return Object.getPrototypeOf(value) === null && Object.hasOwn(value, 'isPrototypeOf');
}

// ---- Pauses. The promises of an in-memory file system settle in microtasks, so without pauses a scan of it blocks the page.

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

// ---- Locks of a project: across tabs if the browser has the Web Locks API.

const queues = new Map();
const counts = new Map();

/**
 * Waits until no other caller changes the snapshots of a project; within the page if there are no locks. Resolves with the number
 * of the turn in this page, and the function that ends it.
 */
export function turn(name) {
  return new Promise((begin) => {
    let isHeld = false;
    const hold = () => new Promise((end) => {
      isHeld = true;
      counts.set(name, (counts.get(name) ?? 0) + 1);
      begin([counts.get(name), end]);
    });
    const inPage = () => queues.set(name, (queues.get(name) ?? Promise.resolve()).then(hold));
    const locks = ofPage();
    if (!locks) return inPage();
    // A page without an origin of its own has locks that it may not use.
    locks.request(name, hold).catch(() => isHeld || inPage());
  });
}

/**
 * Takes a lock if it is free. Resolves with the function that releases it; null if it is taken; undefined if there are no locks, or
 * if the page may not use them.
 */
export async function take(name, locks = ofPage()) {
  if (!locks) return undefined;
  return new Promise((resolve, reject) => {
    // Without a prototype: the browser reads inherited options, too.
    const options = Object.assign(Object.create(null), { ifAvailable: true, mode: 'exclusive' });
    const hold = (lock) => (lock ? new Promise((release) => resolve(release)) : resolve(null));
    Promise.resolve(locks.request(name, options, hold)).catch(reject);
  }).catch(() => undefined);
}

function ofPage() {
  return property(globalThis.navigator, 'locks');
}
