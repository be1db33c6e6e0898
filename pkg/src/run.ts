import { LoopgateError, toLoopgateError } from './errors.js';
import { EventLog } from './event-log.js';
import { asFsPort } from './guarded-fs.js';
import { wasm } from './init.js';
import { readLimits } from './limits.js';
import type { RunHandle } from './loopgate.js';
import type { Host, Run, RunEvent, RunOptions, RunResult, UnfinishedRun } from './types/index.js';

/** Younger than some browsers that have everything else. */
const asyncDispose: typeof Symbol.asyncDispose = Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose');

/**
 * Starts a run. It goes on whether or not anybody reads its events or awaits its result.
 *
 * A wrong option throws at once; a normal stop (budget, stall, abort, gates failed) resolves `result` with its reason;
 * a fault of the host or of loopgate rejects it.
 */
export function runLoop(options: RunOptions): Run {
  const { RunHandle } = wasm();
  refuseUnsupported(options);
  const id = options.resume ?? newRunId();
  const plain = { runId: id, work: options.work, limits: readLimits(options.limits), plan: options.plan, config: options.config, resume: options.resume !== undefined };
  try {
    return new LoopRun(id, new RunHandle(options, plain, asFsPort), options.signal);
  } catch (thrown) {
    throw toLoopgateError(thrown);
  }
}

/** The run of this project that a closed tab or a crash left unfinished; pass its `runId` to `runLoop` as `resume`. */
export async function findUnfinishedRun(host: Pick<Host, 'fs' | 'dir'>): Promise<UnfinishedRun | null> {
  try {
    return JSON.parse(await wasm().findUnfinishedRun(host.fs, host.dir)) as UnfinishedRun | null;
  } catch (thrown) {
    throw toLoopgateError(thrown);
  }
}

class LoopRun implements Run {
  readonly result: Promise<RunResult>;
  #log = new EventLog<RunEvent>();
  #handle: RunHandle;

  constructor(
    readonly id: string,
    handle: RunHandle,
    signal: AbortSignal | undefined,
  ) {
    this.#handle = handle;
    const onAbort = () => this.abort(describe(signal?.reason));
    if (signal?.aborted) onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });
    this.result = this.#drive().finally(() => signal?.removeEventListener('abort', onAbort));
    // A caller who reads the events alone must not be punished with an unhandled rejection.
    this.result.catch(() => {});
  }

  abort(reason = 'aborted by the caller'): void {
    this.#handle.abort(reason);
  }

  steer(message: string): void {
    this.#handle.steer(message);
  }

  [Symbol.asyncIterator](): AsyncIterator<RunEvent, void, undefined> {
    return this.#log.read();
  }

  /** Aborts the run and waits until nothing of it runs any more. */
  async [asyncDispose](): Promise<void> {
    this.abort('disposed by the caller');
    await this.result.catch(() => {});
  }

  async #drive(): Promise<RunResult> {
    try {
      const result = await this.#handle.drive((batch: string) => this.#log.push(JSON.parse(batch) as RunEvent[]));
      this.#log.close();
      return JSON.parse(result) as RunResult;
    } catch (thrown) {
      const error = toLoopgateError(thrown);
      this.#log.close(this.#log.last?.type === 'run-failed' ? {} : { error });
      throw error;
    }
  }
}

/** What the contract has and this version does not must not be taken for done. */
function refuseUnsupported(options: RunOptions): void {
  const { work } = options;
  if (typeof work !== 'object' || work === null) {
    throw new LoopgateError("`work` must be { kind: 'task', message }", { code: 'invalid-argument' });
  }
  const later = {
    [`work of the kind '${work.kind}'`]: work.kind !== 'task',
    '`work.parsed`': 'parsed' in work && work.parsed !== undefined,
    '`models`': Object.keys(options.models ?? {}).length > 0,
    '`recipes`': typeof options.recipes === 'function' || (options.recipes?.length ?? 0) > 0,
    '`locks`': options.locks !== undefined,
  };
  for (const [what, given] of Object.entries(later)) {
    if (given) throw new LoopgateError(`${what} is not supported by this version of loopgate`, { code: 'unsupported' });
  }
  if (options.resume === undefined && (typeof (work as { message?: unknown }).message !== 'string' || !(work as { message: string }).message.trim())) {
    throw new LoopgateError('`work.message` is empty: say what the agent should do', { code: 'invalid-argument' });
  }
  if (!options.model) throw new LoopgateError('`model` is missing: a run needs one', { code: 'invalid-argument' });
}

/** Sorts by time; unique across tabs. */
function newRunId(): string {
  const random = crypto.getRandomValues(new Uint8Array(6));
  return `${Date.now().toString(36)}-${Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

function describe(reason: unknown): string {
  return reason instanceof Error ? reason.message : reason === undefined ? 'aborted by the caller' : String(reason);
}
