import { answerOf } from './answer.js';
import { optional, optionalSignal, text } from './arguments.js';
import { toLoopgateError } from './errors.js';
import { wasm } from './init.js';
import type { ModelPort, StructuredTask, TaskContext } from './types/index.js';

/**
 * Takes a user's message apart: what is to be added, changed, mended or removed, how many, and what must stay. With a model it
 * is one small call, whose answer is checked; without one, and whenever the model fails, is late or aborted, rules do it:
 * `parsedBy` says who did. Rejects only for arguments that are none.
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
