/** The run that was interrupted by closing or reloading the page. */
import { signal } from '@preact/signals';
import { findUnfinishedRun } from 'loopgate';
import { host } from '../host/host';
import { discard, resume } from './session';

type UnfinishedRun = NonNullable<Awaited<ReturnType<typeof findUnfinishedRun>>>;

export const unfinished = signal<UnfinishedRun | null>(null);

export async function findUnfinished(): Promise<void> {
  unfinished.value = await findUnfinishedRun(host);
}

export async function resumeUnfinished(): Promise<void> {
  const run = unfinished.value;
  unfinished.value = null;
  if (run) await resume(run.runId, run.work);
}

export async function discardUnfinished(): Promise<void> {
  const run = unfinished.value;
  if (run) await discard(run.runId, run.work);
  unfinished.value = null;
}
