import { LoopgateError, toLoopgateError } from './errors.js';
import { wasm } from './init.js';
import type { ScopeReport } from './types/index.js';

/**
 * The scope gate over plain sources: what it decides for a plan with change markers. `before` holds every source by its path as
 * it was before the task. `after` may hold every source as it is now, or only what changed: texts of changed and new sources,
 * `null` for deleted ones. Where it repeats no source that stayed as it was, it is read as what changed. Synchronous; never throws on a bad plan or a bad source.
 */
export function checkScope(input: { plan: string; taskNumber: number; before: Record<string, string>; after: Record<string, string | null> }): ScopeReport {
  const { checkScope } = wasm();
  const { plan, taskNumber, before, after } = input;
  if (typeof plan !== 'string') throw new LoopgateError(`the plan must be a string, not ${typeof plan}`, { code: 'invalid-argument' });
  if (!Number.isSafeInteger(taskNumber) || taskNumber < 0) throw new LoopgateError(`taskNumber must be a whole number, not ${String(taskNumber)}`, { code: 'invalid-argument' });
  try {
    return JSON.parse(checkScope(plan, taskNumber, before, whole(before, after))) as ScopeReport;
  } catch (thrown) {
    throw toLoopgateError(thrown);
  }
}

/** Every source as it is now. What repeats a source that did not change, and deletes none, is all of them already. */
function whole(before: Record<string, string>, after: Record<string, string | null>): Record<string, string> {
  const changes = Object.entries(after);
  const isWhole = changes.some(([path, text]) => text !== null && text === before[path]) && !changes.some(([, text]) => text === null);
  const sources = { ...(isWhole ? {} : before), ...after };
  return Object.fromEntries(Object.entries(sources).filter((source): source is [string, string] => source[1] !== null));
}
