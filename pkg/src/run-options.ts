import { kindOf, optional, optionalText, text, wrong } from './arguments.js';
import { LoopgateError } from './errors.js';
import { readLimits } from './limits.js';
import type { RunOptions } from './types/index.js';

/** The options of a run as the core reads them, ports aside. What the contract has and this version does not is refused. */
export function readRunOptions(options: RunOptions) {
  const { work, models, locks } = options;
  const resume = optionalText(options.resume, 'resume');
  const { kind } = optional(work, 'work');
  if (kind === 'spec' || kind === 'chunks') throw later(`work of the kind '${kind}'`);
  if (work?.kind !== 'task') throw wrong("`work` must be { kind: 'task', message }");
  if (models && Object.keys(models).length > 0) throw later('`models`');
  if (locks !== undefined && locks !== null) throw later('`locks`');
  if (resume === undefined && text(work.message, 'work.message').trim() === '') {
    throw wrong('`work.message` is empty: say what the agent should do');
  }
  optional(options.hooks, 'hooks');
  if (typeof (options.now ?? Date.now) !== 'function') throw wrong(`\`now\` must be a function, not ${kindOf(options.now)}`);
  if (!options.model) throw wrong('`model` is missing: a run needs one');
  return {
    runId: resume ?? newRunId(),
    resume: resume !== undefined,
    work,
    limits: readLimits(options.limits),
    plan: options.plan ?? undefined,
    config: options.config,
  };
}

/** Sorts by time; unique across tabs. */
function newRunId(): string {
  const random = crypto.getRandomValues(new Uint8Array(6));
  return `${Date.now().toString(36)}-${Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

function later(what: string): LoopgateError {
  return new LoopgateError(`${what} is not supported by this version of loopgate`, { code: 'unsupported' });
}
