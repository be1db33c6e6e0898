import { answerOf } from './answer.js';
import { object, optionalSignal, text, wrong } from './arguments.js';
import { toLoopgateError } from './errors.js';
import { EventLog } from './event-log.js';
import { channelOf } from './follow.js';
import { asFsPort } from './guarded-fs.js';
import { wasm } from './init.js';
import type { RunHandle } from './loopgate.js';
import { readRunOptions } from './run-options.js';
import type { Host, Run, RunEvent, RunOptions, RunResult, UnfinishedRun } from './types/index.js';

/** Some supported browsers do not have it. */
const asyncDispose: typeof Symbol.asyncDispose = Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose');

/**
 * Starts a run. It continues without readers of its events or its result.
 *
 * An invalid option throws. A normal stop (budget, stall, abort, gates failed) resolves `result` with its reason. A fault of the
 * host or of loopgate rejects it. While another run writes the project, `result` rejects with the code `locked`; `followRun` reads
 * the events of that run.
 */
export function runLoop(options: RunOptions): Run {
  const { RunHandle } = wasm();
  const plain = readRunOptions(object(options, 'options'));
  const signal = optionalSignal(options.signal, 'signal');
  try {
    return new LoopRun(plain.runId, new RunHandle(options, plain, asFsPort), options.dir, signal);
  } catch (thrown) {
    throw toLoopgateError(thrown);
  }
}

/** The run that a closed tab or a crash left unfinished. To resume it, pass its `runId` to `runLoop` as `resume`. */
export function findUnfinishedRun(host: Pick<Host, 'fs' | 'dir'>): Promise<UnfinishedRun | null> {
  return answerOf(() => {
    const { fs, dir } = object(host, 'host');
    return wasm().findUnfinishedRun(fs, dir);
  });
}

class LoopRun implements Run {
  readonly result: Promise<RunResult>;
  #log = new EventLog<RunEvent>();
  #handle: RunHandle;

  constructor(
    readonly id: string,
    handle: RunHandle,
    dir: string,
    signal: AbortSignal | undefined,
  ) {
    this.#handle = handle;
    const onAbort = () => this.abort(describe(signal?.reason));
    if (signal?.aborted) onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });
    this.result = this.#drive(dir).finally(() => signal?.removeEventListener('abort', onAbort));
    // Callers that only read the events must not get an unhandled rejection.
    this.result.catch(() => {});
  }

  /** Never throws, whatever the type of the reason. */
  abort(reason?: string): void {
    this.#handle.abort(describe(reason));
  }

  steer(message: string): void {
    if (text(message, 'message').trim() === '') throw wrong('`message` is empty');
    this.#handle.steer(message);
  }

  [Symbol.asyncIterator](): AsyncIterator<RunEvent, void, undefined> {
    return this.#log.read();
  }

  /** Aborts the run and waits for its end. */
  async [asyncDispose](): Promise<void> {
    this.abort('disposed by the caller');
    await this.result.catch(() => {});
  }

  async #drive(dir: string): Promise<RunResult> {
    const channel = channelOf(dir);
    const publish = (batch: string) => {
      const events = JSON.parse(batch) as RunEvent[];
      this.#log.push(events);
      if (!events.every(({ type }) => type === 'text-delta' || type === 'reasoning-delta')) channel?.postMessage(null);
    };
    try {
      const result = await this.#handle.drive(publish);
      this.#log.close();
      return JSON.parse(result) as RunResult;
    } catch (thrown) {
      const error = toLoopgateError(thrown);
      this.#log.close(this.#log.last?.type === 'run-failed' ? {} : { error });
      throw error;
    } finally {
      channel?.close();
    }
  }
}

function describe(reason: unknown): string {
  const text = (reason as { message?: unknown } | null | undefined)?.message ?? reason;
  return (typeof text === 'string' || typeof text === 'number') && text !== '' ? String(text) : 'aborted by the caller';
}
