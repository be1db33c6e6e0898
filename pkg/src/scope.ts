import { count, object, text } from './arguments.js';
import { toLoopgateError } from './errors.js';
import { wasm } from './init.js';
import type { ScopeReport } from './types/index.js';

/**
 * The scope gate over plain sources: what it decides for a plan with change markers. `before` holds every source by its path as
 * it was before the task. `after` may hold every source as it is now, or only what changed: texts of changed and new sources,
 * `null` for deleted ones. Where it repeats no source that stayed as it was, it is read as what changed. Synchronous; never throws on a bad plan or a bad source.
 */
export function checkScope(input: { plan: string; taskNumber: number; before: Record<string, string>; after: Record<string, string | null> }): ScopeReport {
  const { checkScope } = wasm();
  const { plan, taskNumber, before, after } = object(input, 'input');
  const old = object(before, 'before');
  const now = whole(old, object(after, 'after'));
  try {
    return JSON.parse(checkScope(text(plan, 'plan'), count(taskNumber, 'taskNumber'), old, now)) as ScopeReport;
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
