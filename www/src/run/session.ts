/** Starts, stops and follows runs. */
import { computed, signal } from '@preact/signals';
import { changes, findUnfinishedRun, LoopgateError, revert, runLoop, snapshot, type Answer, type Hooks, type NewRun, type ResumedRun, type Run, type RunChange, type RunEvent, type RunSettings, type StructuredTask, type Work } from 'loopgate';
import { config, otherTab } from '../store';
import { announce } from '../ui/announce';
import { host } from '../host/host';
import { layer, readConfig } from '../specs/settings';
import { checkModelOf, modelOptions, refusalOf, rememberModelOf } from '../model/choice';
import { onEdits } from '../project/edits';
import { PLAN } from '../plan/document';
import { filesChanged, readText, refreshFiles } from '../project/project';
import { refreshSnapshots } from '../snapshots/snapshots';
import { inBatches } from './batch';
import { spoken } from './describe';
import { readRuns, stopFollowing } from './history';
import { exclusively, written } from './locks';
import { latest } from '../latest';
import { watchOtherTab } from './tabs';
import { DISCARDED, stoppable } from './stoppable';
import { applyEvents, idleRun, type RunView } from './view';
import { message } from '../task/preview';

const MAX_ITERATIONS = 20;
/** Higher than the number of rounds in a stall, so that a stall ends a run first. */
const MAX_GATE_FAILURES = 8;

/** Events that cause a refresh of the files. */
const CHANGES_FILES: ReadonlySet<RunEvent['type']> = new Set([
  'file-changed', 'user-changed', 'write-denied', 'harness-files-changed', 'tool-result', 'snapshot-restored', 'plan-prepared', 'plan-accepted', 'candidate-recorded', 'verdict-given', 'plan-invalidated', 'log-written', 'spec-finished',
  'iteration-started', 'chunks-proposed', 'chunks-approved', 'run-prepared', 'branch-prepared', 'attempt-recorded', 'verification-finished', 'review-given', 'attempt-reverted', 'chunk-committed', 'summary-written', 'chunk-failed', 'pull-request-drafted',
]);

/** Events that cause a refresh of the snapshots. */
const CHANGES_SNAPSHOTS: ReadonlySet<RunEvent['type']> = new Set(['snapshot-saved', 'snapshot-restored', 'run-finished', 'run-failed']);

/** The newest run. */
export const view = signal<RunView>(idleRun);
/** The runs before it, oldest first. */
export const earlier = signal<readonly RunView[]>([]);
/** Messages to the agent that it has not got. After the run, they are in the message of the user again, and `again` sends that. */
export const pending = signal<readonly string[]>([]);
/** The files that the newest run changed. */
export const changed = signal<readonly RunChange[]>([]);
/** A run, of this tab or another one, or another tab writes the project. */
export const isRunning = computed(() => view.value.status === 'running' || view.value.status === 'stopping' || otherTab.value !== null);
/** The last run ended with questions: the next message is the answer. */
export const isAsked = computed(() => view.value.result?.reason === 'needs-clarification');
/** `ask`: each task needs a plan, which the user approves. */
export const planMode = signal<'auto' | 'ask' | 'off'>('auto');

let current: Run | undefined;
let stopping = new AbortController();

type UnfinishedRun = NonNullable<Awaited<ReturnType<typeof findUnfinishedRun>>>;

/** The run that a closed or reloaded page left open. */
export const unfinished = signal<UnfinishedRun | null>(null);

export async function findUnfinished(): Promise<void> {
  unfinished.value = await findUnfinishedRun(host);
}

/** Shows the stored runs. An open run of a closed page is interrupted. `asEarlier`: all of them are earlier runs. */
export async function loadHistory(asEarlier = false): Promise<void> {
  const runs = await readRuns();
  const newest = (!asEarlier && runs.pop()) || idleRun;
  earlier.value = runs;
  view.value = newest.status === 'running' ? { ...newest, status: 'interrupted' } : newest;
  await readChanged();
}

/** The newest run becomes an earlier one. */
export function setAside(): void {
  if (view.peek().runId) earlier.value = [...earlier.peek(), view.peek()];
  [view.value, pending.value, changed.value] = [idleRun, [], []];
}

const readChanged = latest(async () => {
  const { runId } = view.peek();
  changed.value = runId ? await changes(host, { runId }).catch(() => []) : [];
});

export function startTask(message: string, task: Promise<StructuredTask>): Promise<void> {
  return follow(task.then((parsed) => ({ work: { kind: 'task', message, parsed } })), { kind: 'task', message });
}

/** Ends a run that waits with its plan, and does the task without one. */
export async function runWithoutPlan(runId: string, work: Work): Promise<void> {
  await discard(runId, work);
  const { task } = view.peek();
  await follow({ work: work.kind === 'task' && task ? { ...work, parsed: task } : work, plan: 'off' }, work);
}

