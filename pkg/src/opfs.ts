import { optionalFields } from './arguments.js';
import { bytesToWrite, decode, encodingOf } from './encoding.js';
import { LoopgateError } from './errors.js';
import { asFsError, FsError, isNamed } from './opfs/error.js';
import { isFolder, retryLocked } from './opfs/handles.js';
import { lastOf, namesIn, parentOf, WRITING, type Names } from './opfs/path.js';
import { rename } from './opfs/rename.js';
import { Stat } from './opfs/stat.js';
import { Tree } from './opfs/tree.js';
import { Writer, type Handles } from './opfs/write.js';
import { property } from './own.js';
import type { FsPort } from './types/fs.js';

export interface OpfsOptions {
  /** The folder for `/`; default: the root of the origin private file system. */
  root?: FileSystemDirectoryHandle;
  /** Default: `sync` in workers, where such handles exist, otherwise `async`. */
  handles?: Handles;
}

/**
 * The origin private file system with the API of `fs.promises`. For isomorphic-git, pass `{ promises: opfs() }`. Writes are atomic,
 * and durable when the promise resolves. Errors have the codes of Node.js. Links and modes are not supported.
 */
export function opfs(options: OpfsOptions = {}): FsPort & Required<Pick<FsPort, 'lstat' | 'readlink' | 'symlink' | 'flush'>> {
  const given = optionalFields(options, 'options', 'root', 'handles');
  const root = rootOf(given);
  const tree = new Tree(root);
  const writer = new Writer(root, handlesOf(given));

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

    /** Atomic as well: the file has the old content or all of the new one. */
    appendFile: call('open', async (names, path, data: Uint8Array | string, options?: unknown) => {
      const added = bytesToWrite(path, data, options);
      if (names.length === 0) throw new FsError('EISDIR', 'open', path);
      const found = await tree.find(names);
      const old = found && !isFolder(found) ? await contents(found) : new Uint8Array();
      const bytes = new Uint8Array(old.length + added.length);
      bytes.set(old);
      bytes.set(added, old.length);
      const folder = await tree.folder(parentOf(names));
      await writer.write(folder, lastOf(names), bytes, path).catch(mismatch('EISDIR', 'open', path));
    }),

    readdir: call('scandir', async (names, _, options?: unknown) => {
      const found = await tree.list(names);
      if (names.length === 0) found.delete(WRITING);
      // As `Dirent` of Node.js; `AsyncFsPort` has no overload for it.
      const entries: any[] = property(options, 'withFileTypes')
        ? [...found].map(([name, isFolder]) => ({ name, isDirectory: () => isFolder, isFile: () => !isFolder, isSymbolicLink: () => false }))
        : [...found.keys()];
      return entries;
    }),

    mkdir: call('mkdir', async (names, path, options?: unknown) => {
      if (property(options, 'recursive')) {
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
      await retryLocked(() => parent.removeEntry(lastOf(names)));
      tree.forget(names);
    }),

    unlink: call('unlink', async (names, path) => {
      if (names.length === 0) throw new FsError('EISDIR', 'unlink', path);
      const parent = await tree.folder(parentOf(names));
      await parent.getFileHandle(lastOf(names)).catch(mismatch('EISDIR', 'unlink', path));
      await retryLocked(() => parent.removeEntry(lastOf(names)));
      tree.forget(names);
    }),

    rename: call('rename', async (source, from, to: string) => {
      const target = namesIn(to);
      if (!target) throw new FsError('EINVAL', 'rename', String(to));
      await rename(tree, source, target, from);
    }),

    stat,
    lstat: stat,

    // isomorphic-git requires these two.
    hasLinks: false,
    readlink: call('readlink', async (names, path) => {
      throw new FsError((await tree.find(names)) ? 'EINVAL' : 'ENOENT', 'readlink', path);
    }),
    symlink: (_, path) => call('symlink', async () => {
      throw new FsError('ENOSYS', 'symlink', path, { why: 'links are not supported' });
    })(path),

    async flush() {},
  };

  /** Wraps a method: parses the path and converts errors to errors as in Node.js. */
  function call<More extends unknown[], T>(syscall: string, work: (names: Names, path: string, ...more: More) => Promise<T>) {
    return async (path: string, ...more: More): Promise<T> => {
      const names = namesIn(path);
      if (!names) throw new FsError('EINVAL', syscall, String(path));
      try {
        return await work(names, path, ...more);
      } catch (thrown) {
        // Another tab may have replaced an entry, so cached handles may be stale. Handles stay valid if an entry is removed and created again.
        if (!(thrown instanceof FsError) && !isNamed(thrown, 'NotFoundError')) tree.forget([]);
        throw asFsError(thrown, syscall, path);
      }
    };
  }
}

/** Throws with this code if a file is in the place of a folder, or the other way round. */
function mismatch(code: 'EISDIR' | 'EEXIST', syscall: string, path: string) {
  return (thrown: unknown): never => {
    throw isNamed(thrown, 'TypeMismatchError') ? new FsError(code, syscall, path, { cause: thrown }) : thrown;
  };
}

/** Retries if the file is replaced during the read. */
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
  const storage: StorageManager | undefined = property(globalThis.navigator, 'storage');
  if (typeof storage?.getDirectory !== 'function') {
    throw new LoopgateError('the origin private file system is not available: it requires a browser and a secure context (https or localhost)', { code: 'unsupported' });
  }
  let origin: Promise<FileSystemDirectoryHandle> | undefined;
  return () => {
    origin ??= storage.getDirectory();
    origin.catch(() => (origin = undefined));
    return origin;
  };
}

function handlesOf({ handles }: OpfsOptions): Handles {
  const methods: unknown = property(globalThis.FileSystemFileHandle, 'prototype');
  const has = { sync: !!property(methods, 'createSyncAccessHandle'), async: !!property(methods, 'createWritable') };
  const chosen = handles ?? (has.sync ? 'sync' : 'async');
  if (!has[chosen]) {
    const advice = chosen === 'sync' ? 'they exist only in dedicated workers' : 'use `opfs` in a worker with `handles: "sync"`';
    throw new LoopgateError(`${chosen} file handles are not available: ${advice}`, { code: 'unsupported' });
  }
  return chosen;
}
