/** The project's snapshots, and the ways back to them. */
import { batch, computed, effect, signal } from '@preact/signals';
import { changes, isWorkFile, snapshot, type FileChange, type RunChange, type SnapshotInfo } from 'loopgate';
import { host } from '../host/host';
import { latest } from '../latest';
import { refreshFiles, revision } from '../project/project';
import { exclusively } from '../run/locks';
import type { Place } from '../run/cards';
import { isRunning } from '../run/session';
import type { RunView } from '../run/view';
import { toast } from '../store';
import { versionsFrom, type Version } from './versions';

/** Oldest first. */
export const snapshots = signal<SnapshotInfo[]>([]);
/** The tag of the snapshot with the present files, if any. */
export const current = signal<string | null>(null);
export const snapshotError = signal<string | null>(null);
export const history = computed(() => versionsFrom(snapshots.value));
/** The version whose files are the present ones. */
export const currentVersion = computed(() => {
  const tree = snapshots.value.find(({ tag }) => tag === current.value)?.tree;
  return (tree && history.value.versions.find((version) => version.tree === tree)) || null;
});

/** Where a version is: its files are the present ones, or it is later than those. */
export function placeOf(version: Version | undefined): 'current' | 'later' | null {
  const now = currentVersion.value;
  if (!version || !now) return null;
  return version === now ? 'current' : version.at > now.at ? 'later' : null;
}

/** Where the files are, seen from a run. */
export function placeOfRun({ runId, result }: RunView): Place {
  const place = placeOf(history.value.versions.find(({ tag }) => tag && tag === result?.snapshots.post));
  if (place) return place;
  const treeOf = (found: (snapshot: SnapshotInfo) => boolean) => snapshots.value.find(found)?.tree;
  const start = treeOf((saved) => saved.kind === 'pre' && saved.runId === runId);
  return start && start === treeOf(({ tag }) => tag === current.value) ? 'before' : null;
}

/** The snapshot that Changes compares with, if the user has chosen one. */
export const chosenBase = signal<string | null>(null);
/** The last version with a snapshot from before it: where the present task began. */
export const taskBase = computed(() => history.value.versions.find(({ before }) => before)?.before ?? null);
export const base = computed(() => (snapshots.value.some(({ tag }) => tag === chosenBase.value) ? chosenBase.value : taskBase.value));

/** `by`: who changed it in the task, if that is known. */
export type Changed = FileChange & Partial<Pick<RunChange, 'by'>>;

/** The files that differ from the base: the project's, and loopgate's. */
export const changed = signal<{ project: Changed[]; harness: Changed[] }>({ project: [], harness: [] });

export const refreshSnapshots = latest(async () => {
  try {
    const list = await snapshot.list(host);
    const { current: now } = await snapshot.status(host);
    batch(() => ([snapshots.value, current.value, snapshotError.value] = [list, now, null]));
    await refreshChanges();
  } catch (error) {
    snapshotError.value = messageOf(error);
  }
});

export const refreshChanges = latest(async () => {
  const from = base.peek();
  const differing = from ? await snapshot.diff(host, from) : [];
  const { kind, runId } = snapshots.peek().find(({ tag }) => tag === from) ?? {};
  // The journal of an old run may be removed.
  const authors = new Map(kind === 'pre' && runId && !isRunning.peek() ? (await changes(host, { runId }).catch(() => [])).map(({ path, by }) => [path, by]) : []);
  const all = differing.map((change): Changed => ({ ...change, by: authors.get(change.path) }));
  changed.value = { project: all.filter(({ path }) => !isWorkFile(path)), harness: all.filter(({ path }) => isWorkFile(path)) };
});

/** Follows the files, except during a run, whose events cause a refresh. Called once, when the page starts. */
export function followSnapshots(): void {
  effect(() => {
    if (revision.value && !isRunning.value) void refreshSnapshots();
  });
}

export async function saveVersion(name: string): Promise<void> {
  await exclusively('write', () => snapshot.save(host, { name }));
  await refreshSnapshots();
}

/** Names a version, or pins it, so that no later one replaces it. An empty name takes the name away. */
export async function label(tag: string, change: { name?: string; pinned?: boolean }): Promise<void> {
  await exclusively('write', () => snapshot.label(host, tag, change));
  await refreshSnapshots();
}

/** `name` is for the message: "version 1". */
export async function restore(tag: string, name: string): Promise<void> {
  await exclusively('write', () => snapshot.rollback(host, tag));
  await refreshFiles();
  toast.value = { text: `Restored ${name}`, undo: undoRestore };
}

/** Undoes the last restore, of all files or of some. */
export async function undoRestore(): Promise<void> {
  await exclusively('write', () => snapshot.undo(host));
  await refreshFiles();
  toast.value = { text: 'Undone' };
}

/** Takes these files back to the base. */
export async function undoFiles(changes: FileChange[]): Promise<void> {
  const paths = changes.flatMap(({ path, from }) => (from ? [path, from] : [path]));
  await exclusively('write', () => snapshot.rollback(host, base.peek()!, { paths }));
  await refreshFiles();
  toast.value = { text: changes.length === 1 ? `Undid ${changes[0]!.path}` : `Undid ${changes.length} files`, undo: undoRestore };
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