/** Continues the task of the last run with the answer to its questions. */
export function answer(text: string): Promise<void> {
  const work = { kind: 'task', message: text } as const;
  return follow({ work }, work);
}

/** All specs that are not done, or one. `force`: also if it is done. */
export function runSpecs(path?: string, force = false): Promise<void> {
  const work = { kind: 'spec', ...(path !== undefined && { path }), ...(force && { force }) } as const;
  return follow({ work }, work);
}

/** The chunks of a spec that are not shipped, or those in `only`. Without chunks, a planner proposes them. */
export function runChunks(spec: string, only?: string[]): Promise<void> {
  const work = { kind: 'chunks', spec, ...(only && { only }) } as const;
  return follow({ work }, work);
}

/** `answers`: to the questions of the run, by their ids. `plan`: the text of the plan that the user approves. `unsent`: a message to the agent. */
export function resume(runId: string, work: Work, answers?: Record<string, Answer>, plan: string | null = null, unsent = ''): Promise<void> {
  approvedPlan = plan;
  return follow({ work, resume: runId, ...(answers && { answers }) }, work, unsent);
}

/** Goes on with the run if it can be resumed, otherwise starts its work again. */
export async function again({ runId, work, task, result }: RunView): Promise<void> {
  if (!work) return;
  const open = await findUnfinishedRun(host);
  const canResume = runId !== undefined && (open?.runId === runId || result?.reason === 'budget');
  const unsent = pending.peek().length ? message.peek().trim() : '';
  await (canResume ? resume(runId, work, undefined, null, unsent) : follow({ work: work.kind === 'task' && task ? { ...work, parsed: task } : work }, work, unsent));
}

/** Takes back what the agent changed in the run; the user's changes stay, and so do all lines of `conflicts`. A stopped run ends with that. */
export async function undoChanges({ runId, work, status }: RunView): Promise<{ files: number; conflicts: string[] }> {
  if (!runId || !work) return { files: 0, conflicts: [] };
  if (status === 'stopped') await discard(runId, work);
  const isTask = status === 'stopped' && work.kind === 'task';
  const undone = (isTask && (await rollBack(runId))) || (await takeBack(runId));
  await Promise.all([refreshFiles(), refreshSnapshots(), readChanged()]);
  return undone;
}

async function takeBack(runId: string) {
  const { reverted, conflicts } = await revert(host, { runId });
  return { files: reverted.length, conflicts };
}

/** Also takes back the plan and the counters, so that the task can start again. `null` if there is something of the user. */
async function rollBack(runId: string) {
  const [pre] = (await snapshot.list(host, { kind: 'pre' })).filter((saved) => saved.runId === runId);
  const all = await changes(host, { runId });
  if (!pre || all.some(({ by }) => by !== 'agent')) return null;
  await exclusively('write', () => snapshot.rollback(host, pre.tag));
  return { files: all.length, conflicts: [] };
}

let ending: Promise<void> | undefined;
/** Ends an unfinished run. The files do not change. A second click waits for the first one. */
export const discard = (runId: string, work: Work): Promise<void> => (ending ??= end(runId, work).finally(() => (ending = undefined)));

async function end(runId: string, work: Work): Promise<void> {
  await written();
  const isShown = () => runId === view.peek().runId;
  // The earlier ones are in the field already.
  if (isShown()) pending.value = [];
  try {
    const run = runLoop({ ...host, ...(await optionsOf(work)), work, resume: runId, signal: AbortSignal.abort(DISCARDED) });
    await inBatches(run, (events) => isShown() && showEvents(events));
    await run.result;
  } finally {
    if (isShown()) {
      takeBackMessages();
      pending.value = [];
    }
  }
  if (unfinished.peek()?.runId === runId) unfinished.value = null;
  await refreshFiles();
}

/**
 * Stops the run before its next model call. `resume` continues it. A second stop aborts it. A double click, also one that began on
 * Run, and a held key count as one stop.
 */
export function stop(event?: MouseEvent | KeyboardEvent): void {
  if (otherTab.value || (event && (event.detail > 1 || ('repeat' in event && event.repeat)))) return;
  if (view.value.status === 'stopping') return current?.abort('stopped by you');
  if (view.value.status !== 'running') return;
  view.value = { ...view.value, status: 'stopping' };
  stopping.abort();
  current?.retryNow();
}

export function retryNow(): void {
  current?.retryNow();
}

export function steer(message: string): void {
  pending.value = [...pending.peek(), message];
  current?.steer(message);
}

/** Puts undelivered messages back into the message field. */
function takeBackMessages(): void {
  if (pending.peek().length) message.value = [...pending.peek(), message.peek()].filter(Boolean).join('\n');
}
// The messages of a page that is closed or reloaded in a run.
addEventListener('pagehide', () => {
  if (current) takeBackMessages();
  takeBackTask();
});

