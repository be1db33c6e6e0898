/** What happens when the page opens, in order. */
import { signal } from '@preact/signals';
import init from 'loopgate';
import { buildProject } from './host/build';
import { startPreview } from './host/preview';
import { chooseStory } from './model/story/chosen';
import { LANDING } from './model/story/stories';
import { look } from './project/project';
import { seedIfEmpty } from './project/seed';
import { lookForUnfinishedRun } from './run/unfinished';
import { messageOf, refreshSnapshots } from './snapshots/snapshots';
import { followMessage } from './task/preview';

/** Opening takes a moment; longer than this, something else has the files. */
const SLOW_MS = 3000;

export type Startup = { step: string } | { ready: true } | { error: string };

export const startup = signal<Startup>({ step: 'Loading loopgate' });

export async function start(): Promise<void> {
  try {
    startPreview();
    await init();
    startup.value = { step: 'Opening the project' };
    if (await withHint(seedIfEmpty(), 'Waiting for the project: is it open in another tab?')) chooseStory(LANDING);
    await look();
    await refreshSnapshots();
    await lookForUnfinishedRun();
    followMessage();
    // Also loads the build tools, so that the page needs no network from here on.
    startup.value = { step: 'Building the project' };
    await buildProject();
    startup.value = { ready: true };
    await keepForOffline();
  } catch (error) {
    startup.value = { error: messageOf(error) };
  }
}

/** LightningFS lets one page at a time in; the others wait, and should say so. */
async function withHint<T>(opening: Promise<T>, hint: string): Promise<T> {
  const timer = setTimeout(() => (startup.value = { step: hint }), SLOW_MS);
  return opening.finally(() => clearTimeout(timer));
}

/** Lets the page reload without a network. It works without this too, so a failure says nothing. */
async function keepForOffline(): Promise<void> {
  if (import.meta.env.PROD && 'serviceWorker' in navigator) await navigator.serviceWorker.register('./sw.js').catch(() => {});
}
