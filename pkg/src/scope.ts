import { count, fields, object, text } from './arguments.js';
import { toLoopgateError } from './errors.js';
import { wasm } from './init.js';
import { bare } from './own.js';
import type { ScopeReport } from './types/index.js';

/**
 * The verdict of the gate `scope` for a plan with change markers. `before` has every source before the task, by path. `after` has
 * either every source after the task, or only the changes: the texts of changed and new sources, and `null` for deleted ones. It is
 * read as changes unless it repeats an unchanged source and deletes none. Synchronous. An invalid plan or source gives a report,
 * never an exception.
 */
export function checkScope(input: { plan: string; taskNumber: number; before: Record<string, string>; after: Record<string, string | null> }): ScopeReport {
  const { checkScope } = wasm();
  const { plan, taskNumber, before, after } = fields(input, 'input', 'plan', 'taskNumber', 'before', 'after');
  const old = bare(object(before, 'before'));
  const now = sourcesAfter(old, object(after, 'after'));
  try {
    return JSON.parse(checkScope(text(plan, 'plan'), count(taskNumber, 'taskNumber'), old, now)) as ScopeReport;
  } catch (thrown) {
    throw toLoopgateError(thrown);
  }
}

/** Every source after the task. */
function sourcesAfter(before: Record<string, string>, after: Record<string, string | null>): Record<string, string> {
  const entries = Object.entries(after);
  const isComplete = entries.some(([path, text]) => text !== null && text === before[path]) && !entries.some(([, text]) => text === null);
  const sources = { ...(isComplete ? {} : before), ...after };
  return Object.fromEntries(Object.entries(sources).filter((source): source is [string, string] => source[1] !== null));
}
