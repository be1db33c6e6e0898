import { type NoLinks, nullIfAbsent } from './git-links.js';
import { property } from './own.js';

/** Git follows at most five refs to other refs. */
const REFS_MAX = 5;

const OID = /^[0-9a-f]{40}$/;

/** A ref, as `readRefs` returns it. */
export interface FoundRef {
  ref: string;
  oid: string | null;
}

/** The names of the refs below a folder, loose and packed. */
export async function listRefs(files: any, links: NoLinks, gitdir: string, folder: string, known: Set<string>): Promise<string[]> {
  const full = new Set([...known].map((name) => `${folder}/${name}`));
  return (await readRefs(files, links, gitdir, [folder], full)).map(({ ref }) => ref.slice(folder.length + 1));
}

/** The refs below folders: loose ones, which may be refs to other refs, and packed ones with their ids. */
export async function readRefs(files: any, links: NoLinks, gitdir: string, folders: string[], known: Set<string>): Promise<FoundRef[]> {
  await links.check(...folders.map((folder) => `${folder}/`));
  const [packed, ...loose] = await Promise.all([readPacked(files, gitdir), ...folders.map((folder) => looseRefs(files, gitdir, folder, known))]);
  const found = new Map<string, string | null>();
  for (const [, oid, ref] of packed.matchAll(/^([0-9a-f]{40}) (.+)$/gm)) if (folders.some((folder) => ref!.startsWith(`${folder}/`))) found.set(ref!, oid!);
  for (const ref of loose.flat()) found.set(ref, null);
  return [...found].map(([ref, oid]) => ({ ref, oid })).sort((a, b) => (a.ref < b.ref ? -1 : 1));
}

/**
 * isomorphic-git looks at every entry; here only those are looked at that may be folders, unless the file system returns the kinds
 * with the names. A link is a ref, whatever it leads to, so that nothing outside of the repository is listed.
 */
async function looseRefs(files: any, gitdir: string, folder: string, known: Set<string>): Promise<string[]> {
  const names: string[] = [];
  const stat = typeof property(files, 'lstat') === 'function' ? 'lstat' : 'stat';
  const read = async (below: string): Promise<void> => {
    const entries: unknown[] = (await files.readdir(`${gitdir}/${below}`, { withFileTypes: true }).catch(nullIfAbsent)) ?? [];
    const found = entries.map(async (entry) => {
      const name = `${below}/${typeof entry === 'string' ? entry : property(entry as { name: string }, 'name')}`;
      const kind: any = typeof entry !== 'string' ? entry : known.has(name) ? null : await files[stat](`${gitdir}/${name}`).catch(nullIfAbsent);
      if (kind?.isDirectory()) await read(name);
      else names.push(name);
    });
    await Promise.all(found);
  };
  await read(folder);
  return names;
}

const readPacked = async (files: any, gitdir: string): Promise<string> => String((await files.readFile(`${gitdir}/packed-refs`, 'utf8').catch(nullIfAbsent)) ?? '');

/**
 * The id that a full ref points to; null if there is none. isomorphic-git reads `packed-refs` for each ref, also for one that has a
 * file. As there, a file that cannot be read or that has something else counts as absent.
 */
export async function resolveRef(files: any, gitdir: string, ref: string): Promise<string | null> {
  let at = ref;
  for (let step = 0; step <= REFS_MAX; step++) {
    const text = String((await files.readFile(`${gitdir}/${at}`, 'utf8').catch(() => null)) ?? '').trim();
    if (OID.test(text)) return text;
    const next = /^ref: (\S+)$/.exec(text)?.[1];
    if (next === undefined) return text === '' ? idIn(await readPacked(files, gitdir), at) : null;
    if (!/^refs\//.test(next) || next.split('/').includes('..')) return null;
    at = next;
  }
  throw new Error(`${ref} leads to itself or through more than five refs; point it to a commit`);
}

function idIn(packed: string, ref: string): string | null {
  const end = ` ${ref}`;
  for (let at = packed.indexOf(end); at >= 0; at = packed.indexOf(end, at + 1)) {
    const oid = packed.slice(Math.max(0, at - 40), at);
    const isLine = [undefined, '\n'].includes(packed[at - 41]) && [undefined, '\r', '\n'].includes(packed[at + end.length]);
    if (isLine && OID.test(oid)) return oid;
  }
  return null;
}
