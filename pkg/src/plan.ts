import { LoopgateError, toLoopgateError } from './errors.js';
import { wasm } from './init.js';
import type { PlanReport, Registry } from './types/index.js';

/** Synchronous: fast enough for every keystroke in an editor. Never throws on bad source. */
export function validatePlan(source: string, options: { registry?: Registry; taskNumber?: number } = {}): PlanReport {
  const { validatePlan } = wasm();
  if (typeof source !== 'string') {
    throw new LoopgateError(`the source of a plan must be a string, not ${typeof source}`, { code: 'invalid-argument' });
  }
  try {
    return JSON.parse(validatePlan(source, options.registry, options.taskNumber)) as PlanReport;
  } catch (thrown) {
    throw toLoopgateError(thrown);
  }
}
