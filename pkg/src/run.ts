import { answerOf } from './answer.js';
import { fields, object, optionalSignal, text, words, wrong } from './arguments.js';
import { toLoopgateError } from './errors.js';
import { EventLog } from './event-log.js';
import { channelOf } from './follow.js';
import { asFsPort } from './guarded-fs.js';
import { wasm } from './init.js';
import type { RunHandle } from './loopgate.js';
import { bare, property } from './own.js';
import { readRunOptions } from './run-options.js';
import type { ConfigLayer, Estimate, Host, NewRun, Run, RunEvent, RunOptions, RunResult, UnfinishedRun } from './types/index.js';

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
  const plain = readRunOptions(options);
  const { dir, signal } = fields(options, 'options', 'dir', 'signal');
  const end = optionalSignal(signal, 'signal');
  try {
    return new LoopRun(plain.runId, new RunHandle(options, plain, asFsPort), dir, end);
  } catch (thrown) {
    throw toLoopgateError(thrown);
  }
}

/**
 * The run that a closed tab or a crash left unfinished. To resume it, pass its `runId` to `runLoop` as `resume`. Rejects with the
 * code `corrupt` if the project has only runs from elsewhere, see `stateKey`.
 */
export function findUnfinishedRun(host: Pick<Host, 'fs' | 'dir' | 'stateKey' | 'projectId'>): Promise<UnfinishedRun | null> {
  return answerOf(() => wasm().findUnfinishedRun(object(host, 'host')));
}

/**
 * What a run of this work will probably use, from the size of its prompt and the runs of the project that were done. Writes
 * nothing, and calls no model. Rejects what `runLoop` rejects.
 */
export function estimate(host: Host & { config?: ConfigLayer; globalConfig?: string }, work: NewRun['work']): Promise<Estimate> {
  return answerOf(() => {
    const { config, globalConfig } = fields(host, 'host', 'config', 'globalConfig');
    const plain = readRunOptions(bare({ work, config, globalConfig }) as RunOptions);
    return wasm().estimateRun(object(host, 'host'), plain, asFsPort);
  });
}

class LoopRun implements Run {
  readonly result: Promise<RunResult>;
  #log = new EventLog<RunEvent>();
  #handle: RunHandle | undefined;

  constructor(
    readonly id: string,
    handle: RunHandle,
    dir: string,
    signal: AbortSignal | undefined,
  ) {
    this.#handle = handle;
    const onAbort = () => this.abort(describe(signal?.reason));
    if (signal?.aborted) onAbort();
    signal?.addEventListener('abort', onAbort, bare({ once: true }));
    this.result = this.#drive(handle, dir).finally(() => signal?.removeEventListener('abort', onAbort));
    // Callers that only read the events must not get an unhandled rejection.
    this.result.catch(() => {});
  }

  /** Never throws, whatever the type of the reason. */
  abort(reason?: string): void {
    this.#handle?.abort(describe(reason));
  }

  steer(message: string): void {
    if (text(message, 'message').trim() === '') throw wrong('`message` is empty');
    this.#handle?.steer(message);
  }

  retryNow(): void {
    this.#handle?.retryNow();
  }

  edited(paths: string[]): void {
    this.#handle?.edited(words(paths, 'paths'));
  }

  [Symbol.asyncIterator](): AsyncIterator<RunEvent, void, undefined> {
    return this.#log.read();
  }

  /** Aborts the run and waits for its end. */
  async [asyncDispose](): Promise<void> {
    this.abort('disposed by the caller');
    await this.result.catch(() => {});
  }

  async #drive(handle: RunHandle, dir: string): Promise<RunResult> {
    const channel = channelOf(dir);
    const publish = (batch: string) => {
      const events = JSON.parse(batch) as RunEvent[];
      this.#log.push(events);
      if (!events.every(({ type }) => type.endsWith('-delta'))) channel?.postMessage(null);
    };
    try {
      const result = await handle.drive(publish);
      this.#log.close();
      return JSON.parse(result) as RunResult;
    } catch (thrown) {
      const error = toLoopgateError(thrown);
      this.#log.close(this.#log.last?.type === 'run-failed' ? {} : { error });
      throw error;
    } finally {
      channel?.close();
      // The module refers to the host, which often refers to this run. A garbage collector does not free such a cycle.
      this.#handle = undefined;
      handle.free();
    }
  }
}

function describe(reason: unknown): string {
  const text = property(reason, 'message') ?? reason;
  return (typeof text === 'string' || typeof text === 'number') && text !== '' ? String(text) : 'aborted by the caller';
}
