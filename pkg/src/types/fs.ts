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
  /** Without these three, symbolic links are denied to the agent and left out of snapshots with a note. */
  readlink?(path: string): Promise<string>;
  symlink?(target: string, path: string): Promise<void>;
  chmod?(path: string, mode: number): Promise<void>;
  /** `false` where the three are only there because isomorphic-git asks for them. */
  hasLinks?: boolean;
  /** Makes everything written so far durable (LightningFS has it). Called at every journal barrier. */
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
