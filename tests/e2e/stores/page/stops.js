/** Where a worker stops, as if its browser had ended. */
const WRITES = new Set(['chmod', 'mkdir', 'rename', 'rmdir', 'symlink', 'unlink', 'writeFile']);
const never = new Promise(() => {});

/**
 * A file system over LightningFS whose write with the number `at` is the last thing that happens: nothing that is called then or later
 * settles. `isKept`: what was written before is durable; otherwise, it is as durable as LightningFS made it. `onStop` is called then.
 */
export class Stop {
  /** Writes so far. */
  writes = 0;
  #isOver = false;

  constructor({ at, isKept }, onStop) {
    Object.assign(this, { at, isKept, onStop });
  }

  wrap(fs) {
    return new Proxy(fs, {
      get: (_, name) => {
        const value = fs[name];
        return typeof value === 'function' ? (...args) => this.#call(fs, name, () => value.apply(fs, args)) : value;
      },
    });
  }

  #call(fs, name, make) {
    if (this.#isOver) return never;
    if (!WRITES.has(name) || this.writes++ < this.at) return make();
    this.#isOver = true;
    void this.#end(fs, make);
    return never;
  }

  async #end(fs, make) {
    if (this.isKept) await fs.flush();
    // The write begins, and is cut off somewhere.
    else void make().catch(() => {});
    this.onStop();
  }
}
