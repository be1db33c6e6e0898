/** The specs of the open project. */
import { computed, signal } from '@preact/signals';
import { latest } from '../latest';
import { edits } from '../project/edits';
import { readText, refreshFiles, tree } from '../project/project';
import { writeText } from '../project/storage';
import { filePaths } from '../project/tree';
import { noProgress, type SpecProgress } from './progress';
import { specRows, type SpecFiles } from './rows';

/** `null` until the files are read. */
const files = signal<SpecFiles | null>(null);
export const rows = computed(() => files.value && specRows(files.value));
/** What the events of this run and of earlier ones say. */
export const progress = signal<SpecProgress>(noProgress);
/** The path of the spec whose details are shown. */
export const selected = signal<string | null>(null);

export const hasSpecs = (): boolean => tree.peek().some(({ name }) => name === 'specs');

/** Reads the files after a change of the tree. */
export const readSpecs = latest(async () => {
  const paths = filePaths(tree.peek()).filter((path) => path.startsWith('specs/') || /^runs\/.*\.log$/.test(path));
  // A log is read when it is opened.
  files.value = new Map(await Promise.all(paths.map(async (path) => [path, path.startsWith('specs/') ? ((await readText(path)) ?? '') : ''] as const)));
});

/** Writes a new spec and selects it. */
export async function addSpec(path: string, text: string): Promise<void> {
  edits(path);
  await writeText(path, text);
  selected.value = path;
  await refreshFiles();
}

export function forgetSpecs(): void {
  files.value = null;
  progress.value = noProgress;
  selected.value = null;
}
