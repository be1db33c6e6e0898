import type { MaybePromise, Promised } from './maybe-promise.js';

/** The `fs.promises` subset that LightningFS `.promises`, ZenFS, memfs and `node:fs/promises` share. */
export interface FsPort {
  readFile(path: string, options?: any): MaybePromise<Uint8Array | string>;
  writeFile(path: string, data: Uint8Array | string, options?: any): MaybePromise<void>;
  /** Adds to the end of a file, which it creates. With it, a crash during a write of the journal loses only the new lines; without it, each write of the journal is a new file that is moved into place. */
  appendFile?(path: string, data: Uint8Array | string, options?: any): MaybePromise<void>;
  readdir(path: string): MaybePromise<string[]>;
  mkdir(path: string, options?: any): MaybePromise<unknown>;
  rmdir(path: string): MaybePromise<void>;
  unlink(path: string): MaybePromise<void>;
  rename(from: string, to: string): MaybePromise<void>;
  stat(path: string): MaybePromise<FsStat>;
  lstat?(path: string): MaybePromise<FsStat>;
  /** Without these three, the agent cannot use symbolic links, and snapshots skip them with a warning. */
  readlink?(path: string): MaybePromise<string>;
  symlink?(target: string, path: string): MaybePromise<void>;
  chmod?(path: string, mode: number): MaybePromise<void>;
  /** `false` if these methods only exist because isomorphic-git requires them. */
  hasLinks?: boolean;
  /** Makes all writes so far durable (LightningFS has it). Called after the journal is written. */
  flush?(): MaybePromise<void>;
}

/** A file system whose methods return promises. */
export type AsyncFsPort = Promised<FsPort>;

export interface FsStat {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink?(): boolean;
  size: number;
  mtimeMs: number;
  mode?: number;
}
