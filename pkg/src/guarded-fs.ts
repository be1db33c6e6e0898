import { bytesToWrite, decode, encodingOf } from './encoding.js';
import { toLoopgateError } from './errors.js';
import { wasm } from './init.js';
import { textOf } from './text.js';
import type { GuardedFs, GuardedStat } from './loopgate.js';
import type { FsPort, FsStat, Phase } from './types/index.js';

/**
 * The same files, with the harness's rules enforced: hand this to a shell, an editor or a tool that the agent drives. Reads outside
 * the project, of `.git` and of `.loopgate` are denied too. No phase means build; check, review and accept allow no writes.
 */
export function guardFs(fs: FsPort, options: { dir: string; phase?: Phase; onDenied?(event: { path: string; rule: string }): void }): FsPort {
  const { GuardedFs } = wasm();
  try {
    return asFsPort(new GuardedFs(fs, options.dir, textOf('`phase`', options.phase ?? 'build'), options.onDenied));
  } catch (thrown) {
    throw toLoopgateError(thrown);
  }
}

/** The guard of the wasm module in the shape of `fs.promises`. Paths are absolute, or relative to the project. */
export function asFsPort(inner: GuardedFs): FsPort {
  return {
    async readFile(path, options) {
      const bytes = await inner.readFile(checked(path));
      return encodingOf(options) ? decode(bytes) : bytes;
    },
    async writeFile(path, data, options) {
      await inner.writeFile(checked(path), bytesToWrite(path, data, options));
    },
    readdir: async (path) => inner.readdir(checked(path)),
    mkdir: async (path, options) => inner.mkdir(checked(path), options?.recursive === true),
    rmdir: async (path) => inner.rmdir(checked(path)),
    unlink: async (path) => inner.unlink(checked(path)),
    rename: async (from, to) => inner.rename(checked(from), checked(to)),
    stat: async (path) => new Stat(await inner.stat(checked(path))),
    lstat: async (path) => new Stat(await inner.lstat(checked(path))),
    flush: async () => inner.flush(),
    ...(inner.hasLinks && {
      readlink: async (path) => inner.readlink(checked(path)),
      symlink: async (target, path) => inner.symlink(checked(target), checked(path)),
    }),
    ...(inner.hasModes && { chmod: async (path, mode) => inner.chmod(checked(path), mode) }),
  };
}

/** A path, for the wasm module: its bindings take anything for a string, and read past their memory then. */
function checked(path: unknown): string {
  if (typeof path === 'string') return path;
  throw Object.assign(new TypeError(`a path must be a string, not ${path === null ? 'null' : typeof path}`), { code: 'ERR_INVALID_ARG_TYPE' });
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
