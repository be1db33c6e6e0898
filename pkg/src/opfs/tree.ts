import { isNamed } from './error.js';
import { isFolder, type Handle } from './handles.js';
import { lastOf, parentOf, type Names } from './path.js';

/**
 * The entries below a folder. A handle refers to a path and stays valid if the entry is rewritten, so handles of folders and of
 * listed files are cached.
 */
export class Tree {
  readonly #root: () => Promise<FileSystemDirectoryHandle>;
  readonly #folders = new Map<string, FileSystemDirectoryHandle>();
  readonly #listed = new Map<string, FileSystemFileHandle>();

  constructor(root: () => Promise<FileSystemDirectoryHandle>) {
    this.#root = root;
  }

  /** Rejects with the browser's error if there is no such folder. */
  async folder(names: Names): Promise<FileSystemDirectoryHandle> {
    if (names.length === 0) return this.#root();
    const key = names.join('/');
    const known = this.#folders.get(key);
    if (known) return known;
    const found = await (await this.folder(parentOf(names))).getDirectoryHandle(lastOf(names));
    this.#folders.set(key, found);
    return found;
  }

  /** `null` if there is no such entry; rejects if the parent is missing or not a folder. */
  async find(names: Names): Promise<Handle | null> {
    if (names.length === 0) return this.#root();
    const parent = await this.folder(parentOf(names));
    const name = lastOf(names);
    try {
      return await parent.getFileHandle(name);
    } catch (error) {
      if (isNamed(error, 'NotFoundError')) return null;
      if (!isNamed(error, 'TypeMismatchError')) throw error;
    }
    return parent.getDirectoryHandle(name);
  }

  /** The names in a folder; whether each is a folder. */
  async list(names: Names): Promise<Map<string, boolean>> {
    const found = new Map<string, boolean>();
    const folder = await this.folder(names);
    for await (const [name, handle] of folder.entries()) {
      found.set(name, isFolder(handle as Handle));
      const key = [...names, name].join('/');
      if (isFolder(handle as Handle)) this.#folders.set(key, handle as FileSystemDirectoryHandle);
      else this.#listed.set(key, handle as FileSystemFileHandle);
    }
    return found;
  }

  /** The file at a path if `list` has returned it before, otherwise `null`. */
  async listed(names: Names): Promise<File | null> {
    const key = names.join('/');
    const handle = this.#listed.get(key);
    if (!handle) return null;
    try {
      return await handle.getFile();
    } catch (error) {
      this.#listed.delete(key);
      if (isNamed(error, 'NotFoundError', 'TypeMismatchError')) return null;
      throw error;
    }
  }

  /** Creates a folder in an existing one. */
  async create(names: Names): Promise<void> {
    const parent = await this.folder(parentOf(names));
    this.#folders.set(names.join('/'), await parent.getDirectoryHandle(lastOf(names), { create: true }));
  }

  /** Drops the cached handles of an entry and everything below it. */
  forget(names: Names): void {
    const key = names.join('/');
    const isGone = (known: string) => known === key || known.startsWith(`${key}/`) || key === '';
    for (const remembered of [this.#folders, this.#listed]) for (const known of remembered.keys()) if (isGone(known)) remembered.delete(known);
  }
}
