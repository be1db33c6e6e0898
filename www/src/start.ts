/** The start of the page. */
import { signal } from '@preact/signals';
import init from 'loopgate';
import { buildProject } from './host/build';
import { startPreview } from './host/preview';
import { chooseStory } from './model/story/chosen';
import { LANDING } from './model/story/stories';
import { refreshFiles } from './project/project';
import { seedIfEmpty } from './project/seed';
import { followJournals } from './run/history';
import { isLocked } from './run/locks';
import { watchOtherTab } from './run/session';
import { findUnfinished } from './run/unfinished';
import { hasChunks } from './chunks/chunks';
import { hasSpecs } from './specs/specs';
import { messageOf, refreshSnapshots } from './snapshots/snapshots';
import { followMessage } from './task/preview';

/** If opening takes longer, another tab probably has the files open. */
const SLOW_MS = 3000;

export type Startup = { step: string } | { ready: true } | { error: string };

export const startup = signal<Startup>({ step: 'Loading loopgate' });

export async function start(): Promise<void> {
  try {
    startPreview();
    await init();
    startup.value = { step: 'Opening the project' };
    if (await withHint(seedIfEmpty(), 'Waiting for the project. Is it open in another tab?')) chooseStory(LANDING);
    await refreshFiles();
    await refreshSnapshots();
    if (await isLocked()) void watchOtherTab();
    else await openJournals();
    followMessage();
    // Also loads the build tools, so that the page needs no network afterwards.
    startup.value = { step: 'Building the project' };
    await buildProject();
    startup.value = { ready: true };
    await cacheForOffline();
  } catch (error) {
    startup.value = { error: messageOf(error) };
  }
}

async function openJournals(): Promise<void> {
  await findUnfinished();
  // A damaged journal is reported when its run is resumed.
  if (hasSpecs() || hasChunks()) void followJournals().catch(() => {});
}

/** LightningFS allows one page at a time. The others wait and show the hint. */
async function withHint<T>(opening: Promise<T>, hint: string): Promise<T> {
  const timer = setTimeout(() => (startup.value = { step: hint }), SLOW_MS);
  return opening.finally(() => clearTimeout(timer));
}

/** Caches the page for reloads without a network. Failures are ignored, because the page works without the cache. */
async function cacheForOffline(): Promise<void> {
  if (import.meta.env.PROD && 'serviceWorker' in navigator) await navigator.serviceWorker.register('./sw.js').catch(() => {});
}
