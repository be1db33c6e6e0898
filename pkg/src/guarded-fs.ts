import { bytesToWrite, decode, encodingOf } from './encoding.js';
import { toLoopgateError } from './errors.js';
import { wasm } from './init.js';
import type { GuardedFs, GuardedStat } from './loopgate.js';
import type { FsPort, FsStat, Phase } from './types/index.js';

/**
 * The same files, with the harness's rules enforced: hand this to a shell, an editor or a tool that the agent drives. Reads outside
 * the project, of `.git` and of `.loopgate` are denied too. No phase means build; check, review and accept allow no writes.
 */
export function guardFs(fs: FsPort, options: { dir: string; phase?: Phase; onDenied?(event: { path: string; rule: string }): void }): FsPort {
  const { GuardedFs } = wasm();
  try {
    return asFsPort(new GuardedFs(fs, options.dir, options.phase ?? 'build', options.onDenied));
  } catch (thrown) {
    throw toLoopgateError(thrown);
  }
}

/** The guard of the wasm module in the shape of `fs.promises`. Paths are absolute, or relative to the project. */
export function asFsPort(inner: GuardedFs): FsPort {
  return {
    async readFile(path, options) {
      const bytes = await inner.readFile(path);
      return encodingOf(options) ? decode(bytes) : bytes;
    },
    async writeFile(path, data, options) {
      await inner.writeFile(path, bytesToWrite(path, data, options));
    },
    readdir: (path) => inner.readdir(path),
    mkdir: (path, options) => inner.mkdir(path, options?.recursive === true),
    rmdir: (path) => inner.rmdir(path),
    unlink: (path) => inner.unlink(path),
    rename: (from, to) => inner.rename(from, to),
    stat: async (path) => new Stat(await inner.stat(path)),
    lstat: async (path) => new Stat(await inner.lstat(path)),
    flush: () => inner.flush(),
    ...(inner.hasLinks && {
      readlink: (path) => inner.readlink(path),
      symlink: (target, path) => inner.symlink(target, path),
    }),
    ...(inner.hasModes && { chmod: (path, mode) => inner.chmod(path, mode) }),
  };
}

class Stat implements FsStat {
  readonly size: number;
  readonly mtimeMs: number;
  declare readonly mode?: number;
  readonly #kind: GuardedStat['kind'];

  constructor(stat: GuardedStat) {
    this.#kind = stat.kind;
    this.size = stat.size;
    this.mtimeMs = stat.mtimeMs;
    if (stat.mode !== undefined) this.mode = stat.mode;
  }

  get mtime(): Date {
    return new Date(this.mtimeMs);
  }

  isFile(): boolean {
    return this.#kind === 'file';
  }

  isDirectory(): boolean {
    return this.#kind === 'directory';
  }

  isSymbolicLink(): boolean {
    return this.#kind === 'symlink';
  }
}
