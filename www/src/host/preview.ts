/** The preview port: runs the latest build in a frame and collects its errors. */
import { computed, effect, signal } from '@preact/signals';
import type { PreviewPort } from 'loopgate';
import { buildProject, latestBuild } from './build';
import type { Bundle } from './bundle';
import { frameDocument, NOTHING, withMessage, type FrameReport } from './frame';

/** The time limit for a page to render. */
const SETTLE_MS = 8000;

interface PreviewRun extends FrameReport {
  /** The number of the run. */
  frame: number;
  bundle: Bundle;
  document: string;
}

/** The run of the latest successful build. */
export const previewRun = signal<PreviewRun | null>(null);
/** The number of the run whose page is shown: the last one that has rendered without an error. */
export const shownFrame = signal(0);
/** Why the page of the latest files is not shown, or what is wrong in it. */
export const previewErrors = computed(() => (latestBuild.value?.errors.length ? latestBuild.value.errors : (previewRun.value?.errors ?? [])));

export const preview: PreviewPort = {
  async runtimeErrors() {
    return (await settledRun()).errors;
  },
  async console() {
    return (await settledRun()).console;
  },
};

let frames = 0;

/** Runs each new bundle. Called once, when the page starts. */
export function startPreview(): void {
  effect(() => {
    const bundle = latestBuild.value;
    if (bundle?.code && previewRun.peek()?.bundle !== bundle) void runAgain(bundle);
  });
}

/** Runs a bundle in a new frame. */
async function runAgain(bundle: Bundle): Promise<void> {
  const frame = ++frames;
  // The import fails if the page closes or starts offline for the first time.
  const runtime = await import('virtual:preview-runtime').then((module) => module.default, () => null);
  if (frame !== frames) return;
  previewRun.value = runtime === null
    ? { frame, bundle, document: '', ...NOTHING, settled: true, errors: [{ message: 'React could not be loaded for the preview. Reload the page.' }] }
    : { frame, bundle, document: frameDocument(bundle, runtime), ...NOTHING };
}

/** Builds, and runs the page from its start. */
export async function reload(): Promise<void> {
  const bundle = await buildProject();
  if (bundle.code && previewRun.peek()?.settled) await runAgain(bundle);
}

/** The sandboxed frame of a page, to put into `preview.html`. */
function frameOf(document: string, holder: Document): HTMLIFrameElement {
  const frame = holder.createElement('iframe');
  frame.title = 'Page of the project';
  frame.sandbox.value = 'allow-scripts';
  frame.srcdoc = document;
  return frame;
}

/**
 * Runs the page behind the one that is shown, and listens to it. Once it has rendered without an error, it replaces that one.
 * Returns how to stop listening.
 */
export function runPage(run: PreviewRun, holder: Document): () => void {
  const frame = frameOf(run.document, holder);
  frame.inert = true;
  let port: MessagePort | undefined;
  const isReady = () => {
    const now = previewRun.value;
    return now?.frame === run.frame && now.settled && (!now.errors.length || !shownFrame.peek());
  };
  // The first message comes from the reporting script, which runs before the scripts of the project. No other one counts.
  const takePort = ({ source, ports }: MessageEvent) => {
    if (source !== frame.contentWindow) return;
    holder.defaultView?.removeEventListener('message', takePort);
    port = ports[0];
    if (port) port.onmessage = ({ data }) => receive(run.frame, data);
  };
  holder.defaultView?.addEventListener('message', takePort);
  if (!holder.body.childElementCount) shownFrame.value = 0;
  holder.body.prepend(frame);
  const stopWaiting = effect(() => {
    if (shownFrame.peek() === run.frame || !isReady()) return;
    while (frame.nextElementSibling) frame.nextElementSibling.remove();
    frame.inert = false;
    shownFrame.value = run.frame;
  });
  return () => {
    stopWaiting();
    holder.defaultView?.removeEventListener('message', takePort);
    port?.close();
    if (shownFrame.peek() !== run.frame) frame.remove();
  };
}

/** The page in a tab of its own, in the same sandbox. */
export function openInTab(): void {
  const run = previewRun.peek();
  const tab = run && window.open('./preview.html');
  tab?.addEventListener('load', () => tab.document.body.append(frameOf(run!.document, tab.document)));
}

function receive(frame: number, message: unknown): void {
  const run = previewRun.peek();
  if (run?.frame === frame) previewRun.value = withMessage(run, message);
}

/** The run of the present files, once it has rendered. */
async function settledRun(): Promise<PreviewRun> {
  await buildProject();
  const run = await within(SETTLE_MS, () => {
    const bundle = latestBuild.value!;
    if (!bundle.code) return failed(bundle, 'The project does not build, so there is no preview');
    return previewRun.value?.bundle === bundle && previewRun.value.settled ? previewRun.value : null;
  });
  return run ?? failed(latestBuild.peek()!, `The preview did not render within ${SETTLE_MS / 1000} seconds`);
}

const failed = (bundle: Bundle, message: string): PreviewRun => ({ frame: 0, bundle, document: '', errors: [{ message }], console: [], settled: true });

/** The first value other than null that `find` returns as the signals change; null after the time limit. */
async function within<T>(ms: number, find: () => T | null): Promise<T | null> {
  const { promise, resolve } = Promise.withResolvers<T | null>();
  const timer = setTimeout(() => resolve(null), ms);
  const stopWatching = effect(() => {
    const found = find();
    if (found !== null) resolve(found);
  });
  return promise.finally(() => {
    clearTimeout(timer);
    stopWatching();
  });
}
