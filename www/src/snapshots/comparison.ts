/** Compares two states of the project. */
import { snapshot, type FileChange, type SnapshotInfo } from 'loopgate';
import { host } from '../host/host';
import { absolute, files } from '../project/storage';
import { snapshots } from './snapshots';

/** A snapshot, or the present files. */
export type State = { tag: string } | 'now';

/** A file in one state: text, binary, or absent. */
export type Version = { text: string } | { bytes: number } | null;

/** The snapshot before this one. */
export function snapshotBefore(tag: string): SnapshotInfo | null {
  const at = snapshots.value.findIndex((info) => info.tag === tag);
  return (at >= 0 && snapshots.value[at + 1]) || null;
}

export async function changesBetween(from: string, to: State): Promise<FileChange[]> {
  return snapshot.diff(host, from, to === 'now' ? undefined : to.tag);
}

export async function versionsOf({ path, from: formerPath, change }: FileChange, from: State, to: State): Promise<{ before: Version; after: Version }> {
  const [before, after] = await Promise.all([
    change === 'added' ? null : read(from, formerPath ?? path),
    change === 'deleted' ? null : read(to, path),
  ]);
  return { before, after };
}

async function read(state: State, path: string): Promise<Version> {
  const bytes = state === 'now' ? await files.readFile(absolute(path)).catch(() => null) : await snapshot.readFile(host, state.tag, path);
  return bytes ? versionFrom(bytes) : null;
}

function versionFrom(bytes: Uint8Array | string): Version {
  if (typeof bytes === 'string') return { text: bytes };
  // The heuristic of git: a text has no NUL in its first bytes.
  if (bytes.subarray(0, 8_000).includes(0)) return { bytes: bytes.length };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { bytes: bytes.length };
  }
}
