import { FsError, isNamed } from './error.js';
import { retryLocked, type Movable, type SyncFileHandle } from './handles.js';
import { WRITING } from './path.js';

export type Handles = 'sync' | 'async';

/** Older files in {@link WRITING} were left by a closed tab. */
const ABANDONED_MS = 60_000;

/**
 * Writes files atomically: after a crash, a path has the old content or all of the new content. A temporary file is written and
 * moved to the path, because a new file would be empty at first and synchronous handles write in place. For existing files,
 * `createWritable` does the same.
 */
export class Writer {
  readonly #root: () => Promise<FileSystemDirectoryHandle>;
  readonly #handles: Handles;
  #aside: Promise<FileSystemDirectoryHandle> | undefined;

  constructor(root: () => Promise<FileSystemDirectoryHandle>, handles: Handles) {
    this.#root = root;
    this.#handles = handles;
  }

  /** Creates or replaces a file. Rejects with the browser's error if the name is a folder. */
  async write(folder: FileSystemDirectoryHandle, name: string, bytes: Uint8Array, path: string): Promise<void> {
    const present = await folder.getFileHandle(name).catch((error) => {
      if (isNamed(error, 'NotFoundError')) return null;
      throw error;
    });
    if (present && this.#handles === 'async') return replace(present, bytes);
    await this.#moveIn(folder, name, bytes, path);
  }

  async #moveIn(folder: FileSystemDirectoryHandle, name: string, bytes: Uint8Array, path: string): Promise<void> {
    const draft = crypto.randomUUID();
    const { aside, file } = await this.#create(draft).catch(() => this.#create(draft));
    try {
      if (this.#handles === 'sync') await fill(file as SyncFileHandle, bytes, path);
      else await replace(file, bytes);
      await retryLocked(() => (file as Movable).move!(folder, name));
    } catch (error) {
      await aside.removeEntry(draft).catch(() => {});
      throw error;
    }
  }

  /** Creates a temporary file. If that fails, the folder may have been removed; the next call creates it again. */
  async #create(draft: string): Promise<{ aside: FileSystemDirectoryHandle; file: FileSystemFileHandle }> {
    try {
      this.#aside ??= this.#root().then((root) => root.getDirectoryHandle(WRITING, { create: true })).then(sweep);
      const aside = await this.#aside;
      return { aside, file: await aside.getFileHandle(draft, { create: true }) };
    } catch (error) {
      this.#aside = undefined;
      throw error;
    }
  }
}

/** Removes the files that closed tabs have left. */
async function sweep(aside: FileSystemDirectoryHandle): Promise<FileSystemDirectoryHandle> {
  for await (const [name, draft] of aside.entries()) {
    const file = await (draft as FileSystemFileHandle).getFile().catch(() => null);
    if (file && file.lastModified < Date.now() - ABANDONED_MS) await aside.removeEntry(name).catch(() => {});
  }
  return aside;
}

/** Writes a new file and flushes it. */
async function fill(file: SyncFileHandle, bytes: Uint8Array, path: string): Promise<void> {
  const access = await retryLocked(() => file.createSyncAccessHandle());
  try {
    if (access.write(bytes, { at: 0 }) !== bytes.length) throw new FsError('ENOSPC', 'write', path);
    access.flush();
  } finally {
    access.close();
  }
}

/** Replaces the content atomically, when the stream is closed. */
async function replace(file: FileSystemFileHandle, bytes: Uint8Array): Promise<void> {
  const stream = await retryLocked(() => file.createWritable());
  try {
    await stream.write(bytes as Uint8Array<ArrayBuffer>);
    await stream.close();
  } catch (error) {
    await stream.abort().catch(() => {});
    throw error;
  }
}
