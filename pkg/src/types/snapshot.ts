/**
 * Why a snapshot was saved: before a task or the chunks of a spec (`pre`), after accepted work (`post`), before a piece of work within
 * a run (`base`), work that is judged (`candidate`), after an iteration, what a rollback replaced (`undo`), or because the user, the
 * IDE or the agent asked for it (`manual`).
 */
export type SnapshotKind = 'pre' | 'post' | 'base' | 'candidate' | 'iteration' | 'undo' | 'manual';

export interface SnapshotInfo {
  tag: string;
  kind: SnapshotKind;
  /** The run that saved it. */
  runId?: string;
  /** The name for people. */
  name?: string;
  /** loopgate neither removes nor replaces it. */
  pinned?: boolean;
  /** The commit; a save without changes shares the commit of the snapshot before. */
  oid: string;
  tree: string;
  /** The message of the save; the tag if there was none. */
  message: string;
  /** Later than the time of every snapshot before it, even if the clock goes back. */
  at: number;
  files: number;
  /** Number of files that differ from the snapshot before it; for the first one, from HEAD's commit or an empty project. */
  changed: number;
  /** Warnings for the user, such as a file that git cannot store; absent if there are none. */
  warnings?: string[];
}

/** The effect of a rollback or an undo, or of its dry run. */
export interface Rollback {
  /** The restored snapshot, or the one that its `paths` come from. */
  tag: string;
  /** Files that differed; the rollback wrote them. */
  restored: string[];
  /** Files that the snapshot does not have; the rollback removed them. */
  deleted: string[];
  /** The snapshot of the state before the rollback; empty in a dry run. */
  undo: string;
  /** As of a snapshot. */
  warnings?: string[];
}

/** The position of the project among its snapshots. */
export interface SnapshotStatus {
  /** The snapshot with the same files. */
  current: string | null;
  /** Changes since the last snapshot, or since the restored one. */
  changes: FileChange[];
  last: SnapshotInfo | null;
  /** As of a snapshot. */
  warnings?: string[];
}

export interface FileChange {
  path: string;
  change: 'added' | 'modified' | 'deleted' | 'renamed';
  from?: string;
}
