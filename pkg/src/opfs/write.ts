import { FsError, isNamed } from './error.js';
import { patiently, type Movable, type SyncFileHandle } from './handles.js';
import { WRITING } from './path.js';

export type Handles = 'sync' | 'async';

/** A file in {@link WRITING} that is older than this was left there by a tab that is gone. */
const ABANDONED_MS = 60_000;

/**
 * Writes whole files: whatever happens to the tab, a path holds what it held before or all that was written. A file
 * is written aside and moved to its place, since a new one would stand there empty at first, and synchronous handles
 * write in place. Where there is a file already, `createWritable` does the same by itself.
 */
export class Writer {
  readonly #root: () => Promise<FileSystemDirectoryHandle>;
  readonly #handles: Handles;
  #aside: Promise<FileSystemDirectoryHandle> | undefined;

  constructor(root: () => Promise<FileSystemDirectoryHandle>, handles: Handles) {
    this.#root = root;
    this.#handles = handles;
  }

  /** Writes a file of a folder, in place of one that is there; it rejects as the browser does where a folder is. */
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
      await patiently(() => (file as Movable).move!(folder, name));
    } catch (error) {
      await aside.removeEntry(draft).catch(() => {});
      throw error;
    }
  }

  /** Creates a file aside. Where that fails, somebody may have removed the folder: the next call makes it again. */
  async #create(draft: string): Promise<{ aside: FileSystemDirectoryHandle; file: FileSystemFileHandle }> {
    try {
      this.#aside ??= this.#root().then((root) => root.getDirectoryHandle(WRITING, { create: true })).then(swept);
      const aside = await this.#aside;
      return { aside, file: await aside.getFileHandle(draft, { create: true }) };
    } catch (error) {
      this.#aside = undefined;
      throw error;
    }
  }
}

/** Without what tabs that are gone have left in it. */
async function swept(aside: FileSystemDirectoryHandle): Promise<FileSystemDirectoryHandle> {
  for await (const [name, draft] of aside.entries()) {
    const file = await (draft as FileSystemFileHandle).getFile().catch(() => null);
    if (file && file.lastModified < Date.now() - ABANDONED_MS) await aside.removeEntry(name).catch(() => {});
  }
  return aside;
}

/** Fills a file that is new, durably. */
async function fill(file: SyncFileHandle, bytes: Uint8Array, path: string): Promise<void> {
  const access = await patiently(() => file.createSyncAccessHandle());
  try {
    if (access.write(bytes, { at: 0 }) !== bytes.length) throw new FsError('ENOSPC', 'write', path);
    access.flush();
  } finally {
    access.close();
  }
}

/** Gives a file other contents, all at once when the stream is closed. */
async function replace(file: FileSystemFileHandle, bytes: Uint8Array): Promise<void> {
  const stream = await patiently(() => file.createWritable());
  try {
    await stream.write(bytes as Uint8Array<ArrayBuffer>);
    await stream.close();
  } catch (error) {
    await stream.abort().catch(() => {});
    throw error;
  }
}
