/** Runs what the message is read as, and answers what the harness asks about it. */
import { answer, startTask, view } from '../run/session';
import { unfinished } from '../run/unfinished';
import { message, readAgain, taskToRun } from './preview';

/** What was edited of a task is for that task alone, once it is done. */
export async function runMessage(): Promise<void> {
  const text = message.peek().trim();
  unfinished.value = null;
  await startTask(text, taskToRun(text));
  if (view.value.result?.success) await readAgain();
}

/** The harness asks first, and then gets the answer: the task goes on with both texts. */
export async function runWithAnswer(question: string): Promise<void> {
  await runMessage();
  if (view.value.result?.reason === 'needs-clarification') await answer(question);
}
