/** What a run of this page, or the unfinished run of another one, asks the user about. */
import { computed } from '@preact/signals';
import type { Answer, PlanReport, Question, ToolQuestion, WhoseQuestion, Work } from 'loopgate';
import { plan, savePlan } from '../plan/plan';
import { phraseOf } from './describe';
import { discard, isRunning, resume, runWithoutPlan, unfinished, view } from './session';

export type Asked = { runId: string; work: Work; id: string; text: string; expiresAt?: number } & (
  | { kind: 'tool'; call: ToolQuestion }
  | { kind: 'plan'; report: PlanReport }
  | { kind: 'whose'; files: WhoseQuestion['files'] }
);

export const asked = computed<Asked | null>(() => {
  if (isRunning.value) return null;
  const { result, work } = view.value;
  if (unfinished.value) return askedBy(unfinished.value.runId, unfinished.value.work, unfinished.value.questions);
  return result && work ? askedBy(result.runId, work, result.questions) : null;
});

function askedBy(runId: string, work: Work, questions: Question[] = []): Asked | null {
  for (const question of questions) {
    const { id, kind, details, expiresAt } = question;
    const asked = { runId, work, id, text: phraseOf({ type: 'question-asked', question }).replace(/^Asks you: /, '') || question.text, ...(expiresAt && { expiresAt }) };
    if (kind === 'tool') return { ...asked, kind, call: details as ToolQuestion };
    if (kind === 'whose') return { ...asked, kind, files: (details as WhoseQuestion).files };
    if (kind === 'plan') return { ...asked, kind, report: details as PlanReport };
  }
  return null;
}

/** Answers, and goes on with the run. */
export async function decide(answer: Answer): Promise<void> {
  const run = asked.peek();
  if (!run) return;
  const approves = run.kind === 'plan' && answer.decision === 'allow';
  if (approves) await savePlan();
  // The plan has changed on disk: the user chooses a version first.
  if (approves && plan.peek().theirs) return;
  await resume(run.runId, run.work, { [run.id]: answer }, approves ? plan.peek().saved : null);
}

export async function skipPlan(): Promise<void> {
  const run = asked.peek();
  if (run) await runWithoutPlan(run.runId, run.work);
}

/** Ends the run without an answer. */
export async function giveUp(): Promise<void> {
  const run = asked.peek();
  if (!run) return;
  await discard(run.runId, run.work);
}

export async function resumeUnfinished(): Promise<void> {
  const run = unfinished.value;
  if (run) await resume(run.runId, run.work);
}

export async function discardUnfinished(): Promise<void> {
  const run = unfinished.value;
  if (run) await discard(run.runId, run.work);
}
