import { answerOf } from './answer.js';
import { count, fields, object, optionalText, words, wrong } from './arguments.js';
import { wasm } from './init.js';
import type { Host, Reverted, RunChange, RunRef } from './types/index.js';

/**
 * The files that a run changed, and by whom. Needs git. What changed after the run, such as by `revert`, is not part of it. A file
 * that the agent changed and that is as before has no change. A file that the agent or the user renamed is `renamed`, also if it was
 * edited.
 */
export function changes(host: Host, of: RunRef): Promise<RunChange[]> {
  return answerOf(() => {
    const { runId, taskNumber } = refOf(of);
    return wasm().changesOfRun(object(host, 'host'), runId, taskNumber);
  });
}

/**
 * Takes back what the agent changed in a run: in these files and folders, or in all. A file that the agent renamed goes
 * back to its place, one that the user renamed, in the run or since, stays there; `paths` may have any of its names.
 * Lines that the user changed stay; a file in which both changed the same lines stays as it is and is in `conflicts`.
 * `snapshot.undo` restores the state before. Fails with `locked` while a run has the project, and with `not-found` for a path that
 * the run did not change.
 */
export function revert(host: Host, of: RunRef & { paths?: string[]; by?: 'agent' }): Promise<Reverted> {
  return answerOf(() => {
    const { runId, taskNumber } = refOf(of);
    const { paths, by } = fields(of, 'of', 'paths', 'by');
    if (by !== undefined && by !== 'agent') throw wrong("`by` must be 'agent': only the agent's changes can be taken back");
    const chosen = paths === undefined || paths === null ? undefined : words(paths, 'paths');
    return wasm().revertRun(object(host, 'host'), runId, taskNumber, chosen);
  });
}

function refOf(of: RunRef): { runId: string | undefined; taskNumber: number | undefined } {
  const { runId, taskNumber } = fields(of as { runId?: string; taskNumber?: number }, 'of', 'runId', 'taskNumber');
  const run = optionalText(runId, 'of.runId');
  const hasNumber = taskNumber !== undefined && taskNumber !== null;
  if (run !== undefined && hasNumber) throw wrong('`of` has a `runId` and a `taskNumber`; pass one of them');
  if (run !== undefined) return { runId: run, taskNumber: undefined };
  if (!hasNumber) throw wrong('`of` must have a `runId` or a `taskNumber`');
  return { runId: undefined, taskNumber: count(taskNumber, 'of.taskNumber') };
}
