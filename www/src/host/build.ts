/** The build port. The preview shows the latest result. */
import { signal } from '@preact/signals';
import type { BuildMessage, BuildPort, ShellCommand } from 'loopgate';
import { readText } from '../project/project';
import { filePaths, readTree } from '../project/tree';
import { bundle, type Bundle } from './bundle';

export const building = signal(false);
export const latestBuild = signal<Bundle | null>(null);

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

export async function buildProject(abort?: AbortSignal): Promise<Bundle> {
  building.value = true;
  try {
    const result = await bundle(await readSources(), abort);
    latestBuild.value = result;
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
