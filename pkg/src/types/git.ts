import type { MaybePromise } from './maybe-promise.js';

/** Plumbing only: loopgate implements snapshots, diffs and rollbacks with objects and refs. */
export interface GitPort {
  init(): MaybePromise<void>;
  /** The id that a full ref points to, such as `refs/heads/main`, `HEAD` or `MERGE_HEAD`; null if there is none. */
  resolveRef(ref: string): MaybePromise<string | null>;
  writeRef(ref: string, oid: string, options?: { expect?: string | null }): MaybePromise<void>;
  deleteRef(ref: string): MaybePromise<void>;
  listTags(): MaybePromise<string[]>;
  /**
   * Optional, for speed: the names of the refs below a folder such as `refs/tags`, without the folder; an empty array if there are
   * none. The names in `known` are refs and no folders, so their stats need not be read. Without it, the core reads `.git/refs` in
   * the project's folder for refs that are no tags.
   */
  listRefs?(folder: string, known?: string[]): MaybePromise<string[]>;
  /**
   * Optional, for speed: the refs below folders such as `refs/tags`, by their full names, each with the id that it has if that takes no
   * further call, otherwise null. Reads `packed-refs` once. `known` as in `listRefs`, with full names. Without it, each ref is resolved.
   */
  readRefs?(folders: string[], known?: string[]): MaybePromise<Array<{ ref: string; oid: string | null }>>;
  currentBranch(): MaybePromise<string | null>;
  readCommit(oid: string): MaybePromise<{ tree: string; parents: string[]; message: string; author: GitPerson }>;
  readTree(oid: string): MaybePromise<Array<{ mode: string; path: string; oid: string; type: 'blob' | 'tree' | 'commit' }>>;
  readBlob(oid: string): MaybePromise<Uint8Array>;
  writeBlob(bytes: Uint8Array): MaybePromise<string>;
  writeTree(entries: Array<{ mode: string; path: string; oid: string; type: 'blob' | 'tree' }>): MaybePromise<string>;
  writeCommit(commit: { tree: string; parents: string[]; message: string; author: GitPerson }): MaybePromise<string>;
  /** Optional, for speed: the content of an object's loose file (zlib); null if the object is not loose. */
  readObject?(oid: string): MaybePromise<Uint8Array | null>;
  /** Optional, for speed: writes loose objects, in any order; `file` is the content of the file (zlib). Existing objects are not rewritten. */
  writeObjects?(objects: Array<{ oid: string; file: Uint8Array }>): MaybePromise<void>;
  /** Optional, for speed: writes a packfile and its index. The index must never be visible before the pack, or incomplete. */
  writePack?(pack: Uint8Array, index?: Uint8Array): MaybePromise<void>;
  /** Optional: points HEAD to a branch, with or without a commit. Without it, the core writes `.git/HEAD` in the project's folder. */
  writeHead?(branch: string): MaybePromise<void>;
  /** Optional: the bytes of git's index; null if there is none. Without it, the core reads `.git/index` in the project's folder. */
  readIndex?(): MaybePromise<Uint8Array | null>;
  /** Optional: replaces git's index; a crash must not leave a partial file. Without it, the core writes `.git/index` in the project's folder. */
  writeIndex?(bytes: Uint8Array): MaybePromise<void>;
  /** Optional: `user.name` and `user.email` of the repository, the author of commits; null if one is missing. */
  user?(): MaybePromise<{ name: string; email: string } | null>;
}

/** `timestamp` is in seconds, as in git; `timezoneOffset` is in minutes west of UTC, as in JavaScript. */
export interface GitPerson {
  name: string;
  email: string;
  timestamp: number;
  timezoneOffset: number;
}
