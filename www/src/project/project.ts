/** The open project as the page sees it: its tree, the file that is shown, and when it last changed. */
import { signal } from '@preact/signals';
import { absolute, files } from './storage';
import { readTree, type TreeNode } from './tree';

export const tree = signal<TreeNode[]>([]);
/** Grows with every change of the files: what shows a file reads it again. */
export const revision = signal(0);
export const openPath = signal<string | null>('src/App.tsx');

let pending: ReturnType<typeof setTimeout> | undefined;

/** Asks for a new look at the files. Many changes at once cause one look. */
export function filesChanged(): void {
  pending ??= setTimeout(() => void look(), 60);
}

export async function look(): Promise<void> {
  clearTimeout(pending);
  pending = undefined;
  tree.value = await readTree();
  revision.value++;
}

/** The text of a file, `null` where there is none, and a note in place of what is no text. */
export async function readText(path: string): Promise<string | null> {
  const bytes = await files.readFile(absolute(path)).catch(() => null);
  if (bytes === null || typeof bytes === 'string') return bytes;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return `(${bytes.length} bytes that are no text)`;
  }
}
