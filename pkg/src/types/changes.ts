/** A run by its id, or the newest run of a task by the number of the task. */
export type RunRef = { runId: string } | { taskNumber: number };

/** A file that changed in a run. */
export interface RunChange {
  path: string;
  change: 'added' | 'modified' | 'deleted' | 'renamed';
  /** Where a renamed file was. */
  from?: string;
  /** `agent`: also the harness, for the agent. */
  by: 'agent' | 'user' | 'both';
  /** New lines; 0 for a file that is not text. Over 1 MB or 20,000 lines, files are not compared: all lines count as new and removed. */
  added: number;
  removed: number;
}

/** The effect of `revert`. */
export interface Reverted {
  /** The files that changed. */
  reverted: string[];
  /** Files in which the user changed the same lines, or any line of a file over 1 MB or 20,000 lines. They are unchanged. */
  conflicts: string[];
  /** The snapshot of the state before; empty if no file that snapshots have changed. `snapshot.undo` restores it. */
  undo: string;
}
