import { answerOf } from './answer.js';
import { fields, object, text } from './arguments.js';
import { wasm } from './init.js';
import type { Host, StoredIteration } from './types/index.js';

/**
 * The records of a run's iterations, newest last: one for each that has ended, also of planners, verifiers and reviewers. An
 * iteration that the end of its page interrupted gets its record when the run is resumed. A damaged record is left out; a run without records has none. Writes nothing.
 */
export function listIterations(host: Pick<Host, 'fs' | 'dir' | 'stateKey' | 'projectId'>, of: { runId: string }): Promise<StoredIteration[]> {
  return answerOf(() => {
    const { runId } = fields(of, 'of', 'runId');
    return wasm().listIterations(object(host, 'host'), text(runId, 'of.runId'));
  });
}
