/** Runs what the message is read as, and answers what the harness asks about it. */
import { answer, isAsked, startTask, view } from '../run/session';
import { unfinished } from '../run/unfinished';
import { message, reading, readAgain, taskToRun } from './preview';

/**
 * What was edited of a task is for that task alone, once it is done. The answer to a question is read by the harness, which
 * knows what it asked: alone it would be another task.
 */
export async function runMessage(): Promise<void> {
  const text = message.peek().trim();
  unfinished.value = null;
  await (isAsked.peek() && !reading.peek()?.edited ? answer(text) : startTask(text, taskToRun(text)));
  if (view.value.result?.success) await readAgain();
}

/** The harness asks first, and then gets the answer: the task goes on with both texts. */
export async function runWithAnswer(question: string): Promise<void> {
  await runMessage();
  if (isAsked.value) await answer(question);
}
