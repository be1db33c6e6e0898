// Locks of a project: across tabs if the browser has the Web Locks API.

import { property } from './own.js';

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
