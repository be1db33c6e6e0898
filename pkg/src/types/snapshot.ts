export interface SnapshotInfo {
  tag: string;
  oid: string;
  tree: string;
  message: string;
  at: number;
  files: number;
  changed: number;
}

export interface FileChange {
  path: string;
  change: 'added' | 'modified' | 'deleted' | 'renamed';
  from?: string;
}
