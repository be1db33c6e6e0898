/** The view of a run, folded from its events. Pure. */
import { isWorkFile, type AgentRole, type GateReport, type Phase, type PlanReport, type Requirement, type RunCost, type RunEvent, type RunResult, type StructuredTask, type Usage, type Work } from 'loopgate';
import { lineOf, noteOf } from './describe';
import { isDiscard, isOfStop } from './stoppable';
import { denialOf, TONES, type Line, type Tone } from './entry';

/** `stopped`: by the user, and can be resumed. `interrupted`: the page was closed before the run ended. */
type RunStatus = 'idle' | 'running' | 'stopping' | 'stopped' | 'finished' | 'failed' | 'interrupted';
type EventOf<T extends RunEvent['type']> = Extract<RunEvent, { type: T }>;
export type PlanContext = Pick<EventOf<'plan-context'>, 'theme' | 'sections'>;

/** What an agent did in one go. */
export interface Attempt {
  /** Its place in the thread, from 1. */
  number: number;
  /** `Attempt 2, verifier`. For a step of a spec, the number counts the attempts at the step. */
  name: string;
  role: AgentRole;
  isOpen: boolean;
  /** It was interrupted, or waits: the next iteration goes on with it. */
  goesOn: boolean;
  actions: number;
  /** Calls that failed. */
  failed: number;
  /** The paths of the changed files of the project. */
  files: readonly string[];
  /** The model failed, or it did not end by itself. */
  hasFault: boolean;
  /** The agent claimed to be done. `isFalse`: a check refused that. */
  claimed: boolean;
  isFalse: boolean;
  /** What went wrong, a stall first. `isCheck`: a check failed. */
  refusals: ReadonlyArray<{ text: string; isCheck: boolean }>;
}

/** What the thread shows in the order in which it happened. */
export type Slot = { kind: 'attempt'; number: number } | { kind: 'plan' } | { kind: 'heading'; text: string; tone: Tone } | { kind: 'message'; text: string; attempt: number };

export interface RunView {
  status: RunStatus;
  runId?: string;
  work?: Work;
  task?: StructuredTask;
  /** For the user, such as the reading of an unclear message. */
  notes: readonly string[];
  phase?: Phase;
  role?: AgentRole;
  /** The number of the present try at the work; 0 before the first one. */
  attempt: number;
  /** The number of rounds so far; `gates` has the reports of the last one. */
  round: number;
  gates: readonly GateReport[];
  requirements: readonly Requirement[];
  lines: readonly Line[];
  attempts: readonly Attempt[];
  slots: readonly Slot[];
  plan?: { report: PlanReport; state: 'refused' | 'asks' | 'valid' };
  context?: PlanContext;
  /** The titles of the steps by their ids, and the number of the attempt at the present one. */
  steps?: { titles: Readonly<Record<string, string>>; attempt?: number };
  usage?: Usage;
  cost?: Pick<RunCost, 'spent' | 'estimated'>;
  /** Running time up to `lastAt`, without the time between a closed page and its resume. */
  elapsedMs: number;
  lastAt?: number;
  /** The run waits before it tries again. */
  wait?: Pick<EventOf<'wait-started'>, 'until' | 'attempt' | 'of' | 'reason'>;
  result?: RunResult;
  /** How it ended. */
  outcome?: { tone: Tone; title: string };
  failure?: { code: string; message: string };
}

export const idleRun: RunView = { status: 'idle', notes: [], attempt: 0, round: 0, gates: [], requirements: [], lines: [], attempts: [], slots: [], elapsedMs: 0 };

/** While events are applied. */
type Draft = RunView & { lines: Line[]; attempts: Attempt[]; slots: Slot[] };

export function applyEvents(view: RunView, events: readonly RunEvent[]): RunView {
  const next: Draft = { ...view, lines: [...view.lines], attempts: [...view.attempts], slots: [...view.slots] };
  for (const event of events) {
    const wasOver = next.outcome !== undefined;
    applyTime(next, event);
    applyState(next, event);
    applyLine(next, event, wasOver);
  }
  return next;
}

