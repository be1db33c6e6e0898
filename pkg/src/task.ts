import { answerOf } from './answer.js';
import { optional, optionalSignal, text } from './arguments.js';
import { toLoopgateError } from './errors.js';
import { wasm } from './init.js';
import type { ModelPort, StructuredTask, TaskContext } from './types/index.js';

/**
 * Parses a user's message: what to add, change, fix or remove, how many, and what must stay. With a model it is one small
 * call, repeated once if the answer is unusable. Without a model, and if it fails, is late or aborted, rules parse the
 * message: see `parsedBy`. A context without `fileList` means that the files are unknown. Rejects only invalid arguments.
 */
export async function parseTask(message: string, context: TaskContext, options: { model?: ModelPort; signal?: AbortSignal } = {}): Promise<StructuredTask> {
  return answerOf(() => {
    const { model, signal } = optional(options, 'options');
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
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
