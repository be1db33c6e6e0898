/** Two states of the project beside each other: what differs, and what a file was in each. */
import { snapshot, type FileChange, type SnapshotInfo } from 'loopgate';
import { host } from '../host/host';
import { absolute, files } from '../project/storage';
import { snapshots } from './snapshots';

/** A state: a snapshot by its tag, or the files as they are now. */
export type State = { tag: string } | 'now';

/** What a file was: text, bytes that are none, or nothing at all. */
export type Version = { text: string } | { bytes: number } | null;

/** The snapshot that was saved before this one. */
export function snapshotBefore(tag: string): SnapshotInfo | null {
  const at = snapshots.value.findIndex((info) => info.tag === tag);
  return (at >= 0 && snapshots.value[at + 1]) || null;
}

export async function changesBetween(from: string, to: State): Promise<FileChange[]> {
  return snapshot.diff(host, from, to === 'now' ? undefined : to.tag);
}

/** What a file was before and after a change from one state to another. */
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
  // As git tells: text has no NUL near its beginning.
  if (bytes.subarray(0, 8_000).includes(0)) return { bytes: bytes.length };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { bytes: bytes.length };
  }
}
