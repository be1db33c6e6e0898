import { object, text } from './arguments.js';
import { bytesToWrite, decode, encodingOf, pathOf } from './encoding.js';
import { toLoopgateError } from './errors.js';
import { wasm } from './init.js';
import type { GuardedFs, GuardedStat } from './loopgate.js';
import type { FsPort, FsStat, Phase } from './types/index.js';

/**
 * The same file system, restricted to what the agent may do. Pass it to every shell, editor and tool that the agent drives. Reads
 * outside of the project, of `.git` and of `.loopgate` are denied, too. The default of `phase` is `build`; `check`, `review` and
 * `accept` allow no writes.
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

/** `fs.promises` over the guard of the wasm module. Relative paths start at the project. */
export function asFsPort(inner: GuardedFs): FsPort {
  return {
    async readFile(path, options) {
      const bytes = await inner.readFile(pathOf(path));
      return encodingOf(options) ? decode(bytes) : bytes;
    },
    async writeFile(path, data, options) {
      await inner.writeFile(pathOf(path), bytesToWrite(path, data, options));
    },
    readdir: async (path) => inner.readdir(pathOf(path)),
    mkdir: async (path, options) => inner.mkdir(pathOf(path), options?.recursive === true),
    rmdir: async (path) => inner.rmdir(pathOf(path)),
    unlink: async (path) => inner.unlink(pathOf(path)),
    rename: async (from, to) => inner.rename(pathOf(from), pathOf(to)),
    stat: async (path) => new Stat(await inner.stat(pathOf(path))),
    lstat: async (path) => new Stat(await inner.lstat(pathOf(path))),
    flush: () => inner.flush(),
    ...(inner.hasLinks && {
      readlink: async (path) => inner.readlink(pathOf(path)),
      symlink: async (target, path) => inner.symlink(pathOf(target), pathOf(path)),
    }),
    ...(inner.hasModes && { chmod: async (path, mode) => inner.chmod(pathOf(path), mode) }),
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
