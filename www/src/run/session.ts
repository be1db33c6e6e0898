/** Starts, stops and follows runs. */
import { computed, signal } from '@preact/signals';
import { LoopgateError, runLoop, type Run, type RunEvent, type RunOptions, type StructuredTask } from 'loopgate';
import { announce } from '../ui/announce';
import { host } from '../host/host';
import { buildProject } from '../host/build';
import { chosenModel } from '../model/choice';
import { filesChanged, refreshFiles } from '../project/project';
import { refreshSnapshots } from '../snapshots/snapshots';
import { inBatches } from './batch';
import { spoken } from './describe';
import { applyEvents, idleRun, type RunView } from './view';

export const MAX_ITERATIONS = 20;
/** Higher than the number of rounds in a stall, so that a stall ends a run first. */
const MAX_GATE_FAILURES = 8;

/** Events that cause a refresh of the files. */
const CHANGES_FILES: ReadonlySet<RunEvent['type']> = new Set(['file-changed', 'harness-files-changed', 'tool-result', 'snapshot-restored']);

/** Events that cause a refresh of the snapshots. */
const CHANGES_SNAPSHOTS: ReadonlySet<RunEvent['type']> = new Set(['snapshot-saved', 'snapshot-restored', 'run-finished', 'run-failed']);

export const view = signal<RunView>(idleRun);
export const isRunning = computed(() => view.value.status === 'running' || view.value.status === 'stopping');
/** The last run ended with questions: the next message is the answer. */
export const isAsked = computed(() => view.value.result?.reason === 'needs-clarification');
export const planMode = signal<NonNullable<RunOptions['plan']>>('auto');

let current: Run | undefined;

export function startTask(message: string, task: Promise<StructuredTask>): Promise<void> {
  return follow(task.then((parsed) => ({ work: { kind: 'task', message, parsed } })), { kind: 'task', message });
}

/** Continues the task of the last run with the answer to its questions. */
export function answer(text: string): Promise<void> {
  const work = { kind: 'task', message: text } as const;
  return follow({ work }, work);
}

export function resume(runId: string, work: RunOptions['work']): Promise<void> {
  return follow({ work, resume: runId }, work);
}

/** Ends an unfinished run. The files do not change. */
export async function discard(runId: string, work: RunOptions['work']): Promise<void> {
  const run = runLoop({ ...host, model: chosenModel(), work, resume: runId, signal: AbortSignal.abort('discarded') });
  await run.result;
  await refreshFiles();
}

export function stop(): void {
  if (!current || view.value.status !== 'running') return;
  view.value = { ...view.value, status: 'stopping' };
  current.abort('stopped by the user');
}

export function steer(message: string): void {
  current?.steer(message);
}

export function clearRun(): void {
  view.value = idleRun;
}

type Start = Pick<RunOptions, 'work' | 'resume'>;

async function follow(start: Start | Promise<Start>, work: RunOptions['work']): Promise<void> {
  view.value = { ...idleRun, status: 'running', work };
  try {
    current = runLoop({ ...host, ...(await start), model: chosenModel(), plan: planMode.value, limits: { maxIterations: MAX_ITERATIONS, maxConsecutiveGateFailures: MAX_GATE_FAILURES } });
    await inBatches(current, showEvents);
    await current.result;
  } catch (error) {
    showFault(error);
  } finally {
    current = undefined;
    await refreshFiles();
    await buildProject();
  }
}

function showEvents(events: RunEvent[]): void {
  view.value = applyEvents(view.value, events);
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