/** The message of a run that has not begun is in the field again. */
function takeBackTask(): void {
  const { runId, work } = view.peek();
  if (isRunning.peek() && !runId && work?.kind === 'task') message.value = [work.message, message.peek()].filter(Boolean).join('\n');
}

/** The run of this tab did not begin: all that the user sent is in the field again. */
export function takeBackAll(): void {
  const { runId, work } = view.peek();
  if (runId || !work) return;
  takeBackMessages();
  takeBackTask();
  [view.value, pending.value] = [idleRun, []];
}

type Start = (NewRun | ResumedRun) & Pick<RunSettings, 'plan'>;

/** `unsent`: the message of the user, which the agent gets first. */
async function follow(start: Start | Promise<Start>, work: Work, unsent = ''): Promise<void> {
  // A second click on Run has no effect.
  if (isRunning.peek()) return;
  if (!('resume' in start)) approvedPlan = null;
  const goesOn = 'resume' in start && start.resume === view.peek().runId;
  if (!goesOn) setAside();
  pending.value = [];
  view.value = { ...view.peek(), status: 'running', work };
  unfinished.value = null;
  stopping = new AbortController();
  stopFollowing();
  try {
    const given = await start;
    await written();
    await ending?.catch(() => {});
    const refused = given.resume ? null : refusalOf(work);
    if (refused) throw new LoopgateError(refused, { code: 'invalid-argument' });
    if (given.resume) checkModelOf(given.resume);
    const run = runLoop({ ...host, ...(await optionsOf(work)), ...given });
    if (!given.resume) rememberModelOf(run.id);
    current = run;
    onEdits((paths) => run.edited(paths));
    // What the user wrote before the run had begun.
    pending.peek().forEach((text) => run.steer(text));
    if (unsent) {
      message.value = '';
      steer(unsent);
    }
    await inBatches(run, showEvents);
    await run.result;
  } catch (error) {
    if (error instanceof LoopgateError && error.code === 'locked') {
      // This tab may know already what the other one does.
      if (otherTab.peek()) takeBackAll();
      else void watchOtherTab('run');
    } else {
      showFault(error);
      // No run started, so an earlier unfinished run is still open.
      if (!current) await findUnfinished().catch(() => {});
    }
  } finally {
    current = undefined;
    takeBackMessages();
    onEdits(null);
    await Promise.all([refreshFiles(), readChanged()]);
  }
}

/** A plan that the user edited and approved. The run asks again about it, because it is not the one that it showed. */
let approvedPlan: string | null = null;
/** The question about another plan stays open, so that the user can answer it in any tab. */
const askAboutPlan: Hooks = { approvePlan: async () => ({ decision: (await readText(PLAN)) === approvedPlan ? 'allow' : 'ask' }) };
const PLAN_MODES = { auto: { plan: 'auto' }, ask: { plan: 'required', hooks: askAboutPlan }, off: { plan: 'off' } } as const;

/** The options that depend on the kind of work. */
async function optionsOf({ kind }: Work): Promise<Partial<RunSettings>> {
  await readConfig();
  const { signal } = stopping;
  const ofModel = modelOptions(config.value, (model) => stoppable(model, signal));
  switch (kind) {
    case 'task':
      return { ...ofModel, ...PLAN_MODES[planMode.value], ...(approvedPlan !== null && { hooks: askAboutPlan }), limits: { ...ofModel.limits, maxIterations: MAX_ITERATIONS, maxConsecutiveGateFailures: MAX_GATE_FAILURES } };
    case 'spec':
      return ofModel;
    case 'chunks':
      return { ...ofModel, config: layer(), hooks: { pullRequest() {} } };
  }
}

export function showEvents(events: RunEvent[]): void {
  view.value = applyEvents(view.value, events);
  if (events.some((event) => CHANGES_FILES.has(event.type))) filesChanged();
  if (events.some((event) => CHANGES_SNAPSHOTS.has(event.type))) void refreshSnapshots();
  if (events.some(({ type }) => type === 'iteration-finished' || type === 'run-finished' || type === 'run-failed')) void readChanged();
  for (const event of events) {
    if (event.type === 'steered') pending.value = pending.peek().toSpliced(pending.peek().indexOf(event.message), 1);
  }
  const news = spoken(events);
  if (news) announce(news);
}

/** A run rejects only for a fault of the host or of loopgate. */
export function showFault(error: unknown): void {
  if (view.value.failure || view.value.status === 'stopped') return;
  const code = error instanceof LoopgateError ? error.code : 'internal';
  const message = error instanceof Error ? error.message : String(error);
  view.value = { ...view.value, status: 'failed', failure: { code, message } };
  announce(`The run failed: ${message}`);
}
