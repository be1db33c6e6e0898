/** The preview port: runs the latest build in a frame and collects its errors. */
import { computed, effect, signal } from '@preact/signals';
import type { BuildMessage, PreviewPort } from 'loopgate';
import { buildProject, latestBuild } from './build';
import type { Bundle } from './bundle';
import { frameDocument, type FrameMessage } from './frame';

/** The time limit for a page to render. */
const SETTLE_MS = 8000;

export interface PreviewRun {
  frame: number;
  bundle: Bundle;
  document: string;
  errors: BuildMessage[];
  console: Array<{ level: string; message: string }>;
  settled: boolean;
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

/** Shows each successful build and listens to its frame. Called once, when the page starts. */
export function startPreview(): void {
  let frames = 0;
  effect(() => {
    const bundle = latestBuild.value;
    if (!bundle?.code) return;
    const frame = ++frames;
    void import('virtual:preview-runtime').then(({ default: runtime }) => {
      if (frame !== frames) return;
      previewRun.value = { frame, bundle, document: frameDocument(frame, bundle, runtime), errors: [], console: [], settled: false };
    });
  });
  addEventListener('message', (event: MessageEvent<FrameMessage>) => {
    const run = previewRun.peek();
    if (run && event.origin === 'null' && event.data?.frame === run.frame) previewRun.value = withMessage(run, event.data);
  });
}

function withMessage(run: PreviewRun, message: FrameMessage): PreviewRun {
  switch (message.type) {
    case 'error':
      return { ...run, errors: [...run.errors, { message: message.message, line: message.line, column: message.column }] };
    case 'console':
      return { ...run, console: [...run.console, { level: message.level, message: message.message }] };
    case 'settled':
      return { ...run, settled: true };
  }
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
