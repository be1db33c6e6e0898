// Lists a folder in one call from wasm, instead of a dozen calls for every file in it.

import { pause, property } from './page.js';

/** How many entries are read at once; in a large folder, the page can run other tasks in between. */
const AT_ONCE = 200;

const FILE = 0;
const FOLDER = 1;
const LINK = 2;
const SPECIAL = 3;

/**
 * The entries of a folder: the names, joined by slashes, and for each its kind, its size in bytes, the milliseconds of its
 * last change, and its mode or NaN. Null for anything unusual; the caller then makes separate calls, which report the error.
 */
export async function list(fs, folder, lstat) {
  try {
    const names = await fs.readdir(folder);
    if (names.length === 0 || !names.every((name) => typeof name === 'string' && name !== '' && !name.includes('/'))) return null;
    const prefix = folder.endsWith('/') ? folder : `${folder}/`;
    const stats = [];
    for (let start = 0; start < names.length; start += AT_ONCE) {
      const chunk = names.slice(start, start + AT_ONCE);
      stats.push(...(await Promise.all(chunk.map(async (name) => numbersOf(await fs[lstat](prefix + name))))));
      await pause();
    }
    return [names.join('/'), Float64Array.from(stats.flat())];
  } catch {
    return null;
  }
}

function numbersOf(stat) {
  const of = (name) => property(stat, name);
  const numbers = [kindOf(stat, of), of('size'), of('mtimeMs') ?? of('mtime').getTime(), of('mode') ?? NaN];
  if (!numbers.every((value) => typeof value === 'number')) throw new TypeError('the stat has a field of another type');
  return numbers;
}

function kindOf(stat, of) {
  if (of('isSymbolicLink')?.call(stat)) return LINK;
  if (stat.isDirectory()) return FOLDER;
  return stat.isFile() ? FILE : SPECIAL;
}
