/** The build port, and the live build of the preview. */
import { effect, signal } from '@preact/signals';
import type { BuildMessage, BuildPort, ShellCommand } from 'loopgate';
import { readText, revision } from '../project/project';
import { template } from '../project/template';
import { filePaths, readTree } from '../project/tree';
import { bundle, type Bundle } from './bundle';

/** A change of the files is built after this pause. */
const PAUSE_MS = 300;

export const building = signal(false);
export const latestBuild = signal<Bundle | null>(null);
/** The sources are the template. */
export const isTemplate = signal(false);

export const build: BuildPort = async ({ signal }) => {
  const { errors, warnings } = await buildProject(signal);
  return { success: errors.length === 0, errors, warnings };
};

/** `build` in the shell, for the verification of chunks. */
export const buildCommand: ShellCommand = {
  name: 'build',
  async execute() {
    const { errors, warnings } = await buildProject();
    const lines = (kind: string, messages: BuildMessage[]) => messages.map(({ message, file, line }) => `${kind}: ${file ? `${file}${line ? `:${line}` : ''}: ` : ''}${message}\n`).join('');
    if (errors.length) return { exitCode: 1, stdout: '', stderr: lines('error', errors) };
    return { exitCode: 0, stdout: `${lines('warning', warnings)}The project builds.\n`, stderr: '' };
  },
};

/** Builds after each change of the files. Called once, when the page starts. */
export function startLiveBuild(): void {
  let pending: ReturnType<typeof setTimeout> | undefined;
  effect(() => {
    // The start of the page builds first.
    if (!revision.value || !latestBuild.peek()) return;
    clearTimeout(pending);
    pending = setTimeout(() => void buildProject(), PAUSE_MS);
  });
}

let queue: Promise<unknown> = Promise.resolve();
let last: { sources: string; result: Bundle } | undefined;
let working: Bundle | undefined;

/** One build at a time. The same sources are not built again. */
export function buildProject(abort?: AbortSignal): Promise<Bundle> {
  const next = queue.then(() => buildNow(abort));
  queue = next.catch(() => {});
  return next;
}

async function buildNow(abort?: AbortSignal): Promise<Bundle> {
  abort?.throwIfAborted();
  const files = await readSources();
  const sources = JSON.stringify([...files]);
  if (sources === last?.sources) return last.result;
  building.value = true;
  try {
    const result = await bundle(files, abort);
    last = { sources, result };
    isTemplate.value = template.every(([path, text]) => path.startsWith('.') || files.get(path) === text);
    // An equal bundle does not restart the page.
    if (result.code && (result.code !== working?.code || result.css !== working.css)) working = result;
    latestBuild.value = result.code ? working! : result;
    return result;
  } finally {
    building.value = false;
  }
}

async function readSources(): Promise<Map<string, string>> {
  const paths = filePaths(await readTree()).filter((path) => !path.startsWith('.'));
  const sources = await Promise.all(paths.map(async (path) => [path, (await readText(path)) ?? ''] as const));
  return new Map(sources);
}
