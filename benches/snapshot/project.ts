import { Buffer } from 'buffer';
import LightningFS from '@isomorphic-git/lightning-fs';
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
let count = 0;

/** A project in its own store. */
export class Project {
  readonly host: Host;
  readonly paths: string[];
  readonly #fs: { promises: Files };
  #version = 0;

  private constructor(fs: Files, files: number) {
    this.#fs = { promises: fs };
    this.host = { fs, git: isomorphicGit({ git, fs: this.#fs, dir: DIR }), dir: DIR };
    this.paths = Array.from({ length: files }, (_, number) => `${folderOf(number)}/file-${number}.ts`);
  }

  static async create(kind: StoreKind, files: number): Promise<Project> {
    const name = `bench-${(count += 1)}`;
    const fs = kind === 'OPFS' ? opfs({ root: await emptyFolder(name) }) : (new LightningFS(name, { wipe: true }).promises as unknown as Files);
    const project = new Project(fs, files);
    await fs.mkdir(DIR);
    await fs.mkdir(`${DIR}/src`);
    for (let number = 0; number < files; number += FILES_IN_A_FOLDER) await fs.mkdir(`${DIR}/${folderOf(number)}`);
    for (const path of project.paths) await fs.writeFile(`${DIR}/${path}`, text(path, 0));
    await fs.flush();
    return project;
  }

  /** Changes this many files. */
  async change(files: number): Promise<void> {
    this.#version += 1;
    for (let number = 0; number < files; number += 1) {
      const path = this.paths[(number * 37) % this.paths.length]!;
      await this.host.fs.writeFile(`${DIR}/${path}`, text(path, this.#version));
    }
  }

  get version(): number {
    return this.#version;
  }

  /** Common arguments of isomorphic-git. */
  get at(): { fs: { promises: Files }; dir: string } {
    return { fs: this.#fs, dir: DIR };
  }
}

const folderOf = (number: number): string => `src/part-${Math.floor(number / FILES_IN_A_FOLDER)}`;

/** About a kilobyte, different in every file and version. */
function text(path: string, version: number): string {
  return Array.from({ length: 20 }, (_, line) => `export const value${line} = '${path} in version ${version}';\n`).join('');
}

async function emptyFolder(name: string): Promise<FileSystemDirectoryHandle> {
  const root = await navigator.storage.getDirectory();
  await root.removeEntry(name, { recursive: true }).catch(() => {});
  return root.getDirectoryHandle(name, { create: true });
}
