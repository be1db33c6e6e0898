/** The view of a run, folded from its events. Pure. */
import type { AgentRole, GateReport, Phase, RunEvent, RunResult, StructuredTask, Usage, Work } from 'loopgate';
import { applyChange, noChanges, type Changes } from './changes';
import { callsOf } from './calls';
import { describe, FAILED_CALL, filesLine } from './describe';
import type { Detail, Entry } from './entry';

export type RunStatus = 'idle' | 'running' | 'stopping' | 'finished' | 'failed';

export type PlanContext = Pick<Extract<RunEvent, { type: 'plan-context' }>, 'theme' | 'sections'>;

export interface RunView {
  status: RunStatus;
  work?: Work;
  task?: StructuredTask;
  phase?: Phase;
  /** The role of the last iteration. */
  role?: AgentRole;
  iteration: number;
  /** The number of rounds so far; `gates` has the reports of the last one. */
  round: number;
  gates: GateReport[];
  entries: Entry[];
  changes: Changes;
  context?: PlanContext;
  usage?: Usage;
  /** Failed calls of the model in a row, and how many end the run if it may try again. */
  failedCalls: number;
  maxCalls?: number;
  /** The run waits before it tries again. */
  wait?: Pick<Extract<RunEvent, { type: 'wait-started' }>, 'until' | 'attempt' | 'of'>;
  result?: RunResult;
  /** How it ended. */
  outcome?: Pick<Entry, 'tone' | 'title'>;
  failure?: { code: string; message: string };
}

export const idleRun: RunView = { status: 'idle', iteration: 0, round: 0, failedCalls: 0, gates: [], entries: [], changes: noChanges };

export function applyEvents(view: RunView, events: readonly RunEvent[]): RunView {
  const next: RunView = { ...view, entries: [...view.entries] };
  for (const event of events) {
    applyState(next, event);
    next.changes = applyChange(next.changes, event);
    applyEntry(next.entries, event, next);
  }
  return next;
}

const ENDS_WAIT: ReadonlySet<RunEvent['type']> = new Set(['waited', 'abort-requested', 'run-resumed', 'run-finished', 'run-failed']);

/** Mutates `view`, which is a new copy. */
function applyState(view: RunView, event: RunEvent): void {
  if (ENDS_WAIT.has(event.type)) delete view.wait;
  switch (event.type) {
    case 'run-started':
      view.status = 'running';
      view.work = event.work;
      view.task = event.task ?? view.task;
      view.phase ??= 'plan';
      view.maxCalls = event.limits.maxRetries + 1;
      break;
    case 'run-resumed':
      view.status = 'running';
      break;
    case 'phase-changed':
      view.phase = event.to;
      if (event.to === 'check' && hasGates(view.work)) startRound(view);
      break;
    case 'iteration-started':
      view.iteration = event.iteration;
      view.role = event.role;
      break;
    case 'iteration-finished':
      view.failedCalls = event.fault ? view.failedCalls + 1 : 0;
      break;
    case 'model-answered':
      view.failedCalls = 0;
      break;
    case 'wait-started':
      view.wait = { until: event.until, attempt: event.attempt, of: event.of };
      break;
    case 'plan-context':
      view.context = { theme: event.theme, sections: event.sections };
      break;
    case 'gate-checked':
      if (view.round === 0 || view.gates.some((report) => report.gate === event.report.gate)) startRound(view);
      view.gates = [...view.gates, event.report];
      break;
    case 'usage':
      view.usage = event.total;
      break;
    case 'run-finished':
      view.status = 'finished';
      view.outcome = describe(event) ?? undefined;
      view.result = event.result;
      if (event.result.success) view.phase = 'accept';
      break;
    case 'run-failed':
      view.status = 'failed';
      view.outcome = describe(event) ?? undefined;
      view.failure = event.error;
      break;
  }
}

/** Only a task has gates. */
export const hasGates = (work: RunView['work']): boolean => work === undefined || work.kind === 'task';

function startRound(view: RunView): void {
  view.round++;
  view.gates = [];
}

