/** The preview port: runs the latest build in a frame and collects its errors. */
import { computed, effect, signal } from '@preact/signals';
import type { PreviewPort } from 'loopgate';
import { buildProject, latestBuild } from './build';
import type { Bundle } from './bundle';
import { frameDocument, NOTHING, withMessage, type FrameReport } from './frame';

/** The time limit for a page to render. */
const SETTLE_MS = 8000;

export interface PreviewRun extends FrameReport {
  /** The number of the run. */
  frame: number;
  bundle: Bundle;
  document: string;
}

export const previewRun = signal<PreviewRun | null>(null);
export const previewErrors = computed(() => previewRun.value?.errors ?? []);

export const preview: PreviewPort = {
  async runtimeErrors() {
    return (await settledRun()).errors;
  },
  async console() {
    return (await settledRun()).console;
  },
};

/** Prepares a run of each successful build. Called once, when the page starts. */
export function startPreview(): void {
  let frames = 0;
  effect(() => {
    const bundle = latestBuild.value;
    if (!bundle?.code) return;
    const frame = ++frames;
    void import('virtual:preview-runtime').then(({ default: runtime }) => {
      if (frame === frames) previewRun.value = { frame, bundle, document: frameDocument(bundle, runtime), ...NOTHING };
    });
  });
}

/** Runs the page in a frame of `holder`, which is `preview.html`, and listens to it. Returns how to remove it. */
export function runPage(run: PreviewRun, holder: Document): () => void {
  const frame = holder.createElement('iframe');
  frame.title = 'Page of the project';
  frame.sandbox.value = 'allow-scripts';
  frame.srcdoc = run.document;
  let port: MessagePort | undefined;
  // The first message is that of the reporting script, which runs before the scripts of the project. No other one counts.
  const takePort = ({ source, ports }: MessageEvent) => {
    if (source !== frame.contentWindow) return;
    holder.defaultView?.removeEventListener('message', takePort);
    port = ports[0];
    if (port) port.onmessage = ({ data }) => receive(run.frame, data);
  };
  holder.defaultView?.addEventListener('message', takePort);
  holder.body.replaceChildren(frame);
  return () => {
    holder.defaultView?.removeEventListener('message', takePort);
    port?.close();
    frame.remove();
  };
}

function receive(frame: number, message: unknown): void {
  const run = previewRun.peek();
  if (run?.frame === frame) previewRun.value = withMessage(run, message);
}

/** The run of the latest build, once it has rendered. Builds first if there is no build. */
async function settledRun(): Promise<PreviewRun> {
  const bundle = latestBuild.peek() ?? (await buildProject());
  if (!bundle.code) return failed(bundle, 'The project does not build, so there is no preview');
  const run = await within(SETTLE_MS, () => (previewRun.value?.bundle === bundle && previewRun.value.settled ? previewRun.value : null));
  return run ?? failed(bundle, `The preview did not render within ${SETTLE_MS / 1000} seconds`);
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
