/** A tab of the demo in Node.js: the modules of the page with the real LightningFS and the real engine, without views. */
import 'fake-indexeddb/auto';
import { init } from 'loopgate';

/** The locks of all tabs. */
export class Locks {
  #held = [];
  #waiting = [];

  async request(name, options, work = options) {
    const asked = { name, mode: options.mode ?? 'exclusive' };
    if (options.ifAvailable && !this.#isFree(asked)) return work(null);
    while (!this.#isFree(asked)) await new Promise((resolve) => this.#waiting.push(resolve));
    this.#held.push(asked);
    try {
      return await work(asked);
    } finally {
      this.#held.splice(this.#held.indexOf(asked), 1);
      this.#waiting.splice(0).forEach((resolve) => resolve());
    }
  }

  async query() {
    return { held: [...this.#held] };
  }

  #isFree({ name, mode }) {
    return !this.#held.some((lock) => lock.name === name && (lock.mode === 'exclusive' || mode === 'exclusive'));
  }
}

function memory() {
  const texts = new Map();
  return { getItem: (key) => texts.get(key) ?? null, setItem: (key, text) => void texts.set(key, text), removeItem: (key) => void texts.delete(key) };
}

export const locks = new Locks();
const page = {
  navigator: { locks },
  localStorage: memory(),
  sessionStorage: memory(),
  location: { search: '?delay=0', href: 'http://localhost/' },
  history: { replaceState() {} },
  document: { documentElement: { dataset: {} }, getElementById: () => null },
  matchMedia: () => ({ matches: false, addEventListener() {} }),
  innerWidth: 1440,
  addEventListener() {},
  // A real one would keep the process alive.
  BroadcastChannel: class {
    postMessage() {}
    close() {}
  },
};
for (const [name, value] of Object.entries(page)) Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });

// LightningFS does not clear timers of ten minutes, which would keep the process alive.
const schedule = globalThis.setTimeout;
globalThis.setTimeout = (work, ms, ...rest) => {
  const timer = schedule(work, ms, ...rest);
  return ms >= 600_000 ? timer.unref() : timer;
};

await init();
