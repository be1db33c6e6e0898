/** Starts, stops and follows runs. */
import { computed, signal } from '@preact/signals';
import { findUnfinishedRun, LoopgateError, runLoop, type Answer, type NewRun, type ResumedRun, type Run, type RunEvent, type RunSettings, type StructuredTask, type Work } from 'loopgate';
import { announce } from '../ui/announce';
import { host } from '../host/host';
import { buildProject } from '../host/build';
import { hooks, stopWaiting } from '../chunks/approval';
import { config, layer, readConfig } from '../chunks/settings';
import { modelOptions, rememberModelOf } from '../model/choice';
import { onEdits } from '../project/edits';
import { filesChanged, refreshFiles } from '../project/project';
import { refreshSnapshots } from '../snapshots/snapshots';
import { inBatches } from './batch';
import { spoken } from './describe';
import { followJournals, showProgress, stopFollowing } from './history';
import { lockReleased } from './locks';
import { applyEvents, idleRun, type RunView } from './view';

export const MAX_ITERATIONS = 20;
/** Higher than the number of rounds in a stall, so that a stall ends a run first. */
const MAX_GATE_FAILURES = 8;

/** Events that cause a refresh of the files. */
const CHANGES_FILES: ReadonlySet<RunEvent['type']> = new Set([
  'file-changed', 'user-changed', 'write-denied', 'harness-files-changed', 'tool-result', 'snapshot-restored', 'plan-prepared', 'plan-accepted', 'candidate-recorded', 'verdict-given', 'plan-invalidated', 'log-written', 'spec-finished',
  'iteration-started', 'chunks-proposed', 'chunks-approved', 'run-prepared', 'branch-prepared', 'attempt-recorded', 'verification-finished', 'review-given', 'attempt-reverted', 'chunk-committed', 'summary-written', 'chunk-failed', 'pull-request-drafted',
]);

/** Events that cause a refresh of the snapshots. */
const CHANGES_SNAPSHOTS: ReadonlySet<RunEvent['type']> = new Set(['snapshot-saved', 'snapshot-restored', 'run-finished', 'run-failed']);

export const view = signal<RunView>(idleRun);
export const isRunning = computed(() => view.value.status === 'running' || view.value.status === 'stopping');
/** The last run ended with questions: the next message is the answer. */
export const isAsked = computed(() => view.value.result?.reason === 'needs-clarification');
export const planMode = signal<NonNullable<RunSettings['plan']>>('auto');

/** The run that another tab writes. `gone`: that tab was closed, so this one can resume the run. */
export interface OtherTab {
  /** When its run started or was resumed last. */
  since?: number;
  gone: boolean;
}

export const otherTab = signal<OtherTab | null>(null);

let current: Run | undefined;

export function startTask(message: string, task: Promise<StructuredTask>): Promise<void> {
  return follow(task.then((parsed) => ({ work: { kind: 'task', message, parsed } })), { kind: 'task', message });
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

/** `answers`: to the questions of the run, by their ids. */
export function resume(runId: string, work: Work, shown: RunView = idleRun, answers?: Record<string, Answer>): Promise<void> {
  return follow({ work, resume: runId, ...(answers && { answers }) }, work, shown);
}

/** Resumes the run of the tab that is gone. Its events stay in the timeline. */
export async function takeOver(): Promise<void> {
  const run = await findUnfinishedRun(host);
  otherTab.value = null;
  if (run) await resume(run.runId, run.work, view.peek());
}

/** Shows the run of another tab, until it ends or that tab is gone. */
export async function watchOtherTab(): Promise<void> {
  view.value = { ...idleRun, status: 'running' };
  otherTab.value = { gone: false };
  announce('The project is open in another tab');
  void lockReleased().then(async () => {
    const unfinished = await findUnfinishedRun(host);
    if (unfinished && otherTab.peek()) otherTab.value = { ...otherTab.peek(), gone: true };
  });
  try {
    await followJournals((events) => {
      for (const { type, at } of events) {
        if (type === 'run-started' || type === 'run-resumed') otherTab.value = { since: at, gone: otherTab.peek()?.gone ?? false };
      }
      showEvents(events);
    });
  } catch (error) {
    showFault(error);
  }
  // Not if this tab has taken over.
  if (isRunning.peek()) return;
  otherTab.value = null;
  await refreshFiles();
  await buildProject();
}

/** Ends an unfinished run. The files do not change. */
export async function discard(runId: string, work: Work): Promise<void> {
  const run = runLoop({ ...host, ...(await optionsOf(work)), work, resume: runId, signal: AbortSignal.abort('discarded') });
  await run.result;
  await refreshFiles();
}

export function stop(): void {
  if (!current || view.value.status !== 'running') return;
  view.value = { ...view.value, status: 'stopping' };
  current.abort('stopped by you');
}

export function retryNow(): void {
  current?.retryNow();
}

export function steer(message: string): void {
  current?.steer(message);
}

export function clearRun(): void {
  view.value = idleRun;
}

type Start = NewRun | ResumedRun;

async function follow(start: Start | Promise<Start>, work: Work, shown: RunView = idleRun): Promise<void> {
  view.value = { ...shown, status: 'running', work };
  stopFollowing();
  try {
    const given = await start;
    const run = runLoop({ ...host, ...given, ...(await optionsOf(work)) });
    if (!given.resume) rememberModelOf(run.id);
    current = run;
    onEdits((paths) => run.edited(paths));
    await inBatches(run, showEvents);
    await run.result;
  } catch (error) {
    if (error instanceof LoopgateError && error.code === 'locked') void watchOtherTab();
    else showFault(error);
  } finally {
    current = undefined;
    onEdits(null);
    stopWaiting();
    await refreshFiles();
    await buildProject();
  }
}

/** The options that depend on the kind of work. */
async function optionsOf({ kind }: Work): Promise<Partial<RunSettings>> {
  await readConfig();
  const ofModel = modelOptions(config.value);
  switch (kind) {
    case 'task':
      return { ...ofModel, plan: planMode.value, limits: { ...ofModel.limits, maxIterations: MAX_ITERATIONS, maxConsecutiveGateFailures: MAX_GATE_FAILURES } };
    case 'spec':
      return ofModel;
    case 'chunks':
      return { ...ofModel, config: layer(), hooks };
  }
}

function showEvents(events: RunEvent[]): void {
  view.value = applyEvents(view.value, events);
  showProgress(events);
  if (events.some((event) => CHANGES_FILES.has(event.type))) filesChanged();
  if (events.some((event) => CHANGES_SNAPSHOTS.has(event.type))) void refreshSnapshots();
  const news = spoken(events);
  if (news) announce(news);
}

/** A run rejects only for a fault of the host or of loopgate. */
function showFault(error: unknown): void {
  if (view.value.failure) return;
  const code = error instanceof LoopgateError ? error.code : 'internal';
  const message = error instanceof Error ? error.message : String(error);
  view.value = { ...view.value, status: 'failed', failure: { code, message } };
  announce(`The run failed: ${message}`);
}