/** Only a task has gates. */
export const hasGates = (work: RunView['work']): boolean => work === undefined || work.kind === 'task';

/** Requirements that neither a check nor a review settles. */
export const unproven = (requirements: readonly Requirement[]): Requirement[] => requirements.filter(({ verdict }) => verdict !== 'checked' && verdict !== 'reviewed');

function applyTime(view: Draft, { type, at }: RunEvent): void {
  if (view.lastAt !== undefined && type !== 'run-resumed') view.elapsedMs += Math.max(0, at - view.lastAt);
  view.lastAt = at;
}

const ENDS_WAIT: ReadonlySet<RunEvent['type']> = new Set(['waited', 'abort-requested', 'run-resumed', 'run-finished', 'run-failed']);

function applyState(view: Draft, event: RunEvent): void {
  if (ENDS_WAIT.has(event.type)) delete view.wait;
  // A stop may come before the first event.
  const status = view.status === 'stopping' ? view.status : 'running';
  switch (event.type) {
    case 'run-started':
      Object.assign(view, { status, runId: event.runId, work: event.work, task: event.task ?? view.task, notes: event.notes ?? [] });
      if (event.kind === 'chunks') nameSteps(view, event.chunks ?? []);
      break;
    case 'chunks-proposed':
    case 'chunks-approved':
      nameSteps(view, event.chunks);
      break;
    case 'attempt-started':
      view.steps = { titles: {}, ...view.steps, attempt: event.attempt };
      break;
    case 'run-resumed':
      for (const key of ['result', 'outcome', 'failure'] as const) delete view[key];
      Object.assign(view, { status, runId: event.runId });
      break;
    case 'phase-changed':
      view.phase = event.to;
      // The agent that builds is in the same attempt.
      if (event.from === 'plan' && event.to === 'build') changeAttempt(view, ({ name, role }) => (role === 'builder' ? { name: `${name}, plan` } : {}));
      if (event.to === 'check' && hasGates(view.work)) startRound(view);
      break;
    case 'iteration-started':
      // A task that needs no plan is in another phase by now.
      view.phase ??= 'plan';
      [view.attempt, view.role] = [view.steps?.attempt ?? event.attempt, event.role];
      if (!view.attempts.at(-1)?.goesOn) {
        const number = view.attempts.length + 1;
        view.attempts.push({ number, name: attemptName(view, event.role), role: event.role, isOpen: true, goesOn: true, actions: 0, failed: 0, files: [], hasFault: false, claimed: false, isFalse: false, refusals: [] });
        view.slots.push({ kind: 'attempt', number });
      } else changeAttempt(view, { isOpen: true, hasFault: false, refusals: [] });
      break;
    case 'iteration-finished':
      // An attempt that goes on after a stop has several parts.
      changeAttempt(view, (attempt) => ({ isOpen: false, goesOn: event.close === 'asked' || event.close === 'model-failed', actions: Math.max(attempt.actions, event.toolCalls), files: withFiles(attempt, event.filesChanged), hasFault: event.fault !== undefined || event.close === 'asked', claimed: event.signal === 'tool' || event.signal === 'status' }));
      break;
    case 'tool-call':
      changeAttempt(view, ({ actions }) => ({ actions: actions + 1 }));
      break;
    case 'tool-result':
      if (hasFailed(event, view.lines)) changeAttempt(view, ({ failed }) => ({ failed: failed + 1 }));
      break;
    case 'file-changed':
      if (event.by === 'agent') changeAttempt(view, (attempt) => ({ files: withFiles(attempt, [event.path]) }));
      break;
    case 'wait-started':
      view.wait = { until: event.until, attempt: event.attempt, of: event.of, reason: event.reason };
      break;
    case 'plan-checked':
      if (!view.plan) view.slots.push({ kind: 'plan' });
      view.plan = { report: event.report, state: event.report.ok ? (event.asks ? 'asks' : 'valid') : 'refused' };
      break;
    case 'plan-context':
      view.context = { theme: event.theme, sections: event.sections };
      if (view.plan) view.plan = { ...view.plan, state: 'valid' };
      break;
    case 'gate-checked':
      if (view.round === 0 || view.gates.some((report) => report.gate === event.report.gate)) startRound(view);
      view.gates = [...view.gates, event.report];
      break;
    case 'gates-finished':
      view.requirements = event.requirements ?? view.requirements;
      break;
    case 'usage':
      [view.usage, view.cost] = [event.total, event.cost];
      break;
    case 'steered':
      view.slots.push({ kind: 'message', text: event.message, attempt: view.attempt });
      break;
    case 'run-finished':
      applyEnd(view, 'finished', event);
      view.result = event.result;
      view.requirements = event.result.requirements ?? view.requirements;
      if (event.result.success) view.phase = 'accept';
      if (view.outcome && event.result.success && unproven(view.requirements).length) view.outcome.tone = 'warn';
      break;
    case 'run-failed':
      applyEnd(view, isOfStop(event) ? 'stopped' : 'failed', event);
      if (view.status === 'failed') view.failure = event.error;
      break;
  }
}

