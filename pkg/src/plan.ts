import { LoopgateError, toLoopgateError } from './errors.js';
import { wasm } from './init.js';
import type { PlanNode, PlanReport, Registry } from './types/index.js';

/** Synchronous: fast enough for every keystroke in an editor. Never throws on bad source. */
export function validatePlan(source: string, options: { registry?: Registry; taskNumber?: number } = {}): PlanReport {
  const { validatePlan } = wasm();
  if (typeof source !== 'string') {
    throw new LoopgateError(`the source of a plan must be a string, not ${typeof source}`, { code: 'invalid-argument' });
  }
  try {
    return withRoot(JSON.parse(validatePlan(source, options.registry, options.taskNumber)) as PlanReport, source);
  } catch (thrown) {
    throw toLoopgateError(thrown);
  }
}

/** The tree is most of a report and few need it: it is read when it is asked for. */
function withRoot(report: PlanReport, source: string): PlanReport {
  const settle = (value: PlanNode | null) => Object.defineProperty(report, 'root', { value, writable: true, enumerable: true, configurable: true });
  return Object.defineProperty(report, 'root', {
    get: () => settle(JSON.parse(wasm().planRoot(source)) as PlanNode | null).root,
    set: settle,
    enumerable: true,
    configurable: true,
  });
}
