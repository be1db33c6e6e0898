import { fields, object, text } from './arguments.js';
import { Bombs } from './git-inflate.js';
import { NoLinks, nullIfAbsent } from './git-links.js';
import { listRefs, readRefs, resolveRef as resolveIn } from './git-refs.js';
import { bare, property } from './own.js';
import type { GitPort } from './types/git.js';

export type { GitPerson, GitPort } from './types/git.js';

/** The functions that loopgate uses. Pass the module itself: `import * as git from 'isomorphic-git'`. */
export interface IsomorphicGit {
  init(args: any): Promise<void>;
  resolveRef(args: any): Promise<string>;
  writeRef(args: any): Promise<void>;
  deleteRef(args: any): Promise<void>;
  listTags(args: any): Promise<string[]>;
  currentBranch(args: any): Promise<string | void>;
  readCommit(args: any): Promise<{ commit: { tree: string; parent: string[]; message: string; author: { name: string; email: string; timestamp: number; timezoneOffset: number } } }>;
  readTree(args: any): Promise<{ tree: Array<{ mode: string; path: string; oid: string; type: 'blob' | 'tree' | 'commit' }> }>;
  readBlob(args: any): Promise<{ blob: Uint8Array }>;
  writeBlob(args: any): Promise<string>;
  writeTree(args: any): Promise<string>;
  writeCommit(args: any): Promise<string>;
  indexPack?(args: any): Promise<unknown>;
  readObject?(args: any): Promise<{ type: string; object: any }>;
  getConfig?(args: any): Promise<any>;
}

/** isomorphic-git takes two steps per ref. Git follows at most five refs to other refs. */
const STEPS_MAX = 12;

/** The arguments of a call, without a prototype: isomorphic-git reads inherited options, too. */
type Arguments = (more?: object) => object;

/**
 * A `GitPort` over isomorphic-git. `fs` is a file system for isomorphic-git, such as a LightningFS instance or `node:fs`. The
 * default of `gitdir` is `.git` in `dir`. Pass the `cache` that you pass to isomorphic-git: it contains the index.
 */
export function isomorphicGit(options: { git: IsomorphicGit; fs: any; dir: string; gitdir?: string; cache?: object }): GitPort {
  const { git, fs, dir, gitdir: given, cache = {} } = fields(options, 'options', 'git', 'fs', 'dir', 'gitdir', 'cache');
  const gitdir = given ?? `${text(dir, 'dir').replace(/\/+$/, '')}/.git`;
  object(git, 'git');
  object(fs, 'fs');
  const files = property(fs, 'promises');
  const links = new NoLinks(files, gitdir);
  const bombs = new Bombs();
  const at: Arguments = (more) => bare({ fs, dir, gitdir, cache, ...more });
  const canRename = typeof property(files, 'rename') === 'function';
  const refs = canRename ? { promises: replacing(files, `${gitdir}/ref.loopgate`) } : fs;

  const resolveRef = async (ref: string) => {
    if (files) return resolveIn(files, gitdir, ref);
    const broken = (cause?: unknown) => new Error(`${ref} leads to itself or through more than five refs; point it to a commit`, { cause });
    const found = await git.resolveRef(at({ ref, depth: STEPS_MAX })).catch((error) => {
      // Newer versions of isomorphic-git find a loop on their own.
      if (property(error, 'code') === 'InternalError') throw broken(error);
      return nullIfNotFound(error);
    });
    if (found !== null && !/^[0-9a-f]{40}$/.test(found)) throw broken();
    return found;
  };

  return {
    async init() {
      if (files) await refuseUnsupported(files, gitdir);
      await links.check('HEAD', 'config', 'refs/heads/', 'refs/tags/', 'objects/pack/');
      await git.init(at({ defaultBranch: 'main' }));
    },
    resolveRef,
    async writeRef(ref, oid, options) {
      const expect: string | null | undefined = property(options, 'expect');
      await exclusive(gitdir, async () => {
        if (expect !== undefined) {
          const found = await resolveRef(ref);
          if (found !== expect) throw new ConflictError(ref, expect, found);
        }
        await links.check(ref);
        await git.writeRef(at({ fs: refs, ref, value: oid, force: true }));
      });
    },
    deleteRef: (ref) =>
      exclusive(gitdir, async () => {
        await links.check(ref, 'packed-refs');
        await git.deleteRef(at({ fs: refs, ref }));
      }),
    async listTags() {
      await links.check('refs/tags/');
      return git.listTags(at());
    },
    ...(files && {
      listRefs: (folder: string, known: string[] = []) => listRefs(files, links, gitdir, folder, new Set(known)),
      readRefs: (folders: string[], known: string[] = []) => readRefs(files, links, gitdir, folders, new Set(known)),
    }),
    currentBranch: async () => (await git.currentBranch(at()).catch(nullIfNotFound)) ?? null,
    async readCommit(oid) {
      bombs.refuse(oid);
      const { tree, parent, message, author } = (await git.readCommit(at({ oid }))).commit;
      const { name, email, timestamp, timezoneOffset } = author;
      return { tree, parents: parent, message, author: { name, email, timestamp, timezoneOffset } };
    },
    async readTree(oid) {
      bombs.refuse(oid);
      const { tree } = await git.readTree(at({ oid })).catch((error) => rawTree(at, git, oid, error));
      return tree.map(({ mode, path, oid, type }) => ({ mode, path, oid, type }));
    },
    async readBlob(oid) {
      bombs.refuse(oid);
      return (await git.readBlob(at({ oid }))).blob;
    },
    writeBlob: (blob) => git.writeBlob(at({ blob })),
    writeTree: (tree) => git.writeTree(at({ tree })),
    writeCommit: ({ tree, parents, message, author }) =>
      git.writeCommit(at({ commit: { tree, parent: parents, message, author, committer: author } })),
    ...(property(git, 'getConfig') && {
      async user() {
        const [name, email] = await Promise.all(['user.name', 'user.email'].map((path) => git.getConfig?.(at({ path }))));
        return name && email ? { name: String(name), email: String(email) } : null;
      },
    }),
    ...(canRename && {
      writeHead: (branch: string) => exclusive(gitdir, () => replaceFile(files, `${gitdir}/HEAD`, `ref: refs/heads/${branch}\n`)),
      readIndex: () => files.readFile(`${gitdir}/index`).catch(nullIfAbsent),
      async writeIndex(bytes: Uint8Array) {
        await exclusive(gitdir, () => replaceFile(files, `${gitdir}/index`, bytes));
        forgetIndex(cache);
      },
      async readObject(oid: string) {
        const file: Uint8Array | null = await files.readFile(`${gitdir}/objects/${oid.slice(0, 2)}/${oid.slice(2)}`).catch(() => null);
        if (file) await bombs.look(oid, file);
        return file;
      },
      async writeObjects(objects: Array<{ oid: string; file: Uint8Array }>) {
        await links.check(...objects.map(({ oid }) => `objects/${oid.slice(0, 2)}/`));
        await writeLoose(files, links, `${gitdir}/objects`, objects);
      },
      async writePack(pack: Uint8Array, index?: Uint8Array) {
        await links.check('objects/pack/', 'loopgate-pack/');
        await publishPack(files, `${gitdir}/objects/pack`, pack, index ?? (await indexOf(at, files, gitdir, git, pack)));
      },
    }),
  };
}

