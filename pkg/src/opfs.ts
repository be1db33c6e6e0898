import { bytesToWrite, decode, encodingOf } from './encoding.js';
import { LoopgateError } from './errors.js';
import { asFsError, FsError, isNamed } from './opfs/error.js';
import { isFolder, patiently } from './opfs/handles.js';
import { lastOf, namesIn, parentOf, WRITING, type Names } from './opfs/path.js';
import { rename } from './opfs/rename.js';
import { Stat } from './opfs/stat.js';
import { Tree } from './opfs/tree.js';
import { Writer, type Handles } from './opfs/write.js';
import type { FsPort } from './types/fs.js';

export interface OpfsOptions {
  /** What `/` is; default: the root of the origin's private file system. */
  root?: FileSystemDirectoryHandle;
  /** What files are written with; default: `sync` where there are such handles, that is in a worker, else `async`. */
  handles?: Handles;
}

/**
 * The origin private file system in the shape of `fs.promises`; isomorphic-git takes `{ promises: opfs() }`. A file is
 * written whole or not at all, and durable when the promise settles. Errors have the codes of Node.js. There are no
 * links and no modes.
 */
export function opfs(options: OpfsOptions = {}): FsPort & Required<Pick<FsPort, 'lstat' | 'readlink' | 'symlink' | 'flush'>> {
  const root = rootOf(options);
  const tree = new Tree(root);
  const writer = new Writer(root, handlesOf(options));

  const stat = call('stat', async (names, path) => {
    const file = await tree.listed(names);
    if (file) return new Stat(file);
    const found = await tree.find(names);
    if (!found) throw new FsError('ENOENT', 'stat', path);
    return isFolder(found) ? new Stat() : new Stat(await found.getFile());
  });

  return {
    readFile: call('open', async (names, path, options?: unknown) => {
      const encoding = encodingOf(options);
      const found = await tree.find(names);
      if (!found) throw new FsError('ENOENT', 'open', path);
      if (isFolder(found)) throw new FsError('EISDIR', 'read', path);
      const bytes = await contents(found);
      return encoding ? decode(bytes) : bytes;
    }),

    writeFile: call('open', async (names, path, data: Uint8Array | string, options?: unknown) => {
      const bytes = bytesToWrite(path, data, options);
      if (names.length === 0) throw new FsError('EISDIR', 'open', path);
      const folder = await tree.folder(parentOf(names));
      await writer.write(folder, lastOf(names), bytes, path).catch(mismatch('EISDIR', 'open', path));
    }),

    readdir: call('scandir', async (names) => {
      const found = await tree.list(names);
      return names.length > 0 ? found : found.filter((name) => name !== WRITING);
    }),

    mkdir: call('mkdir', async (names, path, options?: unknown) => {
      if ((options as { recursive?: boolean } | null | undefined)?.recursive) {
        for (let depth = 1; depth < names.length; depth++) await tree.create(names.slice(0, depth));
        if (names.length > 0) await tree.create(names).catch(mismatch('EEXIST', 'mkdir', path));
      } else {
        if (await tree.find(names)) throw new FsError('EEXIST', 'mkdir', path);
        await tree.create(names);
      }
    }),

    rmdir: call('rmdir', async (names, path) => {
      if (names.length === 0) throw new FsError('EBUSY', 'rmdir', path);
      const parent = await tree.folder(parentOf(names));
      await parent.getDirectoryHandle(lastOf(names));
      await patiently(() => parent.removeEntry(lastOf(names)));
      tree.forget(names);
    }),

    unlink: call('unlink', async (names, path) => {
      if (names.length === 0) throw new FsError('EISDIR', 'unlink', path);
      const parent = await tree.folder(parentOf(names));
      await parent.getFileHandle(lastOf(names)).catch(mismatch('EISDIR', 'unlink', path));
      await patiently(() => parent.removeEntry(lastOf(names)));
      tree.forget(names);
    }),

    rename: call('rename', async (source, from, to: string) => {
      const target = namesIn(to);
      if (!target) throw new FsError('EINVAL', 'rename', String(to));
      await rename(tree, source, target, from);
    }),

    stat,
    lstat: stat,

    // isomorphic-git does not start without these two.
    hasLinks: false,
    readlink: call('readlink', async (names, path) => {
      throw new FsError((await tree.find(names)) ? 'EINVAL' : 'ENOENT', 'readlink', path);
    }),
    symlink: (_, path) => call('symlink', async () => {
      throw new FsError('ENOSYS', 'symlink', path, { why: 'this file system has no links' });
    })(path),

    async flush() {},
  };

  /** A method: the path is read, and whatever is thrown becomes an error of Node.js. */
  function call<More extends unknown[], T>(syscall: string, work: (names: Names, path: string, ...more: More) => Promise<T>) {
    return async (path: string, ...more: More): Promise<T> => {
      const names = namesIn(path);
      if (!names) throw new FsError('EINVAL', syscall, String(path));
      try {
        return await work(names, path, ...more);
      } catch (thrown) {
        // Another tab may have put something else in place of what is remembered; what it removed and made again is the same.
        if (!(thrown instanceof FsError) && !isNamed(thrown, 'NotFoundError')) tree.forget([]);
        throw asFsError(thrown, syscall, path);
      }
    };
  }
}

/** Where it fails because the other kind of entry is there, it fails with this code. */
function mismatch(code: 'EISDIR' | 'EEXIST', syscall: string, path: string) {
  return (thrown: unknown): never => {
    throw isNamed(thrown, 'TypeMismatchError') ? new FsError(code, syscall, path, { cause: thrown }) : thrown;
  };
}

/** A file that is replaced while it is read is read again. */
async function contents(handle: FileSystemFileHandle): Promise<Uint8Array> {
  for (let tries = 1; ; tries++) {
    try {
      return new Uint8Array(await (await handle.getFile()).arrayBuffer());
    } catch (error) {
      if (tries === 3 || !isNamed(error, 'NotReadableError', 'AbortError')) throw error;
    }
  }
}

function rootOf({ root }: OpfsOptions): () => Promise<FileSystemDirectoryHandle> {
  if (root) return async () => root;
  const storage = globalThis.navigator?.storage;
  if (typeof storage?.getDirectory !== 'function') {
    throw new LoopgateError('there is no origin private file system here: it takes a browser and a secure context (https, or localhost)', { code: 'unsupported' });
  }
  let origin: Promise<FileSystemDirectoryHandle> | undefined;
  return () => {
    origin ??= storage.getDirectory();
    origin.catch(() => (origin = undefined));
    return origin;
  };
}

function handlesOf({ handles }: OpfsOptions): Handles {
  const { prototype } = globalThis.FileSystemFileHandle ?? {};
  const has = { sync: 'createSyncAccessHandle' in Object(prototype), async: 'createWritable' in Object(prototype) };
  const chosen = handles ?? (has.sync ? 'sync' : 'async');
  if (!has[chosen]) {
    const advice = chosen === 'sync' ? 'they are for dedicated workers' : 'use it in a worker, with handles "sync"';
    throw new LoopgateError(`there are no ${chosen} handles for files here: ${advice}`, { code: 'unsupported' });
  }
  return chosen;
}
