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

/** What `Infinity` means to the core, whose numbers end. */
const UNLIMITED = 2 ** 32 - 1;

/** Limits as the core reads them. It checks their ranges; what JSON would lose is refused here. */
export function readLimits(limits: Partial<Limits> = {}): Partial<Limits> {
  const given = Object.entries(limits).filter(([, value]) => value !== undefined);
  for (const [name, value] of given) {
    const known = Object.hasOwn(KNOWN, name) ? KNOWN[name as keyof Limits] : undefined;
    if (known === undefined) {
      throw new LoopgateError(`limits.${name} is unknown; there are ${Object.keys(KNOWN).join(', ')}`, { code: 'invalid-argument' });
    }
    if (!known) throw new LoopgateError(`limits.${name} is not supported by this version of loopgate`, { code: 'unsupported' });
    if (typeof value !== 'number' || Number.isNaN(value)) {
      throw new LoopgateError(`limits.${name} is ${String(value)}: it must be a number`, { code: 'invalid-argument' });
    }
  }
  return Object.fromEntries(given.map(([name, value]) => [name, value === Infinity ? UNLIMITED : value]));
}
