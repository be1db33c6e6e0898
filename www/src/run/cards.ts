/** The cards of the thread, from the view of a run. Pure. */
import type { GateReport, PlanNode, PlanReport, Requirement, StructuredTask } from 'loopgate';
import { capital, count, dollars, duration, thousands, workTitle } from './describe';
import type { Caught } from '../model/story/story';
import type { Line, Tone } from './entry';
import { unproven, type Attempt, type PlanContext, type RunView } from './view';

export type Card =
  | { kind: 'message'; text: string; note?: string }
  | { kind: 'task'; task: StructuredTask; notes: readonly string[] }
  | { kind: 'plan'; report: PlanReport; state: 'refused' | 'asks' | 'valid'; context?: PlanContext }
  | { kind: 'heading'; text: string; tone: Tone }
  /** `isCaught`: the first refused claim of the run, or the mistake that a story is about. */
  | { kind: 'attempt'; attempt: Attempt; title: string; tone: Tone; lines: readonly Line[]; isCaught: boolean }
  | { kind: 'wait'; wait: NonNullable<RunView['wait']> }
  | { kind: 'activity'; text: string };

/** The number of the attempt with the mistake that a story is about. */
export const caughtIn = ({ lines }: RunView, { type, has = '' }: Caught): number | undefined =>
  lines.find((line) => line.type === type && `${line.text} ${line.note ?? ''} ${line.call ? JSON.stringify(line.call.args) : ''}`.includes(has))?.attempt;

/** `pending`: messages that the agent has not got. `mistake`: of a story. */
export function cardsOf(view: RunView, pending: readonly string[] = [], mistake?: Caught): Card[] {
  const caught = mistake ? caughtIn(view, mistake) : view.attempts.find(({ isFalse }) => isFalse)?.number;
  const doing = activityOf(view);
  const note = view.status === 'running' || view.status === 'stopping' ? 'the agent reads it before its next step' : 'not delivered, so it is in the field below again';
  return [
    ...(view.work ? [{ kind: 'message' as const, text: workTitle(view.work) }] : []),
    ...(view.task?.requirements.length ? [{ kind: 'task' as const, task: view.task, notes: view.notes }] : []),
    ...view.slots.flatMap((slot): Card[] => {
      if (slot.kind === 'attempt') return [attemptCard(view, slot.number, caught)];
      if (slot.kind === 'plan') return view.plan ? [{ kind: 'plan', ...view.plan, ...(view.context && { context: view.context }) }] : [];
      return slot.kind === 'message' ? [{ kind: 'message', text: slot.text, note: `delivered at attempt ${slot.attempt}` }] : [slot];
    }),
    ...pending.map((text) => ({ kind: 'message' as const, text, note })),
    ...(view.wait ? [{ kind: 'wait' as const, wait: view.wait }] : doing ? [{ kind: 'activity' as const, text: doing }] : []),
  ];
}

function attemptCard(view: RunView, number: number, caught: number | undefined): Card {
  const attempt = view.attempts.find((one) => one.number === number)!;
  const lines = view.lines.filter((line) => line.attempt === number && !line.isQuiet);
  const tone = attempt.isOpen ? 'active' : attempt.refusals.length || idleReason(attempt) ? 'warn' : 'good';
  return { kind: 'attempt', attempt, title: attemptTitle(attempt), tone, lines, isCaught: number === caught };
}

/** Why the calls of an attempt had no effect, or null. Other roles may answer with a text. */
function idleReason({ role, isOpen, hasFault, actions, failed }: Attempt): string | null {
  if (isOpen) return null;
  if (!actions) return role === 'builder' && !hasFault ? 'called no tool' : null;
  return failed >= actions ? `every call failed (${actions})` : null;
}

function attemptTitle(attempt: Attempt): string {
  const { name, isOpen, actions, files, isFalse, refusals: [first, ...others] } = attempt;
  const idle = idleReason(attempt);
  if (!first) return isOpen ? name : [name, idle ?? count(actions, 'action'), files.length > 0 && count(files.length, 'file')].filter(Boolean).join(' · ');
  const reason = `${first.text.charAt(0).toLowerCase()}${first.text.slice(1)}${others.length ? ` (and ${others.length} more)` : ''}`;
  // The line of a stall includes the reason, so `idle` is left out.
  return [name, first.isCheck && idle, `${isFalse ? 'claimed to be done, refused: ' : first.isCheck ? 'sent back: ' : ''}${reason}`].filter(Boolean).join(' · ');
}

