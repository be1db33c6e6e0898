import { fields, object, optionalText, wrong } from './arguments.js';
import type { Limits, RunOptions } from './types/index.js';

/** Limits in dollars. The core refuses them without prices, whatever their value is. */
const DOLLARS = ['maxCostUsd', 'perTask', 'perDay'];

/** Further limits that may be larger than those with a default. */
const LARGE = ['maxTokens', 'maxWallMs'];

/** `Infinity` for limits with a default; JSON has no `Infinity`. */
const UNLIMITED = 2 ** 32 - 1;

/** The options of a run that are plain data. The core checks them; here only what it does not see is refused. */
export function readRunOptions(options: RunOptions) {
  const { resume, answers, work, limits, prices, plan, clarify, config, globalConfig } = fields(options, 'options', 'resume', 'answers', 'work', 'limits', 'prices', 'plan', 'clarify', 'config', 'globalConfig');
  const resumed = optionalText(resume, 'resume');
  if (work !== undefined && work !== null) object(work, 'work');
  return {
    runId: resumed ?? newRunId(),
    holder: random(),
    resume: resumed !== undefined,
    answers,
    work,
    limits: readLimits(limits, (prices ?? undefined) !== undefined),
    plan,
    clarify,
    config,
    globalConfig: optionalText(globalConfig, 'globalConfig'),
  };
}

/** Limits as JSON can hold them. `Infinity` lifts a limit of the configuration and of the resumed run. */
function readLimits(limits: Partial<Limits> | undefined, hasPrices: boolean): Partial<Limits> {
  const given = Object.entries(limits === undefined || limits === null ? {} : object(limits, 'limits'));
  for (const [name, value] of given) {
    if (Number.isNaN(value) || value === -Infinity) throw wrong(`limits.${name} is ${value}: it must be a number above 0`);
  }
  const known = given.filter(([name, value]) => value !== Infinity || hasPrices || !DOLLARS.includes(name));
  return Object.fromEntries(known.map(([name, value]) => [name, value !== Infinity ? value : LARGE.includes(name) ? Number.MAX_SAFE_INTEGER : UNLIMITED]));
}

/** Sorts by time; unique across tabs. */
function newRunId(): string {
  return `${Date.now().toString(36)}-${random()}`;
}

function random(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
