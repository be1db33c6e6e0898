/** The folder for temporary files. It is not listed and cannot be opened. */
export const WRITING = '.loopgate-writing';

/** A path as its components; empty for the root. */
export type Names = readonly string[];

/** The components of a POSIX path, with `.` and `..` resolved; `null` for an invalid path. */
export function namesIn(path: unknown): string[] | null {
  // The browser would replace a lone surrogate silently, which gives another name.
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
