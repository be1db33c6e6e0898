import { object, text } from './arguments.js';
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
  const { dir, phase, onDenied } = object(options, 'options');
  try {
    return asFsPort(new GuardedFs(fs, dir, text(phase ?? 'build', 'phase'), onDenied));
  } catch (thrown) {
    throw toLoopgateError(thrown);
  }
}

/** The guard of the wasm module in the shape of `fs.promises`. Paths are absolute, or relative to the project. */
export function asFsPort(inner: GuardedFs): FsPort {
  return {
    async readFile(path, options) {
      const bytes = await inner.readFile(text(path, 'path'));
      return encodingOf(options) ? decode(bytes) : bytes;
    },
    async writeFile(path, data, options) {
      await inner.writeFile(text(path, 'path'), bytesToWrite(path, data, options));
    },
    readdir: async (path) => inner.readdir(text(path, 'path')),
    mkdir: async (path, options) => inner.mkdir(text(path, 'path'), options?.recursive === true),
    rmdir: async (path) => inner.rmdir(text(path, 'path')),
    unlink: async (path) => inner.unlink(text(path, 'path')),
    rename: async (from, to) => inner.rename(text(from, 'from'), text(to, 'to')),
    stat: async (path) => new Stat(await inner.stat(text(path, 'path'))),
    lstat: async (path) => new Stat(await inner.lstat(text(path, 'path'))),
    flush: () => inner.flush(),
    ...(inner.hasLinks && {
      readlink: async (path) => inner.readlink(text(path, 'path')),
      symlink: async (target, path) => inner.symlink(text(target, 'target'), text(path, 'path')),
    }),
    ...(inner.hasModes && { chmod: async (path, mode) => inner.chmod(text(path, 'path'), mode) }),
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