function nameSteps(view: Draft, steps: ReadonlyArray<{ id: string; title: string }>): void {
  view.steps = { ...view.steps, titles: { ...view.steps?.titles, ...Object.fromEntries(steps.map(({ id, title }) => [id, title])) } };
}

function attemptName({ steps, attempt }: Draft, role: AgentRole): string {
  if (steps && role === 'planner') return 'Planner';
  return `Attempt ${attempt}${role === 'builder' ? '' : `, ${role}`}`;
}

function applyEnd(view: Draft, status: RunStatus, event: RunEvent): void {
  const line = lineOf(event);
  view.status = status;
  // The run is resumed only to end it.
  if (isDiscard(event)) view.slots = view.slots.filter((slot, at) => at < view.slots.length - 1 || slot.kind !== 'heading');
  // A stop by the user is neither good nor bad.
  if (line) view.outcome = { tone: line.kind === 'progress' ? 'warn' : TONES[line.kind], title: line.text };
  changeAttempt(view, ({ isOpen, hasFault }) => ({ isOpen: false, hasFault: hasFault || isOpen }));
}

function startRound(view: Draft): void {
  view.round++;
  view.gates = [];
}

/** Changes the last attempt. */
function changeAttempt(view: Draft, part: Partial<Attempt> | ((last: Attempt) => Partial<Attempt>)): void {
  const last = view.attempts.pop();
  if (last) view.attempts.push({ ...last, ...(typeof part === 'function' ? part(last) : part) });
}

const withFiles = ({ files }: Attempt, paths: readonly string[]): string[] => [...new Set([...files, ...paths.filter((path) => !isWorkFile(path))])];

/** What the cards of the thread say, and what no person needs there. */
const QUIET: ReadonlySet<RunEvent['type']> = new Set([
  'run-started', 'run-finished', 'run-failed', 'iteration-started', 'file-changed', 'snapshot-saved', 'status', 'context-shortened', 'config-warning', 'wait-started', 'plan-context', 'branch-prepared', 'run-prepared', 'steered', 'question-answered', 'attempt-started',
]);
/** These stand between the attempts. */
const HEADINGS: ReadonlySet<RunEvent['type']> = new Set(['run-resumed', 'spec-started', 'spec-finished', 'chunks-approved', 'chunk-started', 'chunk-committed', 'chunk-failed', 'snapshot-restored', 'snapshot-skipped', 'pull-request-drafted', 'user-changed', 'branch-moved', 'question-answered', 'budget-warning']);
/** A bad line of these is the reason why an attempt was sent back. */
const REFUSALS: ReadonlySet<RunEvent['type']> = new Set(['plan-checked', 'completion-refused', 'gate-checked', 'stall-detected', 'verdict-given', 'review-given', 'verification-finished', 'attempt-rejected', 'iteration-finished', 'proposal-rejected']);

