/** Runs the message and answers the questions of the harness. */
import { answer, isAsked, startTask, view } from '../run/session';
import { unfinished } from '../run/unfinished';
import { message, parseAgain, preview, taskToRun } from './preview';

/**
 * Edits are discarded after a successful run. The harness parses an answer together with its question, so the message is passed
 * unparsed.
 */
export async function runMessage(): Promise<void> {
  const text = message.peek().trim();
  unfinished.value = null;
  await (isAsked.peek() && !preview.peek()?.edited ? answer(text) : startTask(text, taskToRun(text)));
  if (view.value.result?.success) await parseAgain();
}

/** Runs the message, which ends with the questions, then the answer. The task continues with both texts. */
export async function runWithAnswer(question: string): Promise<void> {
  await runMessage();
  if (isAsked.value) await answer(question);
}
