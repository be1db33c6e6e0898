/** The start of the page. */
import { computed, effect } from '@preact/signals';
import init, { LoopgateError } from 'loopgate';
import { unsaved } from './code/documents';
import { buildProject, latestBuild, startLiveBuild } from './host/build';
import { startPreview } from './host/preview';
import { chooseStory, isOutdated, STORIES } from './model/story/stories';
import { refreshFiles } from './project/project';
import { seedIfEmpty } from './project/seed';
import { isReplacing, openLinkedStory, rememberStart } from './run/begin';
import { isLocked, onTaken } from './run/locks';
import { findUnfinished, loadHistory, view } from './run/session';
import { watchOtherTab } from './run/tabs';
import { followSnapshots, messageOf, refreshSnapshots } from './snapshots/snapshots';
import { damaged, isPhone, isTabChosen, otherTab, startup, tab, toast } from './store';
import { followMessage } from './task/preview';
import { focusComposer } from './ui/focus';

/** If opening takes longer, another tab probably has the files open. */
const SLOW_MS = 3000;

export async function start(): Promise<void> {
  try {
    addEventListener('unhandledrejection', ({ reason }) => (toast.value = { text: messageOf(reason) }));
    addEventListener('beforeunload', (event) => unsaved.peek().length && event.preventDefault());
    startPreview();
    showFirstBuild();
    await init();
    startup.value = { step: 'Opening the project' };
    if (await withHint(seedIfEmpty(), 'Waiting for the project. Is it open in another tab?')) {
      chooseStory(STORIES[0]!);
      await rememberStart();
    }
    await refreshFiles();
    await refreshSnapshots();
    onTaken((use) => void watchOtherTab(use));
    if (await isLocked()) void watchOtherTab(isReplacing() || isOutdated() ? 'replace' : 'run');
    else if (isOutdated()) return location.reload();
    else await openJournals();
    followMessage();
    followSnapshots();
    if (!otherTab.value) await openLinkedStory();
    startup.value = { ready: true };
    focusFirst();
    await buildProject();
    startLiveBuild();
    await cacheForOffline();
  } catch (error) {
    startup.value = { error: messageOf(error) };
  }
}

/** The first build of a task that succeeds opens the preview, unless the user chose another view. A phone stays where it is. */
function showFirstBuild(): void {
  const isTask = computed(() => view.value.status === 'running' && view.value.work?.kind === 'task');
  let waits = false;
  effect(() => {
    waits = isTask.value;
  });
  effect(() => {
    if (!latestBuild.value?.code || !waits) return;
    waits = false;
    if (!isTabChosen.peek()) tab.value = 'preview';
  });
}

/** The first visit begins with the message. On a phone, that would open the keyboard. */
function focusFirst(): void {
  if (view.peek().status === 'idle' && !isPhone.peek() && document.activeElement === document.body) focusComposer();
}

async function openJournals(): Promise<void> {
  await findUnfinished().catch((error) => {
    if (!(error instanceof LoopgateError && (error.code === 'corrupt' || error.code === 'unsupported'))) throw error;
    damaged.value = error.message;
  });
  await loadHistory();
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