/** `wasOver`: before the event. */
function applyLine(view: Draft, event: RunEvent, wasOver: boolean): void {
  const { lines } = view;
  if (event.type === 'text-delta' || event.type === 'reasoning-delta') return streamText(view, event);
  if (event.type !== 'usage' && lines.at(-1)?.isLive) lines.push({ ...lines.pop()!, isLive: false });
  if (event.type === 'tool-result') return answerCall(lines, event);
  if (event.type === 'model-answered' && lines.some(({ type, answer }) => type === 'text-delta' && answer === event.answer)) return;
  const line = lineOf(event, view.steps?.titles);
  if (!line) return;
  const isWarning = event.type === 'gate-checked' && event.report.verdict === 'warn';
  const tone = isWarning ? 'warn' : TONES[line.kind];
  if (tone === 'bad' && REFUSALS.has(event.type)) sendBack(view, event.type, line.text.replace(/^(Check failed|Refused): /, ''));
  // A run that waited, or that was stopped, was not interrupted.
  const isHeading = HEADINGS.has(event.type) && !(event.type === 'run-resumed' && wasOver);
  if (isHeading || (view.attempt === 0 && !QUIET.has(event.type) && !HEADINGS.has(event.type) && event.type !== 'phase-changed')) view.slots.push({ kind: 'heading', text: line.text, tone });
  const note = event.type === 'model-answered' ? event.text : noteOf(event);
  push(view, {
    at: event.at, type: event.type, tone, text: line.text, isQuiet: QUIET.has(event.type) || HEADINGS.has(event.type) || (event.type === 'iteration-finished' && !event.fault),
    ...(note && { note }),
    ...(event.type === 'model-answered' && { answer: event.answer }),
    ...(event.type === 'tool-call' && { call: { id: event.id, name: event.name, args: event.args } }),
    ...(event.type === 'gate-checked' && { gate: event.report }),
    ...(event.type === 'write-denied' && { denial: denialOf(event.path, event.rule, openCall(lines), view.role, view.phase) }),
  });
}

function sendBack(view: Draft, type: RunEvent['type'], text: string): void {
  const { claimed = false, isFalse = false, refusals = [] } = view.attempts.at(-1) ?? {};
  const isCheck = type === 'gate-checked';
  const refusal = { text, isCheck };
  changeAttempt(view, { refusals: type === 'stall-detected' ? [refusal, ...refusals] : [...refusals, refusal], isFalse: isFalse || (claimed && isCheck) });
}

const push = (view: Draft, line: Omit<Line, 'key' | 'attempt'>): unknown => view.lines.push({ ...line, key: (view.lines.at(-1)?.key ?? 0) + 1, attempt: view.attempts.length });

/** The last call, if it has no result yet. */
function openCall(lines: Line[]): Line['call'] {
  const last = lines.findLast(({ call }) => call)?.call;
  return last?.result ? undefined : last;
}

function streamText(view: Draft, { type, text, answer, at }: EventOf<'text-delta' | 'reasoning-delta'>): void {
  const last = view.lines.at(-1);
  const all = last?.isLive && last.type === type ? (last.note ?? '') + text : text;
  if (last?.isLive && last.type === type) view.lines.pop();
  const verb = type === 'text-delta' ? 'Says' : 'Thinks';
  push(view, { at, type, tone: 'neutral', text: `${verb}: ${all.trimStart().split('\n', 1)[0] ?? ''}`, note: all, isLive: true, isQuiet: false, answer });
}

/** A call that the user is asked about has not failed. */
const hasFailed = ({ ok }: EventOf<'tool-result'>, lines: readonly Line[]): boolean => !ok && lines.at(-1)?.type !== 'question-asked';

/** Adds a result to the line of its call. Ids repeat across attempts, so the last call counts. */
function answerCall(lines: Line[], event: EventOf<'tool-result'>): void {
  const { id, output, durationMs, changed } = event;
  const ok = !hasFailed(event, lines);
  const at = lines.findLastIndex(({ call }) => call?.id === id && !call.result);
  const line = lines[at];
  if (line?.call) lines[at] = { ...line, tone: ok ? 'neutral' : 'warn', call: { ...line.call, result: { ok, output, durationMs, changed } } };
}
