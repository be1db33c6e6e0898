import { answerOf } from './answer.js';
import { object, optionalFields, optionalSignal, text } from './arguments.js';
import { toLoopgateError } from './errors.js';
import { wasm } from './init.js';
import { bare } from './own.js';
import type { Host, ModelPort, StructuredTask, TaskContext } from './types/index.js';

/** The context in which a run parses the next message, for a preview of the task. */
export function taskContext(host: Host): Promise<TaskContext> {
  return answerOf(() => wasm().taskContext(object(host, 'host')));
}

/**
 * Parses a user's message: what to add, modify, fix or remove, how many items, and what to preserve. With a model, this is one short
 * call, repeated once if the answer is unusable. Rules parse the message without a model, and if the model fails, times out or is aborted.
 * `parsedBy` has the parser used. A context without `fileList` means that the files are unknown. Rejects only for invalid arguments.
 */
export async function parseTask(message: string, context: TaskContext, options: { model?: ModelPort; signal?: AbortSignal } = {}): Promise<StructuredTask> {
  return answerOf(() => {
    const { model, signal } = optionalFields(options, 'options', 'model', 'signal');
    const end = optionalSignal(signal, 'signal');
    return wasm().parseTask(text(message, 'message'), context, model ?? undefined, end && aborted(end));
  });
}

/** The text of `.ralph/task.md`. */
export function formatTask(task: StructuredTask): string {
  try {
    return wasm().formatTask(task);
  } catch (thrown) {
    throw toLoopgateError(thrown);
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), bare({ once: true }));
  });
}
