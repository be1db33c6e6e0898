import type { FsStat } from '../types/fs.js';

/** Folders have no time. isomorphic-git reads the mode, the owner and the inode, which the browser does not have. */
export class Stat implements FsStat {
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly mode: number;
  readonly dev = 0;
  readonly ino = 0;
  readonly uid = 0;
  readonly gid = 0;

  /** Without a file, it describes a folder. */
  constructor(file?: File) {
    this.size = file?.size ?? 0;
    this.mtimeMs = file?.lastModified ?? 0;
    this.ctimeMs = this.mtimeMs;
    this.mode = file ? 0o100644 : 0o040755;
  }

  get mtime(): Date {
    return new Date(this.mtimeMs);
  }

  get ctime(): Date {
    return new Date(this.ctimeMs);
  }

  isFile(): boolean {
    return this.mode === 0o100644;
  }

  isDirectory(): boolean {
    return !this.isFile();
  }

  isSymbolicLink(): boolean {
    return false;
  }
}
