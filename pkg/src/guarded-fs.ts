import { fields, text } from './arguments.js';
import { bytesToWrite, decode, encodingOf, pathOf } from './encoding.js';
import { toLoopgateError } from './errors.js';
import { wasm } from './init.js';
import { property } from './own.js';
import type { GuardedFs, GuardedStat } from './loopgate.js';
import type { AsyncFsPort, Config, FsPort, FsStat, Phase } from './types/index.js';

/**
 * The same file system, restricted to what the agent may do. Pass it to every shell, editor and tool that the agent drives. Reads
 * outside of the project, of `.git` and of `.loopgate` are denied, too. The default of `phase` is `build`; `check`, `review` and
 * `accept` allow no writes. With `config`, the rules of its `policy` and `guard.deny` hold, for calls of `tool` (default: `shell`).
 */
export function guardFs(
  fs: FsPort,
  options: { dir: string; phase?: Phase; config?: Config; tool?: string; onDenied?(event: { path: string; rule: string }): void },
): AsyncFsPort {
  const { GuardedFs } = wasm();
  const { dir, phase, config, tool, onDenied } = fields(options, 'options', 'dir', 'phase', 'config', 'tool', 'onDenied');
  const rules = config && fields(config, 'config', 'values', 'origins');
  try {
    return asFsPort(new GuardedFs(fs, dir, text(phase ?? 'build', 'phase'), onDenied, rules, text(tool ?? 'shell', 'tool')));
  } catch (thrown) {
    throw toLoopgateError(thrown);
  }
}

/** `fs.promises` over the guard of the wasm module. Relative paths start at the project. */
export function asFsPort(inner: GuardedFs): AsyncFsPort {
  const call = async <T = void>(method: keyof FsPort, path: string, argument?: unknown) => (await inner.call(method, pathOf(path), argument)) as T;
  return {
    async readFile(path, options) {
      const bytes = await call<Uint8Array>('readFile', path);
      return encodingOf(options) ? decode(bytes) : bytes;
    },
    writeFile: async (path, data, options) => call('writeFile', path, bytesToWrite(pathOf(path), data, options)),
    readdir: (path) => call<string[]>('readdir', path),
    mkdir: (path, options) => call('mkdir', path, property(options, 'recursive') === true),
    rmdir: (path) => call('rmdir', path),
    unlink: (path) => call('unlink', path),
    rename: async (from, to) => call('rename', from, pathOf(to)),
    stat: async (path) => new Stat(await call<GuardedStat>('stat', path)),
    lstat: async (path) => new Stat(await call<GuardedStat>('lstat', path)),
    flush: () => call('flush', '/'),
    ...(inner.hasLinks && {
      readlink: (path) => call<string>('readlink', path),
      symlink: async (target, path) => call('symlink', target, pathOf(path)),
    }),
    ...(inner.hasModes && { chmod: (path, mode) => call('chmod', path, mode) }),
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
    const mode = property(stat, 'mode');
    if (mode !== undefined) this.mode = mode;
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
