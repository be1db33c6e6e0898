/** Reads the journals of earlier runs and of runs in other tabs. */
import { followRun, listRuns, type RunEvent } from 'loopgate';
import { host } from '../host/host';
import { applyEvents, idleRun, type RunView } from './view';

/** The number of runs that the thread shows after a reload. */
const SHOWN = 10;

let reading = new AbortController();

/** The newest runs of the project, oldest first. A damaged journal is left out. */
export async function readRuns(): Promise<RunView[]> {
  const views: RunView[] = [];
  const newest = await listRuns(host).catch(() => []);
  for (const { runId } of newest.slice(0, SHOWN).reverse()) {
    const events = await storedEvents(runId).catch(() => []);
    if (events.length) views.push(applyEvents(idleRun, events));
  }
  return views;
}

/** Shows the events of the newest run until it ends or this tab starts a run, whose events come from the run itself. */
export async function followNewest(show: (events: RunEvent[]) => void): Promise<void> {
  stopFollowing();
  const { signal } = (reading = new AbortController());
  for await (const event of followRun(host, { signal })) show([event]);
}

export const stopFollowing = (): void => reading.abort();

/** What the journal has now. The events of a page of the journal follow each other without a wait, so a timer fires after the last one. */
async function storedEvents(runId: string): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  const end = new AbortController();
  for await (const event of followRun(host, { runId, signal: end.signal })) {
    if (events.push(event) === 1) setTimeout(() => end.abort());
  }
  return events;
}
