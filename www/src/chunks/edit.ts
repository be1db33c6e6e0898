/** Edits of a list of chunks. All functions are pure. */
import type { Chunk } from 'loopgate';

export function addChunk(chunks: readonly Chunk[]): Chunk[] {
  const number = (at: number): string => (chunks.some(({ id }) => id === `chunk-${at}`) ? number(at + 1) : `chunk-${at}`);
  return [...chunks, { id: number(chunks.length + 1), title: '', description: '' }];
}

/** Other chunks no longer depend on it. */
export const removeChunk = (chunks: readonly Chunk[], id: string): Chunk[] =>
  chunks.filter((chunk) => chunk.id !== id).map((chunk) => withDependencies(chunk, chunk.dependencies?.filter((dependency) => dependency !== id)));

/** Moves a chunk one place up (-1) or down (1). */
export function moveChunk(chunks: readonly Chunk[], at: number, step: -1 | 1): Chunk[] {
  const moved = [...chunks];
  const [chunk] = moved.splice(at, 1);
  if (chunk) moved.splice(Math.max(0, at + step), 0, chunk);
  return moved;
}

/** Replaces fields of a chunk. The dependencies on it follow a new id. */
export function changeChunk(chunks: readonly Chunk[], at: number, change: Partial<Chunk>): Chunk[] {
  const before = chunks[at];
  if (!before) return [...chunks];
  const rename = (id: string) => (id === before.id ? (change.id ?? id) : id);
  return chunks.map((chunk, index) => {
    const next = index === at ? { ...chunk, ...change } : chunk;
    return withDependencies(next, next.dependencies?.map(rename));
  });
}

/** The paths in a text, one per line or separated by commas. */
export const pathsIn = (text: string): string[] => text.split(/[\n,]/).map((path) => path.trim()).filter(Boolean);

function withDependencies(chunk: Chunk, dependencies: string[] | undefined): Chunk {
  const { dependencies: _, ...rest } = chunk;
  return dependencies?.length ? { ...rest, dependencies } : rest;
}
