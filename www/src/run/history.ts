/** The journals of the project: what earlier runs did to its specs and chunks, and what a run does that this tab does not write. */
import { signal } from '@preact/signals';
import { followRun, type RunEvent } from 'loopgate';
import { progress as chunkProgress } from '../chunks/chunks';
import { applyChunkEvents, noChunkProgress } from '../chunks/progress';
import { host } from '../host/host';
import { absolute, files } from '../project/storage';
import { applySpecEvents, noProgress } from '../specs/progress';
import { progress } from '../specs/specs';
import { applyBases, type Bases } from './bases';

/** After this time, an earlier run without an end is read completely. */
const ABANDONED_MS = 5000;

/** The branches from which those of the specs started. */
export const bases = signal<Bases>(new Map());

let reading = new AbortController();

/**
 * Reads what earlier runs did, then shows the events of the newest run until it ends or this tab starts a run, whose
 * events come from the run itself.
 */
export async function followJournals(show: (events: RunEvent[]) => void = showProgress): Promise<void> {
  stopFollowing();
  const { signal } = (reading = new AbortController());
  const runs = await runIds();
  const newest = runs.pop();
  for (const runId of runs) void readEarlier(runId, AbortSignal.any([signal, AbortSignal.timeout(ABANDONED_MS)]));
  if (newest === undefined) return;
  for await (const event of followRun(host, { runId: newest, signal })) show([event]);
}

export function stopFollowing(): void {
  reading.abort();
}

export function showProgress(events: RunEvent[]): void {
  progress.value = applySpecEvents(progress.peek(), events);
  chunkProgress.value = applyChunkEvents(chunkProgress.peek(), events);
  bases.value = applyBases(bases.peek(), events);
}

/** A damaged journal is left out. */
async function readEarlier(runId: string, signal: AbortSignal): Promise<void> {
  let [own, ofChunks, ofBranches] = [noProgress, noChunkProgress, new Map() as Bases];
  try {
    for await (const event of followRun(host, { runId, signal })) {
      [own, ofChunks, ofBranches] = [applySpecEvents(own, [event]), applyChunkEvents(ofChunks, [event]), applyBases(ofBranches, [event])];
    }
  } catch {
    return;
  }
  bases.value = new Map([...ofBranches, ...bases.peek()]);
  const { reasons, outcomes } = progress.peek();
  progress.value = { ...progress.peek(), reasons: new Map([...own.reasons, ...reasons]), outcomes: new Map([...own.outcomes, ...outcomes]) };
  chunkProgress.value = { ...chunkProgress.peek(), costs: new Map([...chunkProgress.peek().costs, ...ofChunks.costs]) };
}

/** Oldest first. */
const runIds = async (): Promise<string[]> => (await files.readdir(absolute('.loopgate/journal')).catch(() => [])).sort();
