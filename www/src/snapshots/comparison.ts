/** Files of a snapshot and the present ones. */
import { snapshot, type FileChange } from 'loopgate';
import { host } from '../host/host';
import { absolute, files } from '../project/storage';

/** The tag of a snapshot, or the present files. */
export type Place = { tag: string } | 'now';

/** A file: text, binary, or absent. */
export type FileState = { text: string } | { bytes: number } | null;

export async function readState(place: Place, path: string): Promise<FileState> {
  const bytes = place === 'now' ? await files.readFile(absolute(path)).catch(() => null) : await snapshot.readFile(host, place.tag, path);
  if (!bytes) return null;
  if (typeof bytes === 'string') return { text: bytes };
  // The heuristic of git: a text has no NUL in its first bytes.
  if (bytes.subarray(0, 8_000).includes(0)) return { bytes: bytes.length };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { bytes: bytes.length };
  }
}

/** A changed file before, in a snapshot, and now. */
export async function bothStates({ path, from, change }: FileChange, tag: string): Promise<{ before: FileState; after: FileState }> {
  const [before, after] = await Promise.all([change === 'added' ? null : readState({ tag }, from ?? path), change === 'deleted' ? null : readState('now', path)]);
  return { before, after };
}
