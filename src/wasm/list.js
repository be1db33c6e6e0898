// A folder in one crossing of the border to wasm, instead of a dozen for every file in it.

import { pause } from './pause.js';

/** How many entries are read at once; in a large folder, the page works in between. */
const AT_ONCE = 200;

const FILE = 0;
const FOLDER = 1;
const LINK = 2;

/**
 * What is in a folder: the names, joined by slashes, and for each its kind, its size in bytes, the
 * milliseconds of its last change, and its mode or NaN. Null where anything is not as usual: then the calls that are
 * made one by one tell what it is.
 */
export async function list(fs, folder, lstat) {
  try {
    const names = await fs.readdir(folder);
    if (names.length === 0 || !names.every((name) => typeof name === 'string' && name !== '' && !name.includes('/'))) return null;
    const prefix = folder.endsWith('/') ? folder : `${folder}/`;
    const looks = [];
    for (let start = 0; start < names.length; start += AT_ONCE) {
      const chunk = names.slice(start, start + AT_ONCE);
      looks.push(...(await Promise.all(chunk.map(async (name) => lookOf(await fs[lstat](prefix + name))))));
      await pause();
    }
    return [names.join('/'), Float64Array.from(looks.flat())];
  } catch {
    return null;
  }
}

function lookOf(stat) {
  const look = [kindOf(stat), stat.size, stat.mtimeMs ?? stat.mtime.getTime(), stat.mode ?? NaN];
  if (!look.every((value) => typeof value === 'number')) throw new TypeError('this is no stat');
  return look;
}

function kindOf(stat) {
  if (stat.isSymbolicLink?.()) return LINK;
  if (stat.isDirectory()) return FOLDER;
  return typeof stat.isFile === 'function' ? FILE : undefined;
}
