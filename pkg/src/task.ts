import { LoopgateError, toLoopgateError } from './errors.js';
import { wasm } from './init.js';
import type { ModelPort, StructuredTask, TaskContext } from './types/index.js';

/**
 * Takes a message apart: by one small call of the model, whose answer is checked, or by rules where there is no model or
 * it fails, is late or is aborted. `parsedBy` says who did. Rejects for a wrong argument alone.
 */
export async function parseTask(message: string, context: TaskContext, options: { model?: ModelPort; signal?: AbortSignal } = {}): Promise<StructuredTask> {
  if (typeof message !== 'string') {
    throw new LoopgateError(`the message of a task must be a string, not ${typeof message}`, { code: 'invalid-argument' });
  }
  try {
    return JSON.parse(await wasm().parseTask(message, context, options.model, options.signal)) as StructuredTask;
  } catch (thrown) {
    throw toLoopgateError(thrown);
  }
}

/** The text of `.ralph/task.md`. No message can forge a section of it. */
export function formatTask(task: StructuredTask): string {
  const { formatTask } = wasm();
  try {
    return formatTask(task);
  } catch (thrown) {
    throw toLoopgateError(thrown);
  }
}