/** The present activity of the run. */
export function activityOf({ status, phase, lines, wait }: RunView): string | null {
  if (status === 'stopping') return 'Stopping …';
  if (status !== 'running' || wait) return null;
  const last = lines.at(-1);
  if (last?.call && !last.call.result) return `${last.text} …`;
  if (last?.isLive) return `The model is answering: ${ending(last.note ?? '')}`;
  if (phase === 'check') return 'Checking the project …';
  if (phase === 'accept') return 'Saving the version …';
  return 'Waiting for the model …';
}

/** The end of a text that grows: with the words before it, two lines of a phone. */
const SHOWN = 60;
function ending(text: string): string {
  const all = text.replace(/\s+/g, ' ').trim();
  return all.length > SHOWN ? `… ${all.slice(-SHOWN)}` : all;
}

/** Passed checks that follow each other are one line. */
export function foldPassed(lines: readonly Line[]): Array<Line | { key: number; passed: readonly Line[] }> {
  const folded: Array<Line | { key: number; passed: readonly Line[] }> = [];
  for (const line of lines) {
    const last = folded.at(-1);
    if (line.gate?.verdict !== 'pass') folded.push(line);
    else if (last && 'passed' in last) folded[folded.length - 1] = { ...last, passed: [...last.passed, line] };
    else folded.push({ key: line.key, passed: [line] });
  }
  return folded;
}

/** The sections of a plan, in its order. */
export function sectionsOf(root: PlanNode | null): string[] {
  if (!root) return [];
  const own = root.component === 'Section' && typeof root.props.gumdrop === 'string' ? [root.props.gumdrop] : [];
  return [...own, ...root.children.flatMap(sectionsOf)];
}

/** The theme of a plan: its name, and its hue if it has one. */
export function themeOf(root: PlanNode | null): { name: string; hue?: number } | null {
  const props = root?.children.find(({ component }) => component === 'Theme')?.props;
  if (!props) return null;
  const name = String(props.preset ?? props.mood ?? 'of its own');
  return typeof props.seed === 'number' ? { name, hue: props.seed } : { name };
}

export type Action = 'review' | 'preview' | 'changes' | 'restore' | 'forward' | 'continue' | 'undo' | 'edit' | 'again' | 'model';

interface Ending {
  tone: Tone;
  title: string;
  text: string;
  /** `4 attempts · 16 s · 38k tokens · $0.03` */
  facts: string;
  /** Of a task that is done: otherwise the evidence may be gone. */
  requirements: readonly Requirement[];
  /** `Check failed: the project does not build`, of the last one. */
  failed?: string;
  actions: readonly Action[];
}

/** Where the files are: at the end of a run, at an earlier version, at the start of the run. `null`: elsewhere. */
export type Place = 'current' | 'later' | 'before' | null;

/** How a run ended, and what the user can do; null for a run that goes on. */
export function endingOf(view: RunView, place: Place = null): Ending | null {
  const { status, result, failure, outcome, work } = view;
  if (status !== 'stopped' && !result && !failure) return null;
  const isTask = work?.kind === 'task';
  const open = isTask && result?.success ? unproven(view.requirements).length : 0;
  const idle = outcome?.tone === 'bad' && result && result.reason !== 'budget' ? idleRunReason(view) : null;
  // The list below names them.
  const text = asksForSteps(result) ? 'The steps wait for your approval' : open ? `Checks passed, but ${open} of ${count(view.requirements.length, 'requirement')} ${open === 1 ? 'is' : 'are'} not settled: look at the preview` : idle ?? outcome?.title ?? failure?.message ?? '';
  const title = view.task?.title || (work ? workTitle(work) : 'The run');
  const isFailure = status !== 'stopped' && !result?.success && result?.reason !== 'aborted';
  const failed = !isFailure || idle ? undefined : view.lines.findLast(({ gate, tone }) => gate && tone === 'bad')?.text;
  return { tone: outcome?.tone ?? 'bad', title, text, facts: factsOf(view), requirements: isTask && result?.success ? view.requirements : [], ...(failed && { failed }), actions: actionsOf(view, isTask).flatMap((action) => actionAt(action, place)) };
}

const asksForSteps = (result: RunView['result']): boolean => result?.reason === 'waiting' && result.questions?.[0]?.kind === 'chunks';

