/** The project's snapshots. */
import { signal } from '@preact/signals';
import { snapshot, type FileChange, type SnapshotInfo } from 'loopgate';
import { buildProject } from '../host/build';
import { host } from '../host/host';
import { latest } from '../latest';
import { refreshFiles } from '../project/project';
import { exists } from '../project/storage';

export interface RollbackPlan {
  tag: string;
  restored: string[];
  deleted: string[];
}

/** A dry run of a rollback, as changes from the present files to the snapshot. */
export interface PlannedRollback {
  restored: FileChange[];
  deleted: FileChange[];
}

export const snapshots = signal<SnapshotInfo[]>([]);
/** The list is being read, so rows may move. */
export const refreshing = signal(false);
export const snapshotError = signal<string | null>(null);
export const lastRollback = signal<RollbackPlan | null>(null);

export const refreshSnapshots = latest(async () => {
  refreshing.value = true;
  try {
    snapshots.value = (await snapshot.list(host)).toReversed();
    snapshotError.value = null;
  } catch (error) {
    snapshotError.value = messageOf(error);
  } finally {
    refreshing.value = false;
  }
});

export async function saveSnapshot(message: string): Promise<void> {
  await snapshot.save(host, { message });
  await refreshSnapshots();
}

export async function planRollback(tag: string): Promise<PlannedRollback> {
  const { restored, deleted } = await snapshot.rollback(host, tag, { dryRun: true });
  const restoring = async (path: string): Promise<FileChange> => ({ path, change: (await exists(path)) ? 'modified' : 'added' });
  return { restored: await Promise.all(restored.map(restoring)), deleted: deleted.map((path) => ({ path, change: 'deleted' })) };
}

export async function rollBack(tag: string): Promise<void> {
  const { restored, deleted } = await snapshot.rollback(host, tag);
  lastRollback.value = { tag, restored, deleted };
  await showFiles();
}

export async function undoRollback(): Promise<void> {
  await snapshot.undo(host);
  lastRollback.value = null;
  await showFiles();
}

async function showFiles(): Promise<void> {
  await refreshFiles();
  await refreshSnapshots();
  await buildProject();
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
