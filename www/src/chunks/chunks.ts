/** The specs with chunks of the open project. */
import { computed, signal } from '@preact/signals';
import type { Chunk } from 'loopgate';
import { latest } from '../latest';
import { edits } from '../project/edits';
import { filesChanged, readText, refreshFiles, tree } from '../project/project';
import { absolute, files as storage, writeText } from '../project/storage';
import { filePaths } from '../project/tree';
import { draft, pullRequest } from './approval';
import { noChunkProgress, type ChunkProgress } from './progress';
import { forgetOverrides, readConfig } from './settings';
import { HANDOFF, isSmall, readSpec, specIds, type ChunkFiles } from './spec';

/** `null` until the files are read. */
const files = signal<ChunkFiles | null>(null);
/** What the events of this run and of earlier ones say. */
export const progress = signal<ChunkProgress>(noChunkProgress);

const chosen = signal<string | null>(null);
export const ids = computed(() => files.value && specIds(files.value));
/** The shown spec: the chosen one, otherwise the one of the run, otherwise the first. */
export const spec = computed(() => {
  const id = [chosen.value, progress.value.current?.spec].find((id) => id && ids.value?.includes(id)) ?? ids.value?.[0];
  return files.value && id ? readSpec(files.value, id) : null;
});
/** The chunk and the number of the attempt whose details are shown; 0 is the last one. */
export const selected = signal<{ chunk: string; attempt: number } | null>(null);

export const hasChunks = (): boolean => tree.peek().some(({ name, children }) => name === '.handoff' && children?.some((child) => child.name === 'specs'));

/** Reads the files after a change of the tree. */
export const readChunkFiles = latest(async () => {
  const paths = filePaths(tree.peek()).filter((path) => path.startsWith(HANDOFF));
  const texts = await Promise.all(paths.filter(isSmall).map(async (path) => [path, (await readText(path)) ?? ''] as const));
  files.value = { paths, texts: new Map(texts) };
  // After a reload, the proposal is in its file.
  const { proposed, chunks } = spec.peek() ?? {};
  if (proposed && !chunks) draft.value ??= proposed;
  await readConfig();
});

export function chooseSpec(id: string): void {
  [chosen.value, draft.value, selected.value] = [id, null, null];
  filesChanged();
}

export async function saveText(id: string, text: string): Promise<void> {
  await write(`${HANDOFF}${id}/spec.md`, text);
  await refreshFiles();
}

/** Writes the chunks of a spec; the proposal that they come from is done. */
export async function saveChunks(id: string, chunks: Chunk[]): Promise<void> {
  await write(`${HANDOFF}${id}/chunks.json`, `${JSON.stringify(chunks, null, 2)}\n`);
  await discardProposal(id);
}

export async function discardProposal(id: string): Promise<void> {
  const path = `${HANDOFF}${id}/iterations/proposed.json`;
  edits(path);
  await storage.unlink(absolute(path)).catch(() => {});
  draft.value = null;
  await refreshFiles();
}

async function write(path: string, text: string): Promise<void> {
  edits(path);
  await writeText(path, text);
}

export function forgetChunks(): void {
  [files.value, progress.value] = [null, noChunkProgress];
  [chosen.value, selected.value, draft.value, pullRequest.value] = [null, null, null, null];
  void forgetOverrides();
}
