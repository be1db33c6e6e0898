import { LoopgateError } from './errors.js';
import type { Limits } from './types/index.js';

/** The limits by name; whether each counts whole things. */
const WHOLE: Record<keyof Limits, boolean> = {
  maxIterations: true,
  maxToolCallsPerIteration: true,
  maxConsecutiveGateFailures: true,
  maxAttempts: true,
  maxReplans: true,
  stallThreshold: true,
  maxStallRecoveries: true,
  maxTokens: true,
  maxCostUsd: false,
  maxWallMs: true,
  modelIdleMs: true,
};

/** Larger than any run, and a number in every language: what `Infinity` means. */
const UNLIMITED = 2 ** 32 - 1;

/** Limits as the core reads them: the given ones, each checked. */
export function readLimits(limits: Partial<Limits> = {}): Partial<Limits> {
  const read: Partial<Limits> = {};
  for (const [name, value] of Object.entries(limits)) {
    if (value === undefined) continue;
    if (!(name in WHOLE)) {
      throw wrong(`\`limits.${name}\` is unknown; there are ${Object.keys(WHOLE).join(', ')}`);
    }
    const limit = name as keyof Limits;
    if (typeof value !== 'number' || !(value >= 0) || (WHOLE[limit] && value !== Infinity && !Number.isInteger(value))) {
      throw wrong(`\`limits.${name}\` must be ${WHOLE[limit] ? 'a whole number' : 'a number'} from zero on, not ${String(value)}`);
    }
    read[limit] = Math.min(value, WHOLE[limit] && limit !== 'maxTokens' ? UNLIMITED : Number.MAX_SAFE_INTEGER);
  }
  return read;
}

function wrong(message: string): LoopgateError {
  return new LoopgateError(message, { code: 'invalid-argument' });
}
