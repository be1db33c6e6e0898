import { Buffer } from 'buffer';
import git from 'isomorphic-git';
import type { Host } from 'loopgate';
import { isomorphicGit } from 'loopgate/git';
import { opfs } from 'loopgate/opfs';

Object.assign(globalThis, { Buffer });

export type StoreKind = 'LightningFS' | 'OPFS';
/** Includes the methods that isomorphic-git requires. */
type Files = ReturnType<typeof opfs>;

const DIR = '/project';
const FILES_IN_A_FOLDER = 20;
const FOLDERS_IN_A_FOLDER = 5;
let count = 0;

/** A project of nested folders in its own store. */
export class Project {
  readonly kind: StoreKind;
  readonly paths: string[];
  readonly #name: string;
  #fs!: { promises: Files };
  #host!: Host;
  #calls = 0;
  #gitCalls = 0;
  #version = 0;

  private constructor(kind: StoreKind, name: string, files: number) {
    [this.kind, this.#name] = [kind, name];
    this.paths = Array.from({ length: files }, (_, number) => `${folderOf(number)}/file-${number}.ts`);
  }

  static async create(kind: StoreKind, files: number): Promise<Project> {
    const project = new Project(kind, `bench-${(count += 1)}`, files);
    if (kind === 'OPFS') await emptyFolder(project.#name);
    await project.#open({ wipe: true });
    const { fs } = project.#host;
    const folders = new Set(project.paths.flatMap((path) => foldersAbove(path)));
    for (const folder of ['', ...folders]) await fs.mkdir(`${DIR}/${folder}`);
    for (const path of project.paths) await fs.writeFile(`${DIR}/${path}`, text(path, 0));
    await project.flush();
    return project;
  }

  /** The ports as a page makes them after a reload: nothing of the project is in memory. */
  async reload(): Promise<void> {
    await this.flush();
    await this.#open({});
    // LightningFS waits until the former page has released its lock.
    await this.#fs.promises.readdir(DIR);
  }

  async #open(options: { wipe?: boolean }): Promise<void> {
    const fs = this.kind === 'OPFS' ? opfs({ root: await folder(this.#name) }) : await lightningFs(this.#name, options);
    this.#fs = { promises: fs };
    const ours = counted(fs, () => (this.#calls += 1));
    const ofGit = counted(fs, () => (this.#gitCalls += 1));
    this.#host = { fs: ours, git: isomorphicGit({ git, fs: { promises: ofGit }, dir: DIR }), dir: DIR };
  }

  get host(): Host {
    return this.#host;
  }

  /** How often loopgate called the file system. Calls of isomorphic-git are not counted. */
  get calls(): number {
    return this.#calls;
  }

  /** How often loopgate and its git port called the file system. */
  get allCalls(): number {
    return this.#calls + this.#gitCalls;
  }

  /** This many paths, other ones for each version. */
  pick(files: number, version: number): string[] {
    return Array.from({ length: files }, (_, at) => this.paths[((at + version * files) * 37) % this.paths.length]!);
  }

  /** Changes this many files, other ones in each call. */
  async change(files: number): Promise<void> {
    this.#version += 1;
    for (const path of this.pick(files, this.#version)) await this.#fs.promises.writeFile(`${DIR}/${path}`, text(path, this.#version));
  }

  get version(): number {
    return this.#version;
  }

  /** Writes a file without loopgate. */
  async write(path: string, content: string): Promise<void> {
    await this.#fs.promises.writeFile(`${DIR}/${path}`, content);
  }

  async flush(): Promise<void> {
    await this.#fs.promises.flush();
  }

  /** The least that finds changes: lists every folder and reads the stat of every entry. */
  async stats(folder = DIR): Promise<number> {
    const { promises } = this.#fs;
    let files = 0;
    for (const name of await promises.readdir(folder)) {
      const path = `${folder}/${name}`;
      if (!(await promises.lstat(path)).isDirectory()) files += 1;
      else if (name !== '.git') files += await this.stats(path);
    }
    return files;
  }

  /** Common arguments of isomorphic-git. */
  get at(): { fs: { promises: Files }; dir: string } {
    return { fs: this.#fs, dir: DIR };
  }
}

/** The same file system; `count` is called before each call. */
function counted(fs: Files, count: () => void): Files {
  return new Proxy(fs, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => (count(), value.apply(target, args) as unknown);
    },
  });
}

function folderOf(number: number): string {
  const part = Math.floor(number / FILES_IN_A_FOLDER);
  return `src/area-${Math.floor(part / FOLDERS_IN_A_FOLDER)}/part-${part}`;
}

function foldersAbove(path: string): string[] {
  const names = path.split('/').slice(0, -1);
  return names.map((_, at) => names.slice(0, at + 1).join('/'));
}

/** About a kilobyte, different in every file and version. */
function text(path: string, version: number): string {
  return Array.from({ length: 20 }, (_, line) => `export const value${line} = '${path} in version ${version}';\n`).join('');
}

/** Loaded on demand, because LightningFS needs a window. */
async function lightningFs(name: string, options: { wipe?: boolean }): Promise<Files> {
  const { default: LightningFS } = await import('@isomorphic-git/lightning-fs');
  return new LightningFS(name, options).promises as unknown as Files;
}

async function folder(name: string): Promise<FileSystemDirectoryHandle> {
  return (await navigator.storage.getDirectory()).getDirectoryHandle(name, { create: true });
}

async function emptyFolder(name: string): Promise<void> {
  await (await navigator.storage.getDirectory()).removeEntry(name, { recursive: true }).catch(() => {});
}
