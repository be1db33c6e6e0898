/** The `fs.promises` subset that LightningFS `.promises`, ZenFS, memfs and `node:fs/promises` share. */
export interface FsPort {
  readFile(path: string, options?: any): Promise<Uint8Array | string>;
  writeFile(path: string, data: Uint8Array | string, options?: any): Promise<void>;
  readdir(path: string): Promise<string[]>;
  mkdir(path: string, options?: any): Promise<unknown>;
  rmdir(path: string): Promise<void>;
  unlink(path: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  stat(path: string): Promise<FsStat>;
  lstat?(path: string): Promise<FsStat>;
  /** Without these three, the agent cannot use symbolic links, and snapshots skip them with a warning. */
  readlink?(path: string): Promise<string>;
  symlink?(target: string, path: string): Promise<void>;
  chmod?(path: string, mode: number): Promise<void>;
  /** `false` if these methods only exist because isomorphic-git requires them. */
  hasLinks?: boolean;
  /** Makes all writes so far durable (LightningFS has it). Called after the journal is written. */
  flush?(): Promise<void>;
}

export interface FsStat {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink?(): boolean;
  size: number;
  mtimeMs: number;
  mode?: number;
}
