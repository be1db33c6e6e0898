import { kindOf, optional, wrong } from './arguments.js';
import { LoopgateError } from './errors.js';
import type { Limits } from './types/index.js';

/** The limits by name; `false` for those that belong to work of later versions. */
const KNOWN: Record<keyof Limits, boolean> = {
  maxIterations: true,
  maxToolCallsPerIteration: true,
  maxConsecutiveGateFailures: true,
  maxAttempts: false,
  maxReplans: false,
  stallThreshold: true,
  maxStallRecoveries: true,
  maxTokens: true,
  maxCostUsd: true,
  maxWallMs: true,
  modelIdleMs: true,
};

/** Limits that there are only where they are set. */
const UNSET = ['maxTokens', 'maxCostUsd', 'maxWallMs'];

/** What `Infinity` means to the core, whose numbers end. */
const UNLIMITED = 2 ** 32 - 1;

/** Limits as the core reads them. It checks their ranges; what JSON would lose is refused here. */
export function readLimits(limits?: Partial<Limits>): Partial<Limits> {
  const given = Object.entries(optional(limits, 'limits')).filter(([, value]) => value !== undefined);
  for (const [name, value] of given) {
    const known = Object.hasOwn(KNOWN, name) ? KNOWN[name as keyof Limits] : undefined;
    if (known === undefined) throw wrong(`limits.${name} is unknown; there are ${Object.keys(KNOWN).join(', ')}`);
    if (!known) throw new LoopgateError(`limits.${name} is not supported by this version of loopgate`, { code: 'unsupported' });
    if (typeof value !== 'number') throw wrong(`limits.${name} is ${kindOf(value)}: it must be a number`);
    if (Number.isNaN(value) || value === -Infinity) throw wrong(`limits.${name} is ${value}: it must be a number above 0`);
  }
  const set = given.filter(([name, value]) => value !== Infinity || !UNSET.includes(name));
  return Object.fromEntries(set.map(([name, value]) => [name, value === Infinity ? UNLIMITED : value]));
}
