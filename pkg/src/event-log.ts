/** An append-only log. Each reader starts at the first event and reads at its own pace. */
export class EventLog<T> {
  #events: T[] = [];
  #closed: { error?: unknown } | undefined;
  #wake!: () => void;
  #changed!: Promise<void>;

  constructor() {
    this.#arm();
  }

  push(events: T[]): void {
    // Not as arguments of one call, whose number is limited.
    for (const event of events) this.#events.push(event);
    this.#wake();
  }

  /** Readers end after the last event; with an error, they throw it there. */
  close(end: { error?: unknown } = {}): void {
    this.#closed ??= end;
    this.#wake();
  }

  get last(): T | undefined {
    return this.#events.at(-1);
  }

  async *read(): AsyncGenerator<T, void, undefined> {
    for (let at = 0; ; at++) {
      while (at >= this.#events.length) {
        if (this.#closed && Object.hasOwn(this.#closed, 'error')) throw this.#closed.error;
        if (this.#closed) return;
        await this.#changed;
      }
      yield this.#events[at] as T;
    }
  }

  #arm(): void {
    this.#changed = new Promise((resolve) => {
      this.#wake = () => {
        this.#arm();
        resolve();
      };
    });
  }
}
