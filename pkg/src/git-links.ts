import { property } from './own.js';

/** A repository may come from strangers, and its links may lead anywhere: nothing is written through them. */
export class NoLinks {
  /** Folders that are not links. */
  readonly #seen = new Set<string>();

  constructor(
    private readonly files: any,
    private readonly gitdir: string,
  ) {}

  /** Refuses a link at these paths of the git folder and at the folders above them. Folders, with a slash at the end, are looked at once. */
  async check(...paths: string[]): Promise<void> {
    if (typeof property(this.files, 'lstat') !== 'function') return;
    for (const path of paths) {
      let at = this.gitdir;
      const folders = path.split('/');
      const last = folders.pop();
      let exists = await this.exists(at, true);
      for (const folder of folders) {
        if (exists) exists = await this.exists((at += `/${folder}`), true);
      }
      if (exists && last !== '') await this.exists(`${at}/${last}`);
    }
  }

  /** Whether something is at a path, which must not be a link. Other errors than "not found" are thrown: they prove no absence. */
  async exists(path: string, isFolder = false): Promise<boolean> {
    if (this.#seen.has(path)) return true;
    const stat: unknown = await this.files.lstat(path).catch(nullIfAbsent);
    if (stat === null) return false;
    const isLink: unknown = property(stat, 'isSymbolicLink');
    if (typeof isLink === 'function' && isLink.call(stat)) {
      throw Object.assign(new Error(`${path} is a symbolic link, and nothing in a repository is written through links; replace it with what it leads to`), { code: 'EACCES', path });
    }
    if (isFolder) this.#seen.add(path);
    return true;
  }
}

export function nullIfAbsent(error: unknown): null {
  const code: unknown = property(error, 'code');
  if (code === 'ENOENT' || code === 'ENOTDIR') return null;
  throw error;
}
