/** The call or the plan that a run of this page, or the unfinished run of another one, asks the user about. */
import { computed } from '@preact/signals';
import type { Answer, PlanReport, Question, ToolQuestion, Work } from 'loopgate';
import { discard, isRunning, otherTab, resume, view } from './session';
import { unfinished } from './unfinished';
import { idleRun } from './view';

export type Asked = { runId: string; work: Work; id: string; text: string; expiresAt?: number } & (
  | { kind: 'tool'; call: ToolQuestion }
  | { kind: 'plan'; report: PlanReport }
);

export const asked = computed<Asked | null>(() => {
  if (isRunning.value || otherTab.value) return null;
  const { result, work } = view.value;
  if (unfinished.value) return askedBy(unfinished.value.runId, unfinished.value.work, unfinished.value.questions);
  return result && work ? askedBy(result.runId, work, result.questions) : null;
});

function askedBy(runId: string, work: Work, questions: Question[] = []): Asked | null {
  for (const { id, kind, text, details, expiresAt } of questions) {
    const asked = { runId, work, id, text, ...(expiresAt && { expiresAt }) };
    if (kind === 'tool') return { ...asked, kind, call: details as ToolQuestion };
    if (kind === 'plan') return { ...asked, kind, report: details as PlanReport };
  }
  return null;
}

/** Answers, and goes on with the run. */
export async function decide(answer: Answer): Promise<void> {
  const run = asked.peek();
  if (!run) return;
  const shown = unfinished.peek() ? idleRun : view.peek();
  unfinished.value = null;
  await resume(run.runId, run.work, shown, { [run.id]: answer });
}

/** Ends the run without an answer. */
export async function giveUp(): Promise<void> {
  const run = asked.peek();
  if (!run) return;
  await discard(run.runId, run.work);
  unfinished.value = null;
  view.value = idleRun;
}