/**
 * Refuses repositories that isomorphic-git would corrupt or write to the wrong place: linked worktrees, other object formats and
 * other ref stores.
 */
async function refuseUnsupported(files: any, gitdir: string): Promise<void> {
  const refuse = (what: string) => {
    throw Object.assign(new Error(`${gitdir} ${what}; isomorphic-git cannot write to it`), { code: 'ENOSYS' });
  };
  const stat = await files.stat(gitdir).catch(() => null);
  if (stat === null) return;
  if (!stat.isDirectory()) refuse('is a file that points to the repository of a worktree or submodule (for a submodule, pass that folder as `gitdir`)');
  if (await exists(files, `${gitdir}/commondir`)) refuse('belongs to a linked worktree');
  const config = String(await files.readFile(`${gitdir}/config`, 'utf8').catch(() => ''));
  const [, key, value] = /^\s*(objectformat|refstorage)\s*=\s*"?(?!sha1\b|files\b)(\w+)/im.exec(config) ?? [];
  if (key !== undefined) refuse(`has ${key} = ${value}`);
}

/** Writes loose objects in parallel. Existing objects are not rewritten, because a crash during the write would corrupt them. */
async function writeLoose(files: any, links: NoLinks, folder: string, objects: Array<{ oid: string; file: Uint8Array }>): Promise<void> {
  const written = objects.map(async ({ oid, file }) => {
    const fan = `${folder}/${oid.slice(0, 2)}`;
    const path = `${fan}/${oid.slice(2)}`;
    if (await links.exists(path)) return;
    await files.writeFile(path, file).catch(async (error: unknown) => {
      if (property(error, 'code') !== 'ENOENT') throw error;
      await makeFolder(files, fan);
      await files.writeFile(path, file);
    });
  });
  // All writes end before the first error is thrown.
  const failed = (await Promise.allSettled(written)).find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}

/**
 * Readers assume that every `.idx` file is complete and has its pack. Both files are written under temporary names, then renamed,
 * the pack first.
 */
async function publishPack(files: any, folder: string, pack: Uint8Array, index: Uint8Array): Promise<void> {
  const name = hex(pack.subarray(-20));
  await makeFolder(files, folder);
  const parts = [['pack', pack], ['idx', index]] as const;
  for (const [ending, bytes] of parts) await files.writeFile(`${folder}/tmp_${name}_${ending}`, bytes);
  for (const [ending] of parts) await files.rename(`${folder}/tmp_${name}_${ending}`, `${folder}/pack-${name}.${ending}`);
}

