/** A snapshot. */
export interface SnapshotInfo {
  tag: string;
  /** The commit; a save without changes shares that of the snapshot before. */
  oid: string;
  tree: string;
  /** What was said when it was saved; the tag where nothing was. */
  message: string;
  /** Later than that of every snapshot before it, whatever the clock says. */
  at: number;
  files: number;
  /** How many files differ from the snapshot that was saved before it; for the first one, from HEAD's commit or from nothing. */
  changed: number;
  /** What the user should know about, such as a file that git cannot hold; absent where there is nothing. */
  warnings?: string[];
}

/** What a rollback or an undo did, or would do. */
export interface Rollback {
  /** The snapshot that the project was brought back to. */
  tag: string;
  /** The files that differed and were written. */
  restored: string[];
  /** The files that were extra and were removed. */
  deleted: string[];
  /** The snapshot of what was replaced; empty in a dry run. */
  undo: string;
  /** As of a snapshot. */
  warnings?: string[];
}

/** Where the project stands among its snapshots. */
export interface SnapshotStatus {
  /** The snapshot that equals the files. */
  current: string | null;
  /** What changed since the last one, or since the one that was rolled back to. */
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