function applyEntry(entries: Entry[], event: RunEvent, { role, phase, failedCalls, maxCalls }: RunView): void {
  if (event.type === 'text-delta' || event.type === 'reasoning-delta') return streamText(entries, event);
  finishText(entries, event);
  if (event.type === 'tool-result') return answerTool(entries, event);
  if (event.type === 'model-answered') return addText(entries, event);
  if (event.type === 'iteration-finished' && event.fault) dropFailure(entries);
  const description = describe(event, maxCalls === undefined ? undefined : `call ${failedCalls} of ${maxCalls}`);
  if (!description || joinFiles(entries, description.detail)) return;
  const detail = event.type === 'write-denied' ? { kind: 'denial' as const, rule: event.rule, calls: callsOf(event.path, openCall(entries), role, phase) } : description.detail;
  entries.push({ key: nextKey(entries), at: event.at, ...description, ...(detail && { detail }) });
}

/** The next failed call takes the line of the last one, if the run only tried again in between. */
function dropFailure(entries: Entry[]): void {
  const quiet: ReadonlyArray<string> = ['Status', 'Iteration', 'Files'];
  const at = entries.findLastIndex(({ label }) => !quiet.includes(label));
  if (entries[at]?.label === FAILED_CALL) entries.splice(at);
}

/** The last call without a result. */
function openCall(entries: Entry[]): { name: string; args: unknown } | undefined {
  const last = entries.findLast(({ detail }) => detail?.kind === 'tool')?.detail;
  return last?.kind === 'tool' && !last.result ? last : undefined;
}

function streamText(entries: Entry[], event: Extract<RunEvent, { type: 'text-delta' | 'reasoning-delta' }>): void {
  const label = event.type === 'text-delta' ? 'Says' : 'Thinks';
  const last = entries.at(-1);
  if (last?.detail?.kind === 'text' && last.detail.live && last.label === label) {
    const text = last.detail.text + event.text;
    entries[entries.length - 1] = { ...last, title: firstLine(text), detail: { kind: 'text', text, live: true, answer: event.answer } };
  } else {
    entries.push({ key: nextKey(entries), at: event.at, tone: 'neutral', label, title: firstLine(event.text), detail: { kind: 'text', text: event.text, live: true, answer: event.answer } });
  }
}

/** The text of an answer that this tab did not stream. */
function addText(entries: Entry[], { answer, text, at }: Extract<RunEvent, { type: 'model-answered' }>): void {
  const isShown = entries.some(({ label, detail }) => label === 'Says' && detail?.kind === 'text' && detail.answer === answer);
  if (text.trim() === '' || isShown) return;
  entries.push({ key: nextKey(entries), at, tone: 'neutral', label: 'Says', title: firstLine(text), detail: { kind: 'text', text, live: false, answer } });
}

/** The next event ends a streamed text. */
function finishText(entries: Entry[], event: RunEvent): void {
  const last = entries.at(-1);
  if (event.type !== 'usage' && last?.detail?.kind === 'text' && last.detail.live) {
    entries[entries.length - 1] = { ...last, detail: { ...last.detail, live: false } };
  }
}

/** Adds a result to the line of its call. Ids repeat across iterations, so the last call counts. */
function answerTool(entries: Entry[], event: Extract<RunEvent, { type: 'tool-result' }>): void {
  const at = entries.findLastIndex(({ detail }) => detail?.kind === 'tool' && detail.id === event.id && !detail.result);
  const entry = entries[at];
  if (entry?.detail?.kind !== 'tool') return;
  const { ok, output, durationMs, changed } = event;
  entries[at] = { ...entry, tone: ok ? 'neutral' : 'warn', detail: { ...entry.detail, result: { ok, output, durationMs, changed } } };
}

/** Consecutive files share a line. */
function joinFiles(entries: Entry[], detail: Detail | undefined): boolean {
  const last = entries.at(-1);
  if (detail?.kind !== 'files' || last?.detail?.kind !== 'files') return false;
  const paths = [...new Set([...last.detail.paths, ...detail.paths])];
  entries[entries.length - 1] = { ...last, ...(paths.length > 1 && filesLine(paths)) };
  return true;
}

const nextKey = (entries: Entry[]): number => (entries.at(-1)?.key ?? 0) + 1;
const firstLine = (text: string): string => text.trimStart().split('\n', 1)[0] ?? '';
