import { answerOf } from './answer.js';
import { count, object, optionalFields, words } from './arguments.js';
import { asFsPort } from './guarded-fs.js';
import { wasm } from './init.js';
import type { GateReport, Host } from './types/index.js';

/**
 * Runs the gates on the project as it is: loopgate's and the host's, or the ones in `only`. Also while a run works on it.
 * Needs neither a model nor git. Writes nothing. The changes since the start of a task are judged too: of `taskNumber`, or of the
 * last task. A gate that needs a task passes with `notApplicable` if there is none.
 */
export function checkGates(host: Host, options: { only?: string[]; taskNumber?: number } = {}): Promise<GateReport[]> {
  return answerOf(() => {
    const { only, taskNumber } = optionalFields(options, 'options', 'only', 'taskNumber');
    const names = only === undefined || only === null ? undefined : words(only, 'only');
    const task = taskNumber === undefined || taskNumber === null ? undefined : count(taskNumber, 'taskNumber');
    return wasm().checkGates(object(host, 'host'), names, task, asFsPort);
  });
}
