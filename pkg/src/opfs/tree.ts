import { isNamed } from './error.js';
import type { Handle } from './handles.js';
import { lastOf, parentOf, type Names } from './path.js';

/** The entries below a folder, by their names. Folders are looked up once: a handle stands for a path, as long as nobody moves it. */
export class Tree {
  readonly #root: () => Promise<FileSystemDirectoryHandle>;
  readonly #folders = new Map<string, FileSystemDirectoryHandle>();

  constructor(root: () => Promise<FileSystemDirectoryHandle>) {
    this.#root = root;
  }

  /** A folder; it rejects as the browser does where there is none. */
  async folder(names: Names): Promise<FileSystemDirectoryHandle> {
    if (names.length === 0) return this.#root();
    const key = names.join('/');
    const known = this.#folders.get(key);
    if (known) return known;
    const found = await (await this.folder(parentOf(names))).getDirectoryHandle(lastOf(names));
    this.#folders.set(key, found);
    return found;
  }

  /** Whatever is there; `null` where nothing is. It rejects where there is no folder to look in. */
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

  /** Makes a folder in one that is there. */
  async create(names: Names): Promise<void> {
    const parent = await this.folder(parentOf(names));
    this.#folders.set(names.join('/'), await parent.getDirectoryHandle(lastOf(names), { create: true }));
  }

  /** A folder went: it and all below it are looked up again. */
  forget(names: Names): void {
    const key = names.join('/');
    for (const known of this.#folders.keys()) if (known === key || known.startsWith(`${key}/`) || key === '') this.#folders.delete(known);
  }
}
