/** Where files are written before they are moved to their place. It is nobody's: not listed, not opened. */
export const WRITING = '.loopgate-writing';

/** An entry by the names on the way to it; none for the root. */
export type Names = readonly string[];

/** The names in a POSIX path, with `.` and `..` resolved; `null` for what no entry can be called. */
export function namesIn(path: unknown): string[] | null {
  // A lone surrogate would become another name without a word.
  if (typeof path !== 'string' || path === '' || /[\0\p{Cs}]/u.test(path)) return null;
  const names: string[] = [];
  for (const name of path.split('/')) {
    if (name === '..') names.pop();
    else if (name !== '' && name !== '.') names.push(name);
  }
  return names[0] === WRITING ? null : names;
}

export const parentOf = (names: Names): Names => names.slice(0, -1);
export const lastOf = (names: Names): string => names[names.length - 1] ?? '';
export const isBelow = (names: Names, folder: Names): boolean => names.length > folder.length && folder.every((name, at) => names[at] === name);
