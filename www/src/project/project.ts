/** The open project: its tree, the open file, and a revision counter. */
import { signal } from '@preact/signals';
import { absolute, files } from './storage';
import { readTree, type TreeNode } from './tree';

export const tree = signal<TreeNode[]>([]);
/** Increases with every change of the files. Views that show a file read it again. */
export const revision = signal(0);
export const openPath = signal<string | null>('src/App.tsx');
/** The lines of the open file that are marked. */
export const openLines = signal<readonly [first: number, last: number] | null>(null);

/** Opens a file, at these lines if they are given. */
export function openFile(path: string, lines: readonly [number, number] | null = null): void {
  [openPath.value, openLines.value] = [path, lines];
}

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