/**
 * The file system for isomorphic-git's writes of refs. A write goes to the file `beside`, which then replaces the old file by a
 * rename, because a crash while `packed-refs` is rewritten would lose all refs. `beside` is not below `refs/`, where it would
 * count as a ref.
 */
function replacing(files: any, beside: string): object {
  const names = ['readFile', 'mkdir', 'rmdir', 'unlink', 'stat', 'lstat', 'readdir', 'readlink', 'symlink'];
  const bound = names.map((name) => [name, async (...args: unknown[]) => files[name](...args)]);
  return { ...Object.fromEntries(bound), writeFile: (path: string, content: Uint8Array | string) => replaceFile(files, path, content, beside) };
}

/** Readers see the old file or the new one, also after a crash. */
async function replaceFile(files: any, path: string, content: Uint8Array | string, beside = `${path}.loopgate`): Promise<void> {
  // A crash may have left one, and a project of strangers may have a link there.
  await files.unlink(beside).catch(nullIfAbsent);
  await files.writeFile(beside, content);
  await files.rename(beside, path);
}

/** isomorphic-git never reads an index again that was absent when it looked, and another one only if its stats differ. */
function forgetIndex(cache: any): void {
  for (const key of Object.getOwnPropertySymbols(cache)) if (key.description === 'IndexCache') delete cache[key];
}

/** Computes the index of a pack in a folder that no reader looks into. */
async function indexOf(at: Arguments, files: any, gitdir: string, git: IsomorphicGit, pack: Uint8Array): Promise<Uint8Array> {
  if (!property(git, 'indexPack')) throw new Error('this isomorphic-git has no `indexPack`: pass the index with the pack');
  const folder = `${gitdir}/loopgate-pack`;
  await makeFolder(files, folder);
  await files.writeFile(`${folder}/new.pack`, pack);
  await git.indexPack!(at({ cache: {}, dir: folder, filepath: 'new.pack' }));
  const index = await files.readFile(`${folder}/new.idx`);
  for (const name of ['new.pack', 'new.idx']) await files.unlink(`${folder}/${name}`);
  await files.rmdir(folder);
  return index;
}

/**
 * Reads a tree that isomorphic-git refuses: one with a name that is unsafe on some file systems (`a\b`, `git~5`), or with a mode of
 * old git versions. git accepts both, and the core skips names that are not safe to write.
 */
async function rawTree(at: Arguments, git: IsomorphicGit, oid: string, error: unknown): ReturnType<IsomorphicGit['readTree']> {
  if (property(error, 'code') === 'NotFoundError' || !property(git, 'readObject')) throw error;
  const { type, object } = await git.readObject!(at({ oid, format: 'content' }));
  if (type !== 'tree') throw error;
  const bytes: Uint8Array = object;
  const tree = [];
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(0, start);
    const [, mode, path] = /^(\d+) (.*)$/s.exec(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(start, end))) ?? [];
    start = end + 21;
    if (end < 0 || start > bytes.length || mode === undefined || path === undefined) throw error;
    const type = mode === '40000' ? 'tree' : mode === '160000' ? 'commit' : 'blob';
    tree.push({ mode: mode.padStart(6, '0'), path, oid: hex(bytes.subarray(end + 1, start)), type } as const);
  }
  return { tree };
}

const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

async function makeFolder(files: any, folder: string): Promise<void> {
  if (await exists(files, folder)) return;
  const parent = folder.slice(0, Math.max(0, folder.lastIndexOf('/')));
  if (parent) await makeFolder(files, parent);
  await files.mkdir(folder).catch(async (error: unknown) => {
    // Fine if another writer created it in the meantime.
    await files.stat(folder).catch(() => Promise.reject(error));
  });
}

/** Errors other than "not found" are thrown: they do not prove absence. */
async function exists(files: any, path: string): Promise<boolean> {
  try {
    await files.stat(path);
    return true;
  } catch (error) {
    nullIfAbsent(error);
    return false;
  }
}

/** Another writer moved the ref. */
class ConflictError extends Error {
  readonly code = 'ConflictError';

  constructor(ref: string, expected: string | null, found: string | null) {
    super(`${ref} points to ${found ?? 'nothing'}, expected ${expected ?? 'nothing'}: another writer moved it`);
    this.name = this.code;
  }
}

function nullIfNotFound(error: unknown): null {
  if (property(error, 'code') === 'NotFoundError') return null;
  throw error;
}

/** The last ref write of this page, by git folder. */
const queues = new Map<string, Promise<unknown>>();

/**
 * Runs `write` exclusively: across tabs if the browser has the Web Locks API, otherwise within the page. isomorphic-git has no
 * compare-and-swap. Writers outside of loopgate do not take this lock.
 */
async function exclusive(gitdir: string, write: () => Promise<void>): Promise<void> {
  const locks: LockManager | undefined = property(globalThis.navigator, 'locks');
  if (locks) return await locks.request(`loopgate:refs:${gitdir}`, write);
  const turn = (queues.get(gitdir) ?? Promise.resolve()).then(write, write);
  queues.set(gitdir, turn.catch(() => {}));
  return turn;
}
