import { LoopgateError } from './errors.js';
import { readLimits } from './limits.js';
import type { RunOptions } from './types/index.js';

/** The options of a run as the core reads them, ports aside. What the contract has and this version does not is refused. */
export function readRunOptions(options: RunOptions) {
  const { work, models, locks, resume } = options;
  if (typeof work !== 'object' || work === null) throw wrong("`work` must be { kind: 'task', message }");
  if (work.kind !== 'task') throw later(`work of the kind '${work.kind}'`);
  if (models && Object.keys(models).length > 0) throw later('`models`');
  if (locks !== undefined) throw later('`locks`');
  if (resume === undefined && (typeof work.message !== 'string' || work.message.trim() === '')) {
    throw wrong('`work.message` is empty: say what the agent should do');
  }
  if (!options.model) throw wrong('`model` is missing: a run needs one');
  return {
    runId: resume ?? newRunId(),
    resume: resume !== undefined,
    work,
    limits: readLimits(options.limits),
    plan: options.plan,
    config: options.config,
  };
}

/** Sorts by time; unique across tabs. */
function newRunId(): string {
  const random = crypto.getRandomValues(new Uint8Array(6));
  return `${Date.now().toString(36)}-${Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

function wrong(message: string): LoopgateError {
  return new LoopgateError(message, { code: 'invalid-argument' });
}

function later(what: string): LoopgateError {
  return new LoopgateError(`${what} is not supported by this version of loopgate`, { code: 'unsupported' });
}
