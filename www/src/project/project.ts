/** The open project: its tree and a revision counter. */
import { signal } from '@preact/signals';
import { absolute, files } from './storage';
import { readTree, type TreeNode, filePaths } from './tree';

export const tree = signal<TreeNode[]>([]);
/** Increases with every change of the files. Views that show a file read it again. */
export const revision = signal(0);
let pending: ReturnType<typeof setTimeout> | undefined;

/** Schedules a refresh. Several changes in a short time cause one refresh. */
export function filesChanged(): void {
  pending ??= setTimeout(() => void refreshFiles(), 60);
}

export async function refreshFiles(): Promise<void> {
  clearTimeout(pending);
  pending = undefined;
  tree.value = await readTree();
  revision.value++;
}

/** The text of a file; `null` if it does not exist; a note if it is binary. */
export async function readText(path: string): Promise<string | null> {
  const bytes = await files.readFile(absolute(path)).catch(() => null);
  if (bytes === null || typeof bytes === 'string') return bytes;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return `(binary file, ${bytes.length} bytes)`;
  }
}

export async function downloadProject(): Promise<void> {
  const { zipSync } = await import('fflate');
  const paths = filePaths(await readTree());
  const contents = await Promise.all(paths.map(async (path) => [path, (await files.readFile(absolute(path))) as Uint8Array] as const));
  const address = URL.createObjectURL(new Blob([zipSync(Object.fromEntries(contents))], { type: 'application/zip' }));
  Object.assign(document.createElement('a'), { href: address, download: 'project.zip' }).click();
  URL.revokeObjectURL(address);
}
