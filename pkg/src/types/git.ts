/** Plumbing only: loopgate builds snapshots, diffs and rollbacks itself from objects and refs. */
export interface GitPort {
  init(): Promise<void>;
  resolveRef(ref: string): Promise<string | null>;
  writeRef(ref: string, oid: string, options?: { expect?: string | null }): Promise<void>;
  deleteRef(ref: string): Promise<void>;
  listTags(): Promise<string[]>;
  currentBranch(): Promise<string | null>;
  readCommit(oid: string): Promise<{ tree: string; parents: string[]; message: string; author: GitPerson }>;
  readTree(oid: string): Promise<Array<{ mode: string; path: string; oid: string; type: 'blob' | 'tree' | 'commit' }>>;
  readBlob(oid: string): Promise<Uint8Array>;
  writeBlob(bytes: Uint8Array): Promise<string>;
  writeTree(entries: Array<{ mode: string; path: string; oid: string; type: 'blob' | 'tree' }>): Promise<string>;
  writeCommit(commit: { tree: string; parents: string[]; message: string; author: GitPerson }): Promise<string>;
  /** Optional fast path: the file in which git keeps an object alone (zlib); null where it is kept otherwise. */
  readObject?(oid: string): Promise<Uint8Array | null>;
  /** Optional fast path: finished objects, in any order, each as the file in which git keeps it alone (zlib). One that exists stays as it is. */
  writeObjects?(objects: Array<{ oid: string; file: Uint8Array }>): Promise<void>;
  /** Optional fast path: many objects in one packfile, and its index, which must never be seen before its pack or in part. */
  writePack?(pack: Uint8Array, index?: Uint8Array): Promise<void>;
}

/** `timestamp` counts seconds, as git does; `timezoneOffset` minutes west of UTC, as JavaScript does. */
export interface GitPerson {
  name: string;
  email: string;
  timestamp: number;
  timezoneOffset: number;
}