/** The cause of the failed checks, if no attempt had an effect. */
function idleRunReason({ attempts }: RunView): string | null {
  const reasons = attempts.map(idleReason);
  if (!reasons.length || !reasons.every((reason) => reason !== null)) return null;
  return attempts.every(({ actions }) => !actions) ? 'Failed: the model called no tool. Choose a model that calls tools' : 'Failed: no call of the model worked';
}

/** What is not in the files cannot be looked at or taken back. */
function actionAt(action: Action, place: Place): Action[] {
  if (place !== 'later' && place !== 'before') return [action];
  return action === 'restore' ? ['forward'] : action === 'preview' || action === 'changes' || action === 'undo' ? [] : [action];
}

function actionsOf({ status, result, attempts }: RunView, isTask: boolean): Action[] {
  const hasWork = attempts.length > 0;
  const only = <T extends Action>(condition: unknown, ...actions: T[]): T[] => (condition ? actions : []);
  const goesOn: Action[] = ['continue', ...only(hasWork, 'undo'), ...only(isTask, 'edit')];
  if (status === 'stopped') return goesOn;
  switch (result?.reason) {
    case 'done':
      return [...only(hasWork, 'preview', 'changes'), ...only(result.snapshots.pre, 'restore')];
    case 'nothing-to-do':
    case 'needs-clarification':
      return [];
    case 'waiting':
      // Other questions have a card of their own.
      if (result.questions?.length) return only(asksForSteps(result), 'review');
    // Falls through: the agent waits for something else.
    case 'budget':
      return goesOn;
    case 'aborted':
      return ['again', ...only(hasWork, 'undo'), ...only(isTask, 'edit')];
    case 'blocked':
      return ['again'];
    default:
      return ['again', ...only(isTask, 'edit'), ...only(hasWork && result?.reason !== 'stalled', 'undo'), 'model'];
  }
}

function factsOf({ attempt, elapsedMs, usage, cost, result }: RunView): string {
  const tokens = (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0);
  return [
    attempt > 0 && count(result?.cost?.attempts.length || attempt, 'attempt'),
    duration(elapsedMs),
    tokens > 0 && `${thousands(tokens)} tokens`,
    cost && cost.spent > 0 && dollars(cost.spent, cost.estimated),
  ].filter(Boolean).join(' · ');
}

/** `Requirements: 2 of 3 checked` */
export const checkedOf = (requirements: readonly Requirement[]): string => `Requirements: ${requirements.filter(({ verdict }) => verdict === 'checked').length} of ${requirements.length} checked`;

export const VERDICTS: Record<Requirement['verdict'], { tone: Tone; text: string }> = {
  checked: { tone: 'good', text: 'checked' },
  reviewed: { tone: 'good', text: 'reviewed' },
  mentioned: { tone: 'warn', text: 'mentioned, not checked' },
  open: { tone: 'warn', text: 'open' },
  missing: { tone: 'bad', text: 'missing' },
};

const GROUPS: ReadonlyArray<[title: string, checks: RegExp]> = [
  ['Did it do the task', /^(work-done|plan-built|plan-diff|scope|changes-named|has-summary|tests-kept|assertions-kept)$/],
  ['Is it clean', /^(no-placeholders|no-hardcoded-colors|css-.*)$/],
];
const RUNS = 'Does it run';

export interface Group {
  title: string;
  reports: readonly GateReport[];
}

/** The checks that apply, in three groups. A check of the project itself is about whether it runs. */
export function groupsOf(gates: readonly GateReport[]): Group[] {
  const titleOf = (gate: string) => GROUPS.find(([, checks]) => checks.test(gate))?.[0] ?? RUNS;
  return [RUNS, ...GROUPS.map(([title]) => title)].map((title) => ({ title, reports: gates.filter((report) => !report.notApplicable && titleOf(report.gate) === title) }));
}

export interface Choice {
  /** The quoted part of the message, if all questions have the same one. */
  about: string | null;
  /** The rest of each question, with the complete question. Each can be answered with yes, so a question is also an answer. */
  answers: ReadonlyArray<{ text: string; question: string }>;
}

/** Several questions about the same part become one question with several answers. */
export function choiceOf(questions: readonly string[]): Choice {
  const about = /^(“.*?”): /.exec(questions[0] ?? '')?.[1];
  const isShared = about !== undefined && questions.length > 1 && questions.every((question) => question.startsWith(`${about}: `));
  if (!isShared) return { about: null, answers: questions.map((question) => ({ text: question, question })) };
  return { about, answers: questions.map((question) => ({ text: capital(question.slice(about.length + 2)), question })) };
}
